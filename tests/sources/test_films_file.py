"""The embedded film catalogue: rebuilt byte for byte, its counts and records, its label trees."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/build_films.py"
DATA = ROOT / "src/mystery_shopper/data"
FILMS = DATA / "films.parquet"
COUNTS = {"films": 16_852, "most bytes": 3_000_000}
TREES = ("languages", "countries")


def query(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"CREATE VIEW films AS SELECT * FROM '{FILMS}'")
        return connection.execute(sql).fetchall()


def values(column: str) -> list[str]:
    return [row[0] for row in query(f'SELECT unnest("{column}") FROM films')]


def load(name: str) -> dict[str, Any]:
    return yaml.safe_load((DATA / "hierarchies" / f"{name}.yaml").read_text(encoding="utf-8"))


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False
    )


@pytest.fixture
def source() -> None:
    """Skips where the file cannot be built again: another source, or another DuckDB."""
    try:
        version = metadata.version("bokeh-sampledata")
    except metadata.PackageNotFoundError:
        version = "missing"
    if version != "2026.1":
        pytest.skip(f"bokeh-sampledata 2026.1 is needed, it is {version}")
    (writer,) = query(f"SELECT created_by FROM parquet_file_metadata('{FILMS}')")
    if not writer[0].startswith(f"DuckDB version v{duckdb.__version__} "):
        pytest.skip(f"films.parquet is by {writer[0]}, installed is {duckdb.__version__}")


@pytest.mark.usefixtures("source")
def test_the_script_writes_the_shipped_bytes(tmp_path: Path) -> None:
    out = tmp_path / "films.parquet"
    done = run(out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == FILMS.read_bytes()
    checksum = out.with_suffix(".sha256").read_text(encoding="utf-8")
    assert checksum == FILMS.with_suffix(".sha256").read_text(encoding="utf-8")
    left_out = out.with_name("films_left_out.csv")
    assert left_out.read_bytes() == FILMS.with_name("films_left_out.csv").read_bytes()
    assert done.stdout.splitlines()[:5] == [
        "rows    16852",
        "dropped 443 (no genre)",
        "dropped 174 (no language)",
        "dropped 2 (imdbID of a film with more reviews)",
        "dropped 1 (no country)",
    ]


@pytest.mark.usefixtures("source")
def test_check_tells_a_changed_file_from_the_shipped_one(tmp_path: Path) -> None:
    changed = tmp_path / "films.parquet"
    changed.write_bytes(FILMS.read_bytes()[:-1] + b"?")
    assert run("--check").returncode == 0
    done = run("--check", changed)
    assert done.returncode == 1
    assert "differs" in done.stderr
    assert changed.read_bytes().endswith(b"?")


@pytest.mark.usefixtures("source")
def test_check_tells_changed_films_left_out(tmp_path: Path) -> None:
    copy = tmp_path / "films.parquet"
    copy.write_bytes(FILMS.read_bytes())
    beside = tmp_path / "films_left_out.csv"
    beside.write_bytes(FILMS.with_name("films_left_out.csv").read_bytes()[:-1])
    done = run("--check", copy)
    assert done.returncode == 1
    assert "films_left_out.csv is missing or differs" in done.stderr


def test_the_checksum_is_the_file_s() -> None:
    text = FILMS.with_suffix(".sha256").read_text(encoding="utf-8")
    assert text == f"{hashlib.sha256(FILMS.read_bytes()).hexdigest()}  films.parquet\n"
    assert FILMS.stat().st_size <= COUNTS["most bytes"]


def test_columns_and_their_types() -> None:
    described = {row[0]: row[1] for row in query("DESCRIBE films")}
    lists = ("genre", "language", "country", "director", "writer", "cast", "production_company")
    assert list(described) == [
        *("id", "title", "year", "runtime", *lists[:6]),
        *("certificate", "production_company", "box_office", "critic_score"),
        *("awards", "popularity"),
    ]
    assert {name for name, kind in described.items() if kind == "VARCHAR[]"} == set(lists)
    whole = {name for name, kind in described.items() if kind == "INTEGER"}
    assert whole == {"year", "runtime", "critic_score", "popularity"}
    assert described["box_office"] == "DOUBLE"


def test_every_film_has_an_id_of_its_own_and_what_a_film_needs() -> None:
    assert query("SELECT count(*), count(DISTINCT id) FROM films") == [(COUNTS["films"],) * 2]
    lacking = "len(genre) = 0 OR len(language) = 0 OR len(country) = 0 OR year IS NULL"
    assert query(f"SELECT count(*) FROM films WHERE {lacking} OR popularity IS NULL") == [(0,)]
    assert query("SELECT min(year), max(year) FROM films") == [(1940, 2014)]
    assert query("SELECT min(critic_score), max(critic_score) FROM films") == [(0, 100)]


def test_the_most_reviewed_film_comes_first_and_ties_go_by_id() -> None:
    order = query("SELECT popularity, id FROM films")
    assert order == sorted(order, key=lambda row: (-row[0], row[1]))


def test_how_many_values_are_known() -> None:
    known = "count(runtime), count(certificate), count(box_office), count(critic_score)"
    assert query(f"SELECT {known}, count(awards) FROM films") == [(15797, 2555, 2746, 16833, 2142)]
    assert len(values("genre")) == 35_242
    assert len(values("cast")) == 191_684


def test_a_few_records() -> None:
    assert query("SELECT * EXCLUDE (\"cast\") FROM films WHERE title = 'Skyfall'") == [
        (
            "tt1074638",
            "Skyfall",
            2012,
            143,
            ["Thriller", "Action"],
            ["English"],
            ["United Kingdom", "United States"],
            ["Sam Mendes"],
            ["John Logan", "Neal Purvis", "Robert Wade"],
            "PG-13",
            ["Columbia Pictures", "Eon Productions", "Metro-Goldwyn-Mayer", "United Artists"],
            1108561013.0,
            92,
            "Nominated for 3 Oscars.",
            388,
        )
    ]
    ((cast,),) = query("SELECT \"cast\" FROM films WHERE id = 'tt0066580'")
    assert "Crosby, Stills & Nash" in cast
    assert "Janis Joplin" in cast


@pytest.mark.parametrize(
    ("film", "title"),
    [("tt0078788", "Apocalypse Now"), ("tt0850669", "Captain Mike Across America")],
)
def test_of_two_films_with_one_id_the_more_reviewed_stays(film: str, title: str) -> None:
    assert query(f"SELECT title FROM films WHERE id = '{film}'") == [(title,)]


@pytest.mark.parametrize("column", ["director", "writer", "cast", "production_company"])
def test_no_name_is_cut_at_its_comma(column: str) -> None:
    found = values(column)
    halves = {"Jr.", "Jr", "Sr.", "III", "Inc.", "Inc", "Ltd.", "Princess of Wales", "1st Baronet"}
    assert not halves & set(found)
    assert not [name for name in found if not name or name != " ".join(name.split())]


def test_names_that_hold_a_comma_are_whole() -> None:
    people = set(values("cast")) | set(values("director"))
    assert {"Max Baer, Jr.", "Luigi Barzini, Sr.", "Joaquin Garay, III"} <= people
    assert {"Diana, Princess of Wales", "Earth, Wind & Fire", "Tyler, the Creator"} <= people
    assert "Terror, Inc." in values("production_company")


def test_labels_are_corrected_and_the_only_one_is_kept() -> None:
    languages = set(values("language"))
    assert not [label for label in languages if label.endswith(" language") and label[0].isupper()]
    assert {"Kurdish", "Neapolitan", "Ancient Egyptian", "Bengali", "Jin Chinese"} <= languages
    assert not {"Bangla", "Putonghua", "Shuwa", "Jin"} & languages
    alone = query("SELECT language FROM films WHERE id IN ('tt0082484', 'tt1462017') ORDER BY id")
    assert alone == [(["artistic language"],), (["multiple languages"],)]


def test_no_value_stands_twice_in_one_film() -> None:
    for column in ("genre", "language", "country", "director", "writer", "cast"):
        twice = f'len(list_distinct("{column}")) < len("{column}")'
        assert query(f"SELECT count(*) FROM films WHERE {twice}") == [(0,)], column


@pytest.mark.parametrize("name", TREES)
def test_a_label_has_one_parent_and_is_not_its_own_ancestor(name: str) -> None:
    children: dict[str, list[str]] = load(name)
    placed = [child for names in children.values() for child in names]
    assert len(placed) == len(set(placed))
    parents = {child: parent for parent, names in children.items() for child in names}
    for label in parents:
        above, seen = parents.get(label), {label}
        while above is not None:
            assert above not in seen, f"{label} lies below itself"
            seen.add(above)
            above = parents.get(above)


@pytest.mark.parametrize(
    ("name", "child", "parent"),
    [
        ("languages", "Cantonese", "Yue Chinese"),
        ("languages", "Standard Taiwanese Mandarin", "Standard Chinese"),
        ("languages", "Dari", "Persian"),
        ("languages", "Quebec French", "Canadian French"),
        ("countries", "Wales", "United Kingdom"),
        ("countries", "West Germany", "Germany"),
        ("countries", "Georgian SSR", "Soviet Union"),
    ],
)
def test_a_few_places_in_the_trees(name: str, child: str, parent: str) -> None:
    assert child in load(name)[parent]


@pytest.mark.parametrize("label", ["Taiwan", "Kosovo", "Palestine", "Republic of China"])
def test_the_trees_make_no_claim_on_disputed_places(label: str) -> None:
    assert label not in [child for names in load("countries").values() for child in names]


def test_a_variety_is_a_language_that_names_a_country() -> None:
    varieties: dict[str, str] = load("varieties")
    trees = {name: load(name) for name in TREES}
    known = {
        name: {*tree, *(child for names in tree.values() for child in names)}
        for name, tree in trees.items()
    }
    assert not set(varieties) & (known["countries"] | set(values("country")))
    assert varieties["American English"] == "United States"
    shown = set(values("language")) & set(varieties)
    assert {varieties[label] for label in shown} <= set(values("country"))
