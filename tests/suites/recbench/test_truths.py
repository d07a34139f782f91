"""From a query and an answer to what is scored."""

from __future__ import annotations

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.recbench.corrections import Claim
from mystery_shopper.suites.recbench.metrics import AMBIGUOUS, NAMES, UNKNOWN, Shelf, scored
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style
from mystery_shopper.suites.recbench.titles import Entry, TitleIndex, TitleMatch
from mystery_shopper.suites.recbench.truths import claim_of, resolved, truth_of

ENTRIES = [
    Entry("a", "Heat (1995)"),
    Entry("b", "Alien (1979)"),
    Entry("c", "Sabrina (1954)"),
    Entry("d", "Sabrina (1995)"),
    Entry("e", "The Insider (1999)"),
]
GRAPH = ItemGraph.of_triples(
    (item, "director", name)
    for item, name in zip("abcde", ("Mann", "Scott", "Wilder", "Pollack", "Mann"), strict=True)
)
TITLES = TitleIndex(ENTRIES)
PLACES = GRAPH.position_of


def query(**changes: object) -> Query:
    fields: dict[str, object] = {
        "id": "q", "kind": Kind.MISINFORMED, "user": "u", "own": ("a",), "matching": ("a", "e"),
        "style": Style.DIRECT, "text": "More by Mann, who made Alien?", "named": ("b",),
        "parts": (Part("director", "Mann", Given.CLAIM, ("b",)),),
    }  # fmt: skip
    return Query(**(fields | changes))  # type: ignore[arg-type]


def test_a_query_becomes_positions() -> None:
    truth = truth_of(query(), PLACES, GRAPH, ("c", "nobody"))
    assert (truth.own, truth.every, truth.meeting) == ({0}, {0, 4}, {0, 4})
    assert (truth.named, truth.history, truth.claims) == ({1}, (2,), True)


def test_what_the_graph_cannot_tell_leaves_cmr_unscored() -> None:
    lacking = query(parts=(Part("composer", "Zimmer"),))
    strange = query(parts=(Part("director", "Nobody"),))
    profile = query(parts=(), kind=Kind.DEMOGRAPHICS)
    for one in (lacking, strange, profile):
        assert truth_of(one, PLACES, GRAPH).meeting is None
    assert truth_of(query(), PLACES, None).meeting is None


def test_an_answer_is_resolved_and_scored() -> None:
    claim = claim_of(query(), {entry.id: entry.title for entry in ENTRIES})
    assert claim == Claim(("Alien (1979)",), "director", "Mann")
    said = (
        "1. Heat\n2. Sabrina\n3. No Such Film\n4. Alien\n5. heat (1995)\n\nNote: Alien is by Scott."
    )
    found = resolved(read_answer(said), TITLES, PLACES, claim)
    assert found.recommended.items == (0, AMBIGUOUS, UNKNOWN, 1)
    assert found.recommended.names_mistake is True
    assert [one.kind for one in found.resolutions][1:3] == [
        TitleMatch.AMBIGUOUS,
        TitleMatch.UNKNOWN,
    ]
    row = scored(truth_of(query(), PLACES, GRAPH), found.recommended, Shelf())
    figures = dict(zip(NAMES, row, strict=True))
    assert figures["precision_own"] == figures["cmr"] == figures["hallucinated"] == 1 / 3
    assert figures["recall_all"] == 1 / 2


def test_a_query_without_a_claim_has_none() -> None:
    assert claim_of(query(parts=(Part("director", "Mann"),)), {}) is None
    assert resolved(read_answer("Heat"), TITLES, PLACES).recommended.names_mistake is None
