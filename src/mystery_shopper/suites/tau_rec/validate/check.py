"""A task set checked from scratch: every property that the generator promises, by a second road."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import Any

from mystery_shopper.catalog import Catalogue
from mystery_shopper.suites.tau_rec.task import TaskSet, canary_for
from mystery_shopper.suites.tau_rec.validate.families import check_family
from mystery_shopper.suites.tau_rec.validate.form import Frame, family_problems, set_problems
from mystery_shopper.suites.tau_rec.validate.items import Items
from mystery_shopper.suites.tau_rec.validate.quotas import check_set, figures_of, is_full, lacking
from mystery_shopper.suites.tau_rec.validate.report import CheckReport, Ledger, Property


def check_task_set(task_set: TaskSet, catalogue: Catalogue) -> CheckReport:
    """Every property of the set and of each family over this catalogue, evaluated anew. An
    imported set is held to what any set must be, not to what our generator promises.

    Nothing is raised for a broken set: what is wrong is in the report. A family that is not well
    formed is reported as such and not evaluated further; the set's own numbers are then not
    evaluated either.
    """
    ledger = Ledger()
    _check_origin(task_set, catalogue, ledger)
    items = Items(catalogue)
    frame = Frame(task_set.catalogue.sizes, catalogue.domain)
    sound = True
    for family in task_set.families:
        ledger.expect(bool(family.predicates), family.id, Property.CRITERIA, "there is none")
        problems = family_problems(family, frame) if family.predicates else []
        ledger.expect(not problems, family.id, Property.FORM, "; ".join(problems))
        if family.predicates and not problems:
            check_family(items, family, ledger)
        else:
            sound = False
    if sound and not task_set.source:
        check_set(task_set, items, ledger)
    return CheckReport(
        task_set.name,
        dict(ledger.checked),
        figures_of(task_set) if sound else {"families": len(task_set.families)},
        tuple(ledger.violations),
        tuple(_notes(task_set, items, ledger)) if sound else (),
    )


def _notes(task_set: TaskSet, items: Items, ledger: Ledger) -> Iterator[str]:
    """What is not held against this set, and why."""
    if task_set.source:
        names = [name.value for name in Property if name not in ledger.checked]
        yield f"The set was imported from {task_set.source}; not checked: {'; '.join(names)}."
        return
    if not is_full(task_set):
        short = "; ".join(lacking(task_set, items)) or "nothing"
        yield f"This is no full set: its numbers are only reported. A full one has more: {short}."
    if not items.formats:
        yield "The catalogue says nothing of formats, so no family asks for one."
    if items.catalogue.domain.personas is None:
        yield "The domain gives no personas, so no family needs one."


def answer_sizes(task_set: TaskSet, catalogue: Catalogue) -> dict[int, float]:
    """Nested size -> the median number of items that meet every predicate, satisfiable families
    only, counted anew. NaN where no family is satisfiable."""
    items = Items(catalogue)
    answers = [items.matching(f.predicates) for f in task_set.families if f.satisfiable]
    return {
        size: float(median((found & nested).bit_count() for found in answers))
        if answers
        else math.nan
        for size, nested in items.nested.items()
    }


def _check_origin(task_set: TaskSet, catalogue: Catalogue, ledger: Ledger) -> None:
    named = task_set.catalogue
    for what, said, found in (
        ("digest", named.digest, catalogue.digest),
        ("name", named.name, catalogue.name),
        ("sizes", list(named.sizes), list(catalogue.sizes)),
    ):
        ledger.expect(said == found, "", Property.CATALOGUE, f"{what} {found}, not {said}")
    canary = canary_for(task_set.name, task_set.origin.seed)
    ledger.expect(
        task_set.canary == canary, "", Property.CANARY, f"{task_set.canary}, not {canary}"
    )
    fields: dict[str, Any] = {
        "schema": task_set.schema,
        "name": task_set.name,
        "catalogue": task_set.catalogue,
        "panel": task_set.panel,
        "reliability": task_set.reliability,
    }
    problems = set_problems(fields, [family.id for family in task_set.families])
    if not task_set.families:
        problems.append("there is no family")
    ledger.expect(not problems, "", Property.FORM, "; ".join(problems))
