"""`mystery-shopper score`: figures as a run's own, and what it says of lines that it cannot use."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.queryfile import load_query_set, shipped_query_set

from ..suites.recbench.releases import GRAPH_TSV, write_films
from .conftest import Shop


@pytest.fixture
def folder(shop: Shop, tmp_path: Path) -> Path:
    source = write_films(tmp_path / "films")
    (tmp_path / "g.tsv").write_text(GRAPH_TSV, encoding="utf-8")
    out = tmp_path / "shop"
    shop("import", "recbench-plus", source, "--graph", tmp_path / "g.tsv", "--out", out)
    return out


def write(path: Path, *lines: object) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def figures(shop: Shop, *arguments: object) -> dict[str, dict[str, object]]:
    """Kind and width -> row of the JSON table."""
    code, told, err = shop("score", "recbench", *arguments, "--format", "json")
    assert code == 0, err
    return {f"{row['kind']}/{row['conditions']}": row for row in json.loads(told)["rows"]}


def mean_of(rows: dict[str, dict[str, object]], row: str, name: str, k: str = "k_free") -> float:
    return rows[row][k][name]["mean"]  # type: ignore[index,return-value]


def test_figures_are_those_of_the_answers(shop: Shop, tmp_path: Path, folder: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"query": "explicit-40-direct", "text": "1. Malcolm X (1992)\n2. Clockers\n3. Nowhere"},
        {"id": "explicit-40-situational", "titles": []},
        {"id": "misinformed-0", "titles": ["Malcolm X", "Lorenzo's Oil", "Clockers"],
         "concerns": ["Lorenzo's Oil was directed by George Miller, not by Spike Lee."]},
    )  # fmt: skip
    rows = figures(shop, path, "--catalog", folder)
    row = rows["explicit/2"]
    assert (row["queries"], row["answered"], row["missing"]) == (2, 2, 0)
    free = {name: mean["mean"] for name, mean in row["k_free"].items()}  # type: ignore[attr-defined]
    assert free["precision_own"] == pytest.approx(1 / 3)
    assert free["precision_own_with_empty"] == pytest.approx(1 / 6)
    assert free["recall_own"] == 0.5
    assert free["cmr"] == pytest.approx(1 / 3)
    assert free["failed"] == 0.5
    assert free["hallucinated"] == pytest.approx(1 / 3)
    other = {name: mean["mean"] for name, mean in rows["misinformed/2"]["k_free"].items()}  # type: ignore[attr-defined]
    assert (other["names_mistake"], other["cmr"], other["recommended"]) == (1.0, 1.0, 2.0)
    assert (other["precision_own"], other["recall_all"]) == (1.0, pytest.approx(2 / 3))
    assert (rows["all/"]["queries"], rows["all/"]["answered"], rows["all/"]["missing"]) == (9, 3, 6)
    assert rows["interest/"]["answered"] == 0
    assert rows["interest/"]["k_free"]["cmr"]["mean"] is None  # type: ignore[index]


def test_a_runs_own_answers_score_the_same(shop: Shop, tmp_path: Path, folder: Path) -> None:
    """Every figure of every answer: the answers of one query at a time, and then all of them."""
    run = tmp_path / "run"
    shop("run", "recbench", "--catalog", folder, "--agent", "popularity", "--out", run,
         "--workers", 1)  # fmt: skip
    trials = [json.loads(line) for line in (run / "trials.jsonl").read_text("utf-8").splitlines()]
    said = {
        trial["task"]: next(
            event["text"] for event in reversed(trial["transcript"]["events"])
            if event["type"] == "agent_said"
        )
        for trial in trials
    }  # fmt: skip
    path = write(tmp_path / "a.jsonl", *({"id": k, "text": text} for k, text in said.items()))
    rows = figures(shop, path, "--catalog", folder)
    for ours, own in (("k_free", "figures"), ("k_fixed", "at_five")):
        for name in NAMES:
            scored = [v for t in trials if (v := t["score"][own].get(name)) is not None]
            mean = mean_of(rows, "all/", name, ours)
            assert mean == (pytest.approx(sum(scored) / len(scored)) if scored else None), name
    for trial in trials[:3]:
        one = write(tmp_path / "one.jsonl", {"id": trial["task"], "text": said[trial["task"]]})
        found = figures(shop, one, "--catalog", folder)["all/"]["k_free"]
        alone = {name: found[name]["mean"] for name in NAMES}  # type: ignore[index]
        assert alone == {name: trial["score"]["figures"].get(name) for name in NAMES}


def test_k_cuts_the_answer(shop: Shop, tmp_path: Path, folder: Path) -> None:
    titles = [
        "Clockers",
        "Malcolm X",
        "Nowhere",
        "Ghoulies",
        "Trancers",
        "Bamboozled",
        "He Got Game",
    ]
    path = write(tmp_path / "a.jsonl", {"id": "explicit-40-direct", "titles": titles})
    for k, precision, recall in ((1, 0.0, 0.0), (2, 0.5, 0.5), (5, 0.2, 0.5), (9, 2 / 7, 1.0)):
        row = figures(shop, path, "--catalog", folder, "--k", k)["explicit/2"]
        fixed = {name: mean["mean"] for name, mean in row["k_fixed"].items()}  # type: ignore[attr-defined]
        assert fixed["precision_own"] == pytest.approx(precision)
        assert fixed["recall_own"] == pytest.approx(recall)
        assert row["k_free"]["recall_own"]["mean"] == 1.0  # type: ignore[index]


def test_every_form_tells_the_same(shop: Shop, tmp_path: Path, folder: Path) -> None:
    queries = load_query_set(folder / "queries.json").queries
    path = write(
        tmp_path / "a.jsonl", *({"id": q.id, "titles": ["Malcolm X", "Clockers"]} for q in queries)
    )
    code, told, _ = shop("score", "recbench", path, "--catalog", folder)
    assert code == 0
    assert "9 answered, 0 missing; without histories" in told
    assert "All items of an answer (K free)" in told
    assert "The first 5 items (K = 5)" in told
    lines = told.splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("all  "))
    assert lines[place + 1].split()[:3] == ["9", "of", "9"]
    given = figures(shop, path, "--catalog", folder)
    assert lines[place].split()[1] == f"{mean_of(given, 'all/', 'precision_own'):.3f}"
    code, told, _ = shop("score", "recbench", path, "--catalog", folder, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(told)))
    by = {(r["kind"], r["conditions"], r["k"], r["figure"]): r for r in rows if not r["by"]}
    mean = given["all/"]["k_free"]["precision_own"]["mean"]  # type: ignore[index]
    assert float(by["all", "", "free", "precision_own"]["mean"]) == mean
    assert by["interest", "", "5", "cmr"]["mean"] == ""
    code, told, _ = shop("score", "recbench", path, "--catalog", folder, "--format", "md")
    assert f"| all |  | 9 | 9 | 0 | {mean:.3f}" in told.replace("\\", "")
    out = tmp_path / "table.txt"
    code, told, _ = shop("score", "recbench", path, "--catalog", folder, "--out", out)
    assert (code, told) == (0, "")
    assert "K free" in out.read_text("utf-8")


def test_packed_answers_and_stdin_are_read(
    shop: Shop, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = json.dumps({"id": "explicit-40-direct", "text": "Malcolm X (1992)"}).encode()
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(raw))
    first = figures(shop, packed, "--catalog", folder)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
    assert figures(shop, "-", "--catalog", folder) == first


def test_histories_that_were_handed_over_are_told(shop: Shop, tmp_path: Path, folder: Path) -> None:
    # Clockers is nearer to the user's history than what fits, and breaks a condition.
    path = write(tmp_path / "a.jsonl", {"id": "explicit-40-direct", "titles": ["Clockers"]})
    without = figures(shop, path, "--catalog", folder)["explicit/2"]
    with_ = figures(shop, path, "--catalog", folder, "--history")["explicit/2"]
    assert without["k_free"]["pulled"]["mean"] is None  # type: ignore[index]
    assert with_["k_free"]["pulled"]["mean"] is not None  # type: ignore[index]


def test_bad_lines_stop_it_or_are_left_out(shop: Shop, tmp_path: Path, folder: Path) -> None:
    good = {"id": "explicit-40-direct", "text": "Malcolm X (1992)"}
    path = write(tmp_path / "a.jsonl", good, "{", good, {"id": "nobody", "text": ""})
    code, told, err = shop("score", "recbench", path, "--catalog", folder)
    assert (code, told) == (2, "")
    for line in (
        "line 2: not JSON",
        "line 3: explicit-40-direct is answered on line 1 already",
        "line 4: there is no query 'nobody'",
        "ids such as explicit-40-direct",
    ):
        assert line in err
    code, told, err = shop("score", "recbench", path, "--catalog", folder, "--on-bad", "skip")
    assert code == 0
    assert "3 lines left out" in err
    assert "1 answered, 8 missing (a query without an answer is not scored)" in told
    path = write(tmp_path / "b.jsonl", "{")
    code, _, err = shop("score", "recbench", path, "--catalog", folder, "--on-bad", "skip")
    assert code == 2
    assert "answers none of the 9 queries" in err


def test_what_cannot_be_scored_is_refused(shop: Shop, tmp_path: Path) -> None:
    code, _, err = shop("score", "tau_rec", tmp_path / "a.jsonl")
    assert code == 2
    assert "answers to tau_rec cannot be scored" in err
    code, _, err = shop("score", "recbench", tmp_path / "no.jsonl")
    assert code == 2
    assert "cannot be read" in err
    write(tmp_path / "a.jsonl", {"id": "x", "text": ""})
    code, _, err = shop(
        "score", "recbench", tmp_path / "a.jsonl", "--task-set", tmp_path / "q.json"
    )
    assert code == 2
    assert "q.json" in err


def test_answers_to_the_shipped_set_are_scored_by_default(shop: Shop, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "explicit-1-001", "titles": ["Heat (1995)"]})
    code, told, err = shop("score", "recbench", path, "--resamples", 100)
    assert code == 0, err
    assert "recbench/films@1: 3,000 queries" in told
    assert "1 answered, 2,999 missing" in told


def test_the_default_fits_two_screens_and_the_rest_is_asked_for(shop: Shop, tmp_path: Path) -> None:
    queries = shipped_query_set().queries[::7]
    path = write(
        tmp_path / "a.jsonl",
        *(
            {"id": q.id, "titles": ["Heat (1995)", f"Nowhere of {n}", "Titanic", "Gladiator"]}
            for n, q in enumerate(queries)
        ),
    )  # fmt: skip
    code, told, err = shop("score", "recbench", path, "--resamples", 100)
    assert code == 0, err
    lines = told.splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 80
    assert not any("explicit 1" in line for line in lines)
    for by, wanted in (("number", "explicit 3-4"), ("popularity", "1: "), ("gender", "Female"),
                       ("age", "25-34"), ("occupation", "K-12 student")):  # fmt: skip
        code, told, err = shop("score", "recbench", path, "--resamples", 100, "--by", by)
        assert code == 0, err
        assert any(line.startswith(wanted) for line in told.splitlines()), by
        assert max(map(len, told.splitlines())) <= 80
    _, told, _ = shop("score", "recbench", path, "--resamples", 100, "--by", "all")
    assert "explicit 3-4" in told
    assert "by occupation" in told


def test_groups_of_profile_queries_are_scored(shop: Shop, tmp_path: Path) -> None:
    queries = shipped_query_set()
    first = next(q for q in queries.queries if q.profile and q.profile.group.get("gender"))
    path = write(tmp_path / "a.jsonl", {"id": first.id, "titles": ["Heat (1995)"]})
    code, told, err = shop("score", "recbench", path, "--resamples", 100, "--format", "json")
    assert code == 0, err
    groups = {(row["by"], row["group"]): row for row in json.loads(told)["groups"]}
    assert first.profile is not None
    for by, group in first.profile.group.items():
        row = groups[by, group]
        assert row["answered"] == 1
        same = [q for q in queries.queries if q.profile and q.profile.group.get(by) == group]
        assert row["queries"] == len(same)
        assert row["k_free"]["recommended"]["mean"] == 1.0
    assert sum(row["queries"] for (by, _), row in groups.items() if by == "popularity") == 375


def test_titles_that_came_to_no_item_are_listed(shop: Shop, tmp_path: Path, folder: Path) -> None:
    titles = [f"Nowhere of {n}" for n in range(20)]
    path = write(
        tmp_path / "a.jsonl",
        {"id": "explicit-40-direct", "titles": [*titles, "Malcolm X (1992)"]},
        {"id": "explicit-40-situational",
         "titles": ["nowhere of 3", {"title": "Lost", "year": 1990}]},
    )  # fmt: skip
    _, told, _ = shop("score", "recbench", path, "--catalog", folder)
    assert "Titles: 23 recommended, 1 known, 0 ambiguous, 22 unknown" in told
    assert "  unknown: Nowhere of 3 (2 times)" in told
    assert "  and 9 more unknown titles" in told
    out = tmp_path / "told.txt"
    shop("score", "recbench", path, "--catalog", folder, "--out", out)
    assert all(title in out.read_text("utf-8") for title in [*titles, "Lost (1990)"])
    _, told, _ = shop("score", "recbench", path, "--catalog", folder, "--format", "json")
    listed = json.loads(told)["titles"]
    assert (listed["recommended"], listed["known"], len(listed["unknown"])) == (23, 1, 21)
    assert listed["unknown"][0] == {
        "title": "Nowhere of 3", "times": 2, "candidates": [],
        "queries": ["explicit-40-direct", "explicit-40-situational"],
    }  # fmt: skip
    _, told, _ = shop("score", "recbench", path, "--catalog", folder, "--format", "md")
    assert "Nowhere of 19" in told


def test_ambiguous_titles_come_with_what_they_fit(shop: Shop, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "explicit-1-001", "titles": ["Titanic"]})
    _, told, _ = shop("score", "recbench", path, "--resamples", 100)
    assert "  ambiguous: Titanic: fits tt0120338, tt0046435 (explicit-1-001)" in told


def test_published_names_of_queries_are_accepted(shop: Shop, tmp_path: Path, folder: Path) -> None:
    queries = load_query_set(folder / "queries.json").queries
    direct = next(q for q in queries if q.id == "explicit-40-direct")
    want = figures(shop, write(tmp_path / "w.jsonl", {"id": direct.id, "text": "Malcolm X"}),
                   "--catalog", folder)  # fmt: skip
    for line in (
        {"query": direct.text},
        {"id": "Explicit_40_direct"},
        {"data_idx": 40, "kind": "explicit", "style": "direct"},
        {"data_idx": 40, "file": "ExplicitQuery.json", "style": "direct"},
        {"data_idx": "40", "style": "direct"},
    ):
        path = write(tmp_path / "a.jsonl", {**line, "text": "Malcolm X"})
        assert figures(shop, path, "--catalog", folder) == want, line
    path = write(tmp_path / "a.jsonl", {"data_idx": 40, "text": "Malcolm X"})
    code, _, err = shop("score", "recbench", path, "--catalog", folder)
    assert code == 2
    assert "2 queries go by '40' (explicit-40-direct, explicit-40-situational)" in err
