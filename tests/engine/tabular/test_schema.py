"""The schema is frozen: what a column is called, holds and means changes with the version alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mystery_shopper.engine.tabular import SCHEMA_VERSION, TABLES, tables_markdown, tables_of
from mystery_shopper.engine.tabular.arrow import arrow_schema
from mystery_shopper.engine.tabular.schema import Table
from mystery_shopper.engine.usage import PARTIES, Usage
from mystery_shopper.suites.recbench.score import Figures, RecBenchScore
from mystery_shopper.suites.tau_rec.score import Checks, TauRecScore

TESTS = Path(__file__).parents[2]
FROZEN = TESTS / "data" / f"tables_schema_{SCHEMA_VERSION}.txt"
DOC = TESTS.parent / "docs" / "tables.md"


def columns(text: str) -> dict[str, list[str]]:
    """Table -> its columns, as the frozen file has them."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("  "):
            found[list(found)[-1]].append(line.strip())
        else:
            found[line] = []
    return found


def test_the_schema_of_this_version_is_frozen() -> None:
    """Where this fails on purpose: count SCHEMA_VERSION up and freeze a file of the new version."""
    frozen = columns(FROZEN.read_text(encoding="utf-8"))
    titles = ["trials of tau_rec", "trials of recbench", "turns", "events"]
    assert list(frozen) == [table.title for table in TABLES] == titles
    for table in TABLES:
        made = [
            f"{field.name}: {field.type}".replace("element:", "item:").replace("<item: ", "<")
            + (" or null" if field.nullable else "")
            for field in arrow_schema(table)
        ]
        assert made == frozen[table.title]


@pytest.mark.parametrize("suite", ["tau_rec", "recbench"])
def test_a_suites_runs_have_three_tables(suite: str) -> None:
    found = tables_of(suite)
    assert [table.name for table in found] == ["trials", "turns", "events"]
    assert [table.suite for table in found] == [suite, "", ""]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_the_version_and_every_columns_words_travel_with_the_table(table: Table) -> None:
    schema = arrow_schema(table)
    assert schema.metadata == {
        b"mystery_shopper.table": table.name.encode(),
        b"mystery_shopper.schema_version": b"1",
    }
    for field, column in zip(schema, table.columns, strict=True):
        assert field.metadata[b"about"] == column.about.encode()
        assert column.about.endswith(".")
        assert field.metadata.get(b"unit", b"") == column.unit.encode()


def test_every_field_of_the_score_is_a_column() -> None:
    names = {column.name for column in TABLES[0].columns}
    score = {field.name for field in msgspec.structs.fields(TauRecScore)}
    assert score - names == {"checks", "policies"}
    assert set(Checks.__struct_fields__) <= names
    assert {"policies_kept", "policies_broken", "policies_unscored"} <= names


def test_every_field_of_a_requests_score_is_a_column() -> None:
    names = {column.name for column in tables_of("recbench")[0].columns}
    score = {field.name for field in msgspec.structs.fields(RecBenchScore)}
    assert score - names == {"figures", "at_five"}
    figures = set(Figures.__struct_fields__)
    assert figures <= names
    assert {name for name in names if name.endswith("_at_5")} == {f"{n}_at_5" for n in figures}


def test_every_partys_usage_is_a_column() -> None:
    found = {column.name: column for column in TABLES[0].columns}
    columns_of = {
        "calls": "model_calls",
        "input": "input_tokens",
        "cached": "cached_tokens",
        "output": "output_tokens",
        "cost": "cost",
        "answered": "models",
    }
    assert set(Usage.__struct_fields__) == set(columns_of)
    for party in PARTIES:
        for what in columns_of.values():
            assert found[f"{party}_{what}"].nullable
    assert found["agent_cost"].unit == "US dollars"
    assert found["agent_seconds"].unit == "seconds"


def test_the_page_on_the_tables_is_up_to_date() -> None:
    page = DOC.read_text(encoding="utf-8")
    assert page == tables_markdown()
    for table in TABLES:
        section = page[page.index(f"## {table.title}\n") :].split("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("| `")]
        assert len(rows) == len(table.columns)
        for column, row in zip(table.columns, rows, strict=True):
            kind = column.kind.value + (" or null" if column.nullable else "")
            assert row.startswith(f"| `{column.name}` | {kind} | {column.unit} |")
