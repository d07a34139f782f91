"""Short names of runs that stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mystery_shopper.engine.plan import RULE_BASED, RunPlan
from mystery_shopper.report.words import plain


def user_of(plan: RunPlan) -> str:
    """The user, and how it was held and asked where it is not rule-based."""
    options = str(plan.user_options or "")
    return f"{plan.user} ({options})" if options else plan.user


def user_part(plan: RunPlan) -> str:
    """The user as a part of a run's label."""
    return plan.user if plan.user == RULE_BASED else f"user {user_of(plan)}"


def unique_labels(parts: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    """A short, unique label a run: the first of its parts, then whatever else differs between the
    runs, then the folder's name, then a number. Every run has as many parts."""
    shown = [tuple(plain(part, 40) for part in each) for each in parts]
    kept = [
        place
        for place in range(len(shown[0]) if shown else 0)
        if place == 0 or len({part[place] for part in shown}) > 1
    ]
    labels = [" · ".join(part[place] for place in kept) for part in shown]
    for fallback in ([plain(name, 40) for name in names], [str(n + 1) for n in range(len(names))]):
        often = Counter(labels)
        labels = [
            f"{label} · {more}" if often[label] > 1 else label
            for label, more in zip(labels, fallback, strict=True)
        ]
    return labels
