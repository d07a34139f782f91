"""What the user says can be read back: for any value, in any domain."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Domain, Operator, Predicate, fold, load_domain, parse_domain
from mystery_shopper.suites.tau_rec.wording import (
    ACCEPTED,
    REJECTED,
    Heard,
    Wording,
    field_labels,
    join_lines,
    listed,
)

from .helpers import RED, SINCE, domain

AWKWARD = b"""
name: awkward
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  format: {kind: categories, label: file type}
  sort: {kind: category, requirement: true, say: {contains: "{value} is a must"}}
  mark:
    kind: category
    requirement: true
    say: {contains: "(it has) {value} and nothing but {value}"}
  size:
    kind: number
    requirement: true
    say: {">=": "from {value}", "<=": "from nothing up to {value}"}
  tag: {kind: categories, requirement: true, say: {contains: "from {value}"}}
  age: {kind: integer, requirement: true, say: {">=": "aged\\n  {value}  or more"}}
formats: {column: format, label: way to have it}
"""
PLAIN = b"""
name: plain
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  sort_of_thing: {kind: categories, requirement: true}
  home: {kind: category, requirement: true, hierarchy: {A: [B]}}
  size: {kind: number, requirement: true}
"""
DOMAINS = {
    "films": load_domain("films"),
    "books": load_domain("books"),
    "lamps": domain(),
    "plain": parse_domain(PLAIN, "plain"),
}
HARD = [
    'Say "yes"', "It's", "a. b.", "a; b, c", "{value}", "{0} }{", "naïve Ω 日本", "(.+)", "\\1",
    "a\\b",
    "it should include Drama", "100 %", "###", "tab\there", "new\nline", "x\u2028y", "[[a]]",
]  # fmt: skip

labels = st.one_of(
    st.sampled_from(HARD),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\x1c\x1d\x1e\x1f"), min_size=1
    ).filter(str.strip),
)
numbers = st.one_of(
    st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False)
)


def heard_alike(heard: Heard, said: Predicate) -> bool:
    """One requirement was heard, the one said; labels are equal by their folded forms."""
    (found,) = heard.predicates
    same = (found.field, found.op) == (said.field, said.op)
    if isinstance(said.value, str):
        return same and fold(str(found.value)) == fold(said.value)
    return same and found.value == said.value


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
def test_a_requirement_said_is_read_back(name: str, data: st.DataObject) -> None:
    words = Wording(DOMAINS[name])
    field, op = data.draw(st.sampled_from(sorted(words._phrases)))
    ordered = words.domain.fields[field].kind.is_ordered
    said = Predicate(field, Operator(op), data.draw(numbers if ordered else labels))
    assert heard_alike(words.read(words.requirement(said)), said)


@given(value=labels)
def test_a_requirement_is_one_line(value: str) -> None:
    said = Predicate("genre", Operator.CONTAINS, value)
    assert "\n" not in Wording(DOMAINS["films"]).requirement(said)


@pytest.mark.parametrize(
    "said",
    [
        Predicate("sort", Operator.CONTAINS, "ß-class"),
        Predicate("mark", Operator.CONTAINS, "x and nothing but x"),
        Predicate("size", Operator.AT_LEAST, 2.5),
        Predicate("size", Operator.AT_MOST, 3),
        Predicate("tag", Operator.CONTAINS, "afar"),
        Predicate("age", Operator.AT_LEAST, 2.5),
        Predicate("age", Operator.AT_LEAST, 9007199254740993),
    ],
)
def test_phrases_that_resemble_one_another_are_told_apart(said: Predicate) -> None:
    words = Wording(parse_domain(AWKWARD, "awkward"))
    assert words.read(words.requirement(said)).predicates == (said,)


def test_a_value_keeps_its_case_where_it_begins_the_sentence() -> None:
    words = Wording(parse_domain(AWKWARD, "awkward"))
    assert words.requirement(Predicate("sort", Operator.CONTAINS, "ebook")) == "ebook is a must."


def test_a_list_of_values_is_said_with_commas() -> None:
    words = Wording(parse_domain(PLAIN.replace(b"home:", b"home: {kind: text}\n  other:"), "plain"))
    any_of = Predicate("sort_of_thing", Operator.CONTAINS, ("a", "b"))
    assert words.requirement(any_of) == "The sort of thing should be a, b."


@pytest.mark.parametrize("line", ["From inf.", "From nan.", "From 1e999."])
def test_what_is_no_number_is_no_bound(line: str) -> None:
    heard = Wording(parse_domain(AWKWARD, "awkward")).read(line)
    assert [p.field for p in heard.predicates] == ["tag"]


def test_a_line_that_is_nothing_of_ours_is_passed_over() -> None:
    assert (
        Wording(domain()).read("Hello!\n\nThe year of making should be at least soon.") == Heard()
    )


@pytest.mark.parametrize("name", DOMAINS)
def test_refusals_are_read_back_for_every_field(name: str) -> None:
    words = Wording(DOMAINS[name])
    fields = words.domain.requirement_fields
    text = join_lines(
        [words.declined(fields[0]), *(words.unconcerned(field) for field in fields[1:])]
    )
    assert words.read(text) == Heard(declined=fields[:1], unconcerned=fields[1:])


@pytest.mark.parametrize("name", DOMAINS)
def test_that_any_field_is_of_no_concern_is_read_back(name: str) -> None:
    words = Wording(DOMAINS[name])
    for field in words.domain.fields:
        assert words.read(words.unconcerned(field)) == Heard(unconcerned=(field,))


def test_the_formats_are_spoken_of_by_their_own_label() -> None:
    words = Wording(parse_domain(AWKWARD, "awkward"))
    text = words.unconcerned("format")
    assert "way to have it" in text
    assert words.read(text).unconcerned == ("format",)


@pytest.mark.parametrize("accepted", [("DVD",), ("Blu-ray", "DVD", "download"), ("8.5 inch; {v}",)])
def test_formats_said_are_read_back(accepted: tuple[str, ...]) -> None:
    words = Wording(DOMAINS["films"])
    assert words.read(words.formats(accepted)).formats == accepted


def test_an_unsaid_format_is_none_heard() -> None:
    assert Wording(DOMAINS["films"]).read("Hello!").formats is None


@pytest.mark.parametrize(
    ("text", "verdict"),
    [(ACCEPTED, True), (f"{REJECTED}\nmore", False), ("perhaps", None)],
)
def test_a_verdict_is_read_back(text: str, verdict: bool | None) -> None:
    assert Wording(domain()).read(text).accepted is verdict


def test_a_whole_message_is_read_back() -> None:
    words = Wording(domain())
    text = words.opening([words.requirement(RED), words.requirement(SINCE), words.formats(["E27"])])
    assert words.read(text) == Heard((RED, SINCE), ("E27",))


def test_what_is_said_twice_is_heard_once() -> None:
    words = Wording(domain())
    line = words.requirement(RED)
    assert words.read(f"{line}\n{line}").predicates == (RED,)


def test_the_domain_may_word_its_own_sentences() -> None:
    assert (
        Wording(DOMAINS["films"]).requirement(Predicate("year", Operator.AT_LEAST, 1990))
        == "It should have been released in 1990 or later."
    )


def test_lines_are_joined_each_once() -> None:
    assert join_lines(["a", "b", "a"]) == "a\nb"


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_words_are_listed(words: list[str], text: str) -> None:
    assert listed(words, "or") == text


def test_the_labels_that_may_be_asked_about_end_with_the_formats() -> None:
    assert field_labels(domain()) == ["colour", "land", "year of making", "plug"]
    assert field_labels(DOMAINS["plain"]) == ["sort of thing", "home", "size"]


def test_a_domain_without_formats_speaks_of_none() -> None:
    bare: Domain = msgspec.structs.replace(domain(), formats=None)
    assert Wording(bare).formats(("E27",)) == "E27."
