"""The page as text: escaping, bounds, determinism, what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    Ended,
    Ending,
    Fault,
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
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.store import RunFolder, folder_names
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import record
from mystery_shopper.report.page import escaped, read_folders, write_report
from mystery_shopper.report.steps import RESULT_CHARACTERS, Results
from mystery_shopper.report.summary import summarise
from mystery_shopper.suites.tau_rec.score import Outcome

from .factory import (
    make_folder,
    make_plan,
    make_score,
    make_task_set,
    make_transcript,
    make_trial,
    make_trials,
    page_of_results,
)

EVIL = "</script><img src=x onerror=alert(1)><b>&\u2028'\""
TASKS = make_task_set(10)


def folder(path: Path, agent: str = "popularity", seed: int = 1, **changes: Any) -> RunFolder:
    plan = make_plan(TASKS, agent=agent, **changes)
    return make_folder(path, plan, make_trials(TASKS, plan, seed, faults=0.05))


def block(page: str, name: str) -> Any:
    found = re.search(
        rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL
    )
    assert found is not None
    return json.loads(found[1])


def written(path: Path, *folders: RunFolder, **options: Any) -> str:
    options.setdefault("task_sets", {TASKS.name: TASKS})
    return write_report(list(folders), path / "report.html", **options).read_text(encoding="utf-8")


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    runs = [folder(tmp_path / "a"), folder(tmp_path / "b", "eliminating", 2)]
    first = written(tmp_path, *runs)
    assert written(tmp_path, *runs) == first
    assert not list(tmp_path.glob("*.part"))


def test_another_order_of_the_same_trials_gives_the_same_bytes(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    first = written(tmp_path, make_folder(tmp_path / "1" / "run", plan, trials))
    assert written(tmp_path, make_folder(tmp_path / "2" / "run", plan, trials[::-1])) == first


def test_what_agents_and_catalogues_wrote_is_escaped(tmp_path: Path) -> None:
    plan = make_plan(TASKS, agent=EVIL, source=EVIL, user=EVIL, prompt=EVIL)
    task = TASKS.by_id["f000-hidden"]
    score = make_score(success=False, failure="never_proposed", rejections=1)
    script = make_transcript(task, score, title=EVIL)
    script = Transcript((*script.events[:-1], AgentSaid(EVIL), script.events[-1]))
    trial = make_trial(task, plan, score=score, transcript=script)
    page = written(tmp_path, make_folder(tmp_path / "<b>run", plan, [trial]))
    assert "<img src=x" not in page
    assert "<b>" not in page
    assert "\u2028" not in "".join(re.findall(r"<script.*?</script>", page, re.DOTALL))
    assert page.count("</script>") == page.count("<script")
    assert any(step.get("text") == EVIL for step in block(page, "data-trial-0")["steps"])
    assert block(page, "data-runs")[0]["folder"] == "<b>run"


def test_json_cannot_end_its_element() -> None:
    text = escaped({"x": EVIL + "\u2029"}).decode()
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"x": EVIL + "\u2029"}


def test_each_distinct_result_is_stored_once_and_cut(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    same, long = page_of_results(["Playtime"]), "x" * 5_000
    events = [UserSaid("Hello.")]
    for n, content in enumerate([same, same, long, same]):
        events += [
            ToolCalled(f"c{n}", "search", {"n": n}),
            ToolReturned(f"c{n}", "search", content),
        ]
    trials = [
        make_trial(
            TASKS.by_id[task], plan, transcript=Transcript((*events, Ended(Ending.ABSTAINED)))
        )
        for task in plan.tasks[:3]
    ]
    page = written(tmp_path, make_folder(tmp_path / "run", plan, trials))
    results = block(page, "data-results")
    assert sorted(found["text"] for found in results.values()) == sorted(
        [same, long[:RESULT_CHARACTERS]]
    )
    assert {found.get("full") for found in results.values()} == {None, 5_000}
    assert {
        s["result"] for s in block(page, "data-trial-2")["steps"] if s["kind"] == "call"
    } == set(results)


def test_the_page_is_bounded_and_says_how_much_it_shows(tmp_path: Path) -> None:
    run = folder(tmp_path / "run")
    whole = written(tmp_path, run)
    bound = len(whole.encode()) - 10_000
    page = written(tmp_path, run, page_bytes=bound)
    assert len(page.encode()) <= bound
    shown, every = len(block(page, "data-entries")), len(block(whole, "data-entries"))
    assert 0 < shown < every == 30
    failures = [e for e in block(whole, "data-entries") if e["outcome"] == "failure"]
    assert f"{len(failures)} of {len(failures)} failures" in page
    outcomes = {
        entry["outcome"]
        for entry in block(written(tmp_path, run, page_bytes=bound - 40_000), "data-entries")
    }
    assert outcomes <= {"failure"}
    assert block(written(tmp_path, run, page_bytes=1), "data-entries") == []


def test_failures_are_listed_first_and_runs_take_turns(tmp_path: Path) -> None:
    runs = [folder(tmp_path / name, name, seed, trials=2) for seed, name in enumerate("ab")]
    page = written(tmp_path, *runs)
    entries = block(page, "data-entries")
    assert {entry["outcome"] for entry in entries} == {"failure", "excluded", "success"}
    places = [entry["outcome"] != "failure" for entry in entries]
    assert places == sorted(places)
    assert [entry["run"] for entry in entries[:4]] == [0, 1, 0, 1]
    assert "All failures come first" in page
    assert "then a seeded sample of the other trials, up to 500 trials" in page


@pytest.mark.parametrize("name", ["run.json", "trials.jsonl", "timings.jsonl"])
def test_a_file_of_the_run_is_never_written_over(tmp_path: Path, name: str) -> None:
    run = folder(tmp_path / "run")
    place = run.path / name
    for there in (True, False):
        if not there and name == "timings.jsonl":
            place.unlink()
        before = place.read_bytes() if place.exists() else None
        with pytest.raises(InputError, match="a file of the run itself"):
            write_report([run], run.path / ".." / "run" / name)
        assert (place.read_bytes() if place.exists() else None) == before


@pytest.mark.parametrize("text", ["", "notes", "<!doctype html>\n<title>Another page</title>"])
def test_what_is_no_page_of_ours_is_never_written_over(tmp_path: Path, text: str) -> None:
    run, place = folder(tmp_path / "run"), tmp_path / "notes.txt"
    place.write_text(text, encoding="utf-8")
    link = tmp_path / "link.html"
    link.symlink_to(place)
    for out in (place, link):
        with pytest.raises(InputError, match="no page of ours"):
            write_report([run], out)
    with pytest.raises(InputError, match="a folder"):
        write_report([run], tmp_path)
    assert place.read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "notes.txt", "run"]


def test_an_earlier_page_is_written_over(tmp_path: Path) -> None:
    first = written(tmp_path, folder(tmp_path / "a"))
    assert written(tmp_path, folder(tmp_path / "b", seed=2)) != first


def test_a_run_named_twice_is_refused(tmp_path: Path) -> None:
    run = folder(tmp_path / "run")
    again = RunFolder(tmp_path / "other" / ".." / "run")
    with pytest.raises(InputError, match="run is named 2 times"):
        write_report([run, again], tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_a_page_without_a_valid_trial_says_so_at_its_top(tmp_path: Path) -> None:
    page = written(tmp_path, make_folder(tmp_path / "empty", make_plan(TASKS), []))
    told = page.index("There is no valid trial, so nothing was measured")
    assert page.index("<h1>") < told < page.index('class="lead"')
    assert "no valid trial" not in written(tmp_path, folder(tmp_path / "run"))


def test_the_page_tells_how_many_labels_were_used(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = [make_trial(TASKS.by_id[task], plan) for task in plan.tasks]
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"trial":"f000-mixed#0","turn":1,"asks":["year"]}\n{"trial":"f000-mixed#0","turn":3}\n',
        encoding="utf-8",
    )
    run = make_folder(tmp_path / "run", plan, trials)
    assert "Label file: 1 of 2 labels used, in 1 trial." in written(tmp_path, run, labels=file)
    assert "Label file" not in written(tmp_path, run)


def test_the_way_of_measuring_is_told_below_a_short_beginning(tmp_path: Path) -> None:
    page = written(tmp_path, folder(tmp_path / "run"))
    lead = re.findall(r'<p class="lead">(.*?)</p>', page, re.DOTALL)
    assert len(lead) == 1
    assert len(re.findall(r"\.(?:\s|$)", lead[0])) == 3
    assert "How this was measured" in page


def test_more_trials_than_the_page_takes(tmp_path: Path) -> None:
    plan = make_plan(TASKS, trials=20)
    page = written(tmp_path, make_folder(tmp_path / "run", plan, make_trials(TASKS, plan)))
    assert len(block(page, "data-entries")) == 500
    assert re.search(r"of 3\d\d successes|of 4\d\d successes", page)


def test_runs_over_other_catalogues_stand_in_groups(tmp_path: Path) -> None:
    runs = [folder(tmp_path / "a"), folder(tmp_path / "b", size=50, catalogue_digest="d" * 64)]
    page = written(tmp_path, *runs)
    assert "2 groups" in page
    assert "not comparable" in page
    assert page.count("<h2>Success at a glance</h2>") == 2
    groups = summarise(read_folders(runs), resamples=10).groups
    assert [len(group.runs) for group in groups] == [1, 1]


def test_every_table_tells_its_denominators_and_provenance(tmp_path: Path) -> None:
    page = written(tmp_path, folder(tmp_path / "run"))
    tables = re.findall(r"<table>.*?</table>", page, re.DOTALL)
    assert len(tables) > 12
    for table in tables[:-1]:
        assert "tau_rec/toys@1" in table
        assert "cccccccccccc" in table
        for head in ("planned", "valid", "excluded", "not understood"):
            assert f">{head}</th>" in table


def test_runs_without_trials_and_without_a_task_set(tmp_path: Path) -> None:
    empty = make_folder(tmp_path / "empty", make_plan(TASKS), [])
    page = written(tmp_path, empty, task_sets=None)
    assert "–" in page
    assert "nan" not in page.lower().replace("finance", "")
    assert block(page, "data-entries") == []


def test_no_runs_no_place_no_plan(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run"):
        write_report([], tmp_path / "x.html")
    with pytest.raises(InputError, match=r"run\.json"):
        write_report([RunFolder(tmp_path / "nothing")], tmp_path / "x.html")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_report([folder(tmp_path / "run")], tmp_path / "file" / "x.html")


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    names = folder_names([RunFolder(tmp_path / "a" / "run"), RunFolder(tmp_path / "b" / "run")])
    assert len(set(names)) == 2


def test_a_record_follows_the_transcript() -> None:
    task = TASKS.by_id["f001-hidden"]
    plan = make_plan(TASKS)
    trial = make_trial(task, plan, score=make_score(rejections=1))
    found = record(trial, task, Results())
    assert [fact.reveal for fact in found.facts] == [
        "stated",
        "on_ask",
        "on_ask",
        "hidden",
        "on_ask",
    ]
    assert [fact.turn for fact in found.facts] == [0, 1, 1, None, 1]
    users = [step for step in found.steps if step.kind == "user"]
    assert [step.revealed for step in users[:2]] == [(0,), (0, 1, 2, 4)]
    assert users[1].fresh == (1, 2, 4)
    assert users[1].asked == ("language", "country", "year", "format")
    verdict = next(step for step in found.steps if step.kind == "verdict")
    assert (verdict.item, verdict.title, verdict.failed) == ("tt0", "Mon Oncle", ("year <= 1980",))
    bare = record(trial, None, Results())
    assert not bare.known
    assert {fact.reveal for fact in bare.facts} == {""}


def test_a_record_of_a_task_held_to_policies_tells_these() -> None:
    task, plan = TASKS.by_id["f001-hidden"], make_plan(TASKS)
    plain = record(make_trial(task, plan), task, Results())
    assert (plain.held, "one recommendation" in plain.checks) == (False, True)
    score = make_score(policies={"watch_history": Outcome.FAILED})
    found = record(make_trial(task, plan, score=score), task, Results())
    assert (found.held, found.checks) == (True, {"watch history": "failed"})
    assert set(found.scores) == set(plain.scores)
    assert "policies" not in found.scores


def test_a_record_of_every_kind_of_event() -> None:
    script = Transcript(
        (
            UserSaid("Hello."),
            ReferenceSaid("Before."),
            AgentNoted("Hm."),
            ToolCalled("c1", "serach", "not json"),
            ToolReturned("c1", "serach", "no such tool", ToolErrorKind.UNKNOWN_TOOL),
            ToolCalled("c2", "search", {"a": 1}),
            ToolReturned("c2", "search", "not json"),
            ToolCalled("c3", "search", [1]),
            AgentSaid("y" * 9_000, cut=50),
            NotUnderstood("yyy"),
            Verdict("nobody", None, others=("tt2",)),
            StageChanged("later", "Now then."),
            Ended(Ending.ERROR, fault=Fault.AGENT, detail="broke"),
        )
    )
    trial = make_trial(TASKS.by_id["f000-mixed"], make_plan(TASKS), transcript=script)
    steps = record(trial, None, Results()).steps
    kinds = ["user", "reference", "note", "call", "call", "call", "agent", "confused", "verdict"]
    assert [step.kind for step in steps] == [*kinds, "stage", "ended"]
    assert (steps[3].error, steps[5].result) == ("unknown_tool", "")
    assert (len(steps[6].text), steps[6].full) == (8_000, 9_050)
    assert steps[-1].error == "fault: agent"


def test_a_trial_tells_what_it_took(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = [make_trial(TASKS.by_id[task], plan) for task in plan.tasks[:2]]
    run = make_folder(tmp_path / "run", plan, trials)
    usage = {"agent": Usage(2, 100, 20, 30, None)}
    run.append([], [Timing(trials[0].key, (0.25, 1.5), usage, {"200": 2}, (0.25, 1.5))])
    run.append([], [Timing(trials[0].key, (9.0,))])
    page = written(tmp_path, run)
    clocks = {
        entry["key"]: block(page, f"data-trial-{place}").get("clock")
        for place, entry in enumerate(block(page, "data-entries"))
    }
    assert clocks == {
        trials[0].key: {
            "seconds": 1.75,
            "acts": 2,
            "slowest": 1.5,
            "turns": [0.25, 1.5],
            "usage": {
                "agent": {"calls": 2, "input": 100, "cached": 20, "output": 30, "cost": None}
            },
            "statuses": {"200": 2},
        },
        trials[1].key: None,
    }


def test_which_trials_are_shown_does_not_hang_on_the_digits_of_a_clock(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    shown: list[list[str]] = []
    whole = 0
    for name, seconds in (("a", 0.1), ("b", 1234.567891)):
        run = make_folder(tmp_path / name / "run", plan, trials)
        run.append(
            [], [Timing(trial.key, (seconds,) * 9, turns=(seconds,) * 9) for trial in trials]
        )
        whole = whole or len(written(tmp_path, run))
        page = written(tmp_path, run, page_bytes=whole - 20_000)
        shown.append([entry["key"] for entry in block(page, "data-entries")])
    assert shown[0] == shown[1]
    assert 0 < len(shown[0]) < len(trials)
