"""What models used in a trial: calls, tokens and money. It stands beside the trials."""

from __future__ import annotations

import msgspec


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Calls and tokens of one party. `input` are the tokens paid in full, `cached` those read from
    the provider's cache. `cost` is in dollars; None where the price is unknown, which is not 0."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = 0.0

    def plus(self, other: Usage) -> Usage:
        """Both together; the cost is unknown where either's is."""
        cost = None
        if self.cost is not None and other.cost is not None:
            cost = self.cost + other.cost
        return Usage(
            self.calls + other.calls,
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
            cost,
        )
