"""Requests to agents that talk to somebody: over HTTP, deployed, Inspect's; and hostile answers."""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import AgentSaid, Ending, Fault, ForeignCall, ToolCalled
from mystery_shopper.engine import RunFolder, RunPlan, Wishes, make_plan
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.answers.model import MOST_TITLES
from mystery_shopper.suites.recbench.score import Failure
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model, trial_name
from mystery_shopper.engine.lasting.reaching import nobody_there
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.plan import PlannedTrial

from ..requested import catalogue, plan_over, queries, shop
from . import provider
from .test_http import answer, server

assert provider


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("talking") / "shop")


def run(plan: RunPlan, path: Path) -> RunFolder:
    made, model = RunFolder(path), open_model(plan)
    casting, bounds = casting_of(plan, model), Bounds(max_samples=4)
    run_lasting(plan, made, casting, model=model, bounds=bounds, tell=TOLD.append)
    return made


TOLD: list[str] = []


def planned_of(plan: RunPlan, name: str) -> PlannedTrial:
    """The planned trial that an agent knows by this name."""
    return next(
        planned
        for planned in plan.planned()
        if trial_name(planned, plan.seed_for(planned.task, planned.number, "agent"), 1) == name
    )


# --- over HTTP ----------------------------------------------------------------------------------


def test_a_server_calls_the_suites_tools_and_answers(folder: Path, tmp_path: Path) -> None:
    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(handler.body)  # type: ignore[attr-defined]
        assert [t["name"] for t in asked["tools"]] == ["search", "get_metadata", "get_history"]
        last = asked["messages"][-1]
        if last["role"] == "user":
            reply: Any = {"calls": [{"name": "get_history", "arguments": {}}]}
        else:
            [first, *_] = json.loads(last["text"])["history"]
            reply = {"say": json.dumps({"recommendations": [{"id": first["item_id"]}]})}
        answer(handler, json.dumps(reply).encode())

    with server(serve) as address:
        plan = plan_over(folder, address, history=True)
        played = run(plan, tmp_path / "run")
    scene = scene_of(plan)
    for trial in played.trials():
        (pick,) = trial.requested.picks
        assert pick.item_id == scene.history(trial.task)[0]
        assert (trial.score.ending, trial.requested.calls) == (Ending.FINISHED, 1)
    assert replay(played).difference is None


BOMB = "[" * 200_000
HOSTILE = {
    "five megabytes": "Heat (1995)\n" * 420_000,
    "one line": "x" * 5_000_000,
    "lone surrogates": "Alien \ud800 (1979)\n\udfff",
    "brackets": BOMB,
    "braces": '{"recommendations":' * 50_000,
    "deep": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "deep entries": '{"recommendations": ' + "[" * 900 + "]" * 900 + "}",
    "many titles": json.dumps([f"Film {n}" for n in range(100_000)]),
    "many entries": json.dumps({"items": [{"title": "A", "year": n} for n in range(50_000)]}),
    "huge number": '{"recommendations": [{"title": "A", "year": ' + "9" * 4_000 + "}]}",
    "odd numbers": '{"recommendations": [{"id": NaN}, {"id": 1e999}, {"year": -Infinity}]}',
    "stars": "*" * 100_000 + "\n" + "**" * 50_000,
    "quotes": '"' * 100_000,
    "rows": ("| " * 1_000 + "\n") * 1_000,
    "spaces": " " * 1_000_000 + "\n" * 100_000,
    "dashes": ("Heat - " * 20_000),
    "commas": "I recommend " + ", ".join(["Heat"] * 30_000),
    "thoughts": "<think>" * 50_000,
    "nothing": "",
    "controls": "\x00\x1b[2J\u202e\ufeff",
}


def test_hostile_answers_are_read_in_time_and_scored(folder: Path, tmp_path: Path) -> None:
    names = list(HOSTILE)

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(handler.body)  # type: ignore[attr-defined]
        number = planned_of(plan, asked["trial"]).number
        answer(handler, json.dumps({"say": HOSTILE[names[number]]}).encode())

    started = time.monotonic()
    with server(serve) as address:
        plan = plan_over(
            folder,
            address,
            only=(next(iter(queries().by_id)),),
            trials=len(names),
            interface="bare",
        )
        played = run(plan, tmp_path / "run")
    assert time.monotonic() - started < 60
    trials = list(played.trials())
    assert len(trials) == len(names)
    for name, trial in zip(names, trials, strict=True):
        assert len(trial.requested.picks) <= MOST_TITLES, name
        assert trial.fault in (None, Fault.AGENT), name
        assert trial.score.success is False, name
        assert trial.score.failure in (
            Failure.ERROR,
            Failure.NO_RECOMMENDATION,
            Failure.UNKNOWN_TITLE,
            Failure.OFF_CONDITION,
        ), name
    assert replay(played).difference is None


def test_nothing_that_a_server_is_sent_names_the_task(folder: Path, tmp_path: Path) -> None:
    """A task's name tells of what it withholds ("implicit-1-250", "f004-hidden")."""
    sent: list[str] = []

    def serve(handler: BaseHTTPRequestHandler) -> None:
        body = handler.body.decode()  # type: ignore[attr-defined]
        sent.append("\n".join([handler.path, str(handler.headers), body]))
        answer(handler, b'{"say": "Heat (1995)", "text": "Heat (1995)"}')

    with server(serve) as address:
        plan = plan_over(folder, address)
        run(plan, tmp_path / "served")
        deployed = plan_over(folder, write_yaml(tmp_path, address, "{text: text}"))
        run(deployed, tmp_path / "deployed")
    assert len(sent) == 2 * plan.count
    for text in sent:
        assert not [task for task in plan.tasks if task in text]
        assert not [kind for kind in ("implicit", "misinformed", "demographics") if kind in text]
    names = {json.loads(text.splitlines()[-1])["trial"] for text in sent[: plan.count]}
    assert len(names) == plan.count


@pytest.mark.parametrize(
    ("body", "status", "failure"),
    [
        (b"no json", 200, Failure.ERROR),
        (b'{"say": 7}', 200, Failure.ERROR),
        (b"[" * 100_000, 200, Failure.ERROR),
        (b'{"calls": [{"name": "recommend", "arguments": {"item_id": "f001"}}]}', 200, None),
        (b"", 500, Failure.ERROR),
    ],
)
def test_a_servers_faults_are_the_agents(
    body: bytes, status: int, failure: Failure | None, folder: Path, tmp_path: Path
) -> None:
    with server(lambda handler: answer(handler, body, status)) as address:
        played = run(plan_over(folder, address, only=list(queries().by_id)[:2]), tmp_path / "run")
    for trial in played.trials():
        assert trial.score.success is False
        if failure is None:  # It calls a tool that is not there, for ever.
            assert trial.score.failure in (Failure.TURN_CAP, Failure.TOOL_BUDGET)
        else:
            assert (trial.fault, trial.score.failure) == (Fault.AGENT, failure)


# --- deployed -----------------------------------------------------------------------------------

YAML = """
address: {address}
say: {{path: /act, body: {{q: "{{text}}", known: "{{known}}", trial: "{{trial}}"}}}}
answer: {answer}
ids: {{strip_prefix: "SKU-"}}
"""


def write_yaml(path: Path, address: str, form: str) -> str:
    file = path / "agent.yaml"
    base = address.removesuffix("/act")
    file.write_text(YAML.format(address=base, answer=form), encoding="utf-8")
    return str(file)


def test_a_deployed_agents_cards_are_what_it_recommends(folder: Path, tmp_path: Path) -> None:
    bodies: list[Any] = []

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(handler.body)  # type: ignore[attr-defined]
        bodies.append(asked)
        task = planned_of(plan, asked["trial"]).task
        cards = [{"sku": f"SKU-{item}"} for item in queries().by_id[task].own]
        cards.append({"sku": "nobody"} if "misinformed" in task else cards[0])
        tools = [{"name": "sql", "input": {"n": 1}}]
        reply = {"text": "Try “Heat” and [this](x).", "cards": cards, "tools": tools}
        answer(handler, json.dumps(reply).encode())

    with server(serve) as address:
        agent = write_yaml(
            tmp_path, address, '{text: text, shown: "cards[*].sku", calls: {path: "tools[*]", '
            "name: name, arguments: input}}",
        )  # fmt: skip
        plan = plan_over(folder, agent, history=True)
        played = run(plan, tmp_path / "run")
    scene = scene_of(plan)
    for trial in played.trials():
        query, lost = queries().by_id[trial.task], trial.condition == "misinformed"
        ids = [pick.item_id for pick in trial.requested.picks]
        assert ids == [*query.own, *([None] if lost else [])]
        assert trial.score.success is not lost
        assert trial.requested.picks[-1].text == ("unknown:nobody" if lost else query.own[-1])
        assert events_of(trial.transcript, ForeignCall)[0].name == "sql"
        assert not events_of(trial.transcript, ToolCalled)
    known = {planned_of(plan, body["trial"]).task: body["known"] for body in bodies}
    assert {task: [f"SKU-{item}" for item in scene.history(task)] for task in known} == known
    assert replay(played).difference is None


def test_a_deployed_agent_may_answer_by_its_words_alone(folder: Path, tmp_path: Path) -> None:
    titles = catalogue().columns["title"]

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(handler.body)  # type: ignore[attr-defined]
        task = planned_of(plan, asked["trial"]).task
        own = [catalogue().position_of[item] for item in queries().by_id[task].own]
        text = "\n".join(f"{n}. {titles.value(at)}" for n, at in enumerate(own, 1))
        answer(handler, json.dumps({"text": text}).encode())

    with server(serve) as address:
        agent = write_yaml(tmp_path, address, "{text: text}")
        with pytest.raises(InputError, match="name `choice`"):
            make_plan(Wishes(agent))
        plan = plan_over(folder, agent)
        assert nobody_there(plan) == ""
        played = run(plan, tmp_path / "run")
    for trial in played.trials():
        own = queries().by_id[trial.task].own
        assert {pick.item_id for pick in trial.requested.picks} == set(own)
        assert events_of(trial.transcript, AgentSaid)[0].text.startswith("1. ")


def test_that_no_id_is_of_the_catalogue_is_told(folder: Path, tmp_path: Path) -> None:
    def serve(handler: BaseHTTPRequestHandler) -> None:
        answer(handler, b'{"text": "These.", "cards": ["B1", "B2"]}')

    TOLD.clear()
    with server(serve) as address:
        agent = write_yaml(tmp_path, address, '{text: text, shown: "cards[*]"}')
        played = run(plan_over(folder, agent), tmp_path / "run")
    assert "none of the 2 ids that the agent showed is of the catalogue" in "".join(TOLD)
    assert {trial.score.failure for trial in played.trials()} == {Failure.UNKNOWN_TITLE}


# --- Inspect's ----------------------------------------------------------------------------------

OWN = """
from inspect_ai.agent import agent, react


@agent
def reacts(tools):
    return react(prompt=None, tools=tools, submit=False)


@agent
def breaks(tools):
    async def execute(state):
        raise ValueError("no luck")

    return execute
"""


@pytest.mark.parametrize("interface", ["tools", "bare"])
def test_an_inspect_agent_answers_as_its_model_does(
    interface: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_answerers.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    name = "inspect:own_answerers:reacts:scripted/critic"
    theirs = run(plan_over(folder, name, interface=interface), tmp_path / "theirs")
    model = run(plan_over(folder, "model:scripted/critic", interface=interface), tmp_path / "model")
    assert [one.score for one in theirs.trials()] == [one.score for one in model.trials()]
    assert any(trial.requested.calls for trial in theirs.trials()) == (interface == "tools")
    assert replay(theirs).difference is None
    broken = run(plan_over(folder, "inspect:own_answerers:breaks"), tmp_path / "broken")
    assert {trial.fault for trial in broken.trials()} == {Fault.AGENT}
    assert {trial.score.failure for trial in broken.trials()} == {Failure.ERROR}
