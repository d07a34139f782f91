"""A small task set over the films, and plans of runs over it."""

from __future__ import annotations

from functools import cache, reduce
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.catalog.bits import positions_of
from mystery_shopper.dialogue import Say
from mystery_shopper.engine import RunFolder, RunPlan, Trial, Wishes, make_plan
from mystery_shopper.engine.loading import load_part
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.suites import Scene, suite_of
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.task import (
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Reveal,
    TaskSet,
    Tier,
    canary_for,
)
from mystery_shopper.suites.tau_rec.taskfile import save_task_set
from mystery_shopper.testing import ScriptedAgent

NAME = "tau_rec/few-films@1"
STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN


def _family(name: str, *predicates: Predicate, satisfiable: bool = True) -> Family:
    films = load_films()
    masks = [predicate.mask(films) for predicate in predicates]
    ranks = films.nesting[positions_of(reduce(lambda one, other: one & other, masks))]
    rest = len(predicates) - 1
    return Family(
        id=name,
        tier=Tier.SIMPLE if rest == 1 else Tier.MEDIUM,
        template=tuple(predicate.field for predicate in predicates),
        predicates=predicates,
        reveals={
            Condition.VOLUNTEER: (STATED,) * (rest + 1),
            Condition.MIXED: (STATED,) + (ON_ASK,) * rest,
            Condition.HIDDEN: (STATED,) + (ON_ASK,) * (rest - 1) + (HIDDEN,),
        },
        formats=("DVD", "download"),
        history=(),
        satisfiable=satisfiable,
        persona="A tester.",
        answers={size: int((ranks < size).sum()) for size in films.sizes},
    )


@cache
def few_films() -> TaskSet:
    """Three families: two requirements, three of them, and one that nothing meets."""
    films = load_films()
    p = Predicate
    return TaskSet(
        schema=1,
        name=NAME,
        canary=canary_for(NAME, 1),
        catalogue=CatalogueRef("films", films.digest, films.sizes),
        origin=Origin(1, 1, {}),
        families=(
            _family(
                "f001",
                p("genre", Operator.CONTAINS, "Horror"),
                p("country", Operator.WITHIN, "Spain"),
            ),
            _family(
                "f002",
                p("language", Operator.WITHIN, "French"),
                p("year", Operator.AT_LEAST, 1990),
                p("year", Operator.AT_MOST, 2005),
            ),
            _family(
                "f003",
                p("year", Operator.AT_MOST, 1935),
                p("genre", Operator.CONTAINS, "Western"),
                p("country", Operator.WITHIN, "Iceland"),
                satisfiable=False,
            ),
        ),
        panel=("f001", "f002"),
        reliability=("f002",),
    )


def write_tasks(folder: Path, **changes: Any) -> str:
    """The set in a file; gives its path as a task set's name."""
    path = folder / "tasks.json"
    save_task_set(msgspec.structs.replace(few_films(), **changes), path)
    return str(path)


def plan_of(task_file: str, **wishes: Any) -> RunPlan:
    wishes.setdefault("agent", "oracle")
    return make_plan(Wishes(task_set=task_file, **wishes))


def scene_over(plan: RunPlan, tasks: TaskSet | None = None) -> Scene:
    """The plan's scene with the few families, or with these."""
    whole = load_part(plan.source, plan.size)
    return suite_of(plan.suite).scene(plan, tasks or few_films(), whole)


def player(plan: RunPlan, factory: Any = None) -> Player:
    return Player(plan, scene_over(plan), factory)


def some_trials(plan: RunPlan, count: int = 3) -> list[Trial]:
    one = player(plan)
    return [one.play(planned)[0] for planned in list(plan.planned())[:count]]


def always(*acts: Any) -> Any:
    """A factory of agents that play these acts."""
    return lambda *_: ScriptedAgent(acts, Say("Hm."))


def lines(folder: RunFolder) -> list[bytes]:
    return folder.trials_file.read_bytes().splitlines(keepends=True)
