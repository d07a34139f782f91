"""Where a task stands among the others of its set."""

from __future__ import annotations

from typing import NamedTuple


class Labels(NamedTuple):
    """What tables group a task's trials by. `family`: tasks of one family resemble each other, so
    intervals draw families. `tier`: how much the task asks for. `satisfiable`: whether anything
    answers it."""

    family: str
    condition: str
    tier: str
    template: tuple[str, ...] = ()
    satisfiable: bool = True
