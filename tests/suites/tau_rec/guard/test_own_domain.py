"""The guard on a catalogue of one's own: no shipped words, flags without phrases, many labels."""

from __future__ import annotations

import time
from functools import cache

import pytest

from mystery_shopper.catalog import (
    Catalogue,
    Operator,
    Predicate,
    build_catalogue,
    parse_domain,
)
from mystery_shopper.suites.tau_rec.guard import Disclosure, Ear
from mystery_shopper.suites.tau_rec.task import Condition, Family, Reveal, Task, Tier

TENTS = b"""
name: tents
noun: {singular: tent, plural: tents}
title: title
fields:
  title: {kind: text}
  maker: {kind: category, requirement: true}
  waterproof: {kind: flag, requirement: true}
  lined: {kind: flag, requirement: true, say: {wanted: it should have a lining, unwanted: it should be unlined}}
  sleeps: {kind: integer, requirement: true}
formats: {column: maker, label: seller}
"""  # noqa: E501
COUNT = 20_000


@cache
def tents() -> Catalogue:
    domain = parse_domain(TENTS, "tents")
    makers = [f"Maker {n:05d} & Sons" for n in range(COUNT - 1)] + ["Next"]
    rows = range(COUNT)
    values = {
        "title": [f"Tent {n}" for n in rows],
        "maker": makers,
        "waterproof": [n % 2 == 0 for n in rows],
        "lined": [n % 3 == 0 for n in rows],
        "sleeps": [n % 40 for n in rows],
    }
    return build_catalogue("tents", domain, [f"t{n}" for n in rows], values, ())


@cache
def ear() -> Ear:
    return Ear(tents())


def leaks(predicate: Predicate, words: str) -> bool:
    family = Family(
        id="f001",
        tier=Tier.SIMPLE,
        template=(),
        predicates=(predicate,),
        reveals={Condition.HIDDEN: (Reveal.HIDDEN,)},
        formats=(),
        history=(),
        satisfiable=True,
        persona="",
        answers={},
    )
    return bool(Disclosure(Task(family, Condition.HIDDEN), ear()).judge(words).leaks)


P = Predicate


@pytest.mark.parametrize(
    ("predicate", "words", "leaked"),
    [
        (P("waterproof", Operator.EQUAL, True), "A waterproof one.", True),
        (P("waterproof", Operator.EQUAL, True), "water-proof, please", True),
        (P("waterproof", Operator.EQUAL, False), "Waterproof is not needed.", True),
        (P("waterproof", Operator.EQUAL, True), "It may rain.", False),
        (P("lined", Operator.EQUAL, True), "With a lining.", True),
        (P("lined", Operator.NOT_EQUAL, True), "With a lining.", False),
        (P("lined", Operator.NOT_EQUAL, True), "an unlined one", True),
        (P("maker", Operator.CONTAINS, "Maker 00007 & Sons"), "by Maker 00007 and Sons", True),
        (P("maker", Operator.CONTAINS, "Maker 00007 & Sons"), "by Maker 00008 & Sons", False),
        (P("sleeps", Operator.AT_LEAST, 20), "twenty people", True),
        (P("sleeps", Operator.AT_LEAST, 20), "for the twenties", False),
    ],
)
def test_kinds(predicate: Predicate, words: str, leaked: bool) -> None:
    assert leaks(predicate, words) is leaked


def test_many_labels_cost_a_trial_nothing() -> None:
    predicate = P("maker", Operator.CONTAINS, "Next")
    assert leaks(predicate, "It should be by Next.")
    started = time.process_time()
    for _ in range(50):
        assert not leaks(predicate, "I would rather not say.")
    assert time.process_time() - started < 1
