"""`mystery-shopper import recbench-plus`: what it writes, what it tells, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mystery_shopper.catalog.folder import open_catalogue
from mystery_shopper.cli.common import told_slowly
from mystery_shopper.suites.recbench.queryfile import load_query_set

from ..suites.recbench.releases import (
    GRAPH_TSV,
    explicit,
    write_books,
    write_files,
    write_films,
)
from .conftest import Shop

REAL = Path(__file__).parents[3] / "shared" / "data" / "recbench-plus"


@pytest.fixture
def films(tmp_path: Path) -> Path:
    return write_films(tmp_path / "films")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv"
    path.write_text(GRAPH_TSV, encoding="utf-8")
    return path


def test_films_become_a_catalogue_with_queries_and_a_graph(
    shop: Shop, tmp_path: Path, films: Path, graph: Path
) -> None:
    out = tmp_path / "out"
    code, told, err = shop("import", "recbench-plus", films, "--graph", graph, "--out", out)
    assert (code, err) == (0, "")
    assert {path.name for path in out.iterdir()} == {
        "arrays", "catalog.json", "domain.yaml", "graph.tsv", "queries.json",
    }  # fmt: skip
    assert len(open_catalogue(out)) == 14
    assert len(load_query_set(out / "queries.json").queries) == 9
    for line in (
        "ExplicitQuery.json: 3 queries",
        "movies.dat",
        "recbench/films-movie@1: 9 queries",
        "misinformed/2",
        "Answer titles: 18 of 20 resolved (18 exactly, 0 nearly); 1 ambiguous, 1 unknown",
        "  ambiguous: Sabrina: fits 7, 8 (demographics-3-1)",
        "  unknown: No Such Film (2031) (demographics-3-1)",
        "13 triples, 12 of them of the catalogue's items; 1 items of it are not",
        "CMR: scored on 5 of 6 queries with conditions",
        "  Composed_by: the graph lacks it, 1 query",
        "Users: 3, 2 of them with a history; 3 whose gender, age or occupation is known",
        "query 2: is empty and was passed over",
    ):
        assert line in told
    assert not list(tmp_path.glob(".*.part"))


def test_the_oracle_scores_full_marks_on_what_was_imported(
    shop: Shop, tmp_path: Path, films: Path, graph: Path
) -> None:
    out, run = tmp_path / "out", tmp_path / "run"
    shop("import", "recbench-plus", films, "--graph", graph, "--out", out)
    code, _, err = shop(
        "run", "recbench", "--catalog", out, "--agent", "oracle", "--out", run, "--workers", 1
    )
    assert code == 0, err
    scores = [
        json.loads(line)["score"] for line in (run / "trials.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(scores) == 9
    for name in ("precision_own", "recall_own"):
        assert {score["figures"][name] for score in scores} == {1.0}
    assert [score["figures"].get("cmr") for score in scores].count(1.0) == 5
    assert [score["success"] for score in scores].count(True) == 8


def test_a_folder_of_films_and_books_gives_a_folder_each(shop: Shop, tmp_path: Path) -> None:
    source = tmp_path / "release"
    write_films(source / "movie")
    write_books(source / "book")
    out = tmp_path / "out"
    code, told, _ = shop("import", "recbench-plus", source, "--out", out)
    assert code == 0
    assert "the 8 books that the files themselves name" in told
    assert "the catalogue knows no people or categories" in told
    assert {path.name for path in out.iterdir()} == {"movie", "book"}
    assert len(load_query_set(out / "book" / "queries.json").queries) == 7
    code, _, err = shop(
        "import", "recbench-plus", source, "--out", tmp_path / "x", "--catalog", "films"
    )
    assert code == 2
    assert "--domain movie" in err
    code, told, _ = shop(
        "import", "recbench-plus", source, "--domain", "book", "--out", tmp_path / "x"
    )
    assert code == 0
    assert (tmp_path / "x" / "queries.json").is_file()


def test_queries_can_be_put_on_the_films(shop: Shop, tmp_path: Path, films: Path) -> None:
    out = tmp_path / "out"
    code, told, _ = shop("import", "recbench-plus", films, "--catalog", "films", "--out", out)
    assert code == 0
    assert "Catalogue: the catalogue films" in told
    assert "CMR: scored on 5 of 6 queries with conditions" in told
    assert len(open_catalogue(out)) == 16_852


def test_queries_can_be_put_into_a_catalogue_of_ones_own(
    shop: Shop, tmp_path: Path, films: Path
) -> None:
    own = tmp_path / "own"
    shop("import", "recbench-plus", films, "--out", own)
    (own / "queries.json").unlink()
    before = (own / "catalog.json").read_bytes()
    code, _, _ = shop("import", "recbench-plus", films, "--catalog", own, "--out", own)
    assert code == 0
    assert (own / "catalog.json").read_bytes() == before
    assert len(load_query_set(own / "queries.json").queries) == 9
    code, _, err = shop("import", "recbench-plus", films, "--catalog", own, "--out", own)
    assert code == 2
    assert "holds queries.json already" in err


def test_the_same_release_gives_the_same_bytes(shop: Shop, tmp_path: Path, films: Path) -> None:
    for name in ("a", "b"):
        shop("import", "recbench-plus", films, "--out", tmp_path / name)
    first, second = ((tmp_path / name / "queries.json").read_bytes() for name in ("a", "b"))
    assert first == second


def test_bad_records_stop_the_import_or_are_left_out(
    shop: Shop, tmp_path: Path, films: Path
) -> None:
    text = json.dumps([*explicit(), {"source_user": 1}], indent=1)
    write_files(films, {"ExplicitQuery": text})
    line = text.count("\n") - 2
    out = tmp_path / "out"
    code, told, err = shop("import", "recbench-plus", films, "--out", out)
    assert (code, told) == (2, "")
    assert f"ExplicitQuery.json: record 3, line {line}: movieSubset: is missing" in err
    assert "nothing was written" in err
    assert not out.exists()
    code, told, _ = shop("import", "recbench-plus", films, "--on-bad", "skip", "--out", out)
    assert code == 0
    assert f"3 left out:\n  ExplicitQuery.json: record 3, line {line}" in told
    assert len(load_query_set(out / "queries.json").queries) == 9


def test_places_in_use_and_options_of_no_use_are_refused(
    shop: Shop, tmp_path: Path, films: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    code, _, err = shop("import", "recbench-plus", films, "--out", out)
    assert code == 2
    assert "is not empty" in err
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    code, _, err = shop("import", "tau-rec-v1", films, "--graph", out, "--out", tmp_path / "x")
    assert code == 2
    assert "--graph: of no use for tau-rec-v1" in err
    code, _, err = shop(
        "import", "recbench-plus", films, "--domain", "book", "--out", tmp_path / "x"
    )
    assert code == 2
    assert "holds no query of books" in err
    code, _, err = shop("import", "recbench-plus", tmp_path / "no", "--out", tmp_path / "x")
    assert code == 2
    assert "there is no such folder" in err


def test_a_failure_in_writing_leaves_nothing(
    shop: Shop, tmp_path: Path, films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mystery_shopper.suites.recbench import queryfile

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(queryfile, "save_query_set", full)
    code, _, err = shop("import", "recbench-plus", films, "--out", tmp_path / "out")
    assert code == 2
    assert "No space left on device" in err
    assert [path.name for path in tmp_path.iterdir()] == ["films"]


def test_progress_is_told_after_two_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 2.5, 2.6, 3.0, 13.0, 13.1])
    with told_slowly("Working", lambda: next(clock)) as progress:
        for done in range(5):
            progress(done, 5)
    assert capsys.readouterr().err.splitlines() == ["Working: 2 of 5", "Working: 4 of 5"]


@pytest.mark.skipif(
    not REAL.is_dir(), reason="the folder shared/data/recbench-plus beside the project is missing"
)
def test_all_titles_of_the_real_half_resolve(shop: Shop, tmp_path: Path) -> None:
    code, told, _ = shop("import", "recbench-plus", REAL, "--out", tmp_path / "out")
    assert code == 0
    assert "UserBasedQuery.json: 143 queries" in told
    assert "3,883 films" in told
    assert "Answer titles: 440 of 440 resolved" in told
    assert "; 0 ambiguous, 0 unknown" in told
    catalogue = open_catalogue(tmp_path / "out")
    assert {"Boat, The (Das Boot)", "Hunt for Red October, The"} <= {
        catalogue.item(place).title for place in range(len(catalogue))
    }
