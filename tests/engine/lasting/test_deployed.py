"""A deployed agent with its own login, session and search, in front of our users."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import Ending, Fault, ForeignCall, ForeignTools, ToolCalled
from mystery_shopper.engine import RunFolder, load_shelf
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError, RunStopped
from mystery_shopper.report import write_report
from mystery_shopper.suites.tau_rec.score import Outcome
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.lasting import lines
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.planning import Wishes, make_plan

from ..helpers import plan_of, write_tasks
from .deployed_shop import KEY, DeployedShop, open_database, serving, write_yaml


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)


@pytest.fixture(scope="module")
def base() -> sqlite3.Connection:
    return open_database(load_shelf("films", 16_852).catalogue)


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("deployed"))


@pytest.fixture
def shop(base: sqlite3.Connection) -> DeployedShop:
    return DeployedShop(load_shelf("films", 16_852), base)


def play(plan: Any, path: Path, in_flight: int = 8) -> RunFolder:
    folder = RunFolder(path)
    run_lasting(plan, folder, lines.casting_of(plan, None), bounds=Bounds(max_samples=in_flight))
    return folder


def everything(folder: RunFolder) -> str:
    files = [p for p in folder.path.rglob("*") if p.is_file() and p.suffix != ".eval"]
    return "".join(p.read_text(encoding="utf-8") for p in files)


def test_it_scores_full_marks_on_what_can_be_seen(shop: DeployedShop, tmp_path: Path) -> None:
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address)
        plan = make_plan(Wishes(agent=agent, conditions=("volunteer", "mixed"), block="panel"))
        folder = play(plan, tmp_path / "run")
    trials = list(folder.trials())
    assert len(trials) == plan.count > 100
    assert {trial.score.success for trial in trials} == {True}
    assert {trial.score.ending for trial in trials} == {Ending.RECOMMENDED, Ending.ABSTAINED}
    formats = {Outcome.PASSED: 0, Outcome.UNSCORED: 0}
    for trial in trials:
        events = trial.transcript.events
        assert sum(isinstance(event, ForeignTools) for event in events) == 1
        assert any(isinstance(event, ForeignCall) and event.name == "sql" for event in events)
        [call] = [event for event in events if isinstance(event, ToolCalled)]
        assert call.name == "recommend"
        assert trial.score.unsearched is None
        formats[trial.score.checks.formats_checked] += 1
        named = any(FORMATS_FACT in getattr(event, "disclosed", ()) for event in events)
        chose = named and trial.score.recommended is not None
        assert (trial.score.checks.formats_checked is Outcome.UNSCORED) == chose
        assert trial.score.checks.not_from_history is Outcome.PASSED
    assert formats[Outcome.UNSCORED]
    assert replay(folder).difference is None
    # Sessions are kept apart, opened once a trial and closed again; the key is written nowhere.
    assert shop.seen["opened"] == shop.seen["closed"] == plan.count
    assert not shop.seen["foreign basket"]
    assert not shop.seen["unasked cookie"]
    assert not shop.visits
    assert KEY not in everything(folder)
    assert "t0ken" not in everything(folder)
    pages = write_report([folder], tmp_path / "page")
    assert pages


def test_one_worker_and_sixteen_play_the_same(
    base: sqlite3.Connection, task_file: str, tmp_path: Path
) -> None:
    written: list[bytes] = []
    for number in (1, 16):
        shop = DeployedShop(load_shelf("films", 16_852), base)
        with serving(shop) as address:
            (tmp_path / f"w{number}").mkdir()
            agent = write_yaml(tmp_path / f"w{number}", address)
            plan = plan_of(task_file, agent=agent, trials=2)
            folder = play(plan, tmp_path / f"run{number}", in_flight=number)
        assert not shop.seen["foreign basket"]
        trials = folder.trials_file.read_text(encoding="utf-8")
        written.append(trials.replace(f"/w{number}/", "/w/").encode())
    assert written[0] == written[1]


def test_a_session_that_expires_is_opened_again(
    shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    shop.lasts = 1
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address)
        plan = plan_of(task_file, agent=agent, conditions=("volunteer",))
        folder = play(plan, tmp_path / "run")
    assert {trial.score.success for trial in folder.trials()} == {True}
    assert shop.seen["expired"] > 0
    assert shop.seen["opened"] == plan.count + shop.seen["expired"]
    assert all(timing.statuses["401"] > 0 for timing in folder.timings())


def test_a_session_that_never_holds_is_the_agents_fault(
    shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address)
        plan = plan_of(task_file, agent=agent, conditions=("volunteer",))

        def answer(*_: Any) -> Any:
            shop.lasts = 0
            return shop.says("Which one?")

        shop.raw = answer
        folder = play(plan, tmp_path / "run", in_flight=1)
    trials = list(folder.trials())
    assert {trial.fault for trial in trials} == {Fault.AGENT}
    assert "answered 401" in trials[0].transcript.ended.detail  # type: ignore[union-attr]
    # One message that was answered; then each message is sent twice, and no more.
    assert shop.seen["opened"] == 1 + 1 + 1 + 1


@pytest.mark.parametrize(
    ("swaps", "told"),
    [
        ({"text": "reply.parts[*].words"}, ["answer.text", "'reply.parts[*].words'", "How about"]),
        ({"choice": "order.id"}, ["answer.choice", "'order.id'", "order is null"]),
        ({"shown": "items[*].sku"}, ["answer.shown", "'items[*].sku'", "has no 'items'"]),
        ({"calls": "{path: calls, name: name}"}, ["answer.calls.path", "'calls'"]),
        (
            {"session": "{id: session.id, token: token, basket: 'cookie:basket'}"},
            ["open.session.token", '"<a text>"'],
        ),
        (
            {"session": "{id: session.id, token: session.token, basket: 'cookie:no'}"},
            ["open.session.basket", "'cookie:no'", "does not bear"],
        ),
        ({"path": "/nowhere"}, ["`open` was refused", "answered 404", "no /nowhere"]),
        ({"headers": "{x-key: wrong}"}, ["`open` was refused", "answered 401"]),
    ],
)
def test_a_wrong_file_ends_the_run_and_names_the_path(
    swaps: dict[str, str], told: list[str], shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    shop.raw = lambda *_: shop.says("How about this?")
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address, **swaps)
        plan = plan_of(task_file, agent=agent)
        with pytest.raises(InputError) as wrong:
            play(plan, tmp_path / "run")
    for part in told:
        assert part in str(wrong.value)
    assert wrong.value.where == agent
    assert "t0ken" not in str(wrong.value)
    assert list(RunFolder(tmp_path / "run").trials()) == []
    assert shop.seen["messages"] <= 8


def test_after_the_first_answer_a_missing_path_is_the_agents_fault(
    shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    def answer(number: int, visit: Any) -> Any:
        good = shop.says("How about this?")
        return good if number == 1 else {"reply": {"error": f"{KEY} {visit.token}"}}

    shop.raw = answer
    with serving(shop) as address:
        plan = plan_of(task_file, agent=write_yaml(tmp_path, address))
        folder = play(plan, tmp_path / "run", in_flight=1)
    details = [trial.transcript.ended.detail for trial in folder.trials()]  # type: ignore[union-attr]
    assert all("'reply.parts[*].text'" in detail and "no 'parts'" in detail for detail in details)
    assert "${SHOP_KEY} {session.token}" in details[0]
    assert {trial.fault for trial in folder.trials()} == {Fault.AGENT}
    assert KEY not in everything(folder)
    assert replay(folder).difference is None


GARBAGE: list[Any] = [
    b"",
    b"<html>Sorry</html>",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    [],
    None,
    {"reply": {"parts": "no"}},
    {"reply": {"parts": [{"text": 5}]}},
    {"reply": {"parts": [{"text": "\ud800 [[candidate_id:x]]"}]}, "cards": 5, "order": None},
    {
        "reply": {"parts": []},
        "cards": [{"sku": {"a": 1}}],
        "order": None,
        "nothing": 0,
        "tools": [],
    },
    {"reply": {"parts": []}, "cards": [], "order": {"sku": True}, "nothing": 0, "tools": []},
    {"reply": {"parts": []}, "cards": [{"sku": 10**50}], "order": None},
    {"reply": {"parts": []}, "cards": [], "order": None, "nothing": 0, "tools": [1]},
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_is_the_agents_fault_and_the_run_goes_on(
    garbage: Any, shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    def answer(number: int, _: Any) -> Any:
        return shop.says("Hm?") if number == 1 else b"null" if garbage is None else garbage

    shop.raw = answer
    with serving(shop) as address:
        plan = plan_of(task_file, agent=write_yaml(tmp_path, address), conditions=("mixed",))
        folder = play(plan, tmp_path / "run", in_flight=1)
    trials = list(folder.trials())
    assert [trial.fault for trial in trials] == [Fault.AGENT] * 3
    assert [trial.score.ending for trial in trials] == [Ending.ERROR] * 3
    assert replay(folder).difference is None


def test_ids_that_nobody_knows_are_typed(
    shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    odd = "SKU-no such ]] film\n[[candidate_id:1]]"
    calls = [{"name": "x" * 999, "input": {"deep": "\ud800"}, "output": None}] * 400

    def answer(_: int, visit: Any) -> Any:
        visit.proposed.append("x")
        order = {"sku": "17"} if len(visit.proposed) > 1 else None
        card = {"sku": odd}
        return shop.says("This?", cards=[card], order=order, tools=calls)

    shop.raw = answer
    with serving(shop) as address:
        plan = plan_of(task_file, agent=write_yaml(tmp_path, address), conditions=("mixed",))
        folder = play(plan, tmp_path / "run")
    for trial in folder.trials():
        events = trial.transcript.events
        [verdict] = [e for e in events if type(e).__name__ == "Verdict"]
        assert verdict.accepted is None
        assert verdict.others == ()
        assert verdict.item_id == "unknown:SKU-no_such_film_candidate_id:1_"
        assert trial.score.recommended == "unknown:17"
        assert trial.score.failure is not None
        assert trial.score.failure.value in ("unknown_item", "not_abstained")
        told = [e for e in events if isinstance(e, ForeignCall)]
        assert len(told) == 300
        assert [e.left_off for e in told if e.left_off] == [250, 250]
        assert len(told[0].name) == 200
    assert replay(folder).difference is None


@pytest.mark.parametrize(("trials", "times"), [(1, 1), (4, 2)])
def test_ids_that_are_all_unknown_are_told_and_end_nothing(
    trials: int, times: int, shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    """At the end of a run, and of a longer one also after five trials."""

    def answer(number: int, visit: Any) -> Any:
        card = {"sku": f"SKU-P{number}"}
        visit.proposed.append("x")
        return shop.says("This?", cards=[card], order=card if len(visit.proposed) > 1 else None)

    shop.raw = answer
    told: list[str] = []
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address)
        plan = plan_of(task_file, agent=agent, conditions=("mixed",), trials=trials)
        folder = RunFolder(tmp_path / "run")
        casting = lines.casting_of(plan, None)
        run_lasting(plan, folder, casting, bounds=Bounds(max_samples=1), tell=told.append)
    assert len(list(folder.trials())) == plan.count
    assert len(told) == times
    # Every answer showed an id of its own: two a trial.
    assert told[-1] == (
        f"{agent}: none of the {2 * plan.count} ids that the agent showed is of the catalogue "
        "(for instance 'SKU-P1'): check ids"
    )
    assert told[0].startswith(f"{agent}: none of the {min(10, 2 * plan.count)} ids")


def test_one_id_that_is_known_is_enough_to_say_nothing(
    shop: DeployedShop, task_file: str, tmp_path: Path
) -> None:
    told: list[str] = []
    with serving(shop) as address:
        plan = plan_of(task_file, agent=write_yaml(tmp_path, address), conditions=("mixed",))
        run_lasting(
            plan, RunFolder(tmp_path / "run"), lines.casting_of(plan, None), tell=told.append
        )
    assert told == []


def test_a_map_in_a_file(shop: DeployedShop, task_file: str, tmp_path: Path) -> None:
    catalogue = load_shelf("films", 16_852).catalogue
    (tmp_path / "map.json").write_text(
        json.dumps({f"SKU-{item_id}": item_id for item_id in catalogue.ids}), encoding="utf-8"
    )
    with serving(shop) as address:
        agent = write_yaml(tmp_path, address, ids="{file: map.json}")
        plan = plan_of(task_file, agent=agent, conditions=("mixed",))
        folder = play(plan, tmp_path / "run")
        assert {trial.score.success for trial in folder.trials()} == {True}
        (tmp_path / "map.json").write_text('{"SKU-1": "nothing we have"}', encoding="utf-8")
        with pytest.raises(InputError, match="leads to no item of the catalogue"):
            play(plan, tmp_path / "other")


def test_a_missing_variable_is_named_before_the_run(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_KEY")
    agent = write_yaml(tmp_path, "http://127.0.0.1:9")
    with pytest.raises(InputError, match="variable 'SHOP_KEY' is not set"):
        plan_of(task_file, agent=agent)


def test_nobody_there_stops_the_run(task_file: str, tmp_path: Path) -> None:
    agent = write_yaml(tmp_path, "http://127.0.0.1:9", timeout="1\ntries: 1")
    plan = plan_of(task_file, agent=agent)
    with pytest.raises(RunStopped, match="cannot be reached"):
        play(plan, tmp_path / "run")
    assert list(RunFolder(tmp_path / "run").trials()) == []
