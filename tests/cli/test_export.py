"""`export` and `report --metric` as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.engine.lasting import needs

from .conftest import Shop


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three of four planned trials."""
    path = tmp_path_factory.mktemp("runs") / "mine"
    plan = make_plan(Wishes(agent="no-ask", only=("f001-mixed", "f002-hidden"), trials=2))
    sweep(plan, RunFolder(path))
    for file in (path / "trials.jsonl", path / "timings.jsonl"):
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:3]))
    return path


def test_export_tells_what_it_wrote_and_what_is_missing(
    shop: Shop, run: Path, tmp_path: Path
) -> None:
    out = tmp_path / "tables"
    code, told, _ = shop("export", run, "--out", out)
    lines = told.splitlines()
    assert code == 0
    assert lines[0] == f"{out}/trials.csv: 3 rows"
    assert lines[3] == "mine is not finished: 3 of 4 planned trials"
    assert len((out / "trials.csv").read_text(encoding="utf-8").splitlines()) == 4
    code, told, _ = shop("export", run, "--format", "parquet", "--out", out)
    assert (code, told.splitlines()[0]) == (0, f"{out}/trials.parquet: 3 rows")
    assert sorted(path.suffix for path in out.iterdir()) == [".json", *[".parquet"] * 3]


def test_export_says_what_is_wrong(
    shop: Shop, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, told, err = shop("export", tmp_path, "--out", tmp_path / "x")
    assert (code, told) == (2, "")
    assert "there is no run.json" in err
    code, _, err = shop("export", run, "--format", "xlsx", "--out", tmp_path / "x")
    assert code == 2
    assert "there is no format 'xlsx'" in err
    assert "parquet, csv, json, arrow" in err
    code, _, err = shop("export", run, "--out", run)
    assert (code, "is a run's own folder" in err) == (2, True)
    monkeypatch.setattr(needs, "find_spec", lambda _: None)
    assert shop("export", run, "--out", tmp_path / "plain").code == 0
    code, _, err = shop("export", run, "--format", "parquet", "--out", tmp_path / "x")
    assert code == 2
    assert "pip install 'mystery-shopper[arrow]'" in err
    assert not (tmp_path / "x").exists()


METRICS = """
class Words:
    name = "words"
    def measure(self, trial, task):
        return sum(len(getattr(event, "text", "").split()) for event in trial.transcript.events)

class Broken:
    name = "broken"
    def measure(self, trial, task):
        raise RuntimeError(f"not for {task.id}")
"""


def test_report_measures_what_is_named(
    shop: Shop, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_of_the_shop.py").write_text(METRICS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    page = tmp_path / "page.html"
    names = [f"--metric=mine_of_the_shop:{name}" for name in ("Words", "Broken")]
    code, told, _ = shop("report", run, "--out", page, *names)
    assert code == 0
    records = [json.loads(line) for line in (run / "trials.jsonl").read_bytes().splitlines()]
    words = [
        sum(len(event.get("text", "").split()) for event in record["transcript"]["events"])
        for record in records
    ]
    mixed, hidden = sum(words[:2]) / 2, float(words[2])
    both = (mixed + hidden) / 2
    assert f"no-ask · words: mixed {mixed:.3f}, hidden {hidden:.3f}, all {both:.3f}\n" in told
    assert "no-ask · broken: mixed –, hidden –, all –\n  failed on 3 trials, first on " in told
    assert "f001-mixed#0: RuntimeError: not for f001-mixed" in told
    assert "Own metrics" in page.read_text(encoding="utf-8")
    code, _, err = shop("report", run, "--out", page, "--metric", "mine_of_the_shop:None_")
    assert (code, "cannot be loaded" in err) == (2, True)


def test_the_command_imports_no_pyarrow_before_it_is_needed() -> None:
    script = (
        "import sys, mystery_shopper.cli.main, mystery_shopper.engine.tabular;"
        "print([name for name in ('pyarrow', 'pandas', 'polars') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
