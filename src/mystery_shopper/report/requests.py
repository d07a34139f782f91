"""What a page shows of single trials of recbench: plain records, made from transcripts, query sets
and titles. The viewer shows them by `requests.js`; `verdict_of` and `conditions_of` say in words
what a recommended title came to and what was asked, for any page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.browse import Clock, clock_of, said_in
from mystery_shopper.report.recbench.words import FAILURES, FITS, FITS_OF_PROFILES, head_of
from mystery_shopper.report.steps import Results, Step, steps_of
from mystery_shopper.report.words import DASH, ENDINGS, figure
from mystery_shopper.suites.recbench.fits import fit_of
from mystery_shopper.suites.recbench.metrics import MATCHES
from mystery_shopper.suites.recbench.query import Given, Part, Query, QuerySet
from mystery_shopper.suites.recbench.request import MOST_HISTORY
from mystery_shopper.suites.recbench.score import Figures, Pick, RecBenchScore

MOST_TITLES = 100
"""Of each list of titles; `of` says how many there are."""
MOST_PICKS = 200
_FIGURES = (
    *MATCHES, "failed", "names_mistake", "hallucinated", "ambiguous", "novelty", "diversity",
    "pulled", "recommended",
)  # fmt: skip

Dated: TypeAlias = Callable[[str], str]
"""An item's id -> its title with its year; the id itself where it is not known."""


def by_id(item: str) -> str:
    """Where no catalogue is at hand."""
    return item


class RequestEntry(msgspec.Struct, frozen=True):
    """One line of the list of trials. `conditions` is how many the query has, empty of a profile;
    the figures are null where unscored."""

    key: str
    run: int
    condition: str
    conditions: str
    outcome: str
    failure: str
    ending: str
    items: int | None
    precision: float | None
    recall: float | None
    cmr: float | None
    calls: int


class AskedCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition of the query, and how it says so in words."""

    relation: str
    value: str
    given: str


class Titles(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first titles of a list of `of` items."""

    shown: tuple[str, ...] = ()
    of: int = 0


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """The query. `who`: what is known of the user who asks. `own` is the user's own group or the
    subset that the reason speaks of, `others` what else is right."""

    text: str
    who: tuple[str, ...] = ()
    conditions: tuple[AskedCondition, ...] = ()
    reason: str = ""
    group: dict[str, str] = {}
    named: Titles = Titles()
    own: Titles = Titles()
    others: Titles = Titles()


class Came(msgspec.Struct, frozen=True, omit_defaults=True):
    """A title of the answer: as it is written there, the item it came to, and what that is to the
    query; `good` is None where it counts neither way or nobody can tell."""

    text: str
    item: str = ""
    title: str = ""
    verdict: str = ""
    good: bool | None = None


class RequestRecord(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="request"
):
    """One trial as a page shows it. `asked` is None where the query set is not at hand. `figures`:
    name, K free, of the first five items; a row where either was scored."""

    steps: tuple[Step, ...]
    came: tuple[Came, ...]
    figures: tuple[tuple[str, str, str], ...]
    asked: Asked | None = None
    history: Titles | None = None
    more: int = 0
    refused: bool = False
    fault: str = ""
    clock: Clock | None = None


@dataclass(frozen=True)
class Ground:
    """What is known beside a run's folder: the query set and the titles."""

    queries: QuerySet | None = None
    dated: Dated = by_id
    history: bool = False


def request_entry(trial: Trial, run: int) -> RequestEntry:
    """The list's line of a trial."""
    score, outcome = trial.requested, outcome_of(trial)
    figures = score.figures
    return RequestEntry(
        trial.key,
        run,
        trial.condition,
        trial.tier,
        outcome,
        FAILURES[score.failure] if score.failure and outcome == "failure" else "",
        ENDINGS.get(score.ending, score.ending.value),
        None if figures.recommended is None else int(figures.recommended),
        figures.precision_own,
        figures.recall_own,
        figures.cmr,
        score.calls,
    )


def outcome_of(trial: Trial) -> str:
    """`success`, `failure`, `unscored` (no answer could be told to fit) or `excluded`."""
    if trial.excluded:
        return "excluded"
    return {True: "success", False: "failure", None: "unscored"}[trial.score.success]


def request_record(
    trial: Trial, ground: Ground, results: Results, timing: Timing | None = None
) -> RequestRecord:
    """The page's record of a trial. Without the query set only what the trial has is shown."""
    score = trial.requested
    queries = ground.queries
    query = queries.by_id.get(trial.task) if queries is not None else None
    history = None
    if ground.history and query is not None and queries is not None:
        handed = queries.history(query)
        history = _titles(handed[-MOST_HISTORY:], ground.dated, len(handed))
    return RequestRecord(
        steps=tuple(steps_of(trial, (), results)),
        came=tuple(came_of(pick, query, ground.dated) for pick in score.picks[:MOST_PICKS]),
        figures=tuple(_figures(score)),
        asked=None if query is None else asked_of(query, queries, ground.dated),
        history=history,
        more=max(0, len(score.picks) - MOST_PICKS),
        refused=score.refused,
        fault=trial.fault.value if trial.fault is not None else "",
        clock=clock_of(timing) if timing is not None else None,
    )


def request_haystack(line: RequestEntry, label: str, found: RequestRecord) -> str:
    """As `haystack`: the line's own words, then what was said and called, and the titles of the
    answer with the items' ids."""
    own = [line.key, label, line.condition, line.ending, line.failure]
    came = (word for one in found.came for word in (one.text, one.item))
    return " ".join([*own, *said_in(found.steps), *came]).lower()


def asked_of(query: Query, queries: QuerySet | None, dated: Dated) -> Asked:
    """What was asked, and what would have been right."""
    own = set(query.own)
    person = queries.people.get(query.user) if queries is not None else None
    known = () if person is None else (person.gender, person.age, person.occupation)
    profile = query.profile
    return Asked(
        text=query.text,
        who=(query.user, *filter(None, known)),
        conditions=tuple(conditions_of(query, dated)),
        reason=profile.reason if profile is not None else "",
        group=dict(profile.group) if profile is not None else {},
        named=_titles(query.named, dated),
        own=_titles(query.own, dated),
        others=_titles([item for item in query.matching if item not in own], dated),
    )


def conditions_of(query: Query, dated: Dated = by_id) -> Iterator[AskedCondition]:
    """The query's conditions, each with how it is given."""
    for part in query.parts:
        yield AskedCondition(part.relation, part.value, given_of(part, dated))


def given_of(part: Part, dated: Dated = by_id) -> str:
    """How a query gives a condition, in words."""
    through = ", ".join(map(dated, part.through))
    match part.given:
        case Given.STATED:
            return "stated"
        case Given.REFERENCE:
            return f"not named: told through {through}"
        case Given.CLAIM:
            return f"stated, and wrongly claimed of {through}"


def came_of(pick: Pick, query: Query | None, dated: Dated = by_id) -> Came:
    """What a title of the answer came to."""
    title = "" if pick.item_id is None else dated(pick.item_id)
    verdict, good = verdict_of(pick, query)
    return Came(pick.text, pick.item_id or "", title, verdict, good)


def verdict_of(pick: Pick, query: Query | None) -> tuple[str, bool | None]:
    """What a title of an answer is to the query, in words, and whether that is right; None where it
    counts neither way, or the query is not known."""
    fit = fit_of(pick, query)
    special = FITS_OF_PROFILES if query is not None and query.kind.is_profile else {}
    return special.get(fit, FITS[fit]), fit.good


def _titles(items: Sequence[str], dated: Dated, of: int | None = None) -> Titles:
    return Titles(tuple(map(dated, items[:MOST_TITLES])), len(items) if of is None else of)


def _figures(score: RecBenchScore) -> Iterator[tuple[str, str, str]]:
    for name in _FIGURES:
        free, five = _told(score.figures, name), _told(score.at_five, name)
        if (free, five) != (DASH, DASH):
            yield head_of(name), free, five


def _told(figures: Figures, name: str) -> str:
    value: float | None = getattr(figures, name)
    return figure(value, 0 if name in ("recommended", "failed", "names_mistake") else 3)
