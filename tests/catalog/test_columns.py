from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.columns import (
    Column,
    FlagColumn,
    LabelColumn,
    NumberColumn,
    PointColumn,
    TextColumn,
)
from mystery_shopper.catalog.fields import Kind, fold
from mystery_shopper.catalog.raw import column_from_rows

LABELS = st.lists(st.lists(st.sampled_from(["Drama", "drama", "Crime", "Sci-Fi", "É"]), max_size=4))


def test_labels_are_sorted_and_of_equally_frequent_spellings_the_first_stands() -> None:
    column = LabelColumn.build(
        [["drama", "Crime"], ["Drama"], [], ["CRIME", "crime"]], single=False
    )
    assert column.labels == ("CRIME", "Drama")
    assert [column.value(row) for row in range(4)] == [
        ("Drama", "CRIME"),
        ("Drama",),
        (),
        ("CRIME",),
    ]
    assert column.code_of == {"crime": 0, "drama": 1}
    assert [column.bearers(code).tolist() for code in (0, 1)] == [[0, 3], [0, 1]]


@given(LABELS)
def test_the_most_frequent_spelling_stands(rows: list[list[str]]) -> None:
    flat = [label for row in rows for label in row]
    for label in LabelColumn.build(rows, single=False).labels:
        alike = [other for other in flat if fold(other) == fold(label)]
        assert min(alike, key=lambda other: (-flat.count(other), other)) == label


def test_a_category_is_one_label_or_none() -> None:
    column = LabelColumn.build([["Crime"], []], single=True)
    assert [column.value(0), column.value(1)] == ["Crime", None]


@given(LABELS)
def test_bearers_are_the_rows_with_the_label(rows: list[list[str]]) -> None:
    column = LabelColumn.build(rows, single=False)
    assert len(column) == len(rows)
    for code, label in enumerate(column.labels):
        bears = [i for i, row in enumerate(rows) if fold(label) in {fold(name) for name in row}]
        assert column.bearers(code).tolist() == bears


@given(LABELS, st.data())
def test_taken_rows_keep_their_labels(rows: list[list[str]], data: st.DataObject) -> None:
    column = LabelColumn.build(rows, single=False)
    kept = [i for i in range(len(rows)) if data.draw(st.booleans())]
    taken = column.take(np.array(kept, np.int64))
    assert [taken.value(i) for i in range(len(kept))] == [column.value(i) for i in kept]
    assert set(taken.labels) == {label for i in kept for label in column.value(i)}  # type: ignore[union-attr]


@given(rows=st.lists(st.lists(st.sampled_from(["a", "A", "b", "É", "é", "x y"]), max_size=4)))
def test_a_column_from_codes_is_that_from_its_labels(rows: list[list[str]]) -> None:
    texts = ["unused", "é", "b", "A", "x y", "É", "a"]
    codes = np.array([texts.index(label) for row in rows for label in row], np.int32)
    counts = np.array([len(row) for row in rows], np.int64)
    column = LabelColumn.from_codes(texts, codes, counts, single=False)
    expected = LabelColumn.build(rows, single=False)
    assert column.labels == expected.labels
    assert column.digest() == expected.digest()


def test_many_labels_have_their_bearers_too() -> None:
    labels = [[f"l{i % 70_000}"] for i in range(100_000)]
    column = LabelColumn.build(labels, single=True)
    for label in ("l0", "l29999", "l30000", "l69999"):
        bearers = column.bearers(column.code_of[label]).tolist()
        assert bearers == [i for i in range(100_000) if labels[i] == [label]]


def _columns() -> dict[str, Column]:
    return {
        "labels": LabelColumn.build([["a"], [], ["b", "a"]], single=False),
        "numbers": NumberColumn(np.array([1.5, np.nan, -2.0]), False),
        "whole": NumberColumn(np.array([1.0, np.nan, -2.0]), True),
        "texts": TextColumn(("one", None, "")),
        "flags": FlagColumn(np.array([1, -1, 0], np.int8)),
        "points": PointColumn(np.array([[1.0, 2.0], [np.nan, np.nan], [-3.0, 4.0]])),
    }


VALUES = {
    "labels": [("a",), (), ("b", "a")],
    "numbers": [1.5, None, -2.0],
    "whole": [1, None, -2],
    "texts": ["one", None, ""],
    "flags": [True, None, False],
    "points": [(1.0, 2.0), None, (-3.0, 4.0)],
}


@pytest.mark.parametrize("name", VALUES)
def test_values_and_taken_rows(name: str) -> None:
    column = _columns()[name]
    assert len(column) == 3
    assert [column.value(row) for row in range(3)] == VALUES[name]
    taken = column.take(np.array([2, 0], np.int64))
    assert [taken.value(row) for row in range(2)] == [VALUES[name][2], VALUES[name][0]]
    assert isinstance(_columns()["whole"].value(0), int)


@pytest.mark.parametrize("name", VALUES)
def test_equal_columns_have_equal_digests_and_others_do_not(name: str) -> None:
    column = _columns()[name]
    assert column.digest() == _columns()[name].digest()
    assert column.digest() != column.take(np.array([2, 1, 0], np.int64)).digest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a\x1fb", "c"), ("a", "b\x1fc")),
        ((None, "a"), ("\x00", "a")),
        (("", "a"), ("a", "")),
        (("", None), (None, "")),
    ],
)
def test_digests_tell_texts_apart(
    one: tuple[str | None, ...], other: tuple[str | None, ...]
) -> None:
    assert TextColumn(one).digest() != TextColumn(other).digest()


def test_lone_surrogates_can_be_hashed() -> None:
    assert TextColumn(("\ud800",)).digest() != TextColumn(("\ud801",)).digest()


NAN = float("nan")


@pytest.mark.parametrize(
    ("kind", "raw", "values"),
    [
        (Kind.CATEGORIES, [["a", "b"], "ab", None, [], NAN, ("a",), np.array(["b"])],
         [("a", "b"), ("ab",), (), (), (), ("a",), ("b",)]),
        (Kind.CATEGORY, ["a", ["b"], None, [], NAN], ["a", "b", None, None, None]),
        (Kind.INTEGER, [3, 4.0, None, NAN, np.int64(5)], [3, 4, None, None, 5]),
        (Kind.NUMBER, [3, 0.5, None, np.float32(0.25), np.float64("nan")],
         [3.0, 0.5, None, 0.25, None]),
        (Kind.TEXT, ["x", "", None, NAN], ["x", "", None, None]),
        (Kind.FLAG, [True, False, None, np.True_, NAN], [True, False, None, True, None]),
        (Kind.POINT, [(1, 2.5), [90, -180], None, np.array([0.0, 0.0])],
         [(1.0, 2.5), (90.0, -180.0), None, (0.0, 0.0)]),
    ],
)  # fmt: skip
def test_raw_values_are_read(kind: Kind, raw: list[Any], values: list[Any]) -> None:
    column = column_from_rows(kind, raw, [f"i{i}" for i in range(len(raw))], "field")
    assert [column.value(row) for row in range(len(raw))] == values


@pytest.mark.parametrize("kind", list(Kind))
def test_a_column_may_have_no_rows(kind: Kind) -> None:
    column = column_from_rows(kind, [], [], "field")
    assert len(column) == len(column.take(np.empty(0, np.int64))) == 0


@pytest.mark.parametrize(
    ("kind", "value", "want"),
    [
        (Kind.CATEGORIES, ["a", ""], "a label or a list of labels"),
        (Kind.CATEGORIES, ["a", None], "a label or a list of labels"),
        (Kind.CATEGORIES, 5, "a label or a list of labels"),
        (Kind.CATEGORIES, {"a", "b"}, "a label or a list of labels"),
        (Kind.CATEGORY, ["a", "b"], "a single label"),
        (Kind.CATEGORY, " ", "a label or a list of labels"),
        (Kind.INTEGER, 1.5, "a whole number"),
        (Kind.INTEGER, "5", "a number"),
        (Kind.NUMBER, True, "a number"),
        (Kind.NUMBER, float("inf"), "a finite number"),
        (Kind.INTEGER, 10**400, "a finite number"),
        (Kind.TEXT, 5, "a text"),
        (Kind.FLAG, 1, "true or false"),
        (Kind.POINT, (1, 2, 3), "a latitude and a longitude"),
        (Kind.POINT, 5, "a latitude and a longitude"),
        (Kind.POINT, (91, 0), "a latitude and a longitude in degrees"),
        (Kind.POINT, (0, 181), "a latitude and a longitude in degrees"),
        (Kind.POINT, (0, NAN), "a finite number"),
        (Kind.POINT, ("a", 0), "a number"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(kind: Kind, value: Any, want: str) -> None:
    with pytest.raises(ValueError, match=rf"row 2 \(id 'b'\), field 'size': .* is not {want}$"):
        column_from_rows(kind, [None, value], ["a", "b"], "size")


def test_a_long_wrong_value_is_shortened() -> None:
    with pytest.raises(ValueError, match="…") as caught:
        column_from_rows(Kind.INTEGER, ["x" * 10_000], ["a"], "size")
    assert len(str(caught.value)) < 200
