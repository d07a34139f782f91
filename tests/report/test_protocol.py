"""What the paper asks of those who report results: what holds, what does not, what to run, and the
figures, each against a count of its own."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import Ending
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import ModelOptions, RunPlan, TrialLimits, UserOptions
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.report.protocol import (
    Commands,
    Protocol,
    check_name,
    find,
    protocol_lines,
    protocol_tables,
    read_protocol,
)
from mystery_shopper.report.protocol.figures import Found, cost, provider
from mystery_shopper.report.protocol.records import Report
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.tabular import Table
from mystery_shopper.suites.tau_rec.task import TaskSet

from .factory import faulty, make_plan, make_task_set, make_trials

PANEL = tuple(f"f{number:03d}" for number in range(12))
SET = msgspec.structs.replace(make_task_set(20), panel=PANEL)
FULL = SET.catalogue.sizes[-1]
TASKS = tuple(name for name, task in SET.by_id.items() if task.family.id in PANEL)
PROMPTS = ("base", "ask-and-verify")


def plan_of(**changes: Any) -> RunPlan:
    usual = {
        "agent": "model:lab/one-2026-01-01", "user": "rule-based", "tool_line": "own",
        "trials": 4, "tasks": TASKS, "block": "panel", "size": FULL, "seed": 0,
    }  # fmt: skip
    return make_plan(SET, **(usual | changes))


def played(plan: RunPlan, faults: float = 0.0, seed: int = 3) -> list[Trial]:
    """Random trials; those that the cap ended have its twenty turns."""
    trials = make_trials(SET, plan, seed, faults=faults)
    return [_capped(trial) for trial in trials]


def _capped(trial: Trial) -> Trial:
    if trial.score.ending is not Ending.TURN_CAP:
        return trial
    return msgspec.structs.replace(trial, score=msgspec.structs.replace(trial.score, turns=20))


def run_of(
    name: str = "", *, faults: float = 0.0, task_set: TaskSet | None = SET, **changes: Any
) -> Run:
    plan = plan_of(**changes)
    name = name or f"{plan.interface}-{plan.prompt}-{plan.size}-{plan.seed}"
    return read_run(name, plan, played(plan, faults), task_set=task_set)


def complete(**changes: Any) -> list[Run]:
    return [run_of(prompt=prompt, **changes) for prompt in PROMPTS]


def only(runs: Sequence[Run]) -> tuple[Protocol, Report]:
    (protocol,) = read_protocol(runs)
    (agent,) = protocol.agents
    return protocol, agent


def failing(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Demand -> its problems, of those that do not hold."""
    _, agent = only(runs)
    return {
        check.demand: [one.problem for one in check.failings]
        for check in agent.checks
        if not check.holds
    }


def remedies(runs: Sequence[Run], folder: Path = Path("/runs")) -> list[str]:
    commands = Commands({run.name: folder / run.name for run in runs})
    _, agent = only(runs)
    return list(
        dict.fromkeys(
            commands.of(one.want) if one.want else one.remedy
            for check in agent.checks
            for one in check.failings
        )
    )


# --- what holds ---------------------------------------------------------------------------------


def test_what_the_paper_asks_holds() -> None:
    assert failing(complete()) == {}
    assert failing([*complete(), *complete(interface="keyword")]) == {}
    protocol, agent = only(complete())
    assert protocol.holds
    assert len(protocol.parts) == 2
    assert {check.demand: check.found for check in agent.checks} == {
        "the panel's families": "12 of 12",
        "the full catalogue": "100 items",
        "the rule-based user": "rule-based",
        "the interface's line on search": "own",
        "the 20-turn cap": "at most 20 turns",
        "at least 4 trials a task": "at least 4",
        "one interface or both": "structured",
        "the prompts base and ask-and-verify": "structured: base, ask-and-verify",
        "all three conditions": "volunteer, mixed, hidden",
        "every trial played": "all",
    }


def test_several_runs_of_one_setting_count_together() -> None:
    parts = [run_of("v", conditions=("volunteer",), tasks=TASKS[::3])]
    parts += [run_of("m", conditions=("mixed",), tasks=TASKS[1::3])]
    parts += [run_of("h", conditions=("hidden",), tasks=TASKS[2::3], trials=2)]
    parts += [run_of("i", conditions=("hidden",), tasks=TASKS[2::3], trials=2, seed=1)]
    assert failing([*parts, run_of(prompt="ask-and-verify")]) == {}


def test_of_a_run_over_all_families_the_panels_count() -> None:
    everything = run_of("all", block="all", tasks=tuple(SET.by_id))
    runs = [everything, run_of(prompt="ask-and-verify")]
    assert failing(runs) == {}
    protocol, _ = only(runs)
    assert find(protocol, resamples=20)[0].counts.planned == len(TASKS) * 4


def test_other_runs_are_left_aside_where_there_are_fitting_ones() -> None:
    extra = [run_of(size=40), run_of(user="mine:User"), run_of(prompt="ask")]
    extra[1] = run_of("mine", user="mine:User")
    protocol, agent = only([*complete(), *extra])
    assert protocol.holds
    assert dict(agent.aside) == {
        "structured-base-40-0": "40 of 100 items",
        "mine": "the user mine:User",
        "structured-ask-100-0": "the prompt ask",
    }
    assert len(protocol.parts) == 2


def test_agents_and_grounds_are_told_apart() -> None:
    good, bad = complete(agent="oracle"), [run_of("b", agent="null")]
    (protocol,) = read_protocol([*good, *bad])
    assert [agent.holds for agent in protocol.agents] == [True, False]
    assert not protocol.holds
    assert len(read_protocol([*good, run_of("p", agent="oracle", as_paper=True)])) == 2


# --- what does not ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "demand", "problem"),
    [
        ({"size": 40}, "the full catalogue", "structured, base: 40 of 100 items"),
        ({"user": "my:User"}, "the rule-based user", "structured, base: the user my:User"),
        (
            {"tool_line": "fields"},
            "the interface's line on search",
            "structured, base: the line on search 'fields'",
        ),
        ({"trials": 3}, "at least 4 trials a task", "structured, base: 3 trials a task"),
        (
            {"tasks": TASKS[:-3]},
            "the panel's families",
            "structured, base: of 12 families volunteer lacks 1, mixed lacks 1, hidden lacks 1",
        ),
        (
            {"tasks": TASKS[::3], "conditions": ("volunteer",)},
            "all three conditions",
            "structured, base: no mixed and no hidden tasks",
        ),
    ],
)
def test_one_departure_is_one_failing(changes: Any, demand: str, problem: str) -> None:
    runs = [run_of("odd", **changes), run_of(prompt="ask-and-verify")]
    assert failing(runs) == {demand: [problem]}
    _, agent = only(runs)
    (check,) = (check for check in agent.checks if not check.holds)
    assert [one.runs for one in check.failings] == [("odd",)]
    assert len(remedies(runs)) == 1


def test_a_prompt_or_all_may_be_missing() -> None:
    demand = "the prompts base and ask-and-verify"
    assert failing([run_of()]) == {demand: ["structured: no run under ask-and-verify"]}
    assert failing([run_of(prompt="ask")]) == {
        demand: ["structured: no run under base", "structured: no run under ask-and-verify"]
    }
    assert failing([*complete(), run_of(interface="keyword")]) == {
        demand: ["keyword: no run under ask-and-verify"]
    }


def test_an_unfinished_run_is_to_go_on() -> None:
    plan = plan_of()
    half = read_run("half", plan, played(plan)[:100], task_set=SET)
    runs = [half, run_of(prompt="ask-and-verify")]
    assert failing(runs) == {"every trial played": ["44 of 144 trials not played"]}
    (command,) = remedies(runs)
    assert command.endswith("--out /runs/half")


def test_excluded_trials_may_leave_too_few() -> None:
    plan = plan_of()
    trials = played(plan)
    trials[0] = faulty(SET.by_id[trials[0].task], plan, trials[0].number)
    runs = [read_run("few", plan, trials, task_set=SET), run_of(prompt="ask-and-verify")]
    told = "structured, base: 1 task with fewer than 4 valid trials, as 1 were excluded"
    assert failing(runs) == {"at least 4 trials a task": [told]}
    _, agent = only(runs)
    found = {check.demand: check.found for check in agent.checks}
    assert found["at least 4 trials a task"] == "at least 4, 3 of them valid"
    (command,) = remedies(runs)
    assert f"--task {trials[0].task} --trials 1 --seed 1" in command


@pytest.mark.parametrize("turns", [19, 21])
def test_another_cap_is_seen(turns: int) -> None:
    plan = plan_of()
    trials = played(plan)
    score = msgspec.structs.replace(
        trials[0].score, turns=turns, ending=Ending.TURN_CAP, success=False
    )
    trials[0] = msgspec.structs.replace(trials[0], score=score)
    runs = [read_run("cap", plan, trials, task_set=SET), run_of(prompt="ask-and-verify")]
    told = f"structured, base: another cap, trials ended at {turns} turns"
    assert failing(runs) == {"the 20-turn cap": [told]}


def test_without_the_task_set_or_a_panel_nothing_is_taken_for_granted() -> None:
    lost = complete(task_set=None)
    assert list(failing(lost)) == ["the panel's families"]
    assert "cannot be read" in failing(lost)["the panel's families"][0]
    assert remedies(lost)[0].startswith("put the task set back")
    bare = msgspec.structs.replace(SET, panel=())
    runs = [
        read_run(p, plan := make_plan(bare, user="rule-based", tool_line="own", trials=4, prompt=p),
                 played(plan), task_set=bare)
        for p in PROMPTS
    ]  # fmt: skip
    assert failing(runs) == {"the panel's families": ["the task set names no panel"]}


# --- what to run --------------------------------------------------------------------------------


def test_commands_play_what_is_missing_into_new_folders(tmp_path: Path) -> None:
    taken = tmp_path / "model-lab-one-2026-01-01-structured-ask-and-verify"
    taken.mkdir()
    runs = [run_of("mine", trials=1, model=ModelOptions(temperature=0.5, base_url="http://x/y z"))]
    more, other = remedies(runs, tmp_path)
    start = (
        "mystery-shopper run tau_rec --agent model:lab/one-2026-01-01 --catalog toys "
        "--task-set tau_rec/toys@1 --tasks panel --interface structured --prompt"
    )
    asked = "--temperature 0.5 --base-url 'http://x/y z'"
    stem = f"{tmp_path}/model-lab-one-2026-01-01-structured"
    assert more == f"{start} base --trials 3 --seed 1 {asked} --out {stem}-base-seed1"
    assert other == f"{start} ask-and-verify --trials 4 {asked} --out {stem}-ask-and-verify-2"


def test_one_command_serves_every_failing_of_a_run() -> None:
    odd = run_of("odd", size=40, user="my:User", tool_line="fields", trials=1)
    runs = [odd, run_of(prompt="ask-and-verify")]
    assert len(failing(runs)) == 4
    (command,) = remedies(runs)
    assert "--user" not in command
    assert "--tool-line" not in command
    assert "--trials 4" in command


def test_a_lacking_condition_is_named() -> None:
    runs = [run_of("v", conditions=("volunteer",), tasks=TASKS[::3])]
    command = next(one for one in remedies(runs) if "--prompt base" in one)
    assert "--condition mixed --condition hidden --trials 4" in command


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tasks": TASKS[:7]},
        {"conditions": ("hidden",), "tasks": TASKS[2::3]},
        {
            "seed": 5,
            "trials": 2,
            "prompt": PROMPTS[1],
            "tool_line": "fields",
            "interface": "keyword",
        },
        {"as_paper": True, "limits": TrialLimits(60, 1000, 0.25)},
        {"model": ModelOptions(0.1, "low", 77, "json", "http://a b/$x", cache=True)},
        {"user": "model:x/y", "user_options": UserOptions(False, 0.3, True, 12, "http://u", 0)},
        {"agent": "pkg.mod:My Agent'"},
    ],
)
def test_going_on_is_the_runs_own_command(
    changes: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The printed words, taken by the command itself, wish for the run's own plan."""
    import sys

    from mystery_shopper import engine
    from mystery_shopper.cli import main
    from mystery_shopper.engine import Wishes

    plan = plan_of(**changes)
    run = read_run("it's", plan, [], task_set=SET)
    command = next(c for c in remedies([run], tmp_path) if c.endswith(f"'{tmp_path}/it'\"'\"'s'"))
    heard: list[Wishes] = []

    def listen(wishes: Wishes) -> RunPlan:
        heard.append(wishes)
        raise InputError("enough")

    monkeypatch.setattr(engine, "make_plan", listen)
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit):
        main.run()
    (wishes,) = heard
    assert wishes.agent == plan.agent
    told = (wishes.interface, wishes.prompt or "base", wishes.tool_line or "own")
    assert told == (plan.interface, plan.prompt, plan.tool_line)
    assert (wishes.trials, wishes.seed, wishes.as_paper) == (plan.trials, plan.seed, plan.as_paper)
    assert wishes.catalog == f"{plan.source}:{plan.size}"
    assert (wishes.task_set, wishes.block) == (plan.task_set, plan.block)
    assert tuple(wishes.conditions) in ((), plan.conditions)
    chosen = SET.select(wishes.block, [SET.by_id[t].condition for t in plan.tasks])
    kept = [t.id for t in chosen if not wishes.only or t.id in wishes.only]
    assert tuple(kept) == plan.tasks
    assert (wishes.model, wishes.limits) == (plan.model, plan.limits)
    assert (wishes.user, wishes.user_options) == (plan.user, plan.user_options or UserOptions())


# --- the figures --------------------------------------------------------------------------------


def trials_of(run: Run, condition: str, *, satisfiable: bool | None) -> dict[str, list[Any]]:
    """The panel's valid trials by task, from the rows themselves."""
    found: dict[str, list[Any]] = {}
    for row in run.rows:
        family = SET.by_id[row.task].family
        fits = satisfiable is None or family.satisfiable is satisfiable
        if row.condition == condition and fits and row.task in TASKS and row.valid:
            found.setdefault(row.task, []).append(row)
    return found


def brute(groups: Iterable[Sequence[bool]], k: int) -> float:
    """pass^k by listing every choice of k trials."""
    return fmean(
        fmean(float(all(chosen)) for chosen in combinations(group, k))
        for group in groups
        if len(group) >= k
    )


def test_every_figure_is_right() -> None:
    runs = [run_of(prompt=prompt, faults=0.08, trials=5) for prompt in PROMPTS]
    protocol, _ = only(runs)
    found = find(protocol, resamples=200)
    assert [one.names[2] for one in found] == list(PROMPTS)
    for one, run in zip(found, runs, strict=True):
        cells = [(passed.condition, passed.answers.value) for passed in one.passes]
        assert cells == [("volunteer", "satisfiable"), ("mixed", "satisfiable"),
                         ("hidden", "satisfiable"), ("hidden", "NVR")]  # fmt: skip
        for passed in one.passes:
            rows = trials_of(run, passed.condition, satisfiable=passed.answers != "NVR")
            groups = [[row.success for row in group] for group in rows.values()]
            assert passed.first.value == pytest.approx(brute(groups, 1))
            assert passed.fourth.value == pytest.approx(brute(groups, 4))
            assert passed.counts.valid == sum(map(len, groups))
            assert passed.counts.planned == passed.counts.valid + passed.counts.excluded
        hidden = trials_of(run, "hidden", satisfiable=True).values()
        for r, estimate in enumerate(one.within):
            early = [[row.success and row.score.rejections <= r for row in g] for g in hidden]
            assert estimate.value == pytest.approx(brute(early, 1))
            assert estimate.low is not None
            assert estimate.low <= (estimate.value or 0.0) <= (estimate.high or 0.0)
        check_conduct(one, run)


def check_conduct(one: Found, run: Run) -> None:
    for told in one.elicits:
        rows = [r for g in trials_of(run, told.condition, satisfiable=None).values() for r in g]
        rows = [row for row in rows if row.score.elicited is not None]
        for kind, part, won in zip(("all", "some", "none"), told.shares, told.success, strict=True):
            of_kind = [row for row in rows if row.score.elicited == kind]
            assert (part.hits, part.of) == (len(of_kind), len(rows))
            assert (won.hits, won.of) == (sum(r.success for r in of_kind), len(of_kind))
        rest = [row for row in rows if row.score.elicited != "all"]
        assert (told.less.hits, told.less.of) == (sum(r.success for r in rest), len(rest))
    for ends in one.ends:
        rows = trials_of(run, ends.condition, satisfiable=ends.answers != "NVR").values()
        endings = [row.score.ending.value for group in rows for row in group]
        assert ends.kinds == {name: endings.count(name) for name in set(endings)}


def with_usage(cost_of: Sequence[float | None], **changes: Any) -> Run:
    plan = plan_of(**changes)
    trials = played(plan)
    timings = [
        Timing(
            trial.key, (1.0,), {"agent": Usage(1, 10, 0, 5, price), "user": Usage(1, 1, 0, 1, 9.0)}
        )
        for trial, price in zip(trials, cost_of, strict=False)
    ]
    return read_run(f"u-{plan.prompt}", plan, trials, task_set=SET, timings=timings)


def test_provider_and_cost() -> None:
    known = with_usage([0.25] * 144)
    unknown = with_usage([0.25] * 143 + [None], prompt="ask-and-verify")
    protocol, _ = only([known, unknown])
    first, second = find(protocol, resamples=20)
    assert provider(first.part.plan) == ("lab", "one-2026-01-01")
    assert cost(first) == ("$36.00", "$0.2500")
    assert cost(second) == ("unknown", "unknown")
    assert (first.metered, second.metered) == (144, 144)


@pytest.mark.parametrize(
    ("agent", "told", "dollars"),
    [
        ("oracle", ("no model", "–"), "–"),
        ("my.module:Agent", ("unknown", "unknown"), "unknown"),
        ("https://shop.example:8000/a", ("shop.example", "unknown"), "unknown"),
        ("model:openai/azure/gpt", ("openai", "azure/gpt"), "unknown"),
        ("inspect:m:a:lab/x", ("lab", "x"), "unknown"),
        ("inspect:m:a", ("unknown", "Inspect's default"), "unknown"),
    ],
)
def test_what_the_plan_does_not_tell_is_unknown(
    agent: str, told: tuple[str, str], dollars: str
) -> None:
    protocol, _ = only([run_of("r", agent=agent)])
    (found,) = find(protocol, resamples=20)
    assert provider(found.part.plan) == told
    assert cost(found) == (dollars, dollars)


def shown(runs: Sequence[Run]) -> tuple[dict[str, Table], str]:
    protocol, _ = only(runs)
    found = find(protocol, resamples=50)
    commands = Commands({run.name: Path("/runs") / run.name for run in runs})
    tables = protocol_tables(protocol, found, commands)
    lines = list(protocol_lines(protocol, found, commands))
    assert [line for line in lines if len(line) > 80 and "mystery-shopper run" not in line] == []
    return {table.title: table for table in tables}, "\n".join(lines)


def test_exactly_the_papers_list_is_shown_and_its_figures_are_marked() -> None:
    tables, text = shown(complete())
    assert list(tables) == [
        "What the paper asks",
        "pass^1 and pass^4 by condition",
        "Hidden success by rejections allowed",
        "Elicitation",
        "How trials end",
        "Provider and cost",
    ]
    for table in tables.values():
        assert all(len(row) == len(table.head) for row in table.rows)
        theirs = [row for row in table.rows if row[0].startswith("paper: ")]
        assert all(cell in ("–", "") for row in theirs for cell in row[-4:])
    passes = tables["pass^1 and pass^4 by condition"]
    theirs = [row[3:7] for row in passes.rows if row[0].startswith("paper: ")]
    assert theirs == [
        ("volunteer", "satisfiable", "0.975", "0.955"),
        ("mixed", "satisfiable", "0.756", "0.582"),
        ("hidden", "satisfiable", "0.283", "0.099"),
        ("hidden", "NVR", "0.047", "–"),
    ]
    costs = tables["Provider and cost"].rows[-1]
    assert costs[:6] == (
        "paper: one of its agents, about", "structured", "each", "", "", "$1.00–4.40",
    )  # fmt: skip
    assert "what the paper asks" in text
    assert "mystery-shopper run" not in text


def test_what_can_be_shown_is_shown_all_the_same() -> None:
    tables, text = shown([run_of("small", size=40, trials=1)])
    rows = tables["pass^1 and pass^4 by condition"].rows
    assert rows[0][0] == "model:lab/one-2026-01-01 (40 of 100 items)"
    assert rows[0][6] == "–"
    assert "NO  the full catalogue" in text
    assert text.count("mystery-shopper run tau_rec") == 2
    missing = tables["What is missing"]
    assert [row[1] in text for row in missing.rows] == [True, True]


def test_nothing_played_nothing_made_up() -> None:
    plan = plan_of()
    empty = read_run("empty", plan, [], task_set=SET)
    tables, text = shown([empty])
    assert {cell for row in tables["pass^1 and pass^4 by condition"].rows[:4]
            for cell in row[5:7]} == {"–"}  # fmt: skip
    assert "144 of 144 trials not played" in text
    assert not any("nan" in line for line in text.splitlines())
    tables, _ = shown([run_of("ask", prompt="ask")])
    assert list(tables) == ["What the paper asks", "What is missing"]


def test_barren_families_alone_and_one_family() -> None:
    barren = tuple(t for t in TASKS if not SET.by_id[t].family.satisfiable)
    tables, _ = shown([run_of("nvr", tasks=barren)])
    ours = [r for r in tables["pass^1 and pass^4 by condition"].rows if r[0][:5] != "paper"]
    assert [row[3:5] for row in ours] == [("hidden", "NVR")]
    assert "[" not in ours[0][5]  # One family has no interval.
    assert "Hidden success by rejections allowed" not in tables


def test_intervals_cover_and_names_are_tame() -> None:
    tables, text = shown(complete(agent="=x|\x1b[31m\u202e\n" + "y" * 300))
    assert "\x1b" not in text
    assert "\u202e" not in text
    name = tables["Elicitation"].rows[0][0]
    assert name.startswith("=x| [31m")
    assert len(name) <= 120
    assert math.isfinite(float(tables["Elicitation"].rows[0][4].split()[0]))


def test_there_is_one_protocol() -> None:
    check_name("paper")
    with pytest.raises(InputError, match="there is no protocol 'mine'"):
        check_name("mine")
