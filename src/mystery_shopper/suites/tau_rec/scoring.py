"""Scoring: a pure function of task, catalogue and transcript."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from mystery_shopper.catalog import Catalogue, Item, all_match
from mystery_shopper.dialogue import (
    NOT_THE_AGENTS,
    AgentSaid,
    Ended,
    Ending,
    ForeignTools,
    NotUnderstood,
    ToolCalled,
    ToolReturned,
    Transcript,
    UserSaid,
    Verdict,
)
from mystery_shopper.suites.tau_rec.mentions import Names, untagged
from mystery_shopper.suites.tau_rec.policies import (
    CHECK_CONTENT,
    Conduct,
    can_be_had,
    outcome_of,
    policy_outcomes,
)
from mystery_shopper.suites.tau_rec.score import Checks, Elicited, Failure, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Family, Task, fact


@dataclass
class _Evidence:
    """What a transcript shows, gathered in one pass."""

    ended: Ended | None = None
    disclosed: set[str] = field(default_factory=set[str])
    declined: bool = False
    questions: int = 0
    not_understood: int = 0
    turns: int = 0
    calls: int = 0
    tool_errors: int = 0
    recommendations: int = 0
    verdicts: list[Verdict] = field(default_factory=list[Verdict])
    texts: list[str] = field(default_factory=list[str])
    searches: list[str] = field(default_factory=list[str])
    checked: list[str] = field(default_factory=list[str])
    looked: bool = False
    content: set[str] = field(default_factory=set[str])
    foreign: bool = False
    leaks: int = 0
    leaked: set[str] = field(default_factory=set[str])
    withheld: set[str] = field(default_factory=set[str])
    stood_in: int = 0


def gather(transcript: Transcript) -> _Evidence:
    """One pass over the events."""
    seen = _Evidence()
    opening = True
    for event in transcript.events:
        match event:
            case UserSaid():
                seen.disclosed.update(event.disclosed)
                seen.declined = seen.declined or bool(event.declined)
                seen.questions += bool(event.asked or event.generic) and not opening
                opening = False
                seen.leaks += len(event.leaks)
                seen.leaked.update(set(event.leaks) & set(event.disclosed))
                seen.withheld.update(event.withheld)
                seen.stood_in += event.stood_in
            case NotUnderstood():
                seen.not_understood += 1
            case AgentSaid():
                seen.turns += 1
                seen.texts.append(event.text)
            case ToolCalled():
                seen.calls += 1
            case ToolReturned():
                _note_result(seen, event)
            case ForeignTools():
                seen.foreign = True
            case Verdict():
                seen.verdicts.append(event)
            case Ended():
                seen.ended = event
            case _:
                pass
    return seen


def _note_result(seen: _Evidence, event: ToolReturned) -> None:
    if event.error is not None:
        seen.tool_errors += 1
    elif event.name == "search":
        seen.searches.append(event.content)
    elif event.name == "check_formats":
        seen.checked.append(str(msgspec.json.decode(event.content)["item_id"]))
    elif event.name == "recommend":
        seen.recommendations += 1
    elif event.name == "get_history":
        seen.looked = True
    elif event.name == CHECK_CONTENT:
        seen.content.add(str(msgspec.json.decode(event.content)["label"]))


@dataclass(frozen=True)
class Scorer:
    """Scores transcripts over one catalogue; keeps the names of its items."""

    catalogue: Catalogue

    @cached_property
    def names(self) -> Names:
        """The names of the catalogue's items."""
        return Names(self.catalogue)

    def score(self, task: Task, transcript: Transcript) -> TauRecScore:
        """See `score`."""
        return _score(task, self.names, transcript)


def score(task: Task, catalogue: Catalogue, transcript: Transcript) -> TauRecScore:
    """Score a finished transcript. `success` is None where a user's or an infrastructure fault
    ended it. Raises ValueError for a transcript without an ending."""
    return Scorer(catalogue).score(task, transcript)


def _score(task: Task, names: Names, transcript: Transcript) -> TauRecScore:
    catalogue = names.catalogue
    seen = gather(transcript)
    ended = seen.ended
    if ended is None:
        raise ValueError(f"the transcript of {task.id} has no ending")
    family = task.family
    item = catalogue.find(ended.item_id) if ended.item_id is not None else None
    meets = None
    if ended.kind is Ending.RECOMMENDED:
        meets = item is not None and all_match(family.predicates, item)
    checks = _checks(task, seen, ended, item)
    right = bool(meets) if family.satisfiable else ended.kind is Ending.ABSTAINED
    policies = _policies(family, seen, ended, item)
    gates = {*msgspec.structs.astuple(checks), *policies.values()}
    success: bool | None = right and Outcome.FAILED not in gates
    if ended.fault in NOT_THE_AGENTS:
        success = None
    proposed = {verdict.item_id for verdict in seen.verdicts}
    recommended = ended.item_id if ended.kind is Ending.RECOMMENDED else None
    untested = None if recommended is None else recommended not in proposed
    got = sum(name in seen.disclosed for name in task.askable)
    return TauRecScore(
        success=success,
        ending=ended.kind,
        failure=None if success or success is None else _failure(task, seen, ended, item, checks),
        checks=checks,
        meets=meets,
        elicited=_elicited(got, len(task.askable)),
        askable=len(task.askable),
        elicited_facts=got,
        questions=seen.questions,
        not_understood=seen.not_understood,
        turns=seen.turns,
        calls=seen.calls,
        tool_errors=seen.tool_errors,
        proposals=sum(verdict.accepted is not None for verdict in seen.verdicts),
        rejections=sum(verdict.accepted is False for verdict in seen.verdicts),
        accepted=any(verdict.accepted for verdict in seen.verdicts),
        untested=untested,
        before_proposals=None if recommended is None else not proposed,
        after_decline=None if recommended is None else seen.declined,
        unsearched=_unsearched(seen, recommended),
        untagged=untagged(names, family, seen.texts, _titles(catalogue, seen.verdicts)),
        recommended=recommended,
        rank=catalogue.position_of[item.id] + 1 if item is not None and recommended else None,
        policies=policies,
        leaks=seen.leaks,
        leaked=len(seen.leaked),
        withheld=len(seen.withheld),
        stood_in=seen.stood_in,
    )


def _titles(catalogue: Catalogue, verdicts: list[Verdict]) -> dict[str, str]:
    """Id -> title of every item that was tagged, judged or not."""
    ids = [item_id for verdict in verdicts for item_id in (verdict.item_id, *verdict.others)]
    items = [catalogue.find(item_id) for item_id in ids]
    return {item.id: item.title for item in items if item is not None}


def _elicited(got: int, askable: int) -> Elicited | None:
    if not askable:
        return None
    return Elicited.ALL if got == askable else Elicited.SOME if got else Elicited.NONE


def _checks(task: Task, seen: _Evidence, ended: Ended, item: Item | None) -> Checks:
    """The five checks; where somebody else's fault cut the trial short, none can be told, and
    where the family names its policies, these gate instead."""
    family = task.family
    if ended.fault in NOT_THE_AGENTS or family.policies is not None:
        return Checks(*[Outcome.UNSCORED] * 5)
    recommended = ended.item_id if ended.kind is Ending.RECOMMENDED else None
    return Checks(
        one_recommendation=_outcome(seen.recommendations <= 1),
        not_from_history=_outcome(recommended is None or recommended not in family.history),
        formats_checked=_formats_check(task, seen, recommended, item),
        abstains_without_match=_outcome(family.satisfiable or ended.kind is Ending.ABSTAINED),
        recommends_with_match=_outcome(not family.satisfiable or recommended is not None),
    )


def _formats_check(
    task: Task, seen: _Evidence, recommended: str | None, item: Item | None
) -> Outcome:
    """Holds once the user has named formats: `check_formats` was called on the recommended id and
    one of the accepted formats is among the item's. The second the catalogue shows of any agent;
    the first stays unscored where the agent has tools of its own."""
    if FORMATS_FACT not in seen.disclosed or recommended is None:
        return Outcome.PASSED
    available = item is not None and can_be_had(task.family, item)
    checked = recommended in seen.checked
    return outcome_of(checked and available, available and (checked or seen.foreign))


def _policies(
    family: Family, seen: _Evidence, ended: Ended, item: Item | None
) -> dict[str, Outcome]:
    """The policies that the family names; none can be told where somebody else's fault cut the
    trial short."""
    if ended.fault in NOT_THE_AGENTS:
        return dict.fromkeys(family.policies or (), Outcome.UNSCORED)
    conduct = Conduct(
        item=item,
        recommended=int(ended.item_id is not None),
        decided=seen.recommendations > 0,
        abstained=ended.kind is Ending.ABSTAINED,
        looked=seen.looked,
        checked=frozenset(seen.content),
        several=any(verdict.others for verdict in seen.verdicts),
        words=seen.texts,
        unseen=seen.foreign,
    )
    return policy_outcomes(family, conduct)


def _outcome(passed: bool) -> Outcome:
    return Outcome.PASSED if passed else Outcome.FAILED


_CAPS = {
    Ending.ERROR: Failure.ERROR,
    Ending.OVERFLOW: Failure.OVERFLOW,
    Ending.TIME_CAP: Failure.TIME_CAP,
    Ending.TURN_CAP: Failure.TURN_CAP,
    Ending.TOOL_BUDGET: Failure.TOOL_BUDGET,
}


def _failure(
    task: Task, seen: _Evidence, ended: Ended, item: Item | None, checks: Checks
) -> Failure:
    """The first kind of failure that holds."""
    if ended.kind in _CAPS:
        return _CAPS[ended.kind]
    family = task.family
    if ended.kind is Ending.ABSTAINED:
        return Failure.NEEDLESS_ABSTENTION if family.satisfiable else Failure.POLICY_BROKEN
    if item is None:
        return Failure.UNKNOWN_ITEM
    if checks.not_from_history is Outcome.FAILED:
        return Failure.KNOWN_ITEM
    failed = {fact(p) for p in family.predicates if not p.matches(item)}
    if not failed and family.policies is not None:
        return Failure.POLICY_BROKEN
    if not failed:
        checked = item.id in seen.checked or seen.foreign
        return Failure.FORMAT_UNAVAILABLE if checked else Failure.FORMATS_UNCHECKED
    if any(v.item_id == item.id and v.accepted is False for v in seen.verdicts):
        return Failure.REJECTED_ITEM
    if failed & seen.disclosed:
        return Failure.IGNORED_REQUIREMENT
    if failed & set(task.askable):
        asked = seen.questions or seen.not_understood
        return Failure.MISSED_FIELD if asked else Failure.ASKED_NOTHING
    if all(verdict.item_id != item.id for verdict in seen.verdicts):
        return Failure.NEVER_PROPOSED
    return Failure.NOT_ABSTAINED


def _unsearched(seen: _Evidence, item_id: str | None) -> bool | None:
    """Whether no search returned the recommended id; None where it may have been another's."""
    if item_id is None or seen.foreign:
        return None
    needle = f'"item_id":{msgspec.json.encode(item_id).decode()}'
    return all(needle not in content for content in seen.searches)
