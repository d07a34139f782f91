"""What an agent of recbench sees before it has answered, by every way out, names nothing of what
answers the query or of how the query is made: no item of either truth, not the value that it only
implies, not that its claim is false, not its kind."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from tests.suites.recbench.independent import fold

from mystery_shopper.agents import HumanAgent
from mystery_shopper.agents.wire import request_of
from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, View, rollout
from mystery_shopper.engine import Wishes, make_plan
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.serving import plan_served
from mystery_shopper.engine.serving.table import Table
from mystery_shopper.engine.suites.recbench import RecBenchScene
from mystery_shopper.suites.recbench.query import Given, Query

KINDS = re.compile(r"explicit|implicit|misinformed|demographic|ground truth|recbench", re.I)
CORRECTS = re.compile(
    r"\b(wrong|mistaken|incorrect|false|untrue|actually)\b|\bnot\b(?! (too|only|sure))"
    r"|(is|are|was|were|has|had|did|does)n['’]t\b",
    re.I,
)
PROBES = (
    ("get_history", {}),
    ("search", {}),
    ("search", {"keywords": "the", "page": 2}),
    ("search", {"genre": "No Such"}),
    ("search", {"page": 0}),
    ("search", {"truth": True}),
    ("get_metadata", {"item_id": "tt0113277"}),
    ("get_metadata", {"item_id": "no such"}),
    ("get_metadata", {}),
    ("reveal", {}),
)


@pytest.fixture(scope="module")
def scene() -> RecBenchScene:
    made = scene_of(make_plan(Wishes(agent="null", suite="recbench", history=True)))
    assert isinstance(made, RecBenchScene)
    return made


@pytest.fixture(scope="module")
def some(scene: RecBenchScene) -> list[Query]:
    """Twelve queries of each kind."""
    by_kind: dict[str, list[Query]] = {}
    for query in scene.tasks.queries:
        by_kind.setdefault(query.kind.value, []).append(query)
    draw = random.Random(11)
    return [query for queries in by_kind.values() for query in draw.sample(queries, 12)]


def words(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", fold(text)), ""])


def check_words(scene: RecBenchScene, query: Query, text: str) -> None:
    """What is said to the agent; its first paragraph is the request."""
    request, _, told = text.partition("\n\n")
    assert request == query.text
    truths, titles = {*query.own, *query.matching}, scene.shelf.title_of
    assert not [item for item in truths if item in text], query.id
    quoted = {one.strip(",.;!?") for one in re.findall(r'"([^"]+)"', request)}
    assert not quoted & {titles[item] for item in truths}, query.id
    handed = {line.removeprefix("- ") for line in told.splitlines()[1:]}
    hidden = {scene.shelf.dated(item) for item in (*truths, *query.named)}
    assert not handed & hidden, query.id
    assert not KINDS.search(request), query.id
    for part in query.parts:
        if part.given is Given.REFERENCE:
            assert words(part.value) not in words(request), query.id
        if part.given is Given.CLAIM:
            assert words(part.value) in words(request), query.id
            sentences = re.split(r"[.!?]", re.sub(r'"[^"]+"', "§", request))
            assert not [one for one in sentences if "§" in one and CORRECTS.search(one)], query.id


def test_the_request_and_the_history_of_every_query(scene: RecBenchScene) -> None:
    told: set[tuple[str, str]] = set()
    for query in scene.tasks.queries:
        episode = scene.episode(query.id)
        (said,) = episode.open()
        check_words(scene, query, said.text)
        tools = {name: (t.spec.description, t.spec.schema) for name, t in episode.tools().items()}
        told.add((episode.instructions, json.dumps(tools)))
        assert not set(scene.history(query.id)) & query.withheld
    # The rules and the tools tell one query from another by nothing.
    assert len(told) == 1


@dataclass
class Prober:
    """Calls everything, rightly and wrongly, then gives no answer. `bodies`: what a server would
    have been sent, without the messages."""

    results: list[str] = field(default_factory=list[str])
    bodies: set[str] = field(default_factory=set[str])

    def act(self, view: View) -> Act:
        body = request_of(view, "trial")
        messages = body.pop("messages")
        body.pop("new")
        self.bodies.add(json.dumps(body))
        self.results = [one["text"] for one in messages if one["role"] == "tool"]
        if not self.results:
            return CallTools(tuple(ToolCall(name, given) for name, given in PROBES))
        return Say('{"recommendations": [], "concerns": []}')


def test_tools_and_errors_are_the_same_whatever_was_asked(
    scene: RecBenchScene, some: list[Query]
) -> None:
    seen: set[tuple[str, ...]] = set()
    bodies: set[str] = set()
    for query in some:
        agent = Prober()
        rollout(scene.episode(query.id), agent)
        history, *others = agent.results
        assert len(others) == len(PROBES) - 1
        rows = json.loads(history)["history"]
        assert [row["item_id"] for row in rows] == list(scene.history(query.id))
        seen.add(tuple(others))
        bodies |= agent.bodies
    assert len(seen) == len(bodies) == 1


@dataclass
class Paper:
    """A terminal on paper; the person asks for help and the rules, calls a tool, and answers."""

    shown: list[str] = field(default_factory=list[str])
    lines: Iterator[str] = field(
        default_factory=lambda: iter(["/help", "/rules", "/nonsense", "/get_history", "none", ""])
    )

    def show(self, message: Message) -> None:
        self.shown.append(message.text)

    def tell(self, text: str) -> None:
        self.shown.append(text)

    def ask(self) -> str:
        return next(self.lines)


def test_a_person_is_told_no_more(scene: RecBenchScene, some: list[Query]) -> None:
    remarks: set[str] = set()
    for query in some:
        paper = Paper()
        rollout(scene.episode(query.id), HumanAgent(paper))
        helped, words_of, *others, history = paper.shown
        check_words(scene, query, words_of)
        rows = json.loads(history)["history"]
        assert not {row["item_id"] for row in rows} & query.withheld
        remarks.add("\n".join((helped, *others)))
    assert len(remarks) == 1
    assert not KINDS.search(remarks.pop())


def test_an_mcp_client_is_told_no_more(scene: RecBenchScene, some: list[Query]) -> None:
    told: set[str] = set()
    for query in some[::4]:
        wishes = Wishes(suite="recbench", agent="", only=(query.id,), history=True)
        table = Table(plan_served(wishes), scene, lambda *_: None)
        table.open()
        start, _, opening = table.start().texts[0].partition("first words are:\n\n")
        check_words(scene, query, opening)
        specs = [(one.name, one.description, one.schema) for one in table.specs()]
        answers = [table.call(name, given).result(5) for name, given in (*PROBES, ("say", {}))]
        assert not [item for item in query.withheld if item in answers[0].texts[0]], query.id
        last = table.call("say", {"text": "none"}).result(5)
        others = [one.texts for one in answers[1:]]
        told.add(json.dumps([start, specs, others, last.texts]))
        table.leave()
    assert len(told) == 1
    assert not KINDS.search(told.pop())
