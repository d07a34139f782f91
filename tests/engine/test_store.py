from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mystery_shopper.engine import RunFolder, RunPlan, Trial, trial_schema
from mystery_shopper.engine.plan import ModelOptions, RunFile, TrialLimits, UserOptions
from mystery_shopper.engine.store import Timing
from mystery_shopper.engine.trial import decode_trial, encode_trial
from mystery_shopper.foundation import InputError

from .helpers import lines, plan_of, some_trials


@pytest.fixture(scope="module")
def plan(task_file: str) -> RunPlan:
    return plan_of(task_file)


@pytest.fixture(scope="module")
def trials(plan: RunPlan) -> list[Trial]:
    return some_trials(plan)


@pytest.fixture
def folder(tmp_path: Path, plan: RunPlan, trials: list[Trial]) -> RunFolder:
    """A run with three trials."""
    run = RunFolder(tmp_path / "run")
    assert run.begin(plan) == set()
    run.append(trials, [Timing(trial.key, (0.1,)) for trial in trials])
    return run


def contents(path: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in path.iterdir()}


def refused(run: RunFolder, plan: RunPlan) -> InputError:
    """The error of beginning the run; nothing in the folder has changed."""
    before = contents(run.path) if run.path.is_dir() else run.path.read_bytes()
    with pytest.raises(InputError) as caught:
        run.begin(plan)
    assert before == (contents(run.path) if run.path.is_dir() else run.path.read_bytes())
    return caught.value


def test_a_new_run_writes_its_plan(tmp_path: Path, plan: RunPlan) -> None:
    run = RunFolder(tmp_path / "deep" / "run")
    run.begin(plan)
    file = msgspec.json.decode(run.run_file.read_bytes(), type=RunFile)
    assert (file.plan, file.digest) == (plan, plan.digest)
    assert [p.name for p in run.path.iterdir()] == ["run.json"]
    assert run.plan() == plan


def test_a_new_run_may_begin_in_an_empty_folder(tmp_path: Path, plan: RunPlan) -> None:
    assert RunFolder(tmp_path).begin(plan) == set()


def test_a_new_run_may_begin_where_one_crashed_before_its_plan(
    tmp_path: Path, plan: RunPlan
) -> None:
    (tmp_path / "run.json.1.part").write_bytes(b"{")
    RunFolder(tmp_path).begin(plan)
    assert list(contents(tmp_path)) == ["run.json", "run.json.1.part"]


def test_a_run_is_found_again(folder: RunFolder, plan: RunPlan, trials: list[Trial]) -> None:
    before = contents(folder.path)
    assert folder.begin(plan) == {trial.key for trial in trials}
    assert contents(folder.path) == before


def test_trials_are_read_as_they_were_written(folder: RunFolder, trials: list[Trial]) -> None:
    assert list(folder.trials()) == trials


def test_a_trial_is_one_line(folder: RunFolder) -> None:
    assert len(lines(folder)) == 3
    assert all(line.endswith(b"\n") for line in lines(folder))


def test_appending_rewrites_nothing(folder: RunFolder, trials: list[Trial]) -> None:
    before = folder.trials_file.read_bytes()
    folder.append(trials[:1], [])
    assert folder.trials_file.read_bytes() == before + encode_trial(trials[0]) + b"\n"


def test_a_run_without_trials_has_none(tmp_path: Path, plan: RunPlan) -> None:
    run = RunFolder(tmp_path)
    run.begin(plan)
    assert list(run.trials()) == []
    assert run.begin(plan) == set()


@pytest.mark.parametrize("torn", [b"{", b'{"schema":1,"task":"f0', b"x" * 200_000])
def test_a_torn_last_line_is_cut_off(folder: RunFolder, plan: RunPlan, torn: bytes) -> None:
    for file in (folder.trials_file, folder.timings_file):
        with file.open("ab") as stream:
            stream.write(torn)
    assert len(list(folder.trials())) == 3
    assert len(folder.begin(plan)) == 3
    assert len(lines(folder)) == 3
    assert folder.timings_file.read_bytes().endswith(b"\n")


def test_a_whole_record_without_its_newline_is_torn(folder: RunFolder, plan: RunPlan) -> None:
    whole = folder.trials_file.read_bytes()
    folder.trials_file.write_bytes(whole[:-1])
    assert len(folder.begin(plan)) == 2
    assert folder.trials_file.read_bytes() == b"".join(whole.splitlines(keepends=True)[:2])


def test_a_file_of_one_torn_line_is_emptied(folder: RunFolder, plan: RunPlan) -> None:
    folder.trials_file.write_bytes(b'{"schema":')
    assert folder.begin(plan) == set()
    assert folder.trials_file.read_bytes() == b""


def test_of_two_trials_with_one_key_the_first_counts(
    folder: RunFolder, trials: list[Trial]
) -> None:
    again = msgspec.structs.replace(trials[0], attempts=3)
    folder.append([again], [])
    found = list(folder.trials())
    assert len(found) == 3
    assert found[0].attempts == 1


@pytest.mark.parametrize("bad", [b"nonsense\n", b"{}\n", b"\n", b"\xff\xfe\n"])
def test_an_unreadable_line_is_named(folder: RunFolder, plan: RunPlan, bad: bytes) -> None:
    whole = lines(folder)
    folder.trials_file.write_bytes(whole[0] + bad + whole[1])
    error = refused(folder, plan)
    assert "line 2" in str(error)
    assert error.where == str(folder.trials_file)
    assert error.remedy


def test_line_marks_within_a_text_split_nothing(folder: RunFolder, trials: list[Trial]) -> None:
    odd = msgspec.structs.replace(trials[0], number=7, template=("a\u2028b", "c\x85d\r"))
    folder.append([odd], [])
    assert list(folder.trials())[-1] == odd


def test_another_run_is_refused_by_what_differs(folder: RunFolder, task_file: str) -> None:
    error = refused(folder, plan_of(task_file, agent="null", seed=5))
    text = str(error)
    assert "agent: the folder has oracle, this command asks for null" in text
    assert "seed: the folder has 0, this command asks for 5" in text
    assert len(error.problems) == 2
    assert str(folder.path) in text


def test_long_differences_are_shortened(folder: RunFolder, task_file: str) -> None:
    error = refused(folder, plan_of(task_file, conditions=["mixed"]))
    assert all(len(problem) < 200 for problem in error.problems)


def test_names_that_differ_are_told_as_words(folder: RunFolder, task_file: str) -> None:
    wishes = {"conditions": ["hidden"], "interface": "keyword", "prompt": "ask"}
    assert refused(folder, plan_of(task_file, **wishes)).problems == [
        "interface: the folder has structured, this command asks for keyword",
        "prompt: the folder has base, this command asks for ask",
        "conditions: the folder has volunteer, mixed and hidden, this command asks for hidden",
    ]


def test_of_many_tasks_those_that_differ_come_first(folder: RunFolder, task_file: str) -> None:
    one = "f002-hidden"
    assert refused(folder, plan_of(task_file, only=[one])).problems == [
        "tasks: the folder has f001-volunteer, f001-mixed, f001-hidden and 6 more, "
        f"this command asks for {one}"
    ]
    other = RunFolder(folder.path.parent / "other")
    names = plan_of(task_file).tasks[:4]
    other.begin(plan_of(task_file, only=names))
    [told] = refused(other, plan_of(task_file, only=[*names[:3], one])).problems
    assert f"has {names[3]}, {names[0]}, {names[1]} and 1 more, this" in told
    assert f"for {one}, {names[0]}" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"history": True}, "history: the folder has no, this command asks for yes"),
        (
            {"model": ModelOptions(temperature=0.5)},
            "model, temperature: the folder has none, this command asks for 0.5",
        ),
        (
            {"user_options": UserOptions(max_tokens=9)},
            "user options: the folder has none, this command asks for enforce yes; "
            "temperature none; voice persona no; max tokens 9; base url none; prompt 0",
        ),
        (
            {"limits": TrialLimits(seconds=4)},
            "limits: the folder has none, this command asks for 4 s",
        ),
        ({"task_set_digest": "0" * 64}, "task set: has changed since the folder's run began"),
    ],
)
def test_every_kind_of_difference_reads_as_words(
    folder: RunFolder, plan: RunPlan, change: dict[str, object], told: str
) -> None:
    assert refused(folder, msgspec.structs.replace(plan, **change)).problems == [told]


def test_what_was_begun_in_vain_is_taken_away(
    tmp_path: Path, plan: RunPlan, trials: list[Trial]
) -> None:
    run = RunFolder(tmp_path / "runs" / "run")
    with run.writing(plan, undo=True):
        assert run.run_file.exists()
    assert not run.path.exists()
    run.path.mkdir()
    with run.writing(plan, undo=True):
        pass
    assert contents(run.path) == {}
    with run.writing(plan, undo=True):
        run.append(trials, [])
    assert set(contents(run.path)) == {"run.json", "head.json", "trials.jsonl", "timings.jsonl"}


def test_what_was_there_before_is_left(tmp_path: Path, plan: RunPlan) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin(plan)
    with run.writing(plan, undo=True):
        pass
    assert set(contents(run.path)) == {"run.json", "head.json"}
    other = RunFolder(tmp_path / "other")
    with other.writing(plan, undo=True):
        (other.path / "notes.txt").write_text("mine", encoding="utf-8")
    assert contents(other.path) == {"notes.txt": b"mine"}


def test_another_version_is_another_run(folder: RunFolder, plan: RunPlan) -> None:
    error = refused(folder, msgspec.structs.replace(plan, version="0.0.0"))
    assert error.problems[0].startswith("version: ")


def test_a_foreign_folder_is_left_alone(tmp_path: Path, plan: RunPlan) -> None:
    (tmp_path / "diary.txt").write_text("mine", encoding="utf-8")
    error = refused(RunFolder(tmp_path), plan)
    assert "no run.json" in str(error)
    assert "--out" in str(error)


def test_a_file_in_the_folders_place_is_left_alone(tmp_path: Path, plan: RunPlan) -> None:
    path = tmp_path / "file"
    path.write_text("mine", encoding="utf-8")
    assert refused(RunFolder(path), plan).where == str(path / "run.json")
    with pytest.raises(InputError, match="cannot be written"):
        RunFolder(path / "below").begin(plan)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"plan": {}}'])
def test_a_plan_that_cannot_be_read_is_told(
    folder: RunFolder, plan: RunPlan, content: bytes
) -> None:
    folder.run_file.write_bytes(content)
    error = refused(folder, plan)
    assert error.where == str(folder.run_file)


def test_a_folder_that_is_no_run_has_no_plan(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no run\.json"):
        RunFolder(tmp_path / "nowhere").plan()


def test_a_record_survives_json(trials: list[Trial]) -> None:
    assert decode_trial(encode_trial(trials[0])) == trials[0]


def test_an_unscored_trial_stays_unscored(trials: list[Trial]) -> None:
    score = msgspec.structs.replace(trials[0].score, success=None, elicited=None)
    trial = msgspec.structs.replace(trials[0], score=score)
    assert decode_trial(encode_trial(trial)).score.success is None
    assert b'"success":null' in encode_trial(trial)


def test_a_record_has_a_canary_and_no_clock_reading(trials: list[Trial], plan: RunPlan) -> None:
    assert trials[0].canary == plan.canary
    assert b"seconds" not in encode_trial(trials[0])


def test_the_schema_describes_a_record() -> None:
    schema = trial_schema()
    assert "canary" in str(schema)
    assert schema["$ref"].endswith("Trial")
