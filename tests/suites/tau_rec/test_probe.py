"""Probe questions, and what they show of a domain."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from rich.console import Console

from mystery_shopper.catalog import Domain, load_domain, parse_domain
from mystery_shopper.report.proof import print_probe
from mystery_shopper.sources import load_films
from mystery_shopper.sources.shop import load_shop
from mystery_shopper.suites.tau_rec.probe import ProbeReport, mute_fields, probe, questions_for
from mystery_shopper.suites.tau_rec.probe.questions import SAMPLE, SILENT

LAMPS = b"""
name: lamps
noun: {singular: lamp, plural: lamps}
title: title
fields:
  title: {kind: text}
  shade: {kind: category, requirement: true, words: {nouns: [cover, tint]}}
  tone: {kind: categories, requirement: true, words: {nouns: [tint], phrases: [how warm]}}
  watts: {kind: number, requirement: true}
  dimmable: {kind: flag, requirement: true}
"""
VOCABULARY = {"shade": ("Linen", "Amber", "Paper"), "tone": ("Amber", "Rose")}


def lamps(**changes: Any) -> Domain:
    plain = msgspec.yaml.decode(LAMPS)
    plain.update(changes)
    return parse_domain(msgspec.yaml.encode(plain), "lamps")


def test_every_form_is_asked_of_every_field() -> None:
    questions = questions_for(lamps(), VOCABULARY)
    forms = {name: {q.form for q in questions if q.field == name} for name in lamps().fields}
    common = {"plain", "plural", "article", "preferred", "quoted", "blank", "negated", "stated",
              "listed"}  # fmt: skip
    assert forms["shade"] == common | {"choice", "alternatives", "value stated"}
    assert forms["watts"] == common | {"bounds"}
    assert forms["dimmable"] == common | {"yes or no"}
    assert all(q.expected == () for q in questions if q.form in SILENT)
    assert all(q.field in q.expected for q in questions if q.form not in SILENT)
    assert {q.word for q in questions if q.field == "shade"} >= {"shade", "cover", "tint"}


def test_values_and_synonyms_are_sampled_by_seed() -> None:
    vocabulary = {"shade": tuple(f"Maker{number}" for number in range(500))}
    first, again, other = (questions_for(lamps(), vocabulary, seed) for seed in (1, 1, 2))
    assert first == again != other
    told = {q.word for q in first if q.form == "value stated"}
    assert len(told) == SAMPLE


def test_a_field_without_words_is_labels_only_and_its_block_is_named() -> None:
    domain = parse_domain(LAMPS.replace(b"watts:", b"price:"), "lamps")
    found = probe(domain, VOCABULARY)
    told = "the label 'price' has a shipped block: add `words: {also: [price]}`"
    assert found.hints == (f"price: {told}",)
    screen = Console(file=io.StringIO(), width=200)
    print_probe(found, screen, misses=False)
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "labels only (no words of their own): price, dimmable\n" in shown
    assert told in shown
    good = LAMPS.replace(b"watts: {", b"price: {words: {also: [price]}, ")
    assert probe(parse_domain(good, "lamps"), VOCABULARY).hints == ()


def test_shared_words_and_labels_and_bare_fields_are_told() -> None:
    found = probe(lamps(), VOCABULARY)
    assert [(each.word, each.fields) for each in found.words] == [
        ("tint", ("shade", "tone")), ("tints", ("shade", "tone")),
    ][: len(found.words)]  # fmt: skip
    assert found.words
    assert [(each.word, each.fields) for each in found.labels] == [("amber", ("shade", "tone"))]
    assert found.bare == ("watts", "dimmable")
    assert found.mute == ()
    assert any(miss.word == "tint" and set(miss.got) == {"shade", "tone"} for miss in found.misread)


def test_counts_agree_with_what_was_misread() -> None:
    found = probe(lamps(), VOCABULARY)
    questions = questions_for(lamps(), VOCABULARY)
    assert sum(field.asked for field in found.fields) == len(questions)
    assert sum(tally.asked for tally in found.forms) == len(questions)
    lost = sum(field.asked - field.understood for field in found.fields)
    assert lost == len(found.misread) == sum(t.asked - t.understood for t in found.forms)
    for field in found.fields:
        own = [miss for miss in found.misread if miss.field == field.field]
        assert field.asked - field.understood == len(own)


def test_a_missing_synonym_does_not_show_and_a_given_one_is_tried() -> None:
    bare, said = (
        lamps(fields={
            "title": {"kind": "text"},
            "zorba": {"kind": "category", "requirement": True, "words": {"nouns": nouns}},
        })
        for nouns in ([], ["blorp"])
    )  # fmt: skip
    assert all(q.word != "blorp" for q in questions_for(bare, {}))
    assert any(q.word == "blorp" for q in questions_for(said, {}))
    assert probe(said, {}).ok


@pytest.mark.parametrize("label", ["the", "what", "or", "it", "???", "please"])
def test_labels_that_cannot_be_heard_are_mute(label: str) -> None:
    fields = {
        "title": {"kind": "text"},
        "f0": {"kind": "category", "requirement": True, "label": label},
        "f1": {"kind": "category", "requirement": True, "label": "zorba"},
    }
    domain = lamps(fields=fields)
    assert mute_fields(domain) == ("f0",)
    assert probe(domain, {}).mute == ("f0",)
    assert not probe(domain, {}).ok


def test_two_fields_of_one_label_are_mute() -> None:
    fields = {
        "title": {"kind": "text"},
        "f0": {"kind": "category", "requirement": True, "label": "zorba"},
        "f1": {"kind": "category", "requirement": True, "label": "Zorba"},
    }
    assert mute_fields(lamps(fields=fields)) == ("f0", "f1")


@pytest.mark.parametrize("name", ["films", "books", "shop"])
def test_no_shipped_field_is_mute(name: str) -> None:
    assert mute_fields(load_domain(name)) == ()


@pytest.mark.parametrize("load", [load_films, load_shop])
def test_shipped_domains_are_understood(load: Any) -> None:
    found: ProbeReport = probe(load().domain, load().vocabulary())
    asked = sum(field.asked for field in found.fields)
    assert asked > 500
    assert len(found.misread) <= 0.02 * asked
    assert found.mute == ()
