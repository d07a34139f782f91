"""Bars on stderr."""

from __future__ import annotations

from typing import Any

import pytest
from rich.progress import Progress

from mystery_shopper.cli.common import progress_over


def test_a_bar_gets_ready_until_something_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told while nothing has ended would make the first estimate ten times too long."""
    told: list[dict[str, Any]] = []
    begun: list[str] = []
    add = Progress.add_task

    def begin(bar: Progress, description: str, **more: Any) -> Any:
        begun.append(description)
        return add(bar, description, **more)

    monkeypatch.setattr(Progress, "add_task", begin)
    monkeypatch.setattr(Progress, "update", lambda *_, **more: told.append(more))
    with progress_over(10, "trials") as advance:
        advance(0)
        assert (begun, told) == (["Getting ready"], [])
        advance(2)
    assert told == [{"advance": 2, "description": "Playing"}]
