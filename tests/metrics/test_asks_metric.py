"""Scores of a reader of messages, and the loading of labelled messages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.metrics.asks import GENERIC, LabelledMessage, load_labelled, score_asks


@dataclass(frozen=True)
class Found:
    """What a pretended reader made of a message."""

    asks: tuple[str, ...] = ()
    generic: bool = False


def row(name: str, asks: tuple[str, ...] = (), *, generic: bool = False) -> LabelledMessage:
    """A labelled message whose text is its name."""
    return LabelledMessage(name, "film", name, asks, generic)


def test_pairs_and_generic_requests_are_pooled() -> None:
    rows = [row("one", ("a", "b")), row("two", ("a",), generic=True), row("three")]
    answers = {
        "one": Found(("a", "c")),
        "two": Found(("a",), generic=True),
        "three": Found((), generic=True),
    }
    scores = score_asks(rows, lambda message: answers[message.id])
    assert (scores.pairs.tp, scores.pairs.fp, scores.pairs.fn) == (2, 1, 1)
    assert scores.precision == scores.recall == pytest.approx(2 / 3)
    assert (scores.generic.tp, scores.generic.fp, scores.generic.fn) == (1, 1, 0)
    assert scores.generic.precision == 0.5
    assert scores.generic.recall == 1.0
    assert scores.messages == 3
    assert [miss.id for miss in scores.misses] == ["one", "three"]
    assert scores.misses[0].expected == ("a", "b")
    assert scores.misses[1].got == (GENERIC,)


def test_without_a_denominator_there_is_no_figure() -> None:
    scores = score_asks([row("none")], lambda _: Found())
    assert math.isnan(scores.precision)
    assert math.isnan(scores.recall)
    assert math.isnan(scores.generic.precision)
    assert math.isnan(scores.generic.recall)
    assert scores.misses == ()
    assert score_asks([], lambda _: Found()).messages == 0


def test_lines_are_split_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    path.write_text(
        '{"id": "x1", "domain": "film", "text": "a\u2028b\x85c", "asks": ["f"], "extra": 1}\n'
        "\n"
        '{"id": "x2", "domain": "film", "text": "d", "generic": true, "proposes": ["t"]}',
        encoding="utf-8",
        newline="",
    )
    rows = load_labelled(path)
    assert [message.id for message in rows] == ["x1", "x2"]
    assert rows[0].text == "a\u2028b\x85c"
    assert rows[0].asks == ("f",)
    assert rows[1].generic
    assert rows[1].proposes == ("t",)


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    path.write_bytes(
        b'{"id": "x1", "domain": "film", "text": "fine"}\n'
        b'{"id": "x2", "domain": "film"}\n'
        b"not json\n"
        b'{"id": "\xff", "domain": "film", "text": "t"}\n'
    )
    with pytest.raises(InputError) as caught:
        load_labelled(path)
    assert caught.value.where == str(path)
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "line 2",
        "line 3",
        "line 4",
    ]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_labelled(tmp_path / "absent.jsonl")
