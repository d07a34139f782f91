"""docs/tables.md, docs/metrics.md and the example metric do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.engine.requested import asked, shop

import mystery_shopper
from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.report.ownmetrics import GROUP
from mystery_shopper.report.recbench import tell

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("docs") / "runs" / "mine"
    tasks = ("f004-mixed", "f005-mixed", "f006-hidden")
    sweep(make_plan(Wishes(agent="popularity", only=tasks, trials=2)), RunFolder(path))
    return path


def test_the_lines_on_other_libraries_run(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.parents[1])
    code, _ = blocks("tables.md", "python")
    found: dict[str, Any] = {}
    exec(code, found)
    assert found["frame"].shape == (6, len(found["trials"].column_names))
    (query,) = re.findall(r'duckdb\.sql\("(.*?)"\)', code)
    trials = found["trials"]
    assert trials.num_rows == 6
    rows = dict(found["duckdb"].sql(query).fetchall())
    means: dict[str, list[bool]] = {}
    for row in trials.to_pylist():
        means.setdefault(row["condition"], []).append(row["success"])
    assert rows == {name: sum(values) / len(values) for name, values in means.items()}


def test_the_lines_on_recbench_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(tmp_path / "runs" / "requests", shop(tmp_path / "shop"), "graph")
    monkeypatch.chdir(tmp_path)
    _, code = blocks("tables.md", "python")
    found: dict[str, Any] = {"mystery_shopper": mystery_shopper, "duckdb": duckdb}
    exec(code, found)
    trials = found["trials"]
    assert trials.num_rows == 10
    first, second = re.findall(r'duckdb\.sql\("(.*?)"\)', code)
    by_kind, titles = duckdb.sql(first).fetchall(), duckdb.sql(second).fetchall()
    assert len(by_kind) == 5
    assert len(titles) == sum(map(len, trials["picks"].to_pylist()))
    assert {kind for _, _, kind in titles} <= {"known", "unknown", "ambiguous", "named"}


@pytest.mark.parametrize(
    ("module", "name", "told"),
    [
        ("wordiness", "Wordiness", "popularity · words a message: mixed "),
        (
            "own_metric",
            "Informed",
            "popularity · known at the first proposal: mixed 1.000, hidden 0.",
        ),
    ],
)
def test_the_metrics_shown_measure_a_run(
    run: Path, tmp_path: Path, module: str, name: str, told: str
) -> None:
    code, _ = blocks("metrics.md", "python")
    if module == "own_metric":
        code = (ROOT / "examples" / "own_metric.py").read_text(encoding="utf-8")
    (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
    command = ("report", str(run), "--out", "page.html", "--metric", f"{module}:{name}")
    done = subprocess.run(
        [sys.executable, "-m", "mystery_shopper", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert told in done.stdout
    assert "failed on" not in done.stdout


def test_the_metric_shown_for_recbench_measures_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = asked(tmp_path / "graph", shop(tmp_path / "shop"), "graph")
    _, code = blocks("metrics.md", "python")
    (tmp_path / "own_found.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    tell([folder], metrics=("own_found:OwnFound",))
    told = capsys.readouterr().out
    assert "graph · own items found: explicit " in told
    assert "failed on" not in told


def test_the_group_of_entry_points_is_the_one_that_is_read() -> None:
    (toml,) = blocks("metrics.md", "toml")
    assert f'[project.entry-points."{GROUP}"]' in toml
