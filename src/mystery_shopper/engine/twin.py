"""The twin of a run: the same recipe on freshly drawn families, or on queries of fresh users.

An agent that has memorised the published tasks does better on them than on their twin; one that
works its answers out does equally well on both.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from mystery_shopper.engine.loading import folder_of, load_book, load_catalogue
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import TaskBook, suite_of
from mystery_shopper.engine.suites.recbench import graph_in, shelf_over
from mystery_shopper.foundation import InputError, write_whole
from mystery_shopper.sources.histories import open_histories
from mystery_shopper.suites.recbench.draw import DrawOptions, Progress, silent
from mystery_shopper.suites.recbench.generating import generate_queries
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import Kind, QuerySet
from mystery_shopper.suites.tau_rec.generate import draw_tasks
from mystery_shopper.suites.tau_rec.task import TaskSet

WHERE = "--twin"
_RECBENCH_REMEDY = (
    "Draw a set from another part of your histories (generate recbench), and run it by --task-set."
)


def twin_folder(out: Path, seed: int) -> Path:
    """Where the twin of a run at `out` stands: beside it."""
    return out.with_name(f"{out.name}-twin-{seed}")


def twin_plan(plan: RunPlan, seed: int, out: Path, progress: Progress = silent) -> RunPlan:
    """The plan of the twin of a run at `out`, whose task set is written beside it, or found there.

    The tasks are drawn by the run's own recipe (catalogue, number of tasks, rules of the generator)
    from another seed, as `progress` hears; block, conditions, trials and all else stay. Raises
    InputError for a run over single tasks, for a set without such a recipe, and for the seed that
    the run's own set came from.
    """
    suite, own = suite_of(plan.suite), load_book(plan.suite, plan.task_set)
    drawn: TaskBook
    if isinstance(own, QuerySet):
        _check_queries(plan, own, seed)
        _check_whole(plan, own)
        drawn = _draw_queries(own, plan.source, seed, progress)
    else:
        assert isinstance(own, TaskSet)
        _check_families(plan, own, seed)
        _check_whole(plan, own)
        drawn = _draw_families(own, plan.source, seed, progress)
    place, raw = twin_folder(out, seed).with_suffix(".tasks.json"), suite.tasks_bytes(drawn)
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, raw)
    elif place.read_bytes() != raw:
        raise InputError(
            "the file holds other tasks than the twin's",
            where=str(place),
            remedy="Remove it, or choose another --out.",
        )
    return msgspec.structs.replace(
        plan,
        task_set=str(place),
        task_set_digest=drawn.digest,
        canary=drawn.canary,
        tasks=suite.choose(drawn, plan.block, plan.conditions),
    )


def _name(own: TaskBook, seed: int) -> str:
    stem, _, version = own.name.partition("@")
    return f"{stem}-twin{seed}@{version or 1}"


def _draw_families(own: TaskSet, source: str, seed: int, progress: Progress) -> TaskSet:
    """As many families as the run's set has, or as many as another seed can give."""
    name, whole = _name(own, seed), load_catalogue(source)
    told = partial(progress, "Drawing families")
    try:
        drawn = draw_tasks(whole, seed=seed, name=name, families=len(own.families), progress=told)
    except InputError:
        drawn = draw_tasks(whole, seed=seed, name=name, progress=told)
    return drawn.task_set


def _draw_queries(own: QuerySet, source: str, seed: int, progress: Progress) -> QuerySet:
    """As many queries of each cell as the run's set has, as far as users that are made up from the
    seed can give them: of the same users many would be asked again."""
    whole, folder, origin = load_catalogue(source), folder_of(source), own.origin
    progress("Making up users", 0, 0)
    loaded = open_histories(f"synthetic:{seed}", whole)
    if loaded.histories.digest == own.histories.digest:
        raise InputError(
            f"the users of {own.name} were made up from the seed {seed} themselves",
            where=WHERE,
            remedy="Use another seed.",
        )
    cells = {*(query.cell for query in own.queries), *origin.short}
    kinds = {cell.partition("/")[0] for cell in cells}
    options = DrawOptions(
        seed=seed,
        queries=len(own.queries) + sum(origin.short.values()),
        irreducible=origin.irreducible,
        widest=origin.widest,
        sequence_users=origin.sequence_users,
        group_users=origin.group_users,
        kinds=tuple(kind for kind in Kind if kind.value in kinds),
    )
    ground = Ground(shelf_over(whole, None if folder is None else graph_in(folder, whole)))
    name = _name(own, seed)
    return generate_queries(name, ground, loaded, options, progress=progress).query_set


def _check_families(plan: RunPlan, own: TaskSet, seed: int) -> None:
    if own.source:
        raise InputError(
            f"{plan.task_set} was imported from {own.source}, and so has no recipe",
            where=WHERE,
            remedy="Draw tasks from the catalogue: mystery-shopper generate tau_rec.",
        )
    if own.origin.seed == seed:
        raise InputError(
            f"the families of {plan.task_set} came from the seed {seed} themselves",
            where=WHERE,
            remedy="Use another seed.",
        )


def _check_queries(plan: RunPlan, own: QuerySet, seed: int) -> None:
    """A set is drawn anew where all it rests on can be made anew."""
    problem = ""
    if own.source:
        problem = f"{plan.task_set} was imported from {own.source}, and so has no recipe"
    elif not own.histories.synthetic:
        problem = (
            f"{plan.task_set} rests on histories that were lived ({own.histories.source}), and "
            "there are no others of that kind"
        )
    elif own.origin.writer:
        problem = f"{plan.task_set} was worded by {own.origin.writer}, which is asked by `generate`"
    if problem:
        raise InputError(problem, where=WHERE, remedy=_RECBENCH_REMEDY)
    if own.origin.seed == seed:
        raise InputError(
            f"the queries of {plan.task_set} came from the seed {seed} themselves",
            where=WHERE,
            remedy="Use another seed.",
        )


def _check_whole(plan: RunPlan, own: TaskBook) -> None:
    """A twin is of whole blocks."""
    if plan.tasks != suite_of(plan.suite).choose(own, plan.block, plan.conditions):
        raise InputError(
            "single tasks have no twin",
            where="--task",
            remedy="Use --tasks panel, or leave --task out.",
        )
