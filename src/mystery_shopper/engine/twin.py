"""The twin of a run: the same recipe on freshly drawn families.

An agent that has memorised the published families does better on them than on their twin; one that
works its answers out does equally well on both.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from mystery_shopper.engine.loading import TAU_REC, load_catalogue, load_tasks
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet
from mystery_shopper.suites.tau_rec.taskfile import save_task_set, task_set_bytes


def twin_folder(out: Path, seed: int) -> Path:
    """Where the twin of a run at `out` stands: beside it."""
    return out.with_name(f"{out.name}-twin-{seed}")


def twin_plan(plan: RunPlan, seed: int, out: Path) -> RunPlan:
    """The plan of the twin of a run at `out`, whose task set is written beside it, or found there.

    The families are drawn by the run's own recipe (catalogue, number of families, rules of the
    generator) from another seed; block, conditions, trials and all else stay. Raises InputError
    for a run over single tasks, for an imported task set, which has no recipe, and for the seed
    that the run's own families came from.
    """
    if plan.suite != TAU_REC:
        raise InputError(
            f"runs of {plan.suite} have no twin yet",
            where="--twin",
            remedy="Draw a set from another seed (generate), and run it by --task-set.",
        )
    own = load_tasks(plan.task_set)
    _check(plan, own, seed)
    drawn = _draw(own, plan.source, seed)
    place = twin_folder(out, seed).with_suffix(".tasks.json")
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        save_task_set(drawn, place)
    elif place.read_bytes() != task_set_bytes(drawn):
        raise InputError(
            "the file holds other tasks than the twin's",
            where=str(place),
            remedy="Remove it, or choose another --out.",
        )
    conditions = [Condition(name) for name in plan.conditions]
    return msgspec.structs.replace(
        plan,
        task_set=str(place),
        task_set_digest=drawn.digest,
        canary=drawn.canary,
        tasks=tuple(task.id for task in drawn.select(plan.block, conditions)),
    )


def _draw(own: TaskSet, source: str, seed: int) -> TaskSet:
    """As many families as the run's set has, or as many as another seed can give."""
    stem, _, version = own.name.partition("@")
    name, whole = f"{stem}-twin{seed}@{version or 1}", load_catalogue(source)
    try:
        return generate(whole, seed=seed, name=name, families=len(own.families))
    except InputError:
        return generate(whole, seed=seed, name=name)


def _check(plan: RunPlan, own: TaskSet, seed: int) -> None:
    if own.source:
        raise InputError(
            f"{plan.task_set} was imported from {own.source}, and so has no recipe",
            where="--twin",
            remedy="Draw tasks from the catalogue: mystery-shopper generate tau_rec.",
        )
    if own.origin.seed == seed:
        raise InputError(
            f"the families of {plan.task_set} came from the seed {seed} themselves",
            where="--twin",
            remedy="Use another seed.",
        )
    conditions = [Condition(name) for name in plan.conditions]
    if plan.tasks != tuple(task.id for task in own.select(plan.block, conditions)):
        raise InputError(
            "single tasks have no twin",
            where="--task",
            remedy="Use --tasks panel, or leave --task out.",
        )
