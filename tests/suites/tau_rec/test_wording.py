"""What the user says can be read back: for any value, in any domain."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import (
    SHIPPED,
    Domain,
    Operator,
    Predicate,
    fold,
    load_domain,
    parse_domain,
)
from mystery_shopper.catalog.predicates import Wanted
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.phrases import (
    Phrase,
    heard_list,
    heard_number,
    phrases_of,
    said_list,
    said_number,
    wording_problems,
)
from mystery_shopper.suites.tau_rec.wording import (
    ACCEPTED,
    REJECTED,
    Heard,
    Wording,
    check_wording,
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
  tag: {kind: categories, requirement: true, say: {contains: "from  {value} only"}}
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
  wet: {kind: flag, requirement: true}
  dear: {kind: flag, label: price class, requirement: true, say: {wanted: "it should cost much"}}
"""
DOMAINS = {
    "films": load_domain("films"),
    "books": load_domain("books"),
    "shop": load_domain("shop"),
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
    return (found.field, found.op) == (said.field, said.op) and alike(found.value, said.value)


def alike(one: Wanted, other: Wanted) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        parts = [value if isinstance(value, tuple) else (value,) for value in (one, other)]
        return len(parts[0]) == len(parts[1]) and all(map(alike, *parts))
    if isinstance(other, str):
        return fold(str(one)) == fold(other)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def requirements(domain: Domain) -> st.SearchStrategy[Predicate]:
    """Any requirement that a domain has words for, with any value."""

    def of(phrase: Phrase) -> st.SearchStrategy[Predicate]:
        if phrase.flag is not None:
            return st.just(Predicate(phrase.field, phrase.op, phrase.flag))
        values: st.SearchStrategy[Wanted] = numbers if phrase.kind.is_ordered else labels
        several = st.lists(values, min_size=1, max_size=3).map(tuple)
        if phrase.op in (Operator.IN, Operator.CONTAINS_ANY):
            values = several
        elif phrase.op in (Operator.EQUAL, Operator.NOT_EQUAL) and phrase.kind.is_label:
            values = values | several
        return values.map(lambda value: Predicate(phrase.field, phrase.op, value))

    return st.sampled_from(list(phrases_of(domain))).flatmap(of)


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
def test_a_requirement_said_is_read_back(name: str, data: st.DataObject) -> None:
    words = Wording(DOMAINS[name])
    said = data.draw(requirements(words.domain))
    assert heard_alike(words.read(words.requirement(said)), said)


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    """Fields of any kind that carries requirements, with labels and phrases that resemble one
    another."""
    fields: dict[str, Any] = {"name": {"kind": "text"}}
    kinds = st.sampled_from(["category", "categories", "integer", "number", "flag"])
    words = st.lists(st.sampled_from(["it", "be", "{x}", "(a|b)", "at", "Re:", "é"]), min_size=1)
    for index in range(draw(st.integers(1, 4))):
        kind = draw(kinds)
        label = " ".join(draw(words)) + draw(st.sampled_from(["", f" {index}"]))
        field: dict[str, Any] = {"kind": kind, "label": label, "requirement": True}
        if draw(st.booleans()):
            keys = {"flag": ["wanted", "unwanted"], "integer": [">="], "number": ["<="]}
            value = [] if kind == "flag" else ["{value}"]
            field["say"] = {
                key: " ".join(draw(st.permutations([*draw(words), *value])))
                for key in keys.get(kind, ["contains"])
            }
        fields[f"f{index}"] = field
    shape = {"noun": {"singular": "it", "plural": "its"}, "title": "name", "fields": fields}
    return msgspec.convert({"name": "random", **shape}, Domain)


@given(data=st.data())
@settings(max_examples=400)
def test_in_any_domain_every_requirement_is_read_back_or_the_domain_refused(
    data: st.DataObject,
) -> None:
    drawn = data.draw(domains())
    if wording_problems(drawn):
        with pytest.raises(InputError):
            Wording(drawn)
        return
    words = Wording(drawn)
    said = data.draw(requirements(drawn))
    assert heard_alike(words.read(words.requirement(said)), said)
    whole = words.read(words.opening([words.requirement(said), words.declined(said.field)]))
    assert heard_alike(whole, said)
    assert whole.declined == (said.field,)
    assert whole.accepted is None


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"a": {"label": "size"}, "b": {"label": "Size"}}, "'Size' is also what a is called"),
        ({"a": {"label": "way"}, "b": {}}, "'way' is also what a is called"),
        (
            {"a": {"say": {"contains": "in {value}"}}, "b": {"say": {"contains": "In  {value}"}}},
            "fields.b.say.contains: 'In  {value}' is also said for fields.a.say.contains",
        ),
        (
            {"a": {"say": {"contains": "by {value}"}}, "b": {}},
            "formats.say: 'by {value}' is also said for fields.a.say.contains",
        ),
        ({"a": {"say": {"contains": "({value})"}}, "b": {}}, "has no word beside the value"),
        (
            {"a": {"kind": "flag", "say": {"wanted": "new", "unwanted": "new"}}, "b": {}},
            "fields.a.say.unwanted: 'new' is also said for fields.a.say.wanted",
        ),
    ],
)
def test_a_domain_whose_customers_could_not_be_understood_is_refused(
    changes: dict[str, dict[str, Any]], problem: str
) -> None:
    fields = {
        name: {"kind": "category", "requirement": True, **spec} for name, spec in changes.items()
    }
    shape = {
        "name": "clash",
        "noun": {"singular": "it", "plural": "its"},
        "title": "name",
        "fields": {"name": {"kind": "text"}, **fields},
        "formats": {"simulated": ["x", "y"], "label": "way", "say": "by {value}"},
    }
    drawn = msgspec.convert(shape, Domain)
    with pytest.raises(InputError, match=re.escape(problem)):
        check_wording(drawn)


def test_every_shipped_domain_can_be_understood() -> None:
    for name in SHIPPED:
        check_wording(load_domain(name))


def test_a_value_that_would_be_misread_is_said_with_its_field() -> None:
    sort = b'  sort: {kind: category, requirement: true, say: {contains: "it should cost {value}"}}'
    text = PLAIN.replace(b"  wet: {", sort + b"\n  wet: {")
    words = Wording(parse_domain(text, "plain"))
    dear = Predicate("dear", Operator.EQUAL, True)
    much = Predicate("sort", Operator.CONTAINS, "much")
    assert words.requirement(dear) == "It should cost much."
    assert words.requirement(much) == "Sort: It should cost much."
    assert words.read(join_lines(map(words.requirement, (dear, much)))).predicates == (dear, much)


def test_a_flag_without_words_of_its_own_is_spoken_of_by_its_label() -> None:
    words = Wording(DOMAINS["plain"])
    wet, dry = (Predicate("wet", Operator.EQUAL, wanted) for wanted in (True, False))
    assert words.requirement(wet) == "For wet the answer should be yes."
    assert words.requirement(dry) == "For wet the answer should be no."
    assert words.flag_phrases("dear") == (
        "it should cost much",
        "for price class the answer should be no",
    )
    assert Wording(load_domain("shop")).flag_phrases("second_hand") == (
        "it should be second-hand",
        "it should be new",
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [(19.99, "19.99"), (20.0, "20"), (1e-05, "0.00001"), (1e20, "1" + "0" * 20), (-0.5, "-0.5"),
     (-0.0, "0"), (7, "7"), (0.1 + 0.2, "0.30000000000000004")],
)  # fmt: skip
def test_numbers_are_said_in_plain_digits(number: float, text: str) -> None:
    assert said_number(number) == text
    assert heard_number(text) == number


@given(st.lists(labels, min_size=1, max_size=4))
def test_lists_are_read_back(names: list[str]) -> None:
    assert heard_list(said_list(names)) == tuple(" ".join(name.split()) for name in names)


@pytest.mark.parametrize(
    "value", [ACCEPTED, REJECTED, f"x\n{ACCEPTED}\ny", f"{REJECTED} {{value}}"]
)
def test_a_verdict_within_a_value_is_none(value: str) -> None:
    words = Wording(parse_domain(AWKWARD, "awkward"))
    for field in ("sort", "mark", "tag"):
        said = Predicate(field, Operator.CONTAINS, value)
        heard = words.read(words.opening([words.requirement(said)]))
        assert heard.accepted is None
        assert heard_alike(heard, said)
    assert words.read(f"{words.requirement(said)}\n{ACCEPTED}").accepted is True


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
        Predicate("tag", Operator.CONTAINS, "nothing up to 7"),
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
    any_of = Predicate("sort_of_thing", Operator.CONTAINS_ANY, ("a", "b"))
    assert words.requirement(any_of) == "The sort of thing should be any of a, b."
    other = Predicate("sort_of_thing", Operator.CONTAINS_ANY, ("a, b", "”c"))
    assert words.requirement(other) == "The sort of thing should be any of “a, b”, “””c”."
    assert words.read(words.requirement(other)).predicates == (other,)


@pytest.mark.parametrize(
    "line", ["From inf.", "From nan.", "From 1e999.", "From 1_0.", "From ٣.", "From  3."]
)
def test_what_is_no_number_is_no_bound(line: str) -> None:
    assert Wording(parse_domain(AWKWARD, "awkward")).read(line) == Heard()


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


@pytest.mark.parametrize(
    "accepted",
    [("DVD",), ("Blu-ray", "DVD", "download"), ("8.5 inch; {v}",), ("by post, slow", "“x”")],
)
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
    assert field_labels(DOMAINS["plain"]) == ["sort of thing", "home", "size", "wet", "price class"]


def test_a_domain_without_formats_speaks_of_none() -> None:
    bare: Domain = msgspec.structs.replace(domain(), formats=None)
    assert Wording(bare).formats(("E27",)) == "E27."
