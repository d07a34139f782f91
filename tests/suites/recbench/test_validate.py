"""Proofs: the drawn set passes, and a set in which anything was changed does not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import msgspec
import pytest

from mystery_shopper.suites.recbench.query import Given, Kind, Part, Profile, Query, QuerySet, Trait
from mystery_shopper.suites.recbench.validate import Proofs, prove_queries

from .world import OPTIONS, small_set, small_world

replace = msgspec.structs.replace


def proofs(query_set: QuerySet, *, counted: bool = True) -> Proofs:
    graph, titles, histories = small_world()
    return prove_queries(query_set, graph, titles, histories if counted else None)


def retitled(query: Query) -> tuple[str, ...]:
    """The titles, of which one is but the value that the query refers to."""
    _, titles, _ = small_world()
    (value,) = (part.value for part in query.parts if part.given is Given.REFERENCE)
    return tuple(f"The {value}!" if n == 11 else title for n, title in enumerate(titles))


def test_every_property_of_every_drawn_query_is_proven() -> None:
    found = proofs(small_set())
    assert found.problems == ()
    assert found.untried == 0
    conditions = OPTIONS.queries * 3 // 4
    for name in ("own", "matching", "width", "irreducible"):
        assert found.proven[name] == conditions
    assert found.proven["reference"] == found.proven["claim"] == conditions // 3
    for name in ("subset", "traits"):
        assert found.proven[name] == OPTIONS.queries // 4
    for name in ("sequence", "preceding", "group", "marks"):
        assert found.proven[name] == OPTIONS.queries // 8
    assert found.proven["history"] == found.proven["form"] == OPTIONS.queries


def test_without_histories_the_counts_of_profiles_stay_untried() -> None:
    found = proofs(small_set(), counted=False)
    assert found.problems == ()
    assert found.untried == OPTIONS.queries // 4
    assert "marks" not in found.proven
    assert found.proven["subset"] == OPTIONS.queries // 4


def test_the_text_is_held_against_what_reads_it() -> None:
    graph, titles, _ = small_world()

    def read(query: Query) -> list[str]:
        return ["it says nothing"] if query.id == "implicit-2-003" else []

    found = prove_queries(small_set(), graph, titles, None, read)
    assert found.problems == ("implicit-2-003: wording: it says nothing",)
    assert found.proven["wording"] == OPTIONS.queries - 1


def of(kind: Kind, width: int = 0) -> Query:
    return next(
        q for q in small_set().queries if q.kind is kind and (not width or len(q.parts) == width)
    )


def with_query(query: Query) -> QuerySet:
    queries = tuple(query if one.id == query.id else one for one in small_set().queries)
    return replace(small_set(), queries=queries)


def part_as(query: Query, **changes: object) -> Query:
    """The query with its reference or claim changed."""
    parts = tuple(
        part if part.given is Given.STATED else replace(part, **changes) for part in query.parts
    )
    named = tuple(item for part in parts for item in part.through)
    kept = {"own": query.own, "matching": query.matching}
    truths = {name: tuple(i for i in ids if i not in named) for name, ids in kept.items()}
    return replace(query, parts=parts, named=named, **truths)


def profile_as(query: Query, **changes: object) -> Query:
    assert query.profile is not None
    return replace(query, profile=replace(query.profile, **changes))


def profile_of(query: Query) -> Profile:
    assert query.profile is not None
    return query.profile


def bearer(query: Query) -> str:
    """An item outside the own group that does bear the claimed value."""
    graph, _, _ = small_world()
    (part,) = (part for part in query.parts if part.given is Given.CLAIM)
    items = graph.items_of(part.relation, part.value).tolist()
    return next(graph.items[i] for i in items if graph.items[i] not in query.own)


def idle(query: Query) -> Query:
    """The query with a further condition that all its items meet anyway."""
    graph, _, histories = small_world()
    mine = {graph.position_of[item] for item in histories.items_of(query.user)}
    before = mine.intersection(graph.meets(query.conditions).tolist())
    for code in range(len(graph.labels)):
        more = graph.condition(code)
        meeting = graph.meets([*query.conditions, more]).tolist()
        if more not in query.conditions and mine.intersection(meeting) == before:
            ids = tuple(graph.items[i] for i in meeting)
            parts = (*query.parts, Part(more.relation, more.value))
            return replace(query, parts=parts, matching=ids)
    raise AssertionError("every further condition narrows the group")


EXPLICIT, IMPLICIT = of(Kind.EXPLICIT), of(Kind.IMPLICIT)
MISINFORMED, INTEREST = of(Kind.MISINFORMED), of(Kind.INTEREST)
GROUP = of(Kind.DEMOGRAPHICS)
CHANGED: dict[str, tuple[Callable[[], Query], str]] = {
    "a matching item less": (
        lambda: replace(EXPLICIT, matching=tuple(i for i in EXPLICIT.matching if i not in
                        EXPLICIT.matching[-1:] or i in EXPLICIT.own)),
        "matching: lacks",
    ),
    "a matching item more": (
        lambda: replace(EXPLICIT, matching=(*EXPLICIT.matching, "f000", "f001", "f002")),
        "matching: must not hold",
    ),
    "an own item less": (
        lambda: next(
            replace(q, own=q.own[1:]) for q in small_set().queries if q.parts and len(q.own) > 2
        ),
        "own: lacks",
    ),
    "another user": (
        lambda: replace(EXPLICIT, user=next(u for u in small_set().people if not
                        set(small_set().people[u].items) & set(EXPLICIT.own))),
        "own: must not hold",
    ),
    "a condition of no use": (lambda: idle(of(Kind.EXPLICIT, 2)), "irreducible: "),
    "a relation the graph lacks": (
        lambda: replace(EXPLICIT, parts=(Part("composer", "Ann"),)),
        "conditions: the graph has no relation 'composer'",
    ),
    "a reference to more": (
        lambda: part_as(IMPLICIT, through=("f000",)),
        "reference: they share",
    ),
    "a reference to a stranger": (
        lambda: part_as(IMPLICIT, through=("nowhere",)),
        "named: nowhere is not in the graph",
    ),
    "a title of two items": (
        lambda: part_as(MISINFORMED, through=("f003",)),
        "named: the title of f003 is empty or another item's too",
    ),
    "no title": (lambda: part_as(MISINFORMED, through=("f007",)), "named: the title of f007"),
    "a claim that is true": (
        lambda: part_as(MISINFORMED, through=(bearer(MISINFORMED),)),
        "claim: one of the items does bear",
    ),
    "a faulty form": (lambda: replace(EXPLICIT, text=""), "form: text: is empty"),
    "a listed item that is not there": (
        lambda: replace(
            profile_as(INTEREST, listed=(*profile_of(INTEREST).listed, "nowhere")),
            matching=(*INTEREST.matching, "nowhere"),
        ),
        "subset: nowhere is not in the graph",
    ),
    "a subset of others": (
        lambda: replace(GROUP, own=tuple(i for i in GROUP.matching if i not in GROUP.own)[:2]),
        "subset: lacks",
    ),
    "no trait": (lambda: profile_as(GROUP, traits=()), "subset: no trait tells it"),
    "a trait's share": (
        lambda: profile_as(GROUP, traits=tuple(
            replace(t, share=t.share / 2) for t in profile_of(GROUP).traits)),
        "has the shares",
    ),
    "a trait of all": (
        lambda: profile_as(GROUP, traits=(Trait("genre", "Nothing", 0.0, 0.0),)),
        "subset: must not hold",
    ),
    "a sequence of more users": (
        lambda: profile_as(INTEREST, users=profile_of(INTEREST).users + 1),
        "sequence: there are",
    ),
    "a sequence the other way round": (
        lambda: replace(
            profile_as(INTEREST, listed=profile_of(INTEREST).listed[::-1]),
            matching=INTEREST.matching[::-1],
        ),
        "sequence: there are 0 users",
    ),
    "items that did not precede": (
        lambda: replace(INTEREST, named=(next(
            i for i in ("f020", "f021", "f022", "f023") if i not in INTEREST.matching),)),
        "preceding: ",
    ),
    "a count of what precedes": (
        lambda: next(
            profile_as(q, preceding=tuple(
                replace(front, users=front.users + 1) for front in profile_of(q).preceding))
            for q in small_set().queries
            if q.profile and q.profile.preceding
        ),
        "preceding: there are",
    ),
    "a group of more": (
        lambda: profile_as(GROUP, users=profile_of(GROUP).users + 1),
        "group: there are",
    ),
    "a user of another group": (
        lambda: replace(GROUP, user=next(
            u for u, p in small_set().people.items()
            if any(getattr(p, name) != value for name, value in profile_of(GROUP).group.items()))),
        "is not in it",
    ),
    "a mark's weight": (
        lambda: profile_as(GROUP, marks=tuple(
            replace(m, weight=m.weight + 0.01) for m in profile_of(GROUP).marks)),
        "marks: ",
    ),
    "weaker marks": (
        lambda: replace(
            profile_as(GROUP, listed=profile_of(GROUP).listed[1:],
                       marks=profile_of(GROUP).marks[1:]),
            matching=GROUP.matching[1:], own=GROUP.matching[1:3]),
        "marks the group more",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGED)
def test_what_was_changed_is_found(name: str) -> None:
    change, told = CHANGED[name]
    query = change()
    found = proofs(with_query(query))
    assert any(told in problem for problem in found.problems), found.problems
    assert all(problem.startswith(f"{query.id}: ") for problem in found.problems)


def test_a_title_that_gives_the_value_away_is_found() -> None:
    graph, _, histories = small_world()
    query = part_as(IMPLICIT, through=("f011",))
    found = prove_queries(with_query(query), graph, retitled(IMPLICIT), histories)
    assert any("the title of f011 gives away" in problem for problem in found.problems)


def test_a_query_that_leaves_no_history_is_found() -> None:
    person = small_set().people[EXPLICIT.user]
    only = replace(person, items=tuple(i for i in person.items if i in EXPLICIT.own))
    people = {**small_set().people, EXPLICIT.user: only}
    found = proofs(replace(small_set(), queries=(EXPLICIT,), people=people))
    assert found.problems == (f"{EXPLICIT.id}: history: nothing of it is left",)


def test_a_history_that_gives_an_answer_away_is_found() -> None:
    # A set whose user consumed an item that meets the conditions, and which the query leaves out.
    query = replace(EXPLICIT, own=EXPLICIT.own[:2], matching=EXPLICIT.own[:2])
    graph, _, _ = small_world()
    meeting = [graph.items[i] for i in graph.meets(query.conditions).tolist()]
    person = small_set().people[query.user]
    more = next((item for item in meeting if item not in person.items), None)
    assert more is not None
    people = {**small_set().people, query.user: replace(person, items=(*person.items, more))}
    found = proofs(replace(with_query(query), people=people))
    assert any(f"{query.id}: history: it gives away" in problem for problem in found.problems)


def test_a_set_that_is_wider_than_it_says_is_found() -> None:
    tight = replace(small_set(), origin=replace(small_set().origin, widest=10))
    assert any(": width: fits " in problem for problem in proofs(tight).problems)


def test_a_query_that_is_asked_twice_is_found() -> None:
    twice = replace(EXPLICIT, id="again")
    found = proofs(replace(small_set(), queries=(*small_set().queries, twice)))
    assert found.problems == (f"again: asks for the same as {EXPLICIT.id}",)


def test_another_graph_or_other_histories_are_told_at_once() -> None:
    graph, titles, histories = small_world()
    other = replace(small_set(), graph=replace(small_set().graph, digest="0" * 64))
    assert proofs(other).problems == ("graph: the set was drawn from another graph",)
    renamed = dataclasses.replace(histories, synthetic=False)
    found = prove_queries(small_set(), graph, titles, renamed)
    assert found.problems == ("histories: the set was drawn from others",)
