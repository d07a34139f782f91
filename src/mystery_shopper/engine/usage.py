"""What models used in a trial: calls, tokens and money. It stands beside the trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

PARTIES = ("agent", "user", "judge")
"""Who may have a model of its own, in the order in which they are told."""

_MOST = 2**53


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Calls and tokens of one party, each token in one count. `input` are the tokens paid in full,
    `cached` those read from the provider's cache, and `output` what was written, thoughts included.
    `cost` is in dollars; None where the price is unknown, which is not 0. `answered`: the id with
    which the provider named the model that answered -> calls."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = 0.0
    answered: dict[str, int] = {}

    def __post_init__(self) -> None:
        """Raises ValueError for what is no count, so that no total and no column overflows."""
        counts = (self.calls, self.input, self.cached, self.output, *self.answered.values())
        if not all(0 <= count <= _MOST for count in counts):
            raise ValueError("calls and tokens are counted from 0")
        if self.cost is not None and not 0 <= self.cost < _MOST:
            raise ValueError("a cost is a number of dollars from 0")

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input + self.cached + self.output

    def of(self, model: str) -> Usage:
        """As calls that a model of this id answered."""
        return msgspec.structs.replace(self, answered={model: self.calls} if model else {})

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
            dict(sorted((Counter(self.answered) + Counter(other.answered)).items())),
        )


def by_party(usages: Iterable[Mapping[str, Usage]]) -> dict[str, Usage]:
    """What each party used over several trials, of those parties that were there."""
    total: dict[str, Usage] = {}
    for usage in usages:
        for party, used in usage.items():
            total[party] = total.get(party, Usage()).plus(used)
    return {party: total[party] for party in in_order(total)}


def told(total: Mapping[str, Usage]) -> Iterator[str]:
    """A line for each party that was there."""
    for party, used in total.items():
        money = "price unknown" if used.cost is None else dollars(used.cost)
        yield (
            f"{party}: {used.calls:,} model calls; tokens: {used.input:,} input, "
            f"{used.cached:,} cached, {used.output:,} output; {money}"
        )


def dollars(value: float) -> str:
    """Money to three digits, or to the cent where it is more than a dollar."""
    return f"${value:,.2f}" if value >= 1 else f"${value:.3g}"


def in_order(parties: Iterable[str]) -> list[str]:
    """Parties as they are told."""
    known = {party: place for place, party in enumerate(PARTIES)}
    return sorted(parties, key=lambda party: (known.get(party, len(known)), party))
