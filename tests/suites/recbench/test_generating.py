"""From a catalogue and histories to a worded set with its account."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache

import msgspec
import pytest

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import Demographics, Histories, HistoryReport, Loaded
from mystery_shopper.sources.histories.books import Book, book_catalogue
from mystery_shopper.suites.recbench.draw import MOST_QUERIES, DrawOptions, planned
from mystery_shopper.suites.recbench.generating import (
    MADE_UP,
    Generated,
    generate_queries,
    rejected_lines,
)
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import CELLS, Kind, QuerySet
from mystery_shopper.suites.recbench.queryfile import query_set_bytes
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.validate import prove_queries
from mystery_shopper.suites.recbench.wording import CheckedTemplates, WordingAccount

from .world import histories_of

COUNT = 120
NAME = "recbench/books-made@1"
OPTIONS = DrawOptions(queries=COUNT, sequence_users=3, group_users=3)


@lru_cache(maxsize=1)
def books() -> Catalogue:
    """400 made-up books with authors, genres and languages."""
    source = random.Random(11)
    firsts = "Ada Bela Cora Dov Esme Finn Greta Hugo Iris Jonas".split()
    lasts = "Abbot Bruhn Castell Dorn Eklund Farrow Galvez Hartog".split()
    authors = [f"{first} {last}" for first in firsts for last in lasts]
    things = "River Garden Letter Voyage House Winter Harbour Mirror Orchard Bridge".split()
    places = "Ash Salt Glass Rain Iron Silk Amber Slate Cedar Lead".split()
    kinds = "Silent Golden Broken Hidden".split()
    titles = [f"{k} {t} of {p}" for k in kinds for t in things for p in places]
    genres = "Fantasy Mystery Romance Horror History Biography Poetry Travel".split()
    made = [
        Book(
            f"b{number:03}",
            title,
            tuple(source.sample(authors, source.choice([1, 1, 2]))),
            tuple(source.sample(genres, source.randint(1, 3))),
            source.choice(["Penrose Press", "Quill & Sons", "Ninth House"]),
            source.choice(["English", "English", "French", "German"]),
            source.randint(1950, 2023),
        )
        for number, title in enumerate(titles)
    ]
    return book_catalogue(made, [source.randint(1, 10_000) for _ in made])


@lru_cache(maxsize=2)
def readers(*, people: bool = True) -> Loaded:
    """Histories of 60 made-up readers, who read runs of books one after another."""
    source = random.Random(5)
    ids = list(books().ids)
    runs = [source.sample(ids, source.randint(2, 4)) for _ in range(14)]
    lists: dict[str, list[str]] = {}
    for user in range(60):
        mine: list[str] = []
        for run in source.sample(runs, 5):
            mine += run + source.sample(ids, 4)
        lists[f"reader-{user:02}"] = list(dict.fromkeys(mine))
    who = {
        user: Demographics(source.choice(["Female", "Male"]), source.choice(["18-24", "35-44"]))
        for user in lists
    }
    made = histories_of(lists, who if people else {})
    lived = Histories(
        made.users, made.items, made.user_index, made.item_index, made.rating, made.time,
        made.demographics, "readers.csv", False,
    )  # fmt: skip
    report = HistoryReport(
        "readers.csv", len(made.users), len(made.items), len(made), len(made), len(made), 0,
        {"id": len(made)}, (), 0, 0, 0, 0,
    )  # fmt: skip
    return Loaded(lived, report)


@lru_cache(maxsize=1)
def ground() -> Ground:
    return Ground(Shelf(books()))


@lru_cache(maxsize=1)
def made() -> Generated:
    return generate_queries(NAME, ground(), readers(), OPTIONS)


def test_every_book_cell_is_filled_and_proven() -> None:
    found = made().query_set
    assert Counter(query.cell for query in found.queries) == planned(COUNT)
    assert set(planned(COUNT)) == set(CELLS)
    proofs = prove_queries(
        found, ground().graph, ground().titles, readers().histories, ground().checker.told
    )
    assert proofs.problems == ()
    assert proofs.untried == 0
    assert proofs.proven["wording"] == COUNT
    assert found.graph.name == "books"
    assert found.graph.relations == ("author", "genre", "publisher", "language")


def test_the_same_seed_gives_the_same_bytes() -> None:
    again = generate_queries(NAME, ground(), readers(), OPTIONS)
    assert query_set_bytes(again.query_set) == query_set_bytes(made().query_set)


def test_the_account_tells_what_became_of_everything() -> None:
    lines = made().lines()
    joined = len(readers().histories)
    assert f"joined          {joined:,} (100.00%): {joined:,} by id" in lines
    assert "cells filled: 11 of 11" in lines
    assert any(line.startswith("wording, explicit: ") for line in lines)
    assert any(line.startswith("wording, most frequent opening of 8 words") for line in lines)
    assert sum(line.endswith(" by template") for line in lines) == 5
    assert not any(line.startswith("  More of") for line in lines)
    assert MADE_UP not in lines
    synthetic = msgspec.structs.replace(
        made().query_set,
        histories=msgspec.structs.replace(made().query_set.histories, synthetic=True),
    )
    told = Generated(synthetic, made().wording, made().histories, made().planned, True)
    assert told.lines()[-1] == MADE_UP


def test_rejections_are_summed_by_reason() -> None:
    rejected = made().query_set.origin.rejected
    asked = sum(count for reason, count in rejected.items() if reason.endswith(": asked already"))
    assert asked > 0
    assert f"drawn and rejected, asked already: {asked:,}" in rejected_lines(made().query_set)


def test_a_cell_that_falls_short_says_why() -> None:
    found = generate_queries(NAME, ground(), readers(people=False), OPTIONS)
    lines = found.lines()
    assert "cells filled: 10 of 11" in lines
    assert "  demographics: 0 of 15; the histories tell no gender, age or occupation" in lines
    (more,) = (line for line in lines if line.startswith("  More of"))
    assert more.startswith("  More of demographics give more users whose gender")
    assert more.endswith("3 users make a group; --group-users 2 lets 2 do.")
    many = DrawOptions(queries=24_000, kinds=(Kind.INTEREST,))
    lines = generate_queries(NAME, ground(), readers(), many).lines()
    (told,) = (line for line in lines if line.startswith("  interest: "))
    assert told.endswith("of 24,000; the histories give no more")
    (more,) = (line for line in lines if line.startswith("  More of"))
    assert "3 users must have the same items one right after another" in more
    assert "--widest" not in more
    least = DrawOptions(queries=24_000, kinds=(Kind.INTEREST,), sequence_users=2)
    found = generate_queries(NAME, ground(), readers(), least)
    assert "--sequence-users" not in "\n".join(found.lines())
    assert found.query_set.origin.sequence_users == 2


def test_conditions_that_fall_short_name_what_is_still_held_to() -> None:
    for options, told in (
        (DrawOptions(queries=20_000, kinds=(Kind.IMPLICIT,)), ", --widest 0, --reducible."),
        (DrawOptions(queries=20_000, kinds=(Kind.IMPLICIT,), widest=0), ", --reducible."),
    ):
        found = generate_queries(NAME, ground(), readers(), options)
        (more,) = (line for line in found.lines() if line.startswith("  More of"))
        assert more == f"  More of conditions give more or longer histories{told}"


def test_too_many_queries_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="100,001 queries are too many") as refused:
        DrawOptions(queries=MOST_QUERIES + 1)
    assert "at most 100,000" in str(refused.value)


def test_new_sets_name_no_number_of_items_and_old_ones_may() -> None:
    old = DrawOptions(queries=400, sequence_users=3, group_users=3, generator=1)
    new = DrawOptions(queries=400, sequence_users=3, group_users=3)
    counted = [generate_queries(NAME, ground(), readers(), o).query_set for o in (old, new)]
    numbers = [
        sum("two or three" in q.text or "a couple of" in q.text for q in one.queries)
        for one in counted
    ]
    assert [one.origin.generator for one in counted] == [1, 2]
    assert numbers[0] > 0 == numbers[1]


@pytest.mark.parametrize("kinds", [(Kind.IMPLICIT,), (Kind.INTEREST, Kind.DEMOGRAPHICS)])
def test_only_the_kinds_that_are_asked_for(kinds: tuple[Kind, ...]) -> None:
    options = DrawOptions(queries=20, kinds=kinds)
    found = generate_queries(NAME, ground(), readers(), options).query_set
    assert {query.kind for query in found.queries} == set(kinds)
    assert Counter(query.cell for query in found.queries) == planned(20, kinds)
    assert sum(planned(20, kinds).values()) == 20
    if all(kind.is_profile for kind in kinds):
        assert planned(20, kinds) == {"interest": 10, "demographics": 10}


def test_profiles_need_no_shared_relations() -> None:
    # No two books share anything: conditions cannot be drawn, interests can be asked for.
    alone = ItemGraph.of_triples([(item, "shelf", f"No {item}") for item in books().ids])
    lonely = Ground(Shelf(books(), alone))
    with pytest.raises(InputError, match="no two items of any one history share a value"):
        generate_queries(NAME, lonely, readers(), OPTIONS)
    with pytest.raises(InputError, match="no query can be drawn"):
        generate_queries(NAME, lonely, readers(), DrawOptions(kinds=(Kind.INTEREST,)))


def test_a_graph_of_its_own_is_drawn_from_and_spoken_of() -> None:
    source = random.Random(2)
    triples = [
        (item, "ILLUSTRATED_BY", f"Artist {source.choice('ABCDEFGH')}") for item in books().ids
    ]
    own = Ground(Shelf(books(), ItemGraph.of_triples(triples)))
    options = DrawOptions(queries=12, kinds=(Kind.EXPLICIT,), widest=0)
    found = generate_queries(NAME, own, readers(), options).query_set
    assert found.graph.relations == ("ILLUSTRATED_BY",)
    assert all("Artist " in query.text for query in found.queries)
    proofs = prove_queries(found, own.graph, own.titles, None, own.checker.told)
    assert proofs.problems == ()


def test_another_writer_words_the_whole_set() -> None:
    asked: list[int] = []

    def rewrite(queries: QuerySet, templates: CheckedTemplates) -> tuple[QuerySet, WordingAccount]:
        asked.append(len(queries.queries))
        assert {query.text for query in queries.queries} == {""}
        texts = tuple(
            msgspec.structs.replace(query, text=templates(query, 1)) for query in queries.queries
        )
        account = WordingAccount.of(
            texts, ground().title_of, [("template", ("no request",))] * len(texts)
        )
        return msgspec.structs.replace(queries, queries=texts), account

    found = generate_queries(NAME, ground(), readers(), OPTIONS, rewrite=rewrite)
    assert asked == [COUNT]
    lines = found.lines()
    assert "wording, drafts rejected, no request: 120" in lines
    assert any("(30 stood in for the model)" in line for line in lines)


def test_progress_is_told_of_every_stage() -> None:
    heard: list[tuple[str, int, int]] = []
    generate_queries(NAME, ground(), readers(), OPTIONS, progress=lambda *told: heard.append(told))
    stages = list(dict.fromkeys(what for what, _, _ in heard))
    drawing = [done for what, done, _ in heard if what == "Drawing queries"]
    assert len(drawing) > COUNT // 2
    assert drawing == sorted(drawing)
    assert stages == ["Finding shared relations", "Drawing queries", "Wording queries"]
    assert all(0 <= done < of for _, done, of in heard)
    proved: list[tuple[int, int]] = []
    prove_queries(
        made().query_set, ground().graph, ground().titles, progress=lambda *t: proved.append(t)
    )
    assert proved == [(number, COUNT) for number in range(COUNT)]


def test_the_proof_counts_what_fails_by_property() -> None:
    found = made().query_set
    first = next(query for query in found.queries if query.kind is Kind.EXPLICIT)
    worse = [
        msgspec.structs.replace(query, text="A book, please.") if query is first else query
        for query in found.queries
    ]
    again = msgspec.structs.replace(first, id="twice")
    broken = msgspec.structs.replace(found, queries=(*worse, again))
    proofs = prove_queries(
        broken, ground().graph, ground().titles, readers().histories, ground().checker.told
    )
    assert proofs.failed == {"wording": 1, "asked once": 1}
    assert any(p.startswith(f"{first.id}: wording: a value is not named") for p in proofs.problems)
