"""The figures of an answer, against counting by hand and by brute force."""

from __future__ import annotations

import math
import time
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.suites.recbench.metrics import (
    AMBIGUOUS,
    NAMES,
    UNKNOWN,
    Recommended,
    Shelf,
    Truth,
    distinct,
    history_effect,
    score,
    scored,
)

GRAPH = ItemGraph.of_triples(
    [
        ("a", "genre", "x"),
        ("a", "star", "p"),
        ("b", "genre", "x"),
        ("b", "star", "q"),
        ("c", "genre", "y"),
        ("c", "star", "p"),
        ("d", "genre", "x"),
        ("d", "star", "p"),
        ("e", "genre", "z"),
        ("e", "star", "r"),
    ]
)
SHELF = Shelf(np.array([8.0, 4.0, 2.0, 1.0, 0.0]), 8, GRAPH)


def figures(
    truth: Truth, *items: int, most: int | None = None, mistake: bool | None = None
) -> dict[str, float]:
    return dict(zip(NAMES, scored(truth, Recommended(items, mistake), SHELF, most), strict=True))


def truth(**changes: object) -> Truth:
    fields: dict[str, object] = {
        "own": frozenset({0, 1}),
        "every": frozenset({0, 1, 3}),
        "meeting": frozenset({0, 1, 3}),
    }
    return Truth("q", "u", **(fields | changes))  # type: ignore[arg-type]


def test_precision_recall_and_cmr_by_hand() -> None:
    found = figures(truth(), 0, 3, 2, UNKNOWN)
    assert found["precision_own"] == 1 / 4
    assert found["recall_own"] == 1 / 2
    assert found["precision_all"] == 2 / 4
    assert found["recall_all"] == 2 / 3
    assert found["cmr"] == 2 / 4
    assert (found["failed"], found["recommended"]) == (0, 4)
    assert found["hallucinated"] == 1 / 4
    assert found["ambiguous"] == 0


def test_an_ambiguous_title_lowers_precision_and_is_not_hallucinated() -> None:
    found = figures(truth(), 0, AMBIGUOUS)
    assert (found["precision_own"], found["hallucinated"], found["ambiguous"]) == (0.5, 0, 0.5)


def test_an_empty_answer_is_unscored_or_nought() -> None:
    found = figures(truth())
    for name in ("precision_own", "recall_own", "precision_all", "recall_all", "cmr"):
        assert math.isnan(found[name])
        assert found[name + "_with_empty"] == 0
    assert found["failed"] == 1
    assert math.isnan(found["hallucinated"])


def test_an_answer_has_the_same_figures_with_empty_ones_counted() -> None:
    found = figures(truth(), 0, 2)
    assert found["cmr_with_empty"] == found["cmr"] == 0.5


def test_what_the_query_names_counts_neither_way() -> None:
    found = figures(truth(named=frozenset({1, 4})), 1, 0, 4)
    assert (found["precision_own"], found["recall_own"], found["recommended"]) == (1, 1, 1)
    alone = figures(truth(named=frozenset({1})), 1)
    assert alone["failed"] == 1
    nobody = figures(truth(own=frozenset({1}), named=frozenset({1})), 0)
    assert math.isnan(nobody["recall_own"])
    assert math.isnan(
        figures(truth(own=frozenset({1}), named=frozenset({1})))["recall_own_with_empty"]
    )


def test_only_the_first_k_count_and_named_ones_take_no_place() -> None:
    found = figures(truth(named=frozenset({4})), 4, 2, 0, 1, most=2)
    assert (found["precision_own"], found["recall_own"], found["recommended"]) == (0.5, 0.5, 2)


def test_cmr_is_unscored_without_conditions() -> None:
    found = figures(truth(meeting=None), 0, 1)
    assert math.isnan(found["cmr"])
    assert math.isnan(figures(truth(meeting=None))["cmr_with_empty"])


def test_the_mistake_is_told_of_misinformed_queries_only() -> None:
    assert figures(truth(claims=True), mistake=True)["names_mistake"] == 1
    assert figures(truth(claims=True), 0, mistake=False)["names_mistake"] == 0
    assert math.isnan(figures(truth(), 0, mistake=True)["names_mistake"])
    assert math.isnan(figures(truth(claims=True), 0)["names_mistake"])


def test_novelty_is_the_mean_self_information() -> None:
    assert figures(truth(), 0, 1)["novelty"] == (0 + 1) / 2
    assert figures(truth(), 2, UNKNOWN)["novelty"] == 2
    assert figures(truth(), 4)["novelty"] == 3  # Nobody has it: as if one of eight had.
    assert math.isnan(figures(truth(), UNKNOWN)["novelty"])


def test_diversity_is_one_less_the_mean_jaccard() -> None:
    assert figures(truth(), 0, 1)["diversity"] == pytest.approx(1 - 1 / 3)
    assert figures(truth(), 0, 3)["diversity"] == 0
    assert figures(truth(), 0, 4)["diversity"] == 1
    assert math.isnan(figures(truth(), 0)["diversity"])


def test_an_item_off_the_conditions_but_near_the_history_was_pulled() -> None:
    history = truth(meeting=frozenset({1}), history=(0, 2, 3))
    # Near: a (x in 2/3, p in 3/3) 5/6, b (x 2/3, q 0) 1/3, c (y 1/3, p 1) 2/3, e 0.
    assert figures(history, 0, 1)["pulled"] == 1 / 2
    assert figures(history, 4, 1)["pulled"] == 0
    assert figures(history, 0, 4, UNKNOWN)["pulled"] == 1 / 3
    assert figures(history, 1)["pulled"] == 0
    assert math.isnan(figures(truth(), 0)["pulled"])


def test_each_title_counts_once() -> None:
    listed = distinct(
        [(3, "D"), (UNKNOWN, "No Such"), (3, "d"), (UNKNOWN, "no  such"), (UNKNOWN, "x")]
    )
    assert listed == (3, UNKNOWN, UNKNOWN)


ITEMS = st.lists(st.sampled_from([*range(5), UNKNOWN, AMBIGUOUS]), max_size=8)
SETS = st.frozensets(st.integers(0, 4), max_size=5)


@given(ITEMS, SETS, SETS, SETS, st.none() | st.integers(1, 4))
def test_figures_agree_with_brute_force(
    items: list[int],
    own: frozenset[int],
    every: frozenset[int],
    named: frozenset[int],
    most: int | None,
) -> None:
    items = list(distinct((item, str(place)) for place, item in enumerate(items)))
    found = figures(truth(own=own, every=every, meeting=every, named=named), *items, most=most)
    left = [item for item in items if item not in named][: most or len(items)]
    for name, target in (("own", own), ("all", every)):
        hits = len([item for item in left if item in target])
        expected = hits / len(left) if left else math.nan
        assert found[f"precision_{name}"] == pytest.approx(expected, nan_ok=True)
        wanted = len([item for item in target if item not in named])
        recall = hits / wanted if left and wanted else math.nan
        assert found[f"recall_{name}"] == pytest.approx(recall, nan_ok=True)
    known = [item for item in left if item >= 0]
    values = [{(r, v) for r in GRAPH.relations for v in GRAPH.values_of(i, r)} for i in known]
    alike = [len(a & b) / len(a | b) for a, b in combinations(values, 2)]
    diversity = 1 - sum(alike) / len(alike) if alike else math.nan
    assert found["diversity"] == pytest.approx(diversity, nan_ok=True)


def test_means_and_intervals_draw_users() -> None:
    truths = [Truth(f"q{n}", f"u{n % 3}", frozenset({0})) for n in range(6)]
    answers = [Recommended((0,)) if n % 3 == 0 else Recommended((1,)) for n in range(6)]
    means = score(truths, answers).means(resamples=500)
    found = means["precision_own"]
    assert (found.estimate, found.clusters, found.scored) == (pytest.approx(1 / 3), 3, 6)
    assert found.low <= 1 / 3 <= found.high
    assert means["cmr"].scored == 0
    assert math.isnan(means["cmr"].estimate)


def test_the_effect_of_a_history_is_paired() -> None:
    truths = [Truth(f"q{n}", f"u{n}", frozenset({0}), meeting=frozenset({0, 1})) for n in range(4)]
    bare = score(
        truths, [Recommended((0,)), Recommended((1, 2)), Recommended(()), Recommended((1,))]
    )
    told = score(
        truths, [Recommended((0, 2)), Recommended((2,)), Recommended((0,)), Recommended((1,))]
    )
    found = history_effect(told, bare, "cmr", resamples=200)
    assert (found.estimate, found.scored) == (pytest.approx((-0.5 - 0.5 + 0) / 3), 3)


def test_rows_can_be_chosen() -> None:
    truths = [Truth(f"q{n}", f"u{n}", frozenset({0})) for n in range(4)]
    all_of = score(truths, [Recommended((0,))] * 4)
    some = all_of.of(np.array([True, False, True, False]))
    assert (len(some), some.queries, some.users) == (2, ("q0", "q2"), ("u0", "u2"))
    with pytest.raises(ValueError):
        all_of.column("no such figure")


def test_thirty_thousand_answers_take_seconds() -> None:
    """Three thousand of them in a tenth of ten seconds, K free and K = 5 alike."""
    random = Random(5)
    triples = [
        (str(i), f"r{r}", str(random.randrange(400))) for i in range(2_000) for r in range(7)
    ]
    shelf = Shelf(np.arange(2_000.0), 2_000, ItemGraph.of_triples(triples))
    truths: list[Truth] = []
    answers: list[Recommended] = []
    for number in range(3_000):
        meeting = frozenset(random.sample(range(2_000), 30))
        history = tuple(random.sample(range(2_000), 50))
        own = frozenset(sorted(meeting)[:3])
        user = f"u{number % 600}"
        truths.append(Truth(f"q{number}", user, own, meeting, meeting, history=history))
        answers.append(Recommended((*random.sample(range(2_000), 7), *own, UNKNOWN)))
    for most in (None, 5):
        start = time.process_time()
        assert len(score(truths, answers, shelf, most=most)) == 3_000
        assert time.process_time() - start < 1
