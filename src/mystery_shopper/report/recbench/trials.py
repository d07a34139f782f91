"""What the page shows of single trials: a bounded list, the worst first, each with its request, its
answer, what every title came to, and what would have been right.

The choice depends on the runs alone: failures first, the runs and types taking turns, in an order
drawn from each run's seed; then what could not be scored, what was excluded, and successes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from urllib.parse import quote

from mystery_shopper.dialogue import AgentNoted, AgentSaid, ForeignCall, ToolCalled, UserSaid
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.recbench.grounds import Ground, Member
from mystery_shopper.report.recbench.played import COLUMNS, Answered, figures_of
from mystery_shopper.report.recbench.words import FAILURES, FITS, FITS_OF_PROFILES, head_of
from mystery_shopper.report.steps import cut
from mystery_shopper.report.words import ENDINGS, figure, plain
from mystery_shopper.suites.recbench.fits import Fit, fit_of
from mystery_shopper.suites.recbench.query import Given, Query
from mystery_shopper.suites.recbench.score import Pick

MOST_TRIALS = 160
MOST_TITLES = 40
MOST_CALLS = 20
_TEXT, _CALL = 4_000, 400
_FITS = {**FITS, Fit.UNKNOWN: "no item bears it", Fit.AMBIGUOUS: "several items bear it"}
_FITS_OF_PROFILES = {**_FITS, **FITS_OF_PROFILES, Fit.OWN: FITS[Fit.OWN]}
_ORDER = {"failure": 0, "unscored": 1, "excluded": 2, "success": 3}


@dataclass(frozen=True, slots=True)
class Came:
    """A title of an answer: as written, the item it came to, and what that is to the query."""

    text: str
    item: str
    verdict: str
    good: bool | None


@dataclass(frozen=True, slots=True)
class Shown:
    """One trial as the page shows it."""

    anchor: str
    key: str
    agent: str
    kind: str
    width: str
    outcome: str
    how: str
    request: str
    answer: str
    answer_full: int
    calls: tuple[str, ...]
    left_off: int
    came: tuple[Came, ...]
    more: int
    conditions: tuple[str, ...]
    reason: str
    own: tuple[str, ...]
    own_more: int
    matching: tuple[str, ...]
    matching_more: int
    figures: tuple[tuple[str, str], ...]
    trouble: str
    mark: str


def chosen(
    grounds: Sequence[Ground],
    most: int = MOST_TRIALS,
    first: Set[tuple[str, str]] = frozenset(),
) -> dict[tuple[str, str], int]:
    """(run's folder, trial's key) -> rank of the trials that are shown; those asked for `first`
    come before all others, and are all shown."""
    most = max(most, len(first))
    order: list[tuple[int, int, int, int, str, str]] = []
    members = [member for ground in grounds for member in ground.members]
    for place, member in enumerate(members):
        seed = member.plan.seed
        taken: Counter[tuple[int, str]] = Counter()
        drawn = sorted(member.played.answers, key=lambda one: derive_seed(seed, "shown", one.key))
        for one in sorted(drawn, key=lambda one: one.score.headline or 0.0):
            kind = -1 if (member.played.name, one.key) in first else _ORDER[one.outcome]
            turn = taken[kind, one.asked.kind]
            taken[kind, one.asked.kind] += 1
            order.append((kind, turn, place, len(order), member.played.name, one.key))
    order.sort()
    return {(run, key): rank for rank, (*_, run, key) in enumerate(order[:most])}


def shown(
    grounds: Sequence[Ground],
    folders: Mapping[str, RunFolder],
    titles: Mapping[str, Mapping[str, str]],
    most: int = MOST_TRIALS,
    first: Set[tuple[str, str]] = frozenset(),
) -> list[Shown]:
    """The trials of the page, best rank first. `folders` by run; `titles`: run -> id -> title, as
    far as they are known. Trials are read as a stream, and only those shown are kept."""
    ranks = chosen(grounds, most, first)
    kept: dict[int, Shown] = {}
    for ground in grounds:
        for member in ground.members:
            name = member.played.name
            answers = {one.key: one for one in member.played.answers}
            for trial in folders[name].trials():
                rank = ranks.get((name, trial.key))
                if rank is not None:
                    one = answers[trial.key]
                    kept[rank] = record(member, one, trial, titles.get(name, {}))
    return [kept[rank] for rank in sorted(kept)]


def record(member: Member, one: Answered, trial: Trial, titles: Mapping[str, str]) -> Shown:
    """A trial as the page shows it. Without the query set the truths are left out."""
    query_set = member.played.query_set
    query = query_set.by_id.get(one.asked.id) if query_set is not None else None
    told = _said(trial, UserSaid)
    answer, full = cut(_said(trial, AgentSaid), _TEXT)
    request, _ = cut(query.text if query is not None and query.text else told, _TEXT)
    calls = list(_calls(trial))
    picks = one.score.picks
    own, matching = (query.own, query.matching) if query is not None else ((), ())
    rest = tuple(item for item in matching if item not in set(own))
    failure = one.score.failure
    ending = ENDINGS.get(one.score.ending, one.score.ending.value)
    return Shown(
        anchor=f"trial/{quote(member.played.name, safe='')}/{quote(one.key, safe='')}",
        key=one.key,
        agent=member.full,
        kind=one.asked.kind,
        width=one.asked.width,
        outcome=one.outcome,
        how=FAILURES[failure] if failure is not None else ending,
        request=request,
        answer=answer,
        answer_full=full,
        calls=tuple(calls[:MOST_CALLS]),
        left_off=max(0, len(calls) - MOST_CALLS),
        came=tuple(_came(pick, query, titles) for pick in picks[:MOST_TITLES]),
        more=max(0, len(picks) - MOST_TITLES),
        conditions=_conditions(query, titles),
        reason=query.profile.reason if query is not None and query.profile is not None else "",
        own=_titled(own, titles),
        own_more=max(0, len(own) - MOST_TITLES),
        matching=_titled(rest, titles),
        matching_more=max(0, len(rest) - MOST_TITLES),
        figures=_figures(one),
        trouble=plain(one.trouble, 400) if one.trouble else "",
        mark=f"fault of the {one.fault.value}" if one.fault is not None else "",
    )


def _said(trial: Trial, kind: type[UserSaid] | type[AgentSaid]) -> str:
    return "\n\n".join(event.text for event in trial.transcript.events if isinstance(event, kind))


def _calls(trial: Trial) -> Iterator[str]:
    for event in trial.transcript.events:
        if isinstance(event, ToolCalled | ForeignCall):
            text, _ = cut(f"{event.name}({event.arguments})", _CALL)
            yield text
        elif isinstance(event, AgentNoted):
            text, _ = cut(f"unheard: {event.text}", _CALL)
            yield text


def _titled(items: Sequence[str], titles: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(titles.get(item, item) for item in items[:MOST_TITLES])


def _came(pick: Pick, query: Query | None, titles: Mapping[str, str]) -> Came:
    fit = fit_of(pick, query)
    item = "" if pick.item_id is None else titles.get(pick.item_id, pick.item_id)
    words = _FITS_OF_PROFILES if query is not None and query.kind.is_profile else _FITS
    return Came(pick.text, item, words[fit], fit.good)


def _conditions(query: Query | None, titles: Mapping[str, str]) -> tuple[str, ...]:
    """What the query asks for, and how it says so."""
    if query is None:
        return ()
    if query.profile is not None:
        return tuple(f"{name}: {value}" for name, value in query.profile.group.items())
    found: list[str] = []
    for part in query.parts:
        through = ", ".join(_titled(part.through, titles))
        how = {
            Given.STATED: "stated",
            Given.REFERENCE: f"not named, told through {through}",
            Given.CLAIM: f"stated, and wrongly claimed of {through}",
        }[part.given]
        found.append(f"{part.relation}: {part.value} ({how})")
    return tuple(found)


def _figures(one: Answered) -> tuple[tuple[str, str], ...]:
    row = figures_of([one])[0].tolist()
    wanted = (
        "precision_own", "recall_own", "precision_all", "recall_all", "cmr", "names_mistake",
        "hallucinated", "novelty", "diversity", "pulled",
    )  # fmt: skip
    found = [(name, row[COLUMNS.index(name)]) for name in wanted]
    return tuple((head_of(name), figure(value)) for name, value in found if value == value)


def tally(grounds: Sequence[Ground], found: Sequence[Shown]) -> str:
    """How many are shown of all failures and the rest, in words."""
    answers = [
        one for ground in grounds for member in ground.members for one in member.played.answers
    ]
    words = {
        "failure": "failures", "unscored": "unscored trials", "excluded": "excluded trials",
        "success": "successes",
    }  # fmt: skip
    told: list[str] = []
    for outcome, many in words.items():
        number = sum(one.outcome == outcome for one in answers)
        if number:
            shown_ = sum(one.outcome == outcome for one in found)
            told.append(f"{shown_:,} of {number:,} {many}")
    return ", ".join(told) or "none was played"
