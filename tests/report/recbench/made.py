"""Query sets, trials and run folders of the suite, made up for the report's tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    Event,
    Fault,
    ToolCalled,
    ToolReturned,
    Transcript,
    UserSaid,
)
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.recbench.grounds import Ground, grounds
from mystery_shopper.report.recbench.played import Played, read_played
from mystery_shopper.suites.recbench.metrics import Recommended, Shelf, Truth, scored
from mystery_shopper.suites.recbench.query import (
    SCHEMA,
    Given,
    GraphRef,
    HistoriesRef,
    Kind,
    Origin,
    Part,
    Person,
    Profile,
    Query,
    QuerySet,
    Style,
    canary_for,
)
from mystery_shopper.suites.recbench.score import FIVE, Failure, Figures, Pick, RecBenchScore

ITEMS = [f"i{n:03}" for n in range(400)]
TITLES = {item: f"Film No {n}" for n, item in enumerate(ITEMS)}
USERS = 40
GRAPH = ItemGraph.of_triples(
    (item, "genre", value)
    for n, item in enumerate(ITEMS)
    for value in (f"Genre {n % 7}", f"Genre {n % 11 + 7}")
)
KNOWN = Shelf(np.array([1.0 + 7 * n % 300 for n in range(len(ITEMS))]), 600, GRAPH)
GENDERS = ("Female", "Male")
AGES = ("18-24", "25-34", "50-55", "56+")
JOBS = ("artist", "sales/marketing", "writer")


def query(number: int, kind: Kind, width: int, seed: int = 0) -> Query:
    """A query of a kind: 2 to 4 items of the user's own, and some more that match."""
    source = random.Random(f"{seed}-{kind.value}-{number}")
    taken = source.sample(ITEMS, source.randint(4, 9))
    own, named = taken[: source.randint(2, 3)], taken[-1:]
    parts: list[Part] = []
    for place in range(width):
        given = Given.STATED
        if place == 0 and kind is Kind.IMPLICIT:
            given = Given.REFERENCE
        elif place == 0 and kind is Kind.MISINFORMED:
            given = Given.CLAIM
        through = tuple(named) if given is not Given.STATED else ()
        parts.append(Part("genre", f"Genre {number % 7}-{place}", given, through))
    profile = None
    if kind.is_profile:
        group = {}
        if kind is Kind.DEMOGRAPHICS:
            group = {"gender": GENDERS[number % 2], "age": AGES[number % 4]}
            if number % 3:
                group["occupation"] = JOBS[number % 3]
        listed = tuple(taken[:-1])
        profile = Profile(5 + number % 23, listed, "They share a mood.", group=group)
    return Query(
        id=f"{kind.value}-{width}-{number:03}",
        kind=kind,
        user=f"u{source.randrange(USERS):02}",
        own=tuple(own),
        matching=tuple(taken[:-1]),
        style=Style.DIRECT,
        text=f"I would like films of the {number}th kind, please <b>now</b>.",
        parts=tuple(parts),
        named=() if kind.is_profile else tuple(named),
        profile=profile,
    )


@lru_cache(maxsize=4)
def make_set(
    each: int = 20, name: str = "recbench/toys@1", *, synthetic: bool = True, seed: int = 0
) -> QuerySet:
    """A set with so many queries in each cell."""
    queries = [
        query(number, kind, width, seed)
        for kind in Kind
        for width in ((0,) if kind.is_profile else (1, 2, 3))
        for number in range(each)
    ]
    people = {
        f"u{n:02}": Person(tuple(ITEMS[n * 9 : n * 9 + 12]), GENDERS[n % 2]) for n in range(USERS)
    }
    return QuerySet(
        SCHEMA,
        name,
        canary_for(name, 1),
        GraphRef("toys", "d" * 64, len(ITEMS), ("director", "genre")),
        HistoriesRef("made for a test", "h" * 64, USERS, 480, synthetic),
        Origin(1, 1, irreducible=True, widest=200, sequence_users=5, group_users=5),
        people,
        tuple(queries),
    )


Skill = Callable[[Query], float]
"""How likely each recommended item is a right one."""


def even(query: Query) -> float:
    """As good at everything."""
    del query
    return 0.6


def graded(query: Query) -> float:
    """Explicit before implicit before misinformed, as the paper saw."""
    easy = {Kind.EXPLICIT: 0.95, Kind.IMPLICIT: 0.5, Kind.MISINFORMED: 0.15}
    return easy.get(query.kind, 0.5)


def make_plan(made: QuerySet, **changes: Any) -> RunPlan:
    """A plan over every query of the set."""
    plan = RunPlan(
        schema=1,
        version="0.1.0",
        suite="recbench",
        task_set=made.name,
        task_set_digest=made.digest,
        canary=made.canary,
        source="toys",
        size=len(ITEMS),
        catalogue_digest="c" * 64,
        agent="graph",
        user="rule-based",
        interface="tools",
        prompt="base",
        prompts_version=1,
        tool_line="own",
        instructions="e" * 64,
        conditions=tuple(kind.value for kind in Kind),
        block="all",
        tasks=tuple(one.id for one in made.queries),
        trials=1,
        seed=7,
    )
    return msgspec.structs.replace(plan, **changes)


def make_score(
    one: Query, items: Sequence[str], *, names: bool | None = None, history: Sequence[str] = ()
) -> RecBenchScore:
    """The score of an answer that recommends these items, by the suite's own figures; an item that
    is none of `ITEMS` is an unknown title."""
    at = {item: place for place, item in enumerate(ITEMS)}
    place_of = lambda ids: frozenset(at[item] for item in ids)  # noqa: E731
    truth = Truth(
        one.id, one.user, place_of(one.own), place_of(one.matching),
        None if one.kind.is_profile else place_of((*one.matching, *one.named)),
        place_of(one.named), tuple(at[item] for item in history if item in at),
        one.kind is Kind.MISINFORMED,
    )  # fmt: skip
    answer = Recommended(tuple(at.get(item, -1) for item in items), names)
    free, five = (Figures.of(scored(truth, answer, KNOWN, most)) for most in (None, FIVE))
    picks = tuple(
        Pick(TITLES.get(item, item), item if item in at else None,
             "known" if item in at else "unknown", item in one.named)
        for item in items
    )  # fmt: skip
    fit = free.precision_all if one.kind.is_profile else free.cmr
    success = fit == 1.0
    failure = None
    if not items:
        failure = Failure.NO_RECOMMENDATION
    elif not success:
        failure = Failure.OFF_LIST if one.kind.is_profile else Failure.OFF_CONDITION
    return RecBenchScore(
        success, Ending.FINISHED, failure, free, five, picks, refused=not items, turns=1, calls=1,
        tool_errors=0,
    )  # fmt: skip


def make_trial(
    one: Query,
    plan: RunPlan,
    number: int = 0,
    *,
    items: Sequence[str] = (),
    names: bool | None = None,
    fault: Fault | None = None,
    words: str = "",
    history: Sequence[str] = (),
) -> Trial:
    """One trial of a query."""
    score = make_score(one, items, names=names, history=history)
    told = words or "\n".join(f"{n}. {TITLES.get(i, i)}" for n, i in enumerate(items, 1)) or "None."
    events: list[Event] = [
        UserSaid(one.text),
        ToolCalled("c1", "search", {"query": "films"}),
        ToolReturned("c1", "search", '{"items": []}'),
        AgentSaid(told),
        Ended(Ending.FINISHED),
    ]
    if fault is not None:
        events = [UserSaid(one.text), Ended(Ending.ERROR, fault=fault, detail="503 Overloaded")]
        score = msgspec.structs.replace(
            make_score(one, ()), ending=Ending.ERROR, failure=Failure.ERROR, success=False
        )
    kind, _, width = one.cell.partition("/")
    return Trial(
        schema=1,
        task=one.id,
        family=one.user,
        condition=kind,
        tier=width,
        template=(),
        satisfiable=True,
        number=number,
        agent=plan.agent,
        user=plan.user,
        seed=plan.seed_for(one.id, number, "trial"),
        canary=plan.canary,
        attempts=1,
        fault=fault,
        score=score,
        transcript=Transcript(tuple(events)),
    )


def make_trials(
    made: QuerySet,
    plan: RunPlan,
    skill: Skill = even,
    seed: int = 0,
    *,
    faults: float = 0.0,
    silent: float = 0.05,
) -> list[Trial]:
    """A trial for each planned one: items right by the skill, now and then none, and faults."""
    source = random.Random(seed)
    trials: list[Trial] = []
    for planned in plan.planned():
        one = made.by_id[planned.task]
        if source.random() < faults:
            fault = source.choice([Fault.INFRASTRUCTURE, Fault.AGENT])
            trials.append(make_trial(one, plan, planned.number, fault=fault))
            continue
        quiet = silent * (5 if one.kind is Kind.MISINFORMED else 1)
        items: list[str] = []
        if source.random() >= quiet:
            wrong = [item for item in ITEMS if item not in one.matching]
            right = list(one.matching)
            source.shuffle(right)
            for _ in range(min(source.randint(3, 7), len(right))):
                items.append(right.pop() if right and source.random() < skill(one)
                             else source.choice([*wrong, "A Film That Nobody Made"]))  # fmt: skip
        names = source.random() < 0.3 if one.kind is Kind.MISINFORMED else None
        history = made.history(one) if plan.history else ()
        trials.append(
            make_trial(
                one, plan, planned.number,
                items=list(dict.fromkeys(items)), names=names, history=history,
            )
        )  # fmt: skip
    return trials


def make_run(
    made: QuerySet, name: str = "run", skill: Skill = even, seed: int = 0, **changes: Any
) -> Played:
    """A run as the report reads it."""
    plan = make_plan(made, **changes)
    return read_played(name, plan, make_trials(made, plan, skill, seed), query_set=made)


def ground_of(*runs: Played) -> Ground:
    """The one ground on which runs stand."""
    (found,) = grounds(runs)
    return found


def make_folder(path: Path, plan: RunPlan, trials: Iterable[Trial]) -> RunFolder:
    """A run folder with these trials and timings."""
    folder = RunFolder(path)
    path.mkdir(parents=True)
    folder.begin(plan)
    played = list(trials)
    timings = [
        Timing(one.key, (0.25 + n % 7 / 10,), {"agent": Usage(1, 900, 0, 120, 0.002)},
               turns=(0.25 + n % 7 / 10,))
        for n, one in enumerate(played)
    ]  # fmt: skip
    folder.append(played, timings)
    return folder
