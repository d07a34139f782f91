"""The report's tables as Markdown, CSV, JSON, Parquet and LaTeX, each read by another's reader."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
from markdown_it import MarkdownIt

from mystery_shopper.foundation import InputError
from mystery_shopper.report.columns import Typed
from mystery_shopper.report.every import Kept, every_table, keep
from mystery_shopper.report.formats import (
    FORMATS,
    check_format,
    check_target,
    latex,
    markdown,
    rows,
    usual_place,
    write_tables,
)
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.summary import summarise
from mystery_shopper.report.tabular import Table

from .disclosure.runs import all_runs
from .factory import faulty, make_folder, make_plan, make_task_set, make_trials

HOSTILE = "=cmd|' /C calc'!A0 `x` $\\evil{ &%#_^~ *b* <script> [a](b) 漢字\u202e\"q\""
TABLES = every_table(summarise(all_runs(), resamples=50))
TASKS = make_task_set(10)


def written(tables: Sequence[Kept], path: Path, format: str) -> Path:
    return write_tables(tables, path / f"out-{format}", format)


def hostile() -> list[Kept]:
    plan = make_plan(TASKS, agent=HOSTILE, user="rule-based")
    run = read_run("h", plan, make_trials(TASKS, plan), task_set=TASKS)
    return every_table(summarise([run], resamples=20))


def flat(table: Typed) -> list[list[object]]:
    return [list(row) for row in table.rows]


# --- the same tables in every format ------------------------------------------------------------


def test_json_has_numbers_nulls_units_and_provenance(tmp_path: Path) -> None:
    told = json.loads(written(TABLES, tmp_path, "json").read_bytes())
    assert told["mystery_shopper_report"] == 1
    assert told["written_by"].startswith("mystery-shopper ")
    assert [table["id"] for table in told["tables"]] == [kept.id for kept in TABLES]
    for table, kept in zip(told["tables"], TABLES, strict=True):
        typed = kept.typed()
        names = [column["name"] for column in table["columns"]]
        assert [[row[name] for name in names] for row in table["rows"]] == flat(typed)
        assert (table["title"], table["provenance"]) == (kept.table.title, kept.table.caption)
    glance = next(t for t in told["tables"] if t["id"] == "group-1-success-by-condition")
    first = glance["rows"][0]
    assert isinstance(first["pass_1"], float)
    assert first["pass_1_low"] <= first["pass_1"] <= first["pass_1_high"]
    assert {c["name"]: c["unit"] for c in glance["columns"]}["pass_1"] == "share"
    latency = next(t for t in told["tables"] if t["id"] == "group-1-latency")
    assert latency["rows"][0]["p50"] is None


def test_csv_has_a_column_a_number_and_nothing_where_unmeasured(tmp_path: Path) -> None:
    folder = written(TABLES, tmp_path, "csv")
    about = json.loads((folder / "columns.json").read_bytes())
    files = {table["file"] for table in about["tables"]}
    assert {path.name for path in folder.iterdir()} == {"columns.json", *files}
    for kept in TABLES:
        typed = kept.typed()
        with (folder / f"{kept.id}.csv").open(encoding="utf-8", newline="") as file:
            head, *found = list(csv.reader(file))
        assert head == [column.name for column in typed.columns]
        assert len(found) == len(typed.rows)
        for line, row in zip(found, typed.rows, strict=True):
            for cell, value, column in zip(line, row, typed.columns, strict=True):
                if column.kind == "text":
                    assert cell in (value or "", f"'{value}")
                else:
                    assert (float(cell) if cell else None) == value


def asked(query: str) -> duckdb.DuckDBPyRelation:
    found = duckdb.sql(query)
    assert found is not None
    return found


def test_parquet_is_read_by_others(tmp_path: Path) -> None:
    folder = written(TABLES, tmp_path, "parquet")
    kinds = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE"}
    for kept in TABLES:
        typed = kept.typed()
        found = asked(f"FROM '{folder / f'{kept.id}.parquet'}'")
        assert found.columns == [column.name for column in typed.columns]
        assert list(map(str, found.types)) == [kinds[column.kind] for column in typed.columns]
        assert [list(row) for row in found.fetchall()] == flat(typed)
    last = TABLES[-1]
    path = folder / f"{last.id}.parquet"
    meta = asked(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()
    told = {key.decode(): value.decode() for key, value in meta}
    assert (told["title"], told["provenance"]) == (last.table.title, last.table.caption)
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(path).rows() == [tuple(row) for row in flat(last.typed())]


def test_markdown_is_read_as_the_same_tables(tmp_path: Path) -> None:
    text = written(TABLES, tmp_path, "md").read_text(encoding="utf-8")
    check_markdown(text, [kept.table for kept in TABLES if kept.id != "runs"])


def check_markdown(text: str, tables: Sequence[Table]) -> None:
    """By an independent parser: every cell comes out as it went in, and nothing else is marked."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines: list[list[str]] = []
    heads: list[str] = []
    for place, token in enumerate(tokens):
        assert token.type not in ("fence", "code_block", "html_inline", "bullet_list_open")
        if token.type == "tr_open":
            lines.append([])
        if token.type != "inline":
            continue
        parts = token.children or []
        shown = "".join(part.content for part in parts)
        if tokens[place - 1].type in ("th_open", "td_open"):
            assert {part.type for part in parts} <= {"text", "text_special"}
            lines[-1].append(shown)
        if tokens[place - 1].type == "heading_open":
            heads.append(shown)
    wanted = [list(line) for table in tables for line in (table.head, *table.rows)]
    assert lines == [[" ".join(cell.split()) for cell in line] for line in wanted]
    assert heads == ["Report", *(table.title for table in tables)]


def test_latex_is_balanced_and_every_row_has_its_columns(tmp_path: Path) -> None:
    text = written(TABLES, tmp_path, "latex").read_text(encoding="utf-8")
    check_latex(text, [kept for kept in TABLES if kept.id != "runs"])


def check_latex(text: str, tables: Sequence[Kept]) -> None:
    bare = re.sub(r"(?m)^%.*$", "", text)
    depth = 0
    for mark in re.findall(r"\\.|[{}]", bare, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    labels = re.findall(r"\\label\{([^}]*)\}", bare)
    assert labels == [f"tab:{kept.id}" for kept in tables]
    assert len(re.findall(r"\\caption\{", bare)) == len(tables)
    kind = r"(?:tabular|longtable)"
    form = rf"\\begin\{{{kind}\}}\{{([lr]+)\}}(.*?)\\end\{{{kind}"
    bodies = re.findall(form, bare, re.DOTALL)
    for (layout, body), kept in zip(bodies, tables, strict=True):
        width = len(kept.table.head)
        assert layout == "l" * kept.table.names + "r" * (width - kept.table.names)
        lines = [line for line in body.splitlines() if line.endswith(r" \\")]
        assert {len(re.findall(r"(?<!\\)&", line)) + 1 for line in lines} == {width}
        heads = 2 if "longtable" in text and len(kept.table.rows) > latex.LONG else 1
        assert len(lines) == heads + len(kept.table.rows)
    for command in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert command in bare


TEX = shutil.which("pdflatex")


@pytest.mark.skipif(TEX is None, reason="no pdflatex here: the LaTeX is checked by form only")
@pytest.mark.parametrize("what", ["usual", "hostile"])
def test_latex_compiles(tmp_path: Path, what: str) -> None:
    tables = hostile() if what == "hostile" else TABLES
    written([*tables[:3], max(tables, key=lambda kept: len(kept.table.rows))], tmp_path, "latex")
    (tmp_path / "paper.tex").write_text(
        r"\documentclass{article}\usepackage{booktabs,longtable,graphicx}"
        r"\begin{document}\input{out-latex}\end{document}",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [str(TEX), "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"],
        cwd=tmp_path, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout.decode("latin-1")[-2000:]


# --- hostile names ------------------------------------------------------------------------------


def test_hostile_names_are_words_in_every_format(tmp_path: Path) -> None:
    tables = hostile()
    name = tables[1].table.rows[0][0]
    assert name.startswith("=cmd|")
    check_markdown(
        written(tables, tmp_path, "md").read_text(encoding="utf-8"),
        [kept.table for kept in tables if kept.id != "runs"],
    )
    tex = written(tables, tmp_path, "latex").read_text(encoding="utf-8")
    check_latex(tex, [kept for kept in tables if kept.id != "runs"])
    assert "\\evil" not in tex
    assert r"\otherscript{漢}{6F22}" in tex
    folder = written(tables, tmp_path, "csv")
    for path in folder.glob("*.csv"):
        for line in csv.reader(io.StringIO(path.read_text(encoding="utf-8"))):
            for cell in line:
                assert not re.match(r"[=@\t\r]|[+-](?!\d)", cell)
    told = json.loads(written(tables, tmp_path, "json").read_bytes())
    assert told["tables"][1]["rows"][0]["agent"] == name
    parquet = written(tables, tmp_path, "parquet") / f"{tables[1].id}.parquet"
    assert asked(f"FROM '{parquet}'").fetchall()[0][0] == name


@pytest.mark.parametrize("mark", ["=", "+", "-", "@"])
def test_a_csv_cell_is_no_formula_and_a_negative_number_stays_one(mark: str) -> None:
    table = Table("T", "", "", ("agent", "points"), ((f"{mark}1+1", "-7.1 [-9.0, -5.0]"),), 1)
    text = rows.as_csv(Kept("t", table).typed()).decode()
    assert text == f"agent,points,points_low,points_high\r\n'{mark}1+1,-7.1,-9.0,-5.0\r\n"


def test_lone_surrogates_and_quotes_do_not_stop_a_format(tmp_path: Path) -> None:
    table = Table(
        "T 'q' \"q\"", "n'; DROP TABLE x", "c\x00", ("agent", "x"), (("\ud800'", "1"),), 1
    )
    for format in FORMATS[1:]:
        assert written([Kept("t", table)], tmp_path, format).exists()


# --- odd runs -----------------------------------------------------------------------------------


def _odd() -> dict[str, list[Run]]:
    every = make_plan(TASKS, trials=2)
    nvr = [task for task in TASKS.by_id.values() if not task.family.satisfiable]
    barren = make_plan(TASKS, tasks=tuple(task.id for task in nvr))
    first = tuple(TASKS.by_id)[:1]
    task = TASKS.by_id[first[0]]
    one = make_plan(TASKS, tasks=first)
    excluded = make_plan(TASKS, tasks=first, trials=3)
    return {
        "nothing played": [read_run("r", every, [])],
        "unfinished": [read_run("r", every, make_trials(TASKS, every)[:7], task_set=TASKS)],
        "NVR only": [read_run("r", barren, make_trials(TASKS, barren))],
        "one trial": [read_run("r", one, make_trials(TASKS, one))],
        "all excluded": [read_run("r", excluded, [faulty(task, excluded, n) for n in range(3)])],
        "some excluded": [
            read_run("r", every, make_trials(TASKS, every, faults=0.3), task_set=TASKS)
        ],
    }


@pytest.mark.parametrize("name", _odd())
def test_odd_runs_are_written_in_every_format(tmp_path: Path, name: str) -> None:
    tables = every_table(summarise(_odd()[name], resamples=20))
    for format in FORMATS[1:]:
        written(tables, tmp_path, format)
    text = (tmp_path / "out-json").read_text(encoding="utf-8")
    assert not re.search(r"NaN|Infinity", text)
    check_latex(
        (tmp_path / "out-latex").read_text(encoding="utf-8"),
        [kept for kept in tables if kept.id != "runs"],
    )


# --- where they go ------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS[1:])
def test_equal_tables_give_equal_bytes_and_are_replaced(tmp_path: Path, format: str) -> None:
    out = tmp_path / "deep" / "out"

    def content() -> dict[str, bytes]:
        files = [out] if out.is_file() else sorted(out.iterdir())
        return {path.name: path.read_bytes() for path in files}

    write_tables(TABLES[:6], out, format)
    first = content()
    write_tables(TABLES[:3], out, format)
    assert content() != first
    write_tables(TABLES[:6], out, format)
    assert content() == first
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("format", FORMATS[1:])
def test_nothing_of_somebody_elses_is_written_over(tmp_path: Path, format: str) -> None:
    mine = tmp_path / "mine"
    if format in ("csv", "parquet"):
        mine.mkdir()
        (mine / "notes.txt").write_text("mine", encoding="utf-8")
    else:
        mine.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="nothing was written"):
        write_tables(TABLES[:2], mine, format)
    with pytest.raises(InputError, match="nothing was written"):
        write_tables(
            TABLES[:2], tmp_path if format not in ("csv", "parquet") else file_in(tmp_path), format
        )


def file_in(folder: Path) -> Path:
    path = folder / "file"
    path.write_text("x", encoding="utf-8")
    return path


def test_a_folder_with_a_file_more_is_left_alone(tmp_path: Path) -> None:
    out = write_tables(TABLES[:2], tmp_path / "out", "csv")
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"other files too \(notes.txt\)"):
        write_tables(TABLES[:2], out, "csv")
    assert (out / "notes.txt").is_file()


def test_a_failure_leaves_the_earlier_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = write_tables(TABLES[:2], tmp_path / "out", "csv")
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    def full(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rows, "as_csv", full)
    with pytest.raises(InputError, match="No space left"):
        write_tables(TABLES[:5], out, "csv")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_runs_own_files_are_safe(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    folder = make_folder(tmp_path / "run", plan, make_trials(TASKS, plan))
    for path in (folder.run_file, folder.trials_file, folder.path):
        with pytest.raises(InputError, match="nothing was written"):
            check_target(path, "json", [folder])
    assert usual_place(folder.path, "latex") == folder.path / "report.tex"
    assert usual_place(folder.path, "csv") == folder.path / "report-csv"
    with pytest.raises(InputError, match="there is no format 'xls'"):
        check_format("xls")


def test_tables_of_several_grounds_have_names_of_their_own() -> None:
    table = Table("Same: one", "", "", ("a",), (("x",),), 1)
    assert [k.id for k in keep([[table, table], [table]], "ground")] == [
        "ground-1-same", "ground-1-same-2", "ground-2-same",
    ]  # fmt: skip
    assert [k.id for k in keep([[table], []], "ground")] == ["ground-1-same"]


def test_markdown_of_odd_beginnings() -> None:
    assert markdown.escaped("1. x") == r"1\. x"
    assert markdown.escaped("- x") == r"\- x"
    assert markdown.escaped("") == ""
