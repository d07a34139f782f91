from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.engine import (
    RunPlan,
    Wishes,
    choose_sources,
    load_catalogue,
    load_tasks,
    make_plan,
)
from mystery_shopper.engine.plan import TrialLimits, environment, package_version
from mystery_shopper.engine.suites import suite_of
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.prompts import Prompt
from mystery_shopper.suites.tau_rec.task import CatalogueRef

from .helpers import few_films, plan_of, write_tasks


def refused(task_file: str, **wishes: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        plan_of(task_file, **wishes)
    return caught.value


def test_a_plan_lists_every_trial_task_by_task(task_file: str) -> None:
    plan = plan_of(task_file, conditions=["hidden"], trials=2)
    keys = [planned.key for planned in plan.planned()]
    assert keys[:3] == ["f001-hidden#0", "f001-hidden#1", "f002-hidden#0"]
    assert plan.count == len(keys) == 6


def test_without_wishes_all_tasks_are_played_once(task_file: str) -> None:
    plan = plan_of(task_file)
    assert (plan.trials, plan.count, plan.block) == (1, 9, "all")
    assert plan.conditions == ("volunteer", "mixed", "hidden")


@pytest.mark.parametrize(
    ("block", "families", "trials"), [("panel", 2, 1), ("reliability", 1, 8), ("all", 3, 1)]
)
def test_the_reliability_block_has_eight_trials(
    task_file: str, block: str, families: int, trials: int
) -> None:
    plan = plan_of(task_file, block=block)
    assert (len(plan.tasks), plan.trials) == (3 * families, trials)
    assert plan_of(task_file, block=block, trials=2).trials == 2


def test_a_plan_pins_everything_that_decides_its_trials(task_file: str) -> None:
    plan, tasks = plan_of(task_file), few_films()
    assert (plan.task_set_digest, plan.canary) == (tasks.digest, tasks.canary)
    assert plan.catalogue_digest == tasks.catalogue.digest
    assert (plan.source, plan.size) == ("films", tasks.catalogue.sizes[-1])
    assert plan.version == package_version()


@pytest.mark.parametrize(
    "wish",
    [
        {"agent": "null"},
        {"seed": 1},
        {"trials": 2},
        {"catalog": "films:5000"},
        {"interface": "keyword"},
        {"prompt": "protocol"},
        {"interface": "keyword", "tool_line": "fields"},
        {"conditions": ["mixed"]},
        {"block": "panel"},
        {"only": ["f001-mixed"]},
        {"as_paper": True},
    ],
)
def test_every_wish_changes_the_plan(task_file: str, wish: dict[str, Any]) -> None:
    assert plan_of(task_file, **wish).digest != plan_of(task_file).digest


def test_what_the_agent_is_told_is_hashed(task_file: str) -> None:
    told = {plan_of(task_file, prompt=prompt.value).instructions for prompt in Prompt}
    assert len(told) == 4


def test_the_order_of_conditions_and_tasks_is_the_sets(task_file: str) -> None:
    one = plan_of(task_file, conditions=["hidden", "mixed"], only=["f002-mixed", "f001-hidden"])
    assert one.conditions == ("mixed", "hidden")
    assert one.tasks == ("f001-hidden", "f002-mixed")


def test_a_plan_survives_json(task_file: str) -> None:
    plan = plan_of(task_file)
    again = msgspec.json.decode(msgspec.json.encode(plan), type=RunPlan)
    assert (again, again.digest) == (plan, plan.digest)


def test_seeds_depend_on_task_trial_and_purpose_alone(task_file: str) -> None:
    plan = plan_of(task_file)
    other = plan_of(task_file, only=["f002-hidden"], trials=4)
    assert plan.seed_for("f002-hidden", 0, "agent") == other.seed_for("f002-hidden", 0, "agent")
    seeds = {
        plan.seed_for(task, number, purpose)
        for task in plan.tasks
        for number in range(3)
        for purpose in ("agent", "user")
    }
    assert len(seeds) == 9 * 3 * 2
    assert plan_of(task_file, seed=1).seed_for("f002-hidden", 0, "agent") not in seeds


def test_the_environment_is_told() -> None:
    assert all(msgspec.structs.astuple(environment()))


# --- what cannot be planned ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        ({"suite": "tau"}, ["suite 'tau'", "tau_rec"]),
        ({"agent": "oracel"}, ["--agent 'oracel'", "oracle", "eliminating", "null"]),
        ({"interface": "sql"}, ["--interface 'sql'", "structured, keyword"]),
        ({"prompt": "short"}, ["--prompt 'short'", "ask-and-verify"]),
        ({"tool_line": "all"}, ["--tool-line 'all'", "own, fields"]),
        ({"block": "some"}, ["--tasks 'some'", "reliability"]),
        ({"conditions": ["shy"]}, ["--condition 'shy'", "volunteer, mixed, hidden"]),
        ({"trials": 0}, ["--trials 0", "at least one"]),
        ({"catalog": "books"}, ["no catalogue 'books'", "--catalog", "films"]),
        ({"catalog": "films:many"}, ["'many' is no size", "films:5000"]),
        ({"catalog": "films:"}, ["'' is no size"]),
        ({"catalog": "films:" + "9" * 5000}, ["is no size"]),
        ({"catalog": "films:123"}, ["no subset of 123", "5000"]),
        ({"only": ["f009-mixed"]}, ["no task 'f009-mixed'", "--task", "f001-volunteer"]),
        ({"only": ["f001-mixd"]}, ["no task 'f001-mixd'; did you mean 'f001-mixed'?"]),
        (
            {"only": ["f001-mixed"], "conditions": ["hidden"]},
            ["task 'f001-mixed' is left out by --condition hidden\n"],
        ),
        (
            {"only": ["f003-mixed"], "block": "panel", "conditions": ["hidden"]},
            ["task 'f003-mixed' is left out by --tasks panel and --condition hidden\n"],
        ),
    ],
)
def test_an_unknown_wish_names_what_there_is(
    task_file: str, wish: dict[str, Any], names: list[str]
) -> None:
    message = str(refused(task_file, **wish))
    assert [name for name in names if name not in message] == []


def test_everything_wrong_is_said_at_once(task_file: str) -> None:
    error = refused(task_file, agent="x", prompt="y", block="z", conditions=["v", "w"], trials=-1)
    assert len(error.problems) == 6


def test_an_option_that_was_not_given_is_not_blamed(task_file: str) -> None:
    message = str(refused(task_file, only=["f009-mixed"]))
    assert "--tasks" not in message
    assert "--condition" not in message


def test_what_a_limit_is_held_for_is_told(task_file: str) -> None:
    limits = TrialLimits(seconds=1, tokens=5)
    time, tokens = refused(task_file, agent="null", limits=limits).problems
    assert "'null' plays in this process, where each trial has 600 s" in time
    for name in ("model:…", "inspect:…", "http://…", "agent.yaml"):
        assert name in time
    assert tokens.startswith("--token-limit: what --agent 'null' uses is not known here")
    assert "held for model:… and inspect:…" in tokens


def test_sizes_may_be_grouped(task_file: str) -> None:
    assert plan_of(task_file, catalog="films:10_000").size == 10_000


def test_a_missing_task_file_is_told() -> None:
    assert "no/such.json" in str(refused("no/such.json"))


def test_tasks_of_another_catalogue_are_refused(tmp_path: Path) -> None:
    path = write_tasks(tmp_path, catalogue=CatalogueRef("films", "0" * 64, (5000, 10000, 16852)))
    error = refused(path)
    assert error.where == path
    assert "000000000000" in str(error)


def test_a_block_without_families_is_refused(tmp_path: Path) -> None:
    path = write_tasks(tmp_path, panel=(), reliability=())
    assert "'panel'" in str(refused(path, block="panel"))
    assert "'reliability'" in str(refused(path, block="reliability", only=["f001-mixed"]))


def test_a_catalogue_is_loaded_by_name_and_size() -> None:
    films = load_catalogue("films")
    assert len(load_catalogue("films", 5000)) == 5000
    assert load_catalogue("films") is films


def test_a_task_file_is_read_once(task_file: str) -> None:
    assert load_tasks(task_file) is load_tasks(task_file)


def test_suites_are_checked_by_name() -> None:
    suite_of("tau_rec")
    with pytest.raises(InputError, match="tau_wreck"):
        suite_of("tau_wreck")


def test_the_usual_wishes_are_the_shipped_set() -> None:
    plan = make_plan(Wishes("oracle"))
    assert (plan.source, plan.task_set) == ("films", "tau_rec/films@1")


def test_a_task_file_elsewhere_is_of_the_films() -> None:
    assert choose_sources(None, "elsewhere/fresh.json") == ("films", "elsewhere/fresh.json")
    assert choose_sources("films:5000", None) == ("films:5000", "tau_rec/films@1")
    with pytest.raises(InputError, match="there is no catalogue 'nowhere'"):
        choose_sources("nowhere", None)


def test_a_task_that_names_an_unknown_label_is_refused(task_file: str, tmp_path: Path) -> None:
    text = Path(task_file).read_text(encoding="utf-8").replace('"Western"', '"Nonsense"')
    changed = tmp_path / "changed.json"
    changed.write_text(text, encoding="utf-8")
    error = refused(str(changed))
    assert error.problems == ["f003: nothing in the catalogue has genre contains Nonsense"]
    assert error.where == str(changed)


def test_a_folder_that_is_called_like_a_catalogue_of_ours_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "catalog.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for clash in (lambda: load_catalogue("shop"), lambda: choose_sources("shop", None)):
        with pytest.raises(InputError, match=r"Write \./shop"):
            clash()
