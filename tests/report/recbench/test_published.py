"""The paper's figures are those of its text: each against the words around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mystery_shopper.report.recbench import published as p

PAPER = Path(__file__).parents[4] / "shared" / "papers" / "recbench-plus.txt"


@pytest.fixture(scope="module")
def text() -> str:
    if not PAPER.is_file():
        pytest.skip(f"the paper's text is not at hand: {PAPER}")
    return PAPER.read_text(encoding="utf-8")


MOVIES, BOOKS = p.SETS["Movie"], p.SETS["Book"]
PHRASES = [
    f"contains a total of {MOVIES.queries:,} Movie queries and {BOOKS.queries:,} Book queries",
    f"{MOVIES.queries:,} queries in total. {MOVIES.users:,} users, {MOVIES.items:,} items, and "
    f"{MOVIES.interactions:,} user-item interactions",
    f"{BOOKS.queries:,} queries in total. {BOOKS.users:,} users, {BOOKS.items:,} items, and "
    f"{BOOKS.interactions:,} user-item interactions",
    f"especially Interest-based ones for movies ({MOVIES.interest:,} queries)",
    f"(e.g., {p.FTR_AGENT} has a FTR of {p.FTR_MISINFORMED:.3f} for movies)",
    f"focusing on {p.ATTRIBUTES_OF_FILMS} key attributes",
    f"experiments with a fixed $K={p.FIVE}$ are also included",
    f"evaluates { {7: 'seven'}[p.AGENTS] } widely used",
]


@pytest.mark.parametrize("phrase", PHRASES)
def test_every_figure_stands_in_the_text(phrase: str, text: str) -> None:
    assert phrase in text


def test_no_other_cell_is_filled() -> None:
    assert p.SETS.keys() == {"Movie", "Book"}
    assert BOOKS.interest is None
    assert list(p.OBSERVED) == list(range(1, 9))


SAID = {
    1: ("generally outperform other models in Condition-based Queries",
        "performance drop from Explicit to Implicit conditions is notably smaller compared to "
        "other models"),
    2: ("generally drops compared to Explicit", "resulting in the lowest Recall and CMR",
        "A higher FTR in Misinformed Condition Queries"),
    3: ("Precision and Recall generally improve with an increasing number of conditions",
        "CMR tends to decline", "For Implicit and Misinformed Condition Queries, CMR improves"),
    4: ("Incorporating user-item interaction history generally enhances Precision across all query "
        "types", "does not always improve CMR", '"distractor" items'),
    5: ("Gemini-1.5 Pro and DeepSeek-R1 generally demonstrate better performance",
        "Most models exhibit low FTR"),
    6: ("Demographics-based Queries generally show lower Recall than Interest-based Queries",
        "(for movies)", "Precision is similar between the two types"),
    7: ("queries based on more prevalent/popular interests tend to yield higher Precision and "
        "Recall", "The book domain shows an opposite trend"),
    8: ("female users", "Performance is best for users in sales/marketing roles",
        "LLMs perform best in Recall for the 50-55 age group",
        "Performance for 56 and above users is weaker"),
}  # fmt: skip
"""Observation -> what the text says that ours rests on."""


@pytest.mark.parametrize("number", p.OBSERVED)
def test_every_observation_stands_in_the_text(number: int, text: str) -> None:
    start = text.index(f"Observation {number}:")
    here = text[start : start + 3_000].replace("’", "'")
    for phrase in SAID[number]:
        assert phrase in here
    # The facts are the paper's, the sentences ours: no six words in a row are its own.
    words = re.findall(r"[\w/-]+", p.OBSERVED[number][1].lower())
    theirs = " ".join(re.findall(r"[\w/-]+", here.lower()))
    runs = [" ".join(words[at : at + 6]) for at in range(len(words) - 5)]
    assert [run for run in runs if run in theirs] == []
