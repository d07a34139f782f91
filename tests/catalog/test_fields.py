from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.fields import Hierarchy, Kind, fold

TREE = Hierarchy.from_children(
    {"Sinitic": ["Chinese"], "Chinese": ["Mandarin", "Cantonese"], "Germany": ["West Germany"]}
)


def test_kinds_know_what_they_are() -> None:
    assert {kind for kind in Kind if kind.is_label} == {Kind.CATEGORY, Kind.CATEGORIES}
    assert {kind for kind in Kind if kind.is_ordered} == {Kind.INTEGER, Kind.NUMBER}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Drama", "dRAMA"),
        ("  West\tGermany ", "west germany"),
        ("ＡＢＣ", "abc"),
        ("Straße", "STRASSE"),
        ("e\u0301", "É"),
        ("\u0390", "\u03aa\u0301"),
        ("", "   "),
    ],
)
def test_labels_that_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text())
def test_folding_is_idempotent_and_ignores_case(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(text.casefold()) == fold(text)


def test_every_letter_folds_idempotently() -> None:
    for code in range(0x30000):
        assert fold(fold(chr(code))) == fold(chr(code)), hex(code)


def test_ancestors_are_nearest_first() -> None:
    assert TREE.ancestors("mandarin") == ("Chinese", "Sinitic")
    assert TREE.ancestors("Sinitic") == ()
    assert TREE.ancestors("Klingon") == ()


def test_a_parent_covers_its_descendants_and_itself() -> None:
    assert TREE.covers("sinitic", "Cantonese")
    assert TREE.covers("Cantonese", "cantonese")
    assert not TREE.covers("Cantonese", "Sinitic")
    assert not TREE.covers("Mandarin", "Cantonese")
    assert TREE.covered("Chinese", ["English", "Mandarin", "CHINESE"]) == ("Mandarin", "CHINESE")


def test_related_runs_both_ways() -> None:
    assert TREE.related("Sinitic", "Mandarin")
    assert TREE.related("Mandarin", "Sinitic")
    assert not TREE.related("Mandarin", "Cantonese")


def test_an_empty_forest_is_false_and_covers_only_equals() -> None:
    assert not Hierarchy()
    assert TREE
    assert Hierarchy().covers("Drama", "drama")
    assert not Hierarchy().covers("Drama", "Crime")


def test_a_second_parent_is_refused() -> None:
    with pytest.raises(ValueError, match="'b' has two parents"):
        Hierarchy.from_children({"a": ["b"], "c": ["b"]})


@pytest.mark.parametrize("children", [{"a": ["a"]}, {"a": ["b"], "b": ["c"], "c": ["A"]}])
def test_a_cycle_is_refused(children: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match="its own ancestor"):
        Hierarchy.from_children(children)


def test_a_cycle_made_by_hand_does_not_hang() -> None:
    assert Hierarchy({"a": "b", "b": "a"}).ancestors("a") == ("b", "a")
