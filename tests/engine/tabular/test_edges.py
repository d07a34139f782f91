"""What is not a whole run of this version, and what only some runs have."""

from __future__ import annotations

import os
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from mystery_shopper import load_run
from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    Ended,
    Ending,
    Fault,
    ForeignCall,
    ForeignTools,
    NotUnderstood,
    ReferenceSaid,
    StageChanged,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    UserSaid,
    Verdict,
)
from mystery_shopper.engine import RunFolder, Trial
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting import needs
from mystery_shopper.engine.tabular import batches, loaded
from mystery_shopper.engine.trial import encode_trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.score import Outcome


def copied(run: RunFolder, path: Path, trials: list[Trial], timings: list[Timing]) -> RunFolder:
    """A folder of the same plan with other trials."""
    folder = RunFolder(path)
    folder.begin(run.plan())
    folder.append(trials, timings)
    return folder


def test_a_torn_last_line_is_passed_over(run: RunFolder, tmp_path: Path) -> None:
    trials = list(run.trials())
    folder = copied(run, tmp_path / "torn", trials[:3], list(run.timings())[:3])
    with folder.trials_file.open("ab") as file:
        file.write(encode_trial(trials[3])[:500])
    with folder.timings_file.open("ab") as file:
        file.write(b'{"trial":"f00')
    found = load_run(folder.path)
    assert found.trials["trial"].to_pylist() == [trial.key for trial in trials[:3]]
    assert found.trials["agent_seconds"].null_count == 0
    assert found.plan.count == 10


def test_an_empty_run_has_empty_tables_of_the_same_schema(run: RunFolder, tmp_path: Path) -> None:
    folder = copied(run, tmp_path / "empty", [], [])
    found, whole = load_run(folder.path), load_run(run.path)
    for name in ("trials", "turns", "events"):
        empty, full = getattr(found, name), getattr(whole, name)
        assert empty.num_rows == 0
        assert empty.schema.equals(full.schema, check_metadata=True)
    folder.trials_file.unlink()
    folder.timings_file.unlink()
    assert load_run(folder.path).trials.num_rows == 0


def test_a_run_that_goes_on_is_read_from_its_journal(run: RunFolder, tmp_path: Path) -> None:
    trials, timings = list(run.trials()), list(run.timings())
    folder = copied(run, tmp_path / "going", trials[:2], timings[:2])
    folder.journal(trials[5], timings[5])
    folder.journal(trials[4], timings[4])
    found = load_run(folder.path).trials
    assert found["trial"].to_pylist() == [trials[n].key for n in (0, 1, 5, 4)]
    assert found["acts"].to_pylist() == [len(timings[n].seconds) for n in (0, 1, 5, 4)]


def test_timings_out_of_order_and_missing_ones(run: RunFolder, tmp_path: Path) -> None:
    trials, timings = list(run.trials())[:4], list(run.timings())[:4]
    some = [timings[3], timings[0], msgspec.structs.replace(timings[1], turns=())]
    folder = copied(run, tmp_path / "mixed", trials, some)
    found = load_run(folder.path)
    acts = [len(timings[0].seconds), len(timings[1].seconds), None, len(timings[3].seconds)]
    assert found.trials["acts"].to_pylist() == acts
    assert found.trials["agent_seconds"].is_null().to_pylist() == [False, False, True, False]
    unclocked = [
        row["seconds"]
        for row in found.turns.to_pylist()
        if row["trial"] in (trials[1].key, trials[2].key)
    ]
    assert set(unclocked) == {None}


def test_what_is_no_run_is_said_with_its_place(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no run\.json"):
        load_run(tmp_path)
    with pytest.raises(InputError, match=r"There are runs below it: popularity"):
        load_run(run.path.parent)
    with pytest.raises(InputError, match=r"there is no run\.json"):
        load_run(tmp_path / "nowhere")
    (tmp_path / "run.json").write_text('{"name": "another tool"}', encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as a run"):
        load_run(str(tmp_path))


def test_another_schema_is_said_as_such(run: RunFolder, tmp_path: Path) -> None:
    trials = list(run.trials())
    first = msgspec.json.decode(encode_trial(trials[0]))
    del first["attempts"]
    folder = copied(run, tmp_path / "old", [], [])
    folder.trials_file.write_bytes(msgspec.json.encode(first | {"schema": 0}) + b"\n")
    with pytest.raises(InputError, match="the first trial is of schema 0, and this version reads"):
        load_run(folder.path)
    newer = [trials[0], msgspec.structs.replace(trials[1], schema=2)]
    folder = copied(run, tmp_path / "newer", newer, [])
    with pytest.raises(InputError, match=rf"trial {trials[1].key} is of schema 2") as told:
        load_run(folder.path)
    assert "with the version that wrote it" in str(told.value)
    plan = msgspec.structs.replace(run.plan(), schema=7)
    folder = RunFolder(tmp_path / "plan")
    folder.begin(plan)
    with pytest.raises(InputError, match="the run is of schema 7"):
        load_run(folder.path)


def test_a_broken_line_in_the_middle_names_its_number(run: RunFolder, tmp_path: Path) -> None:
    lines = run.trials_file.read_bytes().splitlines(keepends=True)
    folder = copied(run, tmp_path / "broken", [], [])
    folder.trials_file.write_bytes(lines[0] + b"{}\n" + lines[1])
    with pytest.raises(InputError, match="line 2: not a trial record"):
        load_run(folder.path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"agent": "oracle"}, "is by 'oracle', not 'popularity'"),
        ({"user": "model:x/y"}, "has the user 'model:x/y'"),
        ({"number": 2}, "was not planned"),
        ({"task": "f099-mixed"}, "was not planned"),
    ],
)
def test_a_trial_of_another_run_is_refused(
    run: RunFolder, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    stranger = msgspec.structs.replace(next(iter(run.trials())), **change)
    folder = copied(run, tmp_path / "stranger", [stranger], [])
    with pytest.raises(InputError, match=told):
        load_run(folder.path)


def test_usage_faults_and_policies_are_told_and_null_is_never_zero(
    run: RunFolder, tmp_path: Path
) -> None:
    one, two, three = list(run.trials())[:3]
    held = {"sponsored": Outcome.FAILED, "recommend_tool": Outcome.PASSED, "x": Outcome.UNSCORED}
    two = msgspec.structs.replace(
        two, score=msgspec.structs.replace(two.score, policies=held, rank=None)
    )
    lost = msgspec.structs.replace(three.score, success=None, ending=Ending.ERROR, failure=None)
    ended = Ended(Ending.ERROR, fault=Fault.INFRASTRUCTURE, detail="503")
    three = msgspec.structs.replace(
        three, fault=Fault.INFRASTRUCTURE, score=lost, transcript=Transcript((ended,))
    )
    usage = {
        "agent": Usage(4, 1000, 20, 70, None, {"m-2": 1, "m-1": 3}),
        "judge": Usage(1, 5, 0, 2, 0.25),
    }
    timings = [
        Timing(one.key, (0.5, 1.0), usage, {"200": 3, "503": 1}, (1.5,), 2.5),
        Timing(two.key, (), {"agent": Usage()}),
    ]
    found = load_run(copied(run, tmp_path / "used", [one, two, three], timings).path)
    first, second, third = found.trials.to_pylist()
    assert (first["agent_input_tokens"], first["agent_cached_tokens"]) == (1000, 20)
    assert (first["agent_model_calls"], first["agent_output_tokens"]) == (4, 70)
    assert (first["agent_cost"], first["judge_cost"], first["user_cost"]) == (None, 0.25, None)
    assert (first["agent_models"], first["user_models"]) == (["m-1", "m-2"], None)
    assert (first["agent_seconds"], first["wall_seconds"]) == (1.5, 2.5)
    assert first["http_statuses"] == '{"200":3,"503":1}'
    assert (second["acts"], second["agent_seconds"], second["agent_cost"]) == (0, None, 0.0)
    assert second["policies_kept"] == ["recommend_tool"]
    assert (second["policies_broken"], second["policies_unscored"]) == (["sponsored"], ["x"])
    assert (third["excluded"], third["success"], third["fault"]) == (True, None, "infrastructure")
    assert (third["detail"], third["acts"]) == ("503", None)


def test_every_kind_of_event_has_its_columns(run: RunFolder, tmp_path: Path) -> None:
    trial = next(iter(run.trials()))
    transcript = Transcript(
        (
            ReferenceSaid("Hello."),
            StageChanged("two"),
            UserSaid("Hi.", disclosed=("a",)),
            ForeignTools(),
            ForeignCall("lookup", {"q": 1}, "r", left_off=2),
            AgentNoted("Hm."),
            ToolCalled("c1", "search", {"q": "x"}),
            ToolReturned("c1", "search", "{}", ToolErrorKind.REFUSED),
            AgentSaid("So?", cut=3),
            NotUnderstood("So"),
            Verdict("i1", None, others=("i2",)),
            UserSaid("What?", asked=("genre",), disclosed=("a", "b"), leaks=("z",), stood_in=True),
            Ended(Ending.TURN_CAP, fault=Fault.AGENT),
        )
    )
    trial = msgspec.structs.replace(trial, transcript=transcript)
    found = load_run(copied(run, tmp_path / "kinds", [trial], []).path)
    opening, turn = found.turns.to_pylist()
    assert (opening["turn"], opening["user_said"], opening["known"]) == (0, "Hi.", ["a"])
    assert (turn["notes"], turn["tools"], turn["tool_errors"]) == (["Hm."], ["search"], 1)
    assert (turn["own_calls"], turn["agent_cut"], turn["not_understood"]) == (3, 3, ["So"])
    assert (turn["proposal"], turn["accepted"], turn["others"]) == ("i1", None, ["i2"])
    assert (turn["known"], turn["leaks"], turn["stood_in"]) == (["a", "b"], ["z"], True)
    assert (turn["ending"], turn["generic"], turn["asked"]) == ("turn_cap", False, ["genre"])
    events = found.events.to_pylist()
    assert [row["kind"] for row in events][:5] == [
        "reference_said", "stage_changed", "user_said", "foreign_tools", "foreign_call",
    ]  # fmt: skip
    assert events[1]["text"] is None
    assert (events[4]["tool"], events[7]["error"]) == ("lookup", "refused")
    assert (events[9]["text"], events[10]["item_id"]) == ("So", "i1")
    assert found.trials["own_tools"].to_pylist() == [True]


def long_run(run: RunFolder, path: Path, trials: int) -> RunFolder:
    """A run of one task, so many trials of it."""
    first = next(iter(run.trials()))
    plan = msgspec.structs.replace(run.plan(), tasks=(first.task,), trials=trials)
    folder = RunFolder(path)
    folder.begin(plan)
    copies = [msgspec.structs.replace(first, number=number) for number in range(trials)]
    folder.append(copies, [Timing(copy.key, (0.1,)) for copy in copies])
    return folder


def test_memory_does_not_grow_with_the_run(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MOST_CHARACTERS", 100_000)
    peaks: list[int] = []
    load_run(run.path)
    for trials in (100, 400):
        folder = long_run(run, tmp_path / str(trials), trials)
        before = pa.total_allocated_bytes()
        tracemalloc.start()
        found = load_run(folder.path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found.trials.num_rows == trials
        assert found.events["payload"].nbytes > trials * 1_000
        assert pa.total_allocated_bytes() == before
    assert peaks[1] < 1.5 * peaks[0]


def test_no_temporary_file_is_left(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tables = load_run(run.path)
    assert tables.events.num_rows > 100
    if os.name == "posix":
        assert list(tmp_path.iterdir()) == []


def test_a_full_disk_says_where(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    from mystery_shopper.engine.tabular import arrow

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(arrow, "record_batch", full)
    with pytest.raises(InputError, match=r"No space left on device[\s\S]*set TMPDIR"):
        load_run(run.path)


def test_without_pyarrow_the_extra_is_named(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'mystery-shopper\[arrow\]'"):
        loaded.load_run(run.path)
