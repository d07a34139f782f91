"""Whether two runs can be compared: the same tasks for both, and at most one factor apart."""

from __future__ import annotations

from collections.abc import Mapping

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing.terms import terms_of
from mystery_shopper.report.disclosure.settings import setting_of
from mystery_shopper.report.words import plain

FACTORS = {
    "tau_rec": (
        "agent", "user", "interface", "catalogue size", "prompt", "tool line", "condition",
    ),
    "recbench": (
        "agent", "interface", "history", "items asked for", "catalogue size", "type of query",
    ),
}  # fmt: skip
"""What a comparison may be about, by suite. Everything else has to be the same."""


def factors(plan: RunPlan) -> Mapping[str, str]:
    """The factors of a run, by name."""
    made, conditions = setting_of(plan), ", ".join(plan.conditions)
    found = {
        "agent": made.agent,
        "user": made.user,
        "interface": made.interface,
        "catalogue size": str(made.size),
        "prompt": made.prompt,
        "tool line": made.tool_line,
        "condition": conditions,
        "history": "handed over" if plan.history else "not handed over",
        "items asked for": str(plan.k or "any number"),
        "type of query": conditions,
    }
    return {name: found[name] for name in FACTORS[plan.suite]}


def contrasted(base: RunPlan, candidate: RunPlan) -> str:
    """The one factor in which two runs differ, or an empty string where they differ in none (two
    versions of one agent). Raises InputError where they differ in more, or in what is no factor,
    and for runs of two suites."""
    if base.suite != candidate.suite:
        raise InputError(
            f"one is a run of {plain(base.suite)}, the other of {plain(candidate.suite)}",
            where="a comparison holds runs of one suite",
            remedy="Compare runs over the same tasks.",
        )
    fixed = [
        f"{what}: {plain(str(ours), 60)} and {plain(str(theirs), 60)}"
        for what, ours, theirs in (
            ("task set", base.task_set_digest[:12], candidate.task_set_digest[:12]),
            ("catalogue", base.source, candidate.source),
            ("rules as in the paper", base.as_paper, candidate.as_paper),
        )
        if ours != theirs
    ]
    if base.size == candidate.size and base.catalogue_digest != candidate.catalogue_digest:
        fixed.append(
            f"catalogue's content: {base.catalogue_digest[:12]} and "
            f"{candidate.catalogue_digest[:12]}"
        )
    ours, theirs = factors(base), factors(candidate)
    moved = [name for name, mine in ours.items() if mine != theirs[name]]
    # A subset of conditions is no contrast: what both have is compared.
    if set(base.conditions) & set(candidate.conditions):
        moved = [name for name in moved if name != terms_of(base.suite).condition]
    if not fixed and len(moved) < 2:
        return moved[0] if moved else ""
    told = [f"{name}: {plain(ours[name], 60)} and {plain(theirs[name], 60)}" for name in moved]
    raise InputError(
        [*fixed, *told],
        where="the two runs differ in more than one thing",
        remedy="Compare runs over the same tasks and catalogue that differ in one factor: "
        f"{', '.join(ours)}.",
    )
