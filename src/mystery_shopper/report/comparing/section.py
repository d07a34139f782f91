"""A comparison as the page with both runs shows it: what was asked of it, the differences with
their intervals, and what turned over, with a link to the trials."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.report.comparing.compare import Comparison, Difference, Flip
from mystery_shopper.report.comparing.written import HEAD, cells, link, notes, title, verdicts
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import DASH, plain, plural

MOST_TURNED = 12
_WORDS = {
    "failed": ("failed", "failure"), "held": ("held", "success"), "untold": ("not told", "excluded")
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A condition that was asked for: what came of it, in a word and a sentence. `style` is the
    page's class."""

    word: str
    told: str
    style: str


@dataclass(frozen=True, slots=True)
class Turned:
    """A task that turned over, and where both of its trials stand on the page."""

    task: str
    base: str
    base_at: str
    candidate: str
    candidate_at: str
    why: str


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """The tasks lost, or won: how many, and the first of them."""

    told: str
    shown: tuple[Turned, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Compared:
    """All that the page shows of a comparison."""

    judged: tuple[Judged, ...]
    table: Table
    turned: tuple[TurnedOver, ...]


def compared(found: Comparison) -> Compared:
    """The comparison in the page's terms."""
    judged = tuple(Judged(_WORDS[k][0], told, _WORDS[k][1]) for k, told in verdicts(found))
    return Compared(judged, difference_table(found), tuple(_turned(found)))


def difference_table(found: Comparison) -> Table:
    """A row a measure: both means, the difference with its interval, p, and what could be found."""
    head = (
        *(one for one in HEAD if "interval" not in one),
        found.terms.tasks,
        found.terms.clusters,
    )
    rows = tuple(_row(one) for one in found.differences)
    return Table("Differences", " ".join(notes(found)), title(found), head, rows, 1)


def _row(one: Difference) -> tuple[str, ...]:
    measure, base, candidate, difference, interval, *rest = cells(one)
    told = difference if interval == DASH else f"{difference} {interval}"
    return (measure, base, candidate, told, *rest)


def _turned(found: Comparison) -> list[TurnedOver]:
    made: list[TurnedOver] = []
    for lost, what in ((True, "lost"), (False, "won")):
        flips = [flip for flip in found.flips if flip.lost is lost]
        if flips:
            told = f"{plural(len(flips), found.terms.task, found.terms.tasks)} {what}"
            shown = tuple(_of(flip, found) for flip in flips[:MOST_TURNED])
            made.append(TurnedOver(told, shown, len(flips) - len(shown)))
    return made


def _of(flip: Flip, found: Comparison) -> Turned:
    return Turned(
        plain(flip.task, 60),
        f"{flip.base:.2f}",
        link("", found.base.name, flip.base_trial),
        f"{flip.candidate:.2f}",
        link("", found.candidate.name, flip.candidate_trial),
        flip.failure.replace("_", " ") or DASH,
    )
