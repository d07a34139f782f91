"""The exported files hold the tables of `load_run`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mystery_shopper import load_run
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.lasting import needs
from mystery_shopper.engine.tabular import FORMATS, TABLES, batches, export_runs
from mystery_shopper.engine.tabular.writers import JsonLines, cell
from mystery_shopper.foundation import InputError

NAMES = [table.name for table in TABLES]


@pytest.fixture(scope="module")
def rows(run: RunFolder) -> dict[str, list[dict[str, Any]]]:
    tables = load_run(run.path)
    return {name: getattr(tables, name).to_pylist() for name in NAMES}


Rows = dict[str, list[dict[str, Any]]]


def test_parquet_and_arrow_hold_the_tables_with_their_schema(
    run: RunFolder, rows: Rows, tmp_path: Path
) -> None:
    loaded = load_run(run.path)
    export_runs([run], tmp_path / "p", "parquet")
    export_runs([run], tmp_path / "a", "arrow")
    for name in NAMES:
        for found in (
            pq.read_table(tmp_path / "p" / f"{name}.parquet"),
            pa.ipc.open_file(tmp_path / "a" / f"{name}.arrow").read_all(),
        ):
            assert found.to_pylist() == rows[name]
            assert found.schema.equals(getattr(loaded, name).schema)
            assert found.schema.metadata[b"mystery_shopper.schema_version"] == b"1"
    with duckdb.connect() as base:
        query = f"SELECT count(*) FROM '{tmp_path / 'p' / 'events.parquet'}'"
        assert base.execute(query).fetchone() == (len(rows["events"]),)


def test_json_lines_hold_the_tables(run: RunFolder, rows: Rows, tmp_path: Path) -> None:
    export_runs([run], tmp_path / "j", "json")
    for name in NAMES:
        lines = (tmp_path / "j" / f"{name}.jsonl").read_bytes().split(b"\n")
        assert lines.pop() == b""
        assert [json.loads(line) for line in lines] == rows[name]


def test_csv_holds_the_tables(run: RunFolder, rows: Rows, tmp_path: Path) -> None:
    export_runs([run], tmp_path / "c", "csv")
    for name in NAMES:
        text = (tmp_path / "c" / f"{name}.csv").read_bytes().decode("utf-8")
        read = list(csv.reader(io.StringIO(text, newline="")))
        columns = next(table for table in TABLES if table.name == name).columns
        assert read[0] == [column.name for column in columns]
        assert len(read) == len(rows[name]) + 1
        for line, row in zip(read[1:], rows[name], strict=True):
            for column, value in zip(columns, line, strict=True):
                assert parsed(column.kind.value, value, row[column.name]) == row[column.name]


def parsed(kind: str, text: str, wanted: object) -> object:
    """A cell read back; an empty one is null, or an empty text, which CSV readers do not tell."""
    if text == "":
        return "" if wanted == "" else None
    return text if kind == "string" else json.loads(text)


def test_a_cell_keeps_null_and_the_empty_text_apart() -> None:
    assert [cell(None), cell(""), cell(True), cell(0.1), cell(3)] == ["", '""', "true", "0.1", "3"]
    assert cell('a "b", c\nd') == '"a ""b"", c\nd"'
    assert cell(("a,b", "c")) == '"[""a,b"",""c""]"'
    assert cell(2**64 - 1) == "18446744073709551615"


def test_csv_reads_back_with_null_and_the_empty_text_apart(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"a,b\r\n{cell('')},{cell(None)}\r\n", encoding="utf-8")
    with duckdb.connect() as base:
        read = "read_csv(?, header = true, all_varchar = true, allow_quoted_nulls = false)"
        found = base.execute(f"SELECT a, b FROM {read}", [str(tmp_path / "x.csv")])
        assert found.fetchone() == ("", None)


def test_several_runs_stand_in_one_table_and_are_told(
    run: RunFolder, again: RunFolder, tmp_path: Path
) -> None:
    short = RunFolder(tmp_path / "short")
    short.begin(run.plan())
    short.append(list(run.trials())[:3], [])
    told = export_runs([run, short], tmp_path / "out", "json")
    lines = (tmp_path / "out" / "trials.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["run"] for line in lines] == ["popularity"] * 10 + ["short"] * 3
    written = json.loads((tmp_path / "out" / "tables.json").read_bytes())
    assert written == json.loads(msgspec.json.encode(told))
    assert [(one["run"], one["planned"], one["trials"]) for one in written["runs"]] == [
        ("popularity", 10, 10),
        ("short", 10, 3),
    ]
    assert written["schema_version"] == 1
    assert written["tables"]["trials"]["rows"] == 13
    first = written["tables"]["trials"]["columns"][0]
    assert (first["name"], first["kind"], first["nullable"]) == ("run", "string", False)
    same = export_runs([run, again], tmp_path / "same", "json")
    assert [one.run for one in same.runs] == [run.path.as_posix(), again.path.as_posix()]
    with pytest.raises(InputError, match="the run popularity is named 2 times"):
        export_runs([run, run], tmp_path / "twice", "json")
    with pytest.raises(InputError, match="there is no run"):
        export_runs([], tmp_path / "none", "json")


def test_an_earlier_export_is_replaced_and_nothing_else(run: RunFolder, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_runs([run], out, "csv")
    (out / "mine.txt").write_text("kept", encoding="utf-8")
    export_runs([run], out, "json")
    there = {path.name for path in out.iterdir()}
    assert there == {"trials.jsonl", "turns.jsonl", "events.jsonl", "tables.json", "mine.txt"}
    other = tmp_path / "other"
    other.mkdir()
    (other / "trials.csv").write_text("mine", encoding="utf-8")
    for place, told in (
        (other, "holds no earlier export"),
        (run.path, "is a run's own folder"),
        (other / "trials.csv", "is a file"),
    ):
        with pytest.raises(InputError, match=told):
            export_runs([run], place, "csv")
    assert (other / "trials.csv").read_text(encoding="utf-8") == "mine"


def test_what_cannot_be_read_leaves_nothing(run: RunFolder, tmp_path: Path) -> None:
    broken = RunFolder(tmp_path / "broken")
    broken.begin(run.plan())
    lines = run.trials_file.read_bytes().splitlines(keepends=True)
    broken.trials_file.write_bytes(lines[0] + b"[]\n")
    for format in FORMATS:
        with pytest.raises(InputError, match="line 2"):
            export_runs([broken], tmp_path / format, format)
        assert list((tmp_path / format).iterdir()) == []
    with pytest.raises(InputError, match="there is no format 'xlsx'"):
        export_runs([run], tmp_path / "x", "xlsx")


def test_a_full_disk_is_said_and_leaves_nothing(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JsonLines, "write", full)
    with pytest.raises(InputError, match=r"out: cannot be written \(No space left on device\)"):
        export_runs([run], tmp_path / "out", "json")
    assert list((tmp_path / "out").iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"out: cannot be written"):
        export_runs([run], tmp_path / "file" / "out", "json")


def test_small_batches_give_the_same_rows(
    run: RunFolder, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MOST_ROWS", 7)
    export_runs([run], tmp_path / "p", "parquet")
    for name in NAMES:
        file = pq.ParquetFile(tmp_path / "p" / f"{name}.parquet")
        assert file.num_row_groups == -(-len(rows[name]) // 7)
        assert file.read().to_pylist() == rows[name]


def test_only_two_formats_need_the_extra(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda _: None)
    for format in ("parquet", "arrow"):
        with pytest.raises(InputError, match=r"--format \w+ needs the extra 'arrow'"):
            export_runs([run], tmp_path / format, format)
        assert not (tmp_path / format).exists()
    for format in ("csv", "json"):
        export_runs([run], tmp_path / format, format)
