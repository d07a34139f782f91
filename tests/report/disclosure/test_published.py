"""The paper's figures are those of its text: each against the words around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.report.disclosure import published as p

PAPER = Path(__file__).parents[4] / "shared" / "papers" / "tau-rec-books.txt"


@pytest.fixture(scope="module")
def text() -> str:
    if not PAPER.is_file():
        pytest.skip(f"the paper's text is not at hand: {PAPER}")
    return PAPER.read_text(encoding="utf-8")


CONTRAST_NAMES = {
    p.INTERFACE: "Interface, model-averaged",
    "mixed gap, all": "Mixed - volunteer (all families)",
    "hidden gap, satisfiable": "Hidden - volunteer (satisfiable)",
    f"keyword {p.SCALE}": "Keyword, 5k - 20k",
    f"structured {p.SCALE}": "Structured, 5k - 20k",
    p.CROSSED: r"Interface \times scale",
}


def line(name: str, known: p.PublishedContrast) -> str:
    """The row of Table 4 as its text prints it."""
    families = known.families.replace("≤", r"\leq")
    interval = rf"[{known.low:+},\,{known.high:+}]"
    return f"{name}{known.points:+}{interval}{families} {known.templates}"


def test_every_contrast_is_a_row_of_table_4(text: str) -> None:
    assert CONTRAST_NAMES.keys() == p.CONTRASTS.keys()
    for role, known in p.CONTRASTS.items():
        assert line(CONTRAST_NAMES[role], known) in text
    for user, known in p.USERS.items():
        assert line(f"{user} user - rule-based", known) in text


PASSED = p.PASSES
PHRASES = [
    f"is {PASSED['volunteer', 1]} on volunteer, {PASSED['mixed', 1]} on mixed, and "
    f"{PASSED['hidden', 1]} on hidden tasks",
    f"averaged, {PASSED['volunteer', 4]} on volunteer, {PASSED['mixed', 4]} on mixed, and "
    f"{PASSED['hidden', 4]} on hidden tasks",
    f"under the base prompt agents reach only {p.HIDDEN_NVR} on hidden ones",
    f"most on hidden tasks ({p.TIERS['simple', 'hidden']} simple, "
    f"{p.TIERS['complex', 'hidden']} complex)",
    f"on mixed tasks ({p.INTERFACE_MIXED} points)",
    f"find an answer for {p.REACHED[5_000]} of the {p.REACHED_OF} satisfiable families at 5k but "
    f"only {p.REACHED[20_000]} at 20k",
    f"median {p.MEDIAN_ANSWERS[5_000]} answers at 5k, {p.MEDIAN_ANSWERS[20_000]} at 20k",
    f"effects of about {p.DETECTABLE} points for this contrast and {p.DETECTABLE_PAIR} between two "
    f"agent–interface pairs ({p.DETECTABLE_PAIR_HIDDEN} on hidden tasks)",
    f"separates {p.SEPARATED[0]} of the {p.SEPARATED[1]} agent–interface pairs",
    f"every askable fact succeed {100 * p.ELICITED_ALL:.0f}% of the time, others "
    f"{100 * p.ELICITED_LESS:.0f}%",
    f"In {100 * p.UNTESTED_FAILURES:.0f}% of failed hidden satisfiable trials",
    f"{'half' if p.BEFORE_PROPOSAL == 0.5 else ''} of them before any proposal; most "
    f"({100 * p.AFTER_DECLINE:.0f}%) follow a declined question",
    f"in {100 * p.NAMED_UNTAGGED}% of failures an earlier turn had named an acceptable book",
    f"within three rejections they reach {p.WITHIN_THREE['popularity']} and "
    f"{p.WITHIN_THREE['eliminating']}, agents {p.WITHIN_THREE['agents']}",
    f"lifts every agent to at least {p.PROMPTS['ask', 'mixed'].removeprefix('≥ ')}",
    f"reach {p.PROMPTS['ask-and-verify', 'hidden']} on the reliability block",
    f"to {p.PROMPTS['protocol', 'hidden']}, detectably above",
]


@pytest.mark.parametrize("phrase", PHRASES)
def test_every_figure_stands_in_the_text(phrase: str, text: str) -> None:
    assert phrase in text


def test_no_other_cell_is_filled() -> None:
    assert {len(p.PASSES), len(p.PROMPTS), len(p.TIERS)} == {6, 3, 2}
    assert p.REACHED.keys() == p.MEDIAN_ANSWERS.keys() == {5_000, 20_000}
    assert p.WITHIN_THREE.keys() == {"agents", "popularity", "eliminating"}
