"""How a lasting run is paced."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """Trials in flight, and model calls at a time; None leaves it to Inspect. Neither alters a
    trial. What one trial may take does: it is part of the plan."""

    max_samples: int | None = None
    max_connections: int | None = None
