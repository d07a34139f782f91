"""The tables of a real run, held against its records."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from mystery_shopper import load_run
from mystery_shopper.dialogue import Transcript
from mystery_shopper.engine import RunFolder, Trial
from mystery_shopper.engine.tabular import RunTables
from mystery_shopper.engine.tabular.schema_doc import CLOCKS


@pytest.fixture(scope="module")
def tables(run: RunFolder) -> RunTables:
    return load_run(run.path)


@pytest.fixture(scope="module")
def records(run: RunFolder) -> list[dict[str, Any]]:
    """The trials as plain JSON."""
    return [json.loads(line) for line in run.trials_file.read_bytes().splitlines()]


def test_a_row_a_trial_with_its_scores(
    tables: RunTables, records: list[dict[str, Any]], run: RunFolder
) -> None:
    assert (tables.name, tables.plan) == ("popularity", run.plan())
    rows = tables.trials.to_pylist()
    assert len(rows) == len(records) == tables.plan.count == 10
    for row, record in zip(rows, records, strict=True):
        score = record["score"]
        checks = score.pop("checks")
        plain = {name: value for name, value in score.items() if name in row}
        assert {name: row[name] for name in plain} == plain
        assert len(plain) == 22
        passed = {"passed": True, "failed": False, "unscored": None}
        assert {name: row[name] for name in checks} == {
            name: passed[value] for name, value in checks.items()
        }
        for name in ("task", "family", "condition", "tier", "template", "number", "agent"):
            assert row[name] == record[name]
        for name in ("user", "seed", "canary", "attempts", "fault", "satisfiable"):
            assert row[name] == record[name]
        assert row["trial"] == f"{record['task']}#{record['number']}"
        assert (row["run"], row["catalogue"], row["catalogue_size"]) == (
            "popularity",
            "films",
            16_852,
        )
        assert (row["interface"], row["prompt"]) == ("structured", "base")
        assert (row["excluded"], row["own_tools"], row["policies_kept"]) == (False, False, None)


def test_clock_readings_come_from_the_timings_and_no_model_is_null(
    tables: RunTables, run: RunFolder
) -> None:
    timings = [json.loads(line) for line in run.timings_file.read_bytes().splitlines()]
    for row, timing in zip(tables.trials.to_pylist(), timings, strict=True):
        assert row["acts"] == len(timing["seconds"])
        assert row["agent_seconds"] == pytest.approx(math.fsum(timing["seconds"]))
        for party in ("agent", "user", "judge"):
            for what in ("model_calls", "input_tokens", "output_tokens", "cost"):
                assert row[f"{party}_{what}"] is None
        turns = [one for one in tables.turns.to_pylist() if one["trial"] == row["trial"]]
        assert turns[0]["seconds"] is None
        assert [one["seconds"] for one in turns[1:]] == timing["turns"]
        assert sum(timing["turns"]) == pytest.approx(row["agent_seconds"])


def test_a_row_an_event_with_the_event_itself(
    tables: RunTables, records: list[dict[str, Any]]
) -> None:
    rows = tables.events.to_pylist()
    place = 0
    for record in records:
        for number, event in enumerate(record["transcript"]["events"]):
            row = rows[place]
            place += 1
            assert json.loads(row["payload"]) == event
            assert (row["event"], row["kind"]) == (number, event["type"])
            assert row["trial"] == f"{record['task']}#{record['number']}"
            assert row["tool"] == event.get("name")
            assert row["call_id"] == event.get("call_id")
            assert row["item_id"] == event.get("item_id")
            if event["type"] in ("user_said", "agent_said"):
                assert row["text"] == event["text"]
        transcript = msgspec.convert(record["transcript"], Transcript)
        mine = rows[place - len(transcript.events) : place]
        assert [row["turn"] for row in mine] == [turn for turn, _ in transcript.by_turn()]
    assert place == len(rows) == tables.events.num_rows


def test_a_row_a_turn_with_what_was_asked_said_and_known(tables: RunTables, run: RunFolder) -> None:
    by_trial: dict[str, list[dict[str, Any]]] = {}
    for row in tables.turns.to_pylist():
        by_trial.setdefault(row["trial"], []).append(row)
    for trial in run.trials():
        rows = by_trial.pop(trial.key)
        assert [row["turn"] for row in rows] == list(range(len(rows)))
        _check_turns(rows, trial)
    assert not by_trial


def _check_turns(rows: list[dict[str, Any]], trial: Trial) -> None:
    events = json.loads(trial.transcript.to_json())["events"]
    of = Counter(event["type"] for event in events)
    said = [row for row in rows if row["agent_said"] is not None]
    heard = [row for row in rows if row["user_said"] is not None]
    assert (len(said), len(heard)) == (of["agent_said"], of["user_said"])
    assert len(said) == trial.score.turns
    assert sum(len(row["tools"]) for row in rows) == trial.score.calls
    assert sum(row["tool_errors"] for row in rows) == trial.score.tool_errors
    assert sum(row["accepted"] is not None for row in rows) == trial.score.proposals
    assert sum(row["accepted"] is False for row in rows) == trial.score.rejections
    asked = [row for row in heard[1:] if row["asked"] or row["generic"]]
    assert len(asked) == trial.score.questions
    known: list[str] = []
    for row in rows:
        known += [fact for fact in row["disclosed"] or () if fact not in known]
        assert row["known"] == known
        assert (row["disclosed"] is None) == (row["user_said"] is None)
        assert (row["failed"] is None) == (row["proposal"] is None)
    assert sum(fact in known for fact in known) == len(known)
    assert [row["ending"] for row in rows[:-1]] == [None] * (len(rows) - 1)
    assert rows[-1]["ending"] == trial.score.ending


def test_equal_runs_have_equal_tables_but_for_the_clock(run: RunFolder, again: RunFolder) -> None:
    one, two = load_run(run.path), load_run(again.path)
    for name in ("trials", "turns", "events"):
        here, there = getattr(one, name), getattr(two, name)
        clocks = [column for column in CLOCKS if column in here.column_names]
        assert here.drop_columns(clocks).equals(there.drop_columns(clocks), check_metadata=True)
    assert not one.trials["agent_seconds"].equals(two.trials["agent_seconds"])


def test_no_column_holds_nan_and_every_table_is_valid(tables: RunTables) -> None:
    for table in (tables.trials, tables.turns, tables.events):
        table.validate(full=True)
        for field, column in zip(table.schema, table.columns, strict=True):
            assert field.nullable or not column.null_count, field.name
            if pa.types.is_floating(field.type):
                assert not any(value != value for value in column.to_pylist() if value is not None)
