"""How a lasting run is paced and bounded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """Trials in flight, model calls at a time, and what one trial may take in seconds, tokens and
    dollars; None leaves it to Inspect."""

    max_samples: int | None = None
    max_connections: int | None = None
    time_limit: int | None = None
    token_limit: int | None = None
    cost_limit: float | None = None
