"""What a comparison calls the tasks of a suite, what resamples them, and its conditions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Terms:
    """Each word for one and for several. `short` is a narrow column's head."""

    task: str = "task"
    tasks: str = "tasks"
    cluster: str = "family"
    clusters: str = "families"
    short: str = "fam."
    condition: str = "condition"


DISCLOSURE = Terms()
REQUESTS = Terms("query", "queries", "user", "users", "users", "type of query")


def terms_of(suite: str) -> Terms:
    """The words of a suite's runs."""
    return REQUESTS if suite == "recbench" else DISCLOSURE
