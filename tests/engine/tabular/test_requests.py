"""The tables of a run of recbench, held against its records; and runs of two suites."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from tests.engine.requested import answered, asked, catalogue, plan_over, queries, shop

from mystery_shopper import load_run
from mystery_shopper.dialogue import Ended, Ending, Fault, Say, Transcript
from mystery_shopper.engine import RunFolder, Trial
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.tabular import RunTables, export_runs, tables_of
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.score import Figures
from mystery_shopper.testing import ScriptedAgent


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("shop") / "few")


@pytest.fixture(scope="module")
def requests(place: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Two queries of each kind, twice, asked of the graph agent, with the user's history."""
    path = tmp_path_factory.mktemp("requests") / "graph"
    return asked(path, place, "graph", trials=2, history=True, k=7)


@pytest.fixture(scope="module")
def tables(requests: RunFolder) -> RunTables:
    return load_run(requests.path)


def test_a_row_is_what_its_record_says(requests: RunFolder, tables: RunTables) -> None:
    rows = tables.trials.to_pylist()
    records = [json.loads(line) for line in requests.trials_file.read_bytes().splitlines()]
    assert len(rows) == len(records) == tables.plan.count == 20
    kinds = {row["condition"] for row in rows}
    assert kinds == {"explicit", "implicit", "misinformed", "interest", "demographics"}
    for row, record in zip(rows, records, strict=True):
        score = record["score"]
        for name in ("task", "family", "condition", "agent", "number", "user", "seed", "attempts"):
            assert row[name] == record[name], name
        for name in ("success", "ending", "failure", "refused", "turns", "calls", "tool_errors"):
            assert row[name] == score[name], name
        for name in NAMES:
            assert row[name] == score["figures"].get(name), name
            assert row[f"{name}_at_5"] == score["at_five"].get(name), name
        assert row["picks"] == [pick["text"] for pick in score["picks"]]
        assert row["pick_items"] == [pick.get("item_id") or "" for pick in score["picks"]]
        query = queries().by_id[row["task"]]
        width = len(query.parts)
        assert row["conditions"] == (None if not width else "3-4" if width > 2 else str(width))
        assert row["family"] == query.user
        assert (row["history"], row["k"], row["interface"]) == (True, 7, "tools")
        assert (row["suite"], row["excluded"]) == ("recbench", False)
        assert row["acts"] >= 1
        assert row["agent_cost"] is None
    five = [row for row in rows if row["recommended"] and row["recommended"] > 5]
    assert five
    assert all(row["recommended_at_5"] == 5 for row in five)


def test_turns_and_events_are_those_of_every_suite(
    requests: RunFolder, tables: RunTables, run: RunFolder
) -> None:
    disclosed = load_run(run.path)
    for name in ("turns", "events"):
        assert getattr(tables, name).schema.equals(getattr(disclosed, name).schema)
    both = pa.concat_tables([tables.turns, disclosed.turns])
    assert both.num_rows == tables.turns.num_rows + disclosed.turns.num_rows
    with pytest.raises(pa.ArrowInvalid):
        pa.concat_tables([tables.trials, disclosed.trials])
    opening, *_, last = [
        row for row in tables.turns.to_pylist() if row["trial"] == "implicit-1-001#0"
    ]
    first = next(iter(requests.trials())).transcript.events[0]
    assert queries().by_id["implicit-1-001"].text in opening["user_said"]
    assert first.__struct_config__.tag == "user_said"
    assert last["ending"] == "finished"
    assert last["agent_said"]
    assert last["proposal"] is None


def test_titles_of_every_sort_are_told(place: Path, tmp_path: Path) -> None:
    """A known title, one that nobody bears, and what the request itself names."""
    plan = plan_over(place, only=("implicit-1-001",))
    query = queries().by_id["implicit-1-001"]
    films = catalogue()
    fits, named = (
        films.item(films.position_of[i]).title for i in (query.matching[0], query.named[0])
    )
    said = {"recommendations": [{"title": title} for title in (fits, "No Such Film", named)]}
    run = answered(tmp_path / "run", plan, lambda *_: ScriptedAgent([], Say(json.dumps(said))))
    (row,) = load_run(run.path).trials.to_pylist()
    assert row["pick_items"] == [query.matching[0], "", query.named[0]]
    assert row["pick_kinds"] == ["known", "unknown", "named"]
    assert (row["recommended"], row["hallucinated"], row["cmr"]) == (2.0, 0.5, 0.5)
    assert (row["success"], row["failure"]) == (False, "unknown_title")


def test_an_excluded_trial_and_a_models_use(requests: RunFolder, tmp_path: Path) -> None:
    one, two = list(requests.trials())[:2]
    lost = msgspec.structs.replace(
        two.requested, success=None, ending=Ending.ERROR, failure=None, picks=(),
        figures=Figures(), at_five=Figures(),
    )  # fmt: skip
    ended = Ended(Ending.ERROR, fault=Fault.INFRASTRUCTURE, detail="503")
    two = msgspec.structs.replace(
        two, fault=Fault.INFRASTRUCTURE, score=lost, transcript=Transcript((ended,))
    )
    folder = RunFolder(tmp_path / "run")
    folder.begin(requests.plan())
    folder.append([one, two], [Timing(one.key, (0.5,), {"agent": Usage(1, 9, 1, 2, None)})])
    first, second = load_run(folder.path).trials.to_pylist()
    assert (first["agent_input_tokens"], first["agent_seconds"]) == (9, 0.5)
    assert (second["excluded"], second["success"], second["detail"]) == (True, None, "503")
    assert second["precision_own"] is second["failed"] is second["recommended_at_5"] is None
    assert second["picks"] == []


def test_every_format_holds_the_tables(
    requests: RunFolder, tables: RunTables, tmp_path: Path
) -> None:
    export_runs([requests], tmp_path / "c", "csv")
    text = (tmp_path / "c" / "trials.csv").read_text(encoding="utf-8")
    read = list(csv.DictReader(io.StringIO(text)))
    assert list(read[0]) == tables.trials.column_names
    for line, row in zip(read, tables.trials.to_pylist(), strict=True):
        assert json.loads(line["picks"]) == row["picks"]
        assert line["cmr"] == ("" if row["cmr"] is None else json.dumps(row["cmr"]))
    told = export_runs([requests], tmp_path / "p", "parquet")
    found = pa.parquet.read_table(tmp_path / "p" / "trials.parquet")
    assert found.to_pylist() == tables.trials.to_pylist()
    names = [column.name for column in told.tables["trials"].columns]
    assert names == [column.name for column in tables_of("recbench")[0].columns]


def test_runs_of_two_suites_are_refused(
    requests: RunFolder, run: RunFolder, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as told:
        export_runs([requests, run], tmp_path / "out", "csv")
    text = str(told.value)
    for wanted in ("graph is a run of recbench", "popularity is a run of tau_rec", "on their own"):
        assert wanted in text
    assert not (tmp_path / "out").exists()


def test_a_trial_of_another_suite_is_refused(
    requests: RunFolder, run: RunFolder, tmp_path: Path
) -> None:
    def mixed(plan_of: RunFolder, score_of: RunFolder, name: str) -> RunFolder:
        folder = RunFolder(tmp_path / name)
        folder.begin(plan_of.plan())
        own: Trial = next(iter(plan_of.trials()))
        other: Any = next(iter(score_of.trials())).score
        folder.append([msgspec.structs.replace(own, score=other)], [])
        return folder

    with pytest.raises(InputError, match="is not of recbench"):
        load_run(mixed(requests, run, "one").path)
    with pytest.raises(InputError, match="is not of tau_rec"):
        load_run(mixed(run, requests, "two").path)
