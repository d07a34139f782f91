"""The report from the command line's words: terminal, page, and every other format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError
from mystery_shopper.report.formats import FORMATS
from mystery_shopper.report.recbench import tell
from mystery_shopper.report.recbench.cells import by_type
from mystery_shopper.report.recbench.reading import read_folders
from mystery_shopper.suites.recbench.query import Kind

from .made import TITLES, even, graded, make_folder, make_plan, make_set, make_trials

SET = make_set(8)
KNOWN = {SET.name: SET}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    path = tmp_path_factory.mktemp("runs")
    made = []
    for number, (skill, changes) in enumerate(((graded, {}), (even, {"agent": "keyword"}))):
        plan = make_plan(SET, **changes)
        trials = make_trials(SET, plan, skill, number, faults=0.05)
        made.append(make_folder(path / f"run-{number}", plan, trials[:-3]))
    return made


def told(folders: list[RunFolder], capsys: pytest.CaptureFixture[str], **more: object) -> str:
    tell(folders, query_sets=KNOWN, resamples=100, **more)  # type: ignore[arg-type]
    return capsys.readouterr().out


def test_the_summary_fits_80_columns_and_tells_its_counts(
    folders: list[RunFolder], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    together = told(folders, capsys)
    assert "3 unplayed" in " ".join(together.split())
    for folder, run in zip(folders, read_folders(folders, KNOWN), strict=True):
        assert f" {run.counts.valid}/{run.counts.planned} " in together
        text = told([folder], capsys)
        for shown in (text, together):
            assert max(map(len, shown.splitlines())) <= 80
            assert "…" not in shown
            assert "synthetic: nobody lived them" in " ".join(shown.split())
            assert "The paper's observations:" in shown
        assert ("3 of 88 trials are unplayed" in text) is (run.counts.unplayed == 3)
        assert "names the mistake" in text
        cell = next(c for c in by_type(run, resamples=10) if (c.kind, c.group) == ("implicit", ""))
        counts = cell.counts
        row = next(
            line for line in text.splitlines()
            if line.split()[:2] == ["implicit", f"{cell.at('precision_own').value:.3f}"]
        )  # fmt: skip
        assert [int(n) for n in row.split()[-3:]] == [
            counts.planned, counts.valid, counts.excluded,
        ]  # fmt: skip
        assert f"{cell.at('cmr').value:.3f}" in row


def test_absent_groups_have_no_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = [one for one in SET.queries if one.kind is Kind.EXPLICIT]
    plan = make_plan(SET, tasks=tuple(one.id for one in only))
    folder = make_folder(tmp_path / "run", plan, make_trials(SET, plan))
    text = told([folder], capsys)
    rows = [line.split()[0] for line in text.splitlines() if re.search(r" \d+ +\d+ +\d+$", line)]
    assert rows == ["explicit"]
    assert "names the mistake" not in text


def test_a_run_without_trials_is_unmeasured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told([make_folder(tmp_path / "run", make_plan(SET), [])], capsys)
    assert "There is no valid trial, so nothing was measured." in text
    assert not re.search(r"\d\.\d{3}", text)


def test_what_the_set_does_not_tell_is_said(
    folders: list[RunFolder], capsys: pytest.CaptureFixture[str]
) -> None:
    tell(folders, query_sets={}, resamples=50)
    assert "query set of graph, keyword is not at hand" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_holds_the_same_tables(
    format: str, folders: list[RunFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out-{format}"
    assert tell(folders, out, format=format, query_sets=KNOWN, titles={}, resamples=50) == out
    capsys.readouterr()
    titles = ("At a glance", "Observation 4: the claims", "Who asks", "How trials end")
    match format:
        case "csv" | "parquet":
            names = {path.stem for path in out.iterdir()}
            assert {"at-a-glance", "observation-4", "who-asks", "runs"} <= names
        case "json":
            found = json.loads(out.read_bytes())["tables"]
            assert set(titles) <= {table["title"] for table in found}
            glance = next(table for table in found if table["title"] == "At a glance")
            row = next(row for row in glance["rows"] if row["type"] == "implicit")
            assert row["precision_low"] <= row["precision"] <= row["precision_high"]
        case _:
            text = out.read_text(encoding="utf-8")
            assert all(title in text for title in titles)
    # An earlier report may be written over, and nothing else.
    tell(folders, out, format=format, query_sets=KNOWN, titles={}, resamples=50)
    capsys.readouterr()
    with pytest.raises(InputError, match="nothing was written"):
        tell(folders, folders[0].run_file, format=format, query_sets=KNOWN)


def test_numbers_are_numbers_and_the_paper_s_rows_are_marked(
    folders: list[RunFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "parquet"
    tell(folders, out, format="parquet", query_sets=KNOWN, resamples=50)
    capsys.readouterr()
    failing = out / "failing-mistakes-and-hallucinations.parquet"
    rows = duckdb.sql(f"SELECT source, ftr FROM '{failing}' WHERE type = 'misinformed'").fetchall()
    assert [value for source, value in rows if source == "paper"] == [0.27]
    assert all(isinstance(value, float) for _, value in rows)
    claims = out / "observation-2.parquet"
    found = duckdb.sql(f"SELECT verdict, difference, difference_low FROM '{claims}'").fetchall()
    assert found
    assert all(
        verdict in ("seen", "not seen") or verdict.startswith("cannot be told")
        for verdict, _, _ in found
    )


def test_labels_are_refused(folders: list[RunFolder], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--labels"):
        tell(folders, labels=tmp_path / "labels.jsonl")


def test_the_page_is_the_same_each_time_and_asks_for_nothing(
    folders: list[RunFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.html"
        tell(folders, out, query_sets=KNOWN, titles={"run-0": TITLES}, resamples=50)
        pages.append(out.read_bytes())
    capsys.readouterr()
    assert pages[0] == pages[1]
    text = pages[0].decode()
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)
    assert "&lt;b&gt;now&lt;/b&gt;" in text
    assert "<b>now" not in text
    assert SET.canary in text
    assert text.count('<details class="played"') <= 160
