"""What `check` and `measure` print."""

from __future__ import annotations

import io
from collections import Counter

from rich.console import Console

from mystery_shopper.metrics.asks import LabelledMessage, score_asks
from mystery_shopper.report.proof import SHOWN, print_asks, print_check
from mystery_shopper.suites.tau_rec.asks import Reading
from mystery_shopper.suites.tau_rec.validate import CheckReport, Property, Violation

from .factory import make_task_set

TASKS = make_task_set(2)


def printed(violations: tuple[Violation, ...]) -> str:
    console = Console(file=io.StringIO(), width=100)
    checked = Counter({Property.FORMATS: 7, Property.TIER: 3})
    print_check(TASKS, CheckReport(TASKS.name, checked, {"families": 2}, violations), console)
    return console.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]


def test_a_valid_set_is_said_to_hold() -> None:
    text = printed(())
    assert "Every property holds." in text
    assert "families: 2" in text
    assert TASKS.name in text


def test_each_violation_is_named_up_to_a_number() -> None:
    violations = tuple(Violation(f"f{n:03}", Property.FORMATS, "none") for n in range(SHOWN + 5))
    text = printed(violations)
    assert "BROKEN f000: accepted formats are as they should be: none" in text
    assert "f044" not in text
    assert "... and 5 more" in text
    assert "The set is not valid." in text


def test_misread_messages_are_listed() -> None:
    rows = [
        LabelledMessage(id="a", domain="film", text="[Genre]?", asks=("genre",), generic=False),
        LabelledMessage(id="b", domain="film", text="Year?", asks=("year",), generic=False),
    ]
    scores = score_asks(rows, lambda row: Reading(("year",), row.id == "b", (), True, True))
    console = Console(file=io.StringIO(), width=100)
    print_asks(scores, "file.jsonl", console)
    text = console.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]
    assert "0.500" in text
    assert "2 messages, 2 misread" in text
    assert "a: [Genre]?" in text
    brief = Console(file=io.StringIO(), width=100)
    print_asks(scores, "file.jsonl", brief, misses=False)
    assert "Genre" not in brief.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]
