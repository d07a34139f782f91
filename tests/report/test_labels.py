"""A second labeller's file: what it may say, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.dialogue import AgentSaid, Ended, Ending, Transcript, UserSaid
from mystery_shopper.foundation import InputError
from mystery_shopper.report.figures import figures
from mystery_shopper.report.labelcheck import LabelCheck
from mystery_shopper.report.labels import Finding, Label, Labels, compare, load_labels
from mystery_shopper.report.rows import read_run
from mystery_shopper.report.words import MATCHING_MISSED
from mystery_shopper.suites.tau_rec.score import Failure

from .factory import faulty, make_plan, make_score, make_task_set, make_trial


def dialogue(*answers: UserSaid) -> Transcript:
    events: list[AgentSaid | UserSaid | Ended] = [
        UserSaid("Hello.", disclosed=("genre contains Drama",))
    ]
    for answer in answers:
        events += [AgentSaid("?"), answer]
    return Transcript((*events, Ended(Ending.ABSTAINED)))


def labels(*found: Label) -> dict[int, Label]:
    return {label.turn: label for label in found}


FRENCH = UserSaid("French.", asked=("language",), disclosed=("language within French",))
SHRUG = UserSaid("What?")


def test_agreement_finds_nothing() -> None:
    found = compare(dialogue(FRENCH), labels(Label("t#0", 1, ("language",))))
    assert found == Finding(1, missed=False, unearned=False)


@pytest.mark.parametrize(
    ("asks", "generic"), [(("language",), False), ((), True), (("format",), False)]
)
def test_a_question_that_was_not_read(asks: tuple[str, ...], generic: bool) -> None:
    found = compare(dialogue(SHRUG), labels(Label("t#0", 1, asks, generic)))
    assert found == Finding(1, missed=True, unearned=False)


def test_a_generic_reading_misses_no_question() -> None:
    said = UserSaid("All of it.", generic=True, disclosed=("language within French",))
    found = compare(dialogue(said), labels(Label("t#0", 1, ("language", "year"))))
    assert found == Finding(1, missed=False, unearned=False)


def test_format_and_formats_are_one_field() -> None:
    said = UserSaid("Dvd.", asked=("format",), disclosed=("formats",))
    found = compare(dialogue(said), labels(Label("t#0", 1, ("formats",))))
    assert found == Finding(1, missed=False, unearned=False)


def test_an_answer_to_what_was_not_asked() -> None:
    found = compare(dialogue(FRENCH), labels(Label("t#0", 1)))
    assert found == Finding(1, missed=False, unearned=True)


def test_a_later_question_earns_the_answer() -> None:
    script = dialogue(FRENCH, FRENCH)
    found = compare(script, labels(Label("t#0", 1), Label("t#0", 2, ("language",))))
    assert found == Finding(2, missed=False, unearned=False)


def test_turns_without_a_label_say_nothing() -> None:
    assert compare(dialogue(FRENCH), labels(Label("t#0", 7))) is None


def test_the_bound_and_the_kind_follow(tmp_path: Path) -> None:
    tasks = make_task_set(4)
    plan = make_plan(tasks, tasks=tuple(f"f00{n}-mixed" for n in range(4)))
    failed = make_score(success=False, failure=Failure.MISSED_FIELD, meets=False)
    scripts = [dialogue(FRENCH), dialogue(FRENCH), dialogue(SHRUG), dialogue(SHRUG)]
    scores = [make_score(), make_score(), failed, failed]
    trials = [
        make_trial(tasks.by_id[task], plan, score=score, transcript=script)
        for task, score, script in zip(plan.tasks, scores, scripts, strict=True)
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"trial": "f000-mixed#0", "turn": 1, "asks": ["language"], "generic": false}\n'
        '{"trial": "f001-mixed#0", "turn": 1, "asks": [], "note": "a\u2028b"}\n\n'
        '{"trial": "f002-mixed#0", "turn": 1, "asks": ["year"]}\n',
        encoding="utf-8",
    )
    run = read_run("run", plan, trials, task_set=tasks, labels=load_labels(file))
    bound = figures(run).matching
    assert bound is not None
    assert (bound.labelled, bound.turns, bound.down, bound.up) == (3, 3, 1, 1)
    assert (bound.low, bound.value, bound.high) == (0.25, 0.5, 0.75)
    assert [row.failure for row in run.rows] == [None, None, MATCHING_MISSED, Failure.MISSED_FIELD]
    bare = read_run("run", plan, trials, task_set=tasks)
    assert MATCHING_MISSED not in [row.failure for row in bare.rows]


def test_labels_that_name_a_run_go_before_those_that_do_not(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"trial":"t#0","turn":1,"run":"b"}\n', encoding="utf-8")
    found = load_labels(file, ["a", "b"])
    assert found.of("b", "t#0")[1].run == "b"
    assert found.of("a", "t#0") == {}
    assert Labels().of("a", "t#0") == {}


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    lines = [
        '{"trial":"t"}',
        '{"trial":"t","turn":0,"run":"a"}',
        '{"trial":"t","turn":1,"run":"x"}',
    ]
    lines += ['{"trial":"t","turn":1}', '{"trial":"t","turn":1}', "{"]
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_labels(file, ["a", "b"])
    told = "\n".join(raised.value.problems)
    for number in range(1, 7):
        assert f"line {number}:" in told
    assert "not in this report" in told
    assert "labelled twice" in told
    assert "name the run" in told


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"trial":"t#0","turn":1,"ask":["year"]}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: .*`ask`"):
        load_labels(file)


def test_one_run_need_not_be_named_and_counts_as_named(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"trial":"t#0","turn":1}\n{"trial":"t#0","turn":1,"run":"a"}\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match="labelled twice"):
        load_labels(file, ["a"])


@pytest.mark.parametrize("source", ["films", "toys"])
def test_a_label_without_a_place_is_told_by_its_line(tmp_path: Path, source: str) -> None:
    tasks = make_task_set(4)
    plan = make_plan(tasks, source=source)
    trials = [make_trial(tasks.by_id["f001-mixed"], plan)]
    file = tmp_path / "labels.jsonl"
    lines = [
        '{"trial":"f001-mixed#0","turn":1,"asks":["language","formats","format"]}',
        "",
        '{"trial":"f001-mixed#7","turn":1}',
        '{"trial":"f001-mixed#0","turn":99}',
        '{"trial":"f001-mixed#0","turn":2,"asks":["colour"]}',
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    check = LabelCheck(load_labels(file, ["run"]))
    assert list(check.watch("run", plan, trials)) == trials
    with pytest.raises(InputError) as raised:
        check.close()
    told = raised.value.problems
    assert [problem.partition(":")[0] for problem in told] == ["line 3", "line 4", "line 5"]
    assert "no trial 'f001-mixed#7'" in told[0]
    assert "turn is 99" in told[1]
    assert "'colour' is no field" in told[2]
    assert "language" in told[2]
    assert raised.value.where == str(file)


def test_labels_of_one_run_are_not_looked_for_in_another(tmp_path: Path) -> None:
    tasks = make_task_set(4)
    plan = make_plan(tasks)
    file = tmp_path / "labels.jsonl"
    file.write_text('{"trial":"f001-mixed#0","turn":1,"run":"b"}\n', encoding="utf-8")
    check = LabelCheck(load_labels(file, ["a", "b"]))
    list(check.watch("a", plan, [make_trial(tasks.by_id["f001-mixed"], plan)]))
    list(check.watch("b", plan, []))
    with pytest.raises(InputError, match="line 1: there is no trial"):
        check.close()


def test_labels_of_excluded_trials_are_given_but_not_used(tmp_path: Path) -> None:
    tasks = make_task_set(4)
    plan = make_plan(tasks)
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"trial":"f001-mixed#0","turn":1}\n{"trial":"f002-mixed#0","turn":1}\n', encoding="utf-8"
    )
    trials = [make_trial(tasks.by_id["f001-mixed"], plan), faulty(tasks.by_id["f002-mixed"], plan)]
    use = read_run("run", plan, trials, labels=load_labels(file, ["run"])).label_use
    assert use is not None
    assert (use.given, use.used, use.trials) == (2, 1, 1)
    assert read_run("run", plan, trials).label_use is None


def test_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        load_labels(tmp_path / "none.jsonl")
