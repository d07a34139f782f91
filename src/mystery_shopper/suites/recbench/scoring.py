"""Scoring: a pure function of query, catalogue and transcript."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec
import numpy as np

from mystery_shopper.dialogue import (
    NOT_THE_AGENTS,
    AgentSaid,
    Ended,
    Ending,
    Fault,
    ToolCalled,
    ToolReturned,
    Transcript,
)
from mystery_shopper.suites.recbench import metrics
from mystery_shopper.suites.recbench.answers import Answer, Form, read_answer
from mystery_shopper.suites.recbench.corrections import Claim
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.score import FIVE, Failure, Figures, Pick, RecBenchScore
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting
from mystery_shopper.suites.recbench.titles import Resolution, TitleMatch
from mystery_shopper.suites.recbench.truths import claim_of, resolved, truth_of

_NOTHING = Answer((), Form.EMPTY)
_CAPS = {
    Ending.ERROR: Failure.ERROR,
    Ending.OVERFLOW: Failure.OVERFLOW,
    Ending.TIME_CAP: Failure.TIME_CAP,
    Ending.TURN_CAP: Failure.TURN_CAP,
    Ending.TOOL_BUDGET: Failure.TOOL_BUDGET,
}


@dataclass(frozen=True)
class _Conduct:
    """How the answer came about."""

    ending: Ending = Ending.FINISHED
    fault: Fault | None = None
    turns: int = 1
    calls: int = 0
    tool_errors: int = 0


@dataclass(frozen=True)
class _Asked:
    """A query and what is true of it, as one setting asks it."""

    query: Query
    history: tuple[str, ...]
    truth: metrics.Truth
    claim: Claim | None


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores answers to the queries of a set over a shelf; keeps what is true of each query."""

    shelf: Shelf
    queries: QuerySet
    _kept: dict[tuple[str, bool], _Asked] = field(default_factory=dict[tuple[str, bool], _Asked])

    def __reduce__(self) -> tuple[type[Scorer], tuple[Shelf, QuerySet]]:
        return Scorer, (self.shelf, self.queries)

    @cached_property
    def known(self) -> metrics.Shelf:
        """What novelty is told from: the catalogue's own counts (`Shelf.known`); where it has none
        the users of the set, each item's share of whom had it; without users it is unscored."""
        known, people = self.shelf.known, self.queries.people
        if known.popularity is not None or not people:
            return known
        had = Counter(item for person in people.values() for item in set(person.items))
        counts = np.array([had[item] for item in self.shelf.catalogue.ids], np.float64)
        return metrics.Shelf(counts, float(len(people)), self.shelf.graph)

    def score(self, query: Query, setting: Setting, transcript: Transcript) -> RecBenchScore:
        """The scores of a finished transcript: its last words are the answer. An episode that ended
        before them counts as an empty answer, unless a user's or an infrastructure fault ended it:
        then all is unscored. Raises ValueError for a transcript without an ending."""
        if transcript.ended is None:
            raise ValueError(f"the transcript of {query.id} has no ending")
        history = self._handed(query) if setting.history else ()
        said, conduct = _gathered(transcript, transcript.ended)
        answer = _NOTHING if said is None else read_answer(said)
        return self._scored(self._asked(query, history), answer, conduct)

    def of_answer(self, query: Query, answer: Answer, history: Sequence[str] = ()) -> RecBenchScore:
        """The scores of an answer that was made elsewhere; `history`: what was handed over with
        the query."""
        return self._scored(self._asked(query, tuple(history)), answer, _Conduct())

    def _handed(self, query: Query) -> tuple[str, ...]:
        kept = self._kept.get((query.id, True))
        if kept is not None and kept.query is query:
            return kept.history
        return handed(query, self.queries, self.shelf).items

    def _asked(self, query: Query, history: tuple[str, ...]) -> _Asked:
        key = (query.id, bool(history))
        kept = self._kept.get(key)
        same = kept is not None and (kept.query is query or kept.query == query)
        if kept is None or not same or kept.history != history:
            truth = truth_of(query, self.shelf.position_of, self.shelf.graph, history)
            claim = claim_of(query, self.shelf.title_of)
            kept = self._kept[key] = _Asked(query, history, truth, claim)
        return kept

    def _scored(self, asked: _Asked, answer: Answer, conduct: _Conduct) -> RecBenchScore:
        shelf = self.shelf
        if conduct.fault in NOT_THE_AGENTS:
            answer, free, at_five, success = _NOTHING, Figures(), Figures(), None
            picks: tuple[Pick, ...] = ()
        else:
            heard = _without_titles(answer, asked.claim)
            found = resolved(heard, shelf.titles, shelf.position_of, asked.claim)
            picks = _picks(answer, found.resolutions, asked.query)
            free, at_five = self._figures(asked.truth, found.recommended)
            success = _success(asked.query, asked.truth, free)
        return RecBenchScore(
            success=success,
            ending=conduct.ending,
            failure=None if success is not False else _failure(asked.query, conduct, picks),
            figures=free,
            at_five=at_five,
            picks=picks,
            refused=answer.refused,
            turns=conduct.turns,
            calls=conduct.calls,
            tool_errors=conduct.tool_errors,
        )

    def _figures(self, truth: metrics.Truth, said: metrics.Recommended) -> tuple[Figures, Figures]:
        """The figures with K free and with K = 5; the same where it is no more than five items."""
        free = Figures.of(metrics.scored(truth, said, self.known))
        if free.recommended is not None and free.recommended <= FIVE:
            return free, free
        return free, Figures.of(metrics.scored(truth, said, self.known, FIVE))


def _gathered(transcript: Transcript, ended: Ended) -> tuple[str | None, _Conduct]:
    """(the agent's last words, None where it said nothing; how they came about)."""
    said: str | None = None
    turns = calls = errors = 0
    for event in transcript.events:
        match event:
            case AgentSaid():
                said = event.text
                turns += 1
            case ToolCalled():
                calls += 1
            case ToolReturned():
                errors += event.error is not None
            case _:
                pass
    return said, _Conduct(ended.kind, ended.fault, turns, calls, errors)


def _without_titles(answer: Answer, claim: Claim | None) -> Answer:
    """An answer without its titles in its prose, but for those that the claim is of: what is
    recommended objects to nothing ("This Is Not a Film")."""
    if claim is None:
        return answer
    kept = {title.casefold() for title in claim.titles}
    prose = answer.prose
    for title in dict.fromkeys(item.title for item in answer.items):
        if not title or title.casefold() in kept:
            continue
        if answer.form is Form.JSON:
            for written in (json.dumps(title), json.dumps(title, ensure_ascii=False)):
                prose = prose.replace(written, '""')
        else:
            prose = _cut_out(prose, title)
    return msgspec.structs.replace(answer, prose=prose)


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _cut_out(text: str, part: str) -> str:
    """The text without a part, wherever no letter or digit touches it."""
    kept: list[str] = []
    start = 0
    while (at := text.find(part, start)) >= 0:
        end = at + len(part)
        touched = _is_word(text[at - 1 : at]) or _is_word(text[end : end + 1])
        kept.append(text[start : at + 1] if touched else text[start:at])
        start = at + 1 if touched else end
    return "".join([*kept, text[start:]])


def _picks(answer: Answer, resolutions: Sequence[Resolution], query: Query) -> tuple[Pick, ...]:
    """What was recommended, each item once and of what is no one item each title once, as
    `metrics.distinct` counts them."""
    named = set(query.named)
    picks: dict[tuple[str | None, str, str], Pick] = {}
    for item, found in zip(answer.items, resolutions, strict=True):
        text = item.title or item.id or ""
        if found.item_id is not None:
            kind = "known"
            key = (found.item_id, kind, "")
        else:
            kind = "ambiguous" if found.kind is TitleMatch.AMBIGUOUS else "unknown"
            key = (None, kind, " ".join(text.casefold().split()))
        picks.setdefault(key, Pick(text, found.item_id, kind, found.item_id in named))
    return tuple(picks.values())


def _success(query: Query, truth: metrics.Truth, figures: Figures) -> bool | None:
    """Whether something was recommended and all of it fits; None where no answer can be told to
    fit."""
    fits = figures.precision_all_with_empty if query.kind.is_profile else figures.cmr_with_empty
    possible = truth.every if query.kind.is_profile else truth.meeting
    return fits == 1 if possible and fits is not None else None


def _failure(query: Query, conduct: _Conduct, picks: Sequence[Pick]) -> Failure:
    """The first kind of failure that holds."""
    if conduct.ending in _CAPS:
        return _CAPS[conduct.ending]
    counted = [pick for pick in picks if not pick.named]
    if not counted:
        return Failure.NO_RECOMMENDATION
    if any(pick.item_id is None for pick in counted):
        return Failure.UNKNOWN_TITLE
    return Failure.OFF_LIST if query.kind.is_profile else Failure.OFF_CONDITION
