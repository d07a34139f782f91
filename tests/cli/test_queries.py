"""Sets of queries on the command line: drawn from one's own catalogue and histories, and proven."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.cli.check import suites_of
from mystery_shopper.engine.loading import load_book
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.queryfile import load_query_set, shipped_file

from .conftest import Shop

DOMAIN = """
name: books
noun: {singular: book, plural: books}
id: id
title: title
popularity: sales
recency: year
fields:
  title: {kind: text, keyword: true}
  author: {kind: categories, keyword: true, source: {column: author, separator: ";"}}
  genre:
    {kind: categories, requirement: true, keyword: true, source: {column: genre, separator: ";"}}
  year: {kind: integer, requirement: true, label: year}
  sales: {kind: integer}
formats: {simulated: [ebook, paperback]}
"""
COLUMNS = ("id", "title", "author", "genre", "year", "sales")
SEVERAL = "Silent Golden Broken Hidden Narrow".split()
THINGS = "River Garden Letter Voyage House Winter Harbour Mirror Orchard Bridge".split()
PLACES = "Ash Salt Glass Rain Iron".split()


def rows() -> list[dict[str, Any]]:
    """250 made-up books."""
    source = random.Random(3)
    genres = "Fantasy Mystery Romance Horror Poetry Travel".split()
    titles = [f"{a} {b} of {c}" for a in SEVERAL for b in THINGS for c in PLACES]
    return [
        {
            "id": f"b{number:03}",
            "title": title,
            "author": f"Ada Writer{'abcdefghijklmnopqrst'[source.randrange(20)]}",
            "genre": ";".join(source.sample(genres, source.randint(1, 3))),
            "year": source.randint(1950, 2020),
            "sales": source.randint(1, 9_999),
        }
        for number, title in enumerate(titles)
    ]


def write_table(path: Path, columns: Sequence[str], table: Sequence[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(table)
    return path


def histories(path: Path, users: int = 30) -> Path:
    """A table of histories: readers read runs of books one after another."""
    source = random.Random(4)
    ids = [row["id"] for row in rows()]
    runs = [source.sample(ids, source.randint(2, 3)) for _ in range(8)]
    table: list[list[object]] = []
    for user in range(users):
        mine: list[str] = []
        for run in source.sample(runs, 4):
            mine += run + source.sample(ids, 5)
        who = [source.choice("FM"), source.choice([15, 21, 40, 60])]
        table += [[f"u{user}", i, 1_000 + n, *who] for n, i in enumerate(dict.fromkeys(mine))]
    return write_table(path, ("user", "item", "time", "gender", "age"), table)


@pytest.fixture
def folder(command: Shop, tmp_path: Path) -> Path:
    """A catalogue folder of the books, in the folder where the command runs."""
    write_table(Path("books.csv"), COLUMNS, [list(row.values()) for row in rows()])
    Path("books.yaml").write_text(DOMAIN, encoding="utf-8")
    built = command("catalog", "build", "books.csv", "--domain", "books.yaml", "--out", "books")
    assert built.code == 0, built.err
    histories(Path("own.csv"))
    return tmp_path / "books"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    yield
    load_book.cache_clear()


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


DRAW = ("generate", "recbench", "--catalog", "books", "--histories", "own.csv")


def test_queries_of_ones_own_catalogue_are_drawn_and_proven(command: Shop, folder: Path) -> None:
    found = command(*DRAW, "--queries", 66, "--seed", 3)
    assert found.code == 0, found.err
    place = folder / "queries.json"
    made = load_query_set(place)
    assert made.name == "recbench/books-own-seed3@1"
    assert len(made.queries) == 66 - sum(made.origin.short.values()) > 50
    lines = found.out.splitlines()
    assert any(line.startswith("joined ") and "(100.00%)" in line for line in lines)
    assert any(line.startswith("cells filled: ") for line in lines)
    assert "synthetic" not in found.out
    prove = next(line for line in lines if line.startswith("Prove it: "))
    assert prove == f"Prove it: mystery-shopper check {Path('books') / 'queries.json'}" + (
        " --histories own.csv"
    )
    checked = command(*prove.split()[3:])
    assert checked.code == 0, checked.out + checked.err
    assert "Every property holds." in checked.out
    assert "NOT TRIED" not in checked.out
    assert max(map(len, checked.out.splitlines())) <= 80
    alone = command("check", "books")
    assert alone.code == 0
    assert "Every property that was tried holds." in alone.out
    assert f"NOT TRIED: what {sum(q.kind.is_profile for q in made.queries)} profile" in alone.out


def test_the_same_command_gives_the_same_bytes(command: Shop, folder: Path) -> None:
    for name in ("a.json", "b.json", "c.json"):
        seed = 2 if name == "c.json" else 1
        assert command(*DRAW, "--queries", 30, "--seed", seed, "--out", name).code == 0
    a, b, c = (Path(f"{name}.json").read_bytes() for name in "abc")
    assert a == b != c
    assert "queries.json" not in files(folder)


@pytest.mark.usefixtures("folder")
def test_options_of_the_draw(command: Shop) -> None:
    more = ("--kind", "explicit", "--widest", 0, "--reducible", "--name", "recbench/mine@4")
    found = command(*DRAW, "--queries", 9, *more, "--out", "q.json.gz")
    assert found.code == 0, found.err
    made = load_query_set("q.json.gz")
    assert made.name == "recbench/mine@4"
    assert {query.kind.value for query in made.queries} == {"explicit"}
    assert (made.origin.widest, made.origin.irreducible) == (0, False)
    assert command("check", "q.json.gz", "--catalog", "books").code == 0


@pytest.mark.usefixtures("folder")
def test_a_condition_that_a_set_lacks_is_answered_with_those_it_has(command: Shop) -> None:
    drawn = command(*DRAW, "--queries", 20, "--kind", "explicit", "--out", "some.json")
    assert drawn.code == 0, drawn.err
    asked = ("--agent", "null", "--condition", "interest", "--out", "run")
    told = command("run", "recbench", "--catalog", "books", "--task-set", "some.json", *asked)
    assert told.code == 2
    assert "has no task of interest" in told.err
    assert "It has explicit (20): name one of these, or none for all." in told.err
    assert not Path("run").exists()
    many = command(*DRAW, "--queries", 100_000_000, "--out", "many.json")
    assert many.code == 2
    assert "at most 100,000" in many.err
    few = ("--kind", "interest", "--sequence-users", 2, "--group-users", 2, "--out", "few.json")
    assert command(*DRAW, "--queries", 9, *few).code == 0
    origin = load_query_set("few.json").origin
    assert (origin.sequence_users, origin.group_users) == (2, 2)


@pytest.mark.slow
def test_the_films_come_with_made_up_histories(command: Shop) -> None:
    found = command("generate", "recbench", "--queries", 22, "--out", "q.json")
    assert found.code == 0, found.err
    assert "The histories are synthetic: nobody lived them." in found.out
    checked = command("check", "q.json")
    assert checked.code == 0, checked.err
    assert "synthetic histories" in checked.out.splitlines()[0]
    assert "NOT TRIED" not in checked.out


def test_a_folder_with_tasks_and_queries_is_checked_whole(command: Shop, folder: Path) -> None:
    assert command(*DRAW, "--queries", 30).code == 0
    drawn = command("generate", "tau_rec", "--catalog", "books", "--as-paper")
    assert drawn.code == 0, drawn.err
    assert {"tasks.json", "queries.json"} <= files(folder)
    both = command("check", "books")
    assert both.out.count("Every property") == 2
    tasks = command("check", "books", "--suite", "tau_rec")
    queries = command("check", "books", "--suite", "recbench")
    assert "tau_rec/books-seed0@1" in tasks.out
    assert "recbench/books-own-seed0@1" not in tasks.out
    assert "recbench/books-own-seed0@1" in queries.out
    assert "tau_rec/books-seed0@1" not in queries.out
    place = folder / "queries.json"
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace("b001", "b002", 1), encoding="utf-8")
    load_book.cache_clear()
    assert command("check", "books").code != 0


def test_a_query_that_lies_fails_the_check(command: Shop, folder: Path) -> None:
    assert command(*DRAW, "--queries", 30).code == 0
    place = folder / "queries.json"
    value = json.loads(place.read_bytes())
    query = value["queries"][0]
    others = sorted({row["id"] for row in rows()} - set(query["matching"]))
    query["matching"] = [*query["matching"], others[0]]
    place.write_text(json.dumps(value), encoding="utf-8")
    found = command("check", "books")
    assert found.code == 1
    assert f"BROKEN {query['id']}: matching: must not hold {others[0]}" in found.out
    assert "The set is not valid." in found.out
    query["matching"].append(query["matching"][0])
    del value["people"], value["queries"][1]["text"]
    place.write_text(json.dumps(value), encoding="utf-8")
    load_book.cache_clear()
    found = command("check", "books")
    assert found.code == 2
    assert "queries.json" in found.err
    assert "people: is missing" in found.err
    assert "queries[1]" in found.err


def test_a_graph_of_its_own_is_drawn_from(command: Shop, folder: Path) -> None:
    lines = [f"{row['id']}\tillustrator\tArtist {int(row['id'][1:]) % 9}" for row in rows()]
    (folder / "graph.tsv").write_text(
        "\n".join(["item\trelation\tvalue", *lines]) + "\n", encoding="utf-8"
    )
    found = command(*DRAW, "--queries", 9, "--kind", "explicit")
    assert found.code == 0, found.err
    made = load_query_set(folder / "queries.json")
    assert made.graph.relations == ("illustrator",)
    assert command("check", "books").code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("recbench", "--families", 3, "--out", "x.json"), "--families is no option of recbench"),
        (("recbench", "--as-paper", "--out", "x.json"), "--as-paper is no option of recbench"),
        (("tau_rec", "--queries", 3, "--out", "x.json"), "--queries is no option of tau_rec"),
        (("tau_rec", "--kind", "explicit", "--reducible", "--out", "x.json"), "2 problems"),
        (("recbench", "--kind", "vague", "--out", "x.json"), "there is no kind 'vague'"),
        (("recbench", "--writer", "me", "--out", "x.json"), "there is no writer 'me'"),
        (("recbench", "--writer", "model:x", "--out", "x.json"), "there is no writer 'model:x'"),
        (("recbench", "--base-url", "http://x", "--out", "x.json"), "--base-url is of a model"),
        (("recbench", "--name", "films", "--out", "x.json"), "'films' is no name@version"),
        (("recbench",), "films has no folder"),
        (("recbench", "--catalog", "films:5000", "--out", "x.json"), "from a whole catalogue"),
        (("recbench", "--catalog", "shop", "--out", "x.json"), "--histories FILE, a table with"),
        (("recbench", "--histories", "none.csv", "--out", "x.json"), "no such folder or file"),
        (("recbench", "--histories", "synthetic:x", "--out", "x.json"), "is no number"),
    ],
)
def test_what_generate_cannot_use_is_told_and_nothing_is_written(
    command: Shop, arguments: tuple[object, ...], told: str, tmp_path: Path
) -> None:
    found = command("generate", *arguments)
    assert found.code == 2
    assert told in found.err
    assert not list(tmp_path.iterdir())


def test_histories_that_cannot_be_used(command: Shop, folder: Path) -> None:
    def told(name: str, columns: Sequence[str], table: Sequence[Sequence[object]]) -> str:
        write_table(Path(name), columns, table)
        found = command("generate", "recbench", "--catalog", "books", "--histories", name)
        assert found.code == 2
        assert "queries.json" not in files(folder)
        return found.err

    pairs = [[f"u{n}", f"x{n}"] for n in range(5)]
    assert "none of 5 ratings is of an item of the catalogue" in told("a.csv", "ui", []) + told(
        "b.csv", ("user", "item"), pairs
    )
    assert "there is no column for the item (item, item_id, " in told("c.csv", ("user", "x"), pairs)
    # Everybody read one book: nothing is shared.
    single = [[f"u{n}", f"b{n:03}"] for n in range(5)]
    err = told("d.csv", ("user", "item"), single)
    assert "no two items of any one history share a value" in err
    assert "Give longer histories" in err
    err = told("e.csv", ("user", "item"), [["", "b001"], ["", "b002"], ["u", "b003"]])
    assert "e.csv:2" in err


def test_users_without_an_item_of_the_catalogue_fall_away(command: Shop, folder: Path) -> None:
    with Path("own.csv").open("a", encoding="utf-8") as file:
        file.write("ghost,no-such,5,F,30\n")
    found = command(*DRAW, "--queries", 20)
    assert found.code == 0, found.err
    assert "unknown items   1" in found.out
    made = load_query_set(folder / "queries.json")
    assert made.histories.users == 30
    assert "ghost" not in made.people


def test_a_file_that_is_there_is_not_overwritten(command: Shop, folder: Path) -> None:
    (folder / "queries.json").write_text("mine", encoding="utf-8")
    found = command(*DRAW)
    assert found.code == 2
    assert "the file exists" in found.err
    assert (folder / "queries.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("folder")
def test_what_check_cannot_use(command: Shop) -> None:
    found = command("check", "books")
    assert found.code == 2
    assert "holds no set: neither tasks.json nor queries.json" in found.err
    assert command(*DRAW, "--queries", 20).code == 0
    histories(Path("other.csv"), users=12)
    found = command("check", "books", "--histories", "other.csv")
    assert found.code == 2
    assert "the queries were drawn from other histories (own.csv, digest" in found.err
    found = command("check", "books/queries.json", "--catalog", "films")
    assert found.code == 2
    assert "the queries are of another graph (books" in found.err
    found = command("check", "tau_rec/films@1", "--histories", "own.csv")
    assert found.code == 2
    assert "tasks are not drawn from histories" in found.err
    assert command("check", "--suite", "tea").code == 2
    assert command("check", "recbench/films@9").code == 2
    Path("bad.json.gz").write_bytes(b"\x1f\x8b\x08 broken")
    found = command("check", "bad.json.gz")
    assert found.code == 2
    assert "cannot be unpacked" in found.err


@pytest.mark.usefixtures("folder")
def test_a_sets_suite_is_known_by_its_name_or_content(command: Shop) -> None:
    assert suites_of(None) == ["tau_rec"]
    assert suites_of("recbench/films@1") == ["recbench"]
    assert suites_of("tau_rec/shop@1") == ["tau_rec"]
    assert suites_of("nowhere.json") == ["tau_rec"]
    Path("t.json").write_text('{"name": "queries", "families": []}', encoding="utf-8")
    Path("q.json").write_text('{"name": "families", "queries": [', encoding="utf-8")
    assert suites_of("t.json") == ["tau_rec"]
    assert suites_of("q.json") == ["recbench"]
    with pytest.raises(InputError, match="holds no set"):
        suites_of(None, "books")
    assert command(*DRAW, "--queries", 20).code == 0
    assert suites_of(None, "books") == suites_of("books") == ["recbench"]
    Path(shipped_file("recbench/films@1")).write_bytes(b"\x1f\x8b")
    assert suites_of(shipped_file("recbench/films@1")) == ["recbench"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_what_is_interrupted_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mystery_shopper", "generate", "recbench"]
    command += ["--queries", "24000", "--out", "q.json"]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"Traceback" not in err
    assert not list(tmp_path.iterdir())
