"""A release brought onto a catalogue: items, graph, histories, and the set that comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import Condition
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.form import query_problems, set_problems
from mystery_shopper.suites.recbench.query import Given
from mystery_shopper.suites.recbench.queryfile import parse_query_set, query_set_bytes
from mystery_shopper.suites.recbench.released import Made, import_release, read_release
from mystery_shopper.suites.recbench.titles import TitleMatch

from .releases import GRAPH_TSV, explicit, write_books, write_files, write_films


def imported(folder: Path, domain: str = "movie", **options: Any) -> Made:
    return import_release(read_release(folder), domain, folder, **options)


def graph(folder: Path, text: str = GRAPH_TSV) -> Path:
    path = folder / "triples.txt"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.fixture
def films(tmp_path: Path) -> Path:
    return write_films(tmp_path / "films")


def test_the_set_is_well_formed_and_comes_back_from_its_file(films: Path) -> None:
    for made in (imported(films), imported(films, graph_file=graph(films))):
        again = parse_query_set(query_set_bytes(made.query_set), "queries.json")
        assert again == made.query_set
        assert set_problems(again) == []
        assert [query_problems(q, imported=True) for q in again.queries] == [[]] * 9
        assert again.source.startswith("RecBench+ as released: ExplicitQuery.json")
        assert list(again.by_id)[:3] == [
            "explicit-40-direct", "explicit-40-situational", "explicit-41",
        ]  # fmt: skip


def test_the_catalogue_is_movies_dat(films: Path) -> None:
    made = imported(films)
    catalogue = made.items.catalogue
    assert len(catalogue) == 14
    item = catalogue.find("13")
    assert item is not None
    assert (item.title, item["year"], item["genre"]) == ("Misérables, Les", 1995, ("Drama",))
    assert catalogue.find("14")["genre"] == ()  # type: ignore[index]
    assert made.account.titles[TitleMatch.EXACT] == 18
    assert [(one.title, one.queries) for one in made.account.ambiguous] == [
        ("Sabrina", ("demographics-3-1",))
    ]
    assert [one.title for one in made.account.unknown] == ["No Such Film (2031)"]


def test_without_a_graph_only_the_catalogues_own_relations_score_cmr(films: Path) -> None:
    made = imported(films)
    assert len(made.unscored) == 6
    assert made.account.lacking == {"Composed_by": 1, "Directed_by": 5, "Starring": 2}


def test_a_graph_gives_both_ground_truths_and_scores_cmr(films: Path) -> None:
    made = imported(films, graph_file=graph(films))
    assert made.unscored == {"explicit-41"}
    assert made.graph is not None
    assert (made.graph.triples, made.graph.kept, made.graph.strangers) == (13, 12, ("99",))
    query = made.query_set.by_id["misinformed-0"]
    assert (query.own, query.matching, query.named) == (("1", "3"), ("1", "3", "9"), ("4",))
    assert query.conditions == (Condition("Directed_by", "Spike Lee"), Condition("Genre", "Drama"))
    assert [(part.given, part.through) for part in query.parts] == [
        (Given.CLAIM, ("4",)),
        (Given.STATED, ()),
    ]
    reference = made.query_set.by_id["implicit-7-direct"]
    assert reference.named == reference.parts[0].through == ("1", "2")
    assert made.query_set.graph.items == 14


@pytest.mark.parametrize(
    "text",
    [
        GRAPH_TSV.partition("\n")[2],
        GRAPH_TSV.replace("\t", ","),
        GRAPH_TSV.partition("\n")[2].replace("\t", "::"),
        json.dumps([line.split("\t") for line in GRAPH_TSV.splitlines()[1:]]),
        "\n".join(
            json.dumps(dict(zip(("head", "relation", "tail"), line.split("\t"), strict=True)))
            for line in GRAPH_TSV.splitlines()[1:]
        ),
        GRAPH_TSV.replace("\n3\t", "\nMalcolm X (1992)\t").replace("\n9\t", "\nHe Got Game\t"),
        "relation\tvalue\titem\tmore\n"
        + "\n".join("\t".join((r, v, i, "x")) for i, r, v in (
            line.split("\t") for line in GRAPH_TSV.splitlines()[1:]
        )),
    ],
)  # fmt: skip
def test_triples_are_read_in_any_form(films: Path, text: str) -> None:
    plain = imported(films, graph_file=graph(films))
    other = imported(films, graph_file=graph(films, text))
    assert [q.matching for q in other.query_set.queries] == [
        q.matching for q in plain.query_set.queries
    ]
    assert other.unscored == plain.unscored


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no triple"),
        ("item\trelation\tvalue\n3\tGenre\n", "line 2: 2 parts, where there must be 3"),
        ("3\t\tDrama\n", "line 1: the relation is empty"),
        ("x\tGenre\tDrama\n", "none of its 1 items is in the catalogue"),
        ('[["3", "Genre"]]', "line 1: 2 parts"),
        ('{"item": "3"}\n7\n', "line 2: is no triple"),
    ],
)
def test_a_bad_graph_is_told_by_its_line(films: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=r"triples\.txt") as raised:
        imported(films, graph_file=graph(films, text))
    assert told in str(raised.value)


def test_a_graph_with_no_shared_relation_scores_nothing(films: Path) -> None:
    made = imported(films, graph_file=graph(films, "3\tcolour\tred\n"))
    assert len(made.unscored) == 6
    assert sum(made.account.lacking.values()) == 9


def test_bad_lines_of_the_graph_can_be_left_out(films: Path) -> None:
    made = imported(films, graph_file=graph(films, GRAPH_TSV + "only one\n"), skip=True)
    assert made.bad == ("line 15: 1 parts, where there must be 3",)


def test_histories_and_demographics_come_with_movielens(films: Path) -> None:
    made = imported(films)
    people = made.query_set.people
    assert people["17"].items == ("14", "1", "9", "3")
    assert (people["17"].gender, people["17"].age) == ("Male", "25-34")
    assert people["19"].items == ()
    assert (made.askers, made.known, made.described) == (3, 2, 3)
    query = made.query_set.by_id["explicit-40-direct"]
    assert made.query_set.history(query) == ("14", "1")
    assert made.query_set.history(made.query_set.by_id["misinformed-0"]) == ()


def test_without_ratings_nobody_has_a_history(tmp_path: Path) -> None:
    made = imported(write_films(tmp_path, ratings=False))
    assert made.histories is None
    assert (made.known, made.described) == (0, 3)
    assert made.query_set.histories.interactions == 0


def test_books_are_those_that_the_files_name(tmp_path: Path) -> None:
    made = imported(write_books(tmp_path), "book")
    catalogue = made.items.catalogue
    assert catalogue.domain.noun.plural == "books"
    assert len(catalogue) == 8
    assert "the files themselves name" in made.items.told[0]
    assert made.account.resolved == sum(made.account.titles.values()) == 13
    assert made.account.graphless == len(made.unscored) == 5
    dune = next(iter(made.query_set.by_id["explicit-5-direct"].own))
    assert catalogue.find(dune).title == "Dune"  # type: ignore[union-attr]
    graph_text = "".join(f"{t}\tWRITTEN_BY\tFrank Herbert\n" for t in ("Dune", "Dune Messiah"))
    told = imported(tmp_path, "book", graph_file=graph(tmp_path, graph_text))
    assert len(told.unscored) == 4
    assert told.account.lacking == {"IN_CATEGORY": 2}
    assert told.account.valueless == 2


def test_books_dat_is_the_catalogue_where_it_is_there(tmp_path: Path) -> None:
    folder = write_books(tmp_path)
    titles = (
        "Dune|Dune Messiah|Dispossessed, The: An Ambiguous Utopia|Foundation|The Hobbit|Emma".split(
            "|"
        )
    )
    rows = "".join(f"{n}::{title}\n" for n, title in enumerate(titles))
    (folder / "books.dat").write_text(rows, encoding="utf-8")
    made = imported(folder, "book")
    assert made.query_set.by_id["explicit-5-direct"].own == ("0", "1")
    assert {one.title for one in made.account.unknown} == {
        "The Left Hand of Darkness",
        "The Fellowship of the Ring",
    }
    assert made.account.empty == 1


def test_films_without_movies_dat_are_those_that_the_files_name(tmp_path: Path) -> None:
    made = imported(write_files(tmp_path, {"ExplicitQuery": explicit()}))
    assert made.query_set.by_id["explicit-40-direct"].own == ("3", "9")
    assert len(made.items.catalogue) == 5


def test_bad_lines_of_movies_dat_stop_the_import_or_are_left_out(films: Path) -> None:
    path = films / "movies.dat"
    path.write_bytes(path.read_bytes() + b"1::Clockers again (1995)::Drama\nno film\n15::::Drama\n")
    with pytest.raises(InputError) as raised:
        imported(films)
    for told in (
        "movies.dat:15: id 1 is that of line 1 already",
        "movies.dat:16: 1 parts",
        "movies.dat:17: item 15 has no title",
        "--on-bad skip",
    ):
        assert told in str(raised.value)
    assert len(imported(films, skip=True).bad) == 3


def test_utf_8_read_as_latin_1_is_mended_and_lost_letters_are_told(films: Path) -> None:
    text = (films / "movies.dat").read_bytes().decode("latin-1")
    (films / "movies.dat").write_text(text.replace("é", "Ã©"), encoding="utf-8")
    made = imported(films)
    assert made.items.catalogue.find("13").title == "Misérables, Les"  # type: ignore[union-attr]
    (films / "movies.dat").write_text(text.replace("é", "\ufffd"), encoding="utf-8")
    made = imported(films)
    assert "1 titles lost letters to a wrong encoding" in made.items.notes[0]
    assert made.query_set.by_id["explicit-41"].own == ("11", "12", "13")


def test_ids_that_occur_again_are_told_apart(tmp_path: Path) -> None:
    records = [explicit()[1], explicit()[1]]
    made = imported(write_files(write_films(tmp_path), {"ExplicitQuery": records}))
    assert list(made.query_set.by_id)[:2] == ["explicit-41", "explicit-41+2"]
    assert made.account.renamed == 1


def test_a_query_answered_only_by_what_it_names_is_left_out(tmp_path: Path) -> None:
    record = explicit()[0] | {"direct_description_query": 'More like "Malcolm X (1992)" and "He Got'
                              ' Game (1998)"?'}  # fmt: skip
    made = imported(write_files(write_films(tmp_path), {"ExplicitQuery": [record]}))
    assert made.account.named_only == 1
    assert "explicit-40-direct" not in made.query_set.by_id


def test_answers_that_the_graph_does_not_confirm_stay_answers(films: Path) -> None:
    less = GRAPH_TSV.replace("9\tDirected_by\tSpike Lee\n", "")
    made = imported(films, graph_file=graph(films, less))
    query = made.query_set.by_id["explicit-40-direct"]
    assert query.own == query.matching == ("3", "9")
    assert made.account.strays == 4


def test_lone_surrogates_can_be_written(tmp_path: Path) -> None:
    record = explicit()[0] | {
        "direct_description_query": "Films \ud800 by him?",
        "source_user": "\udfff",
    }
    text = json.dumps([record])
    made = imported(write_files(write_films(tmp_path), {"ExplicitQuery": text}))
    again = parse_query_set(query_set_bytes(made.query_set), "queries.json")
    assert again.by_id["explicit-40-direct"].text == "Films \ufffd by him?"


def test_a_catalogue_that_knows_none_of_the_answers_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path, {"ExplicitQuery": explicit(), "movies.dat": "7::Heat (1995)::Action\n"})
    with pytest.raises(InputError, match="no query of the movie files") as raised:
        imported(tmp_path)
    assert "unknown: Malcolm X (1992)" in str(raised.value)
