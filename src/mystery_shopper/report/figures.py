"""Figures beyond success: elicitation, endings, failures, proposals, commitments, exposure.

Every figure is a share with both of its counts, or a median with the number of trials it rests on;
a share of nothing has no value. Source: τ-Rec-Books §6.5 and Fig. 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.cells import Answers, Counts, count
from mystery_shopper.report.rows import PlannedTask, Row, Run
from mystery_shopper.report.words import ENDINGS, FAILURES
from mystery_shopper.suites.tau_rec.policies import Policy
from mystery_shopper.suites.tau_rec.score import Elicited, Outcome

TOP = (100, 1000)


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `of` trials."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, or None of nothing."""
        return self.hits / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Elicitation:
    """How much of what was askable the agent got, over valid trials with askable facts.

    `shares` and `success` (given each) go by `all`, `some`, `none`.
    """

    condition: str
    counts: Counts
    shares: dict[Elicited, Share]
    success: dict[Elicited, Share]
    questions: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Trials by kind, in a fixed order, over `of` trials; kinds that did not occur are left out."""

    condition: str
    answers: Answers
    counts: Counts
    kinds: dict[str, int]
    of: int


@dataclass(frozen=True, slots=True)
class Proposals:
    """Proposals and rejections, satisfiable tasks: medians over successes, means over trials."""

    condition: str
    counts: Counts
    successes: int
    per_success: float | None
    rejections_per_success: float | None
    per_trial: float | None
    rejections_per_trial: float | None


@dataclass(frozen=True, slots=True)
class Commitments:
    """What agents recommended without proof, over valid trials of satisfiable tasks.

    `untested` of those that recommended never proposed the item; of these, `before` came before any
    proposal and `after_decline` after the user had declined a field. `failed_untested` is of the
    failures. `unsearched`: no search had returned the id. `untagged`: trials that named an
    acceptable item in words without a tag; `failed_untagged` is of the failures.
    """

    condition: str
    counts: Counts
    untested: Share
    before: Share
    after_decline: Share
    failed_untested: Share
    unsearched: Share
    untagged: Share
    failed_untagged: Share


@dataclass(frozen=True, slots=True)
class Exposure:
    """The popularity rank (from 1) of what is recommended; `top[n]`: ranks up to n."""

    condition: str
    counts: Counts
    recommended: int
    median_rank: float | None
    top: dict[int, Share]


@dataclass(frozen=True, slots=True)
class MatchingBound:
    """How far the user's reading of questions may have moved mixed success (mean over tasks).

    `down` successes rested on an answer to a question that no label has; `up` failures had a
    question that the user did not read. The bound counts them as failures and as successes.
    """

    counts: Counts
    labelled: int
    turns: int
    down: int
    up: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class PolicyKept:
    """How often a policy of the shop was kept, over valid trials of the tasks held to it."""

    policy: str
    counts: Counts
    kept: Share


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What a user whose words code does not choose gave away and kept back, over valid trials.

    `leaks`: withheld facts given away a trial, held back or not; `leaking`: trials with any;
    `reached`: trials in which one came to the agent; `withheld`: trials in which a fact that was
    due did not come; `stood_in`: rule-based replies a trial in its place.
    """

    condition: str
    counts: Counts
    leaks: float | None
    leaking: Share
    reached: Share
    withheld: Share
    stood_in: float | None


@dataclass(frozen=True)
class Figures:
    """All of one run, by condition."""

    elicitation: tuple[Elicitation, ...]
    endings: tuple[Tally, ...]
    failures: tuple[Tally, ...]
    proposals: tuple[Proposals, ...]
    commitments: tuple[Commitments, ...]
    exposure: tuple[Exposure, ...]
    matching: MatchingBound | None
    policies: tuple[PolicyKept, ...] = ()
    disclosed: tuple[Disclosed, ...] = ()


@dataclass(frozen=True)
class _Slice:
    condition: str
    answers: Answers
    counts: Counts
    rows: tuple[Row, ...]


def figures(run: Run) -> Figures:
    """Every figure of a run that is not a cell."""
    satisfiable = [_slice(run, condition, Answers.SATISFIABLE) for condition in run.conditions]
    barren = [_slice(run, condition, Answers.NVR) for condition in run.conditions]
    whole = [_slice(run, condition, Answers.ALL) for condition in run.conditions]
    parted = [part for pair in zip(satisfiable, barren, strict=True) for part in pair]
    parted = [part for part in parted if part.counts.planned]
    return Figures(
        tuple(_elicitation(part) for part in whole if part.condition != "volunteer"),
        tuple(_tally(part, ENDINGS, lambda row: row.score.ending) for part in parted),
        tuple(_tally(part, FAILURES, lambda row: row.failure) for part in parted),
        tuple(map(_proposals, satisfiable)),
        tuple(map(_commitments, satisfiable)),
        tuple(map(_exposure, whole)),
        next((_matching(run, part) for part in whole if part.condition == "mixed"), None),
        _policies(run),
        tuple(map(_disclosed, whole)) if run.plan.user != RULE_BASED else (),
    )


def _slice(run: Run, condition: str, answers: Answers) -> _Slice:
    tasks = [
        task
        for task in run.tasks
        if task.condition == condition
        and (
            answers is Answers.ALL
            or (
                task.request is not None
                and task.request.satisfiable is (answers is Answers.SATISFIABLE)
            )
        )
    ]
    rows = tuple(row for task in tasks for row in run.by_task.get(task.id, ()) if row.valid)
    return _Slice(condition, answers, count(run, tasks), rows)


def share(rows: Sequence[Row], holds: Callable[[Row], object]) -> Share:
    """The share of the rows for which something holds."""
    return Share(sum(bool(holds(row)) for row in rows), len(rows))


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return float(median(found)) if found else None


def _elicitation(part: _Slice) -> Elicitation:
    rows = [row for row in part.rows if row.score.elicited is not None]
    by_kind = {kind: [row for row in rows if row.score.elicited is kind] for kind in Elicited}
    return Elicitation(
        part.condition,
        part.counts,
        {kind: Share(len(found), len(rows)) for kind, found in by_kind.items()},
        {kind: share(found, lambda row: row.success) for kind, found in by_kind.items()},
        _mean(row.score.questions for row in rows),
    )


def _tally(part: _Slice, order: dict[str, str], kind: Callable[[Row], str | None]) -> Tally:
    found = Counter(name for row in part.rows if (name := kind(row)) is not None)
    kinds = {name: found[name] for name in order if found[name]}
    return Tally(part.condition, part.answers, part.counts, kinds, sum(found.values()))


def _proposals(part: _Slice) -> Proposals:
    won = [row for row in part.rows if row.success]
    return Proposals(
        part.condition,
        part.counts,
        len(won),
        _median(row.score.proposals for row in won),
        _median(row.score.rejections for row in won),
        _mean(row.score.proposals for row in part.rows),
        _mean(row.score.rejections for row in part.rows),
    )


def _commitments(part: _Slice) -> Commitments:
    committed = [row for row in part.rows if row.score.untested is not None]
    untested = [row for row in committed if row.score.untested]
    failed = [row for row in part.rows if not row.success]
    seen = [row for row in committed if row.score.unsearched is not None]
    return Commitments(
        part.condition,
        part.counts,
        Share(len(untested), len(committed)),
        share(untested, lambda row: row.score.before_proposals),
        share(untested, lambda row: row.score.after_decline),
        share(failed, lambda row: row.score.untested),
        share(seen, lambda row: row.score.unsearched),
        share(part.rows, lambda row: row.score.untagged),
        share(failed, lambda row: row.score.untagged),
    )


def _exposure(part: _Slice) -> Exposure:
    ranks = [row.score.rank for row in part.rows if row.score.rank is not None]
    top = {n: Share(sum(rank <= n for rank in ranks), len(ranks)) for n in TOP}
    return Exposure(part.condition, part.counts, len(ranks), _median(ranks), top)


def _disclosed(part: _Slice) -> Disclosed:
    return Disclosed(
        part.condition,
        part.counts,
        _mean(row.score.leaks for row in part.rows),
        share(part.rows, lambda row: row.score.leaks),
        share(part.rows, lambda row: row.score.leaked),
        share(part.rows, lambda row: row.score.withheld),
        _mean(row.score.stood_in for row in part.rows),
    )


def _policies(run: Run) -> tuple[PolicyKept, ...]:
    """Every policy that a task of the run is held to; the task set tells which, or the trials."""
    tasks = run.task_set.by_id if run.task_set is not None else {}
    held: dict[str, list[PlannedTask]] = {policy.value: [] for policy in Policy}
    for task in run.tasks:
        known = tasks.get(task.id)
        rows = run.by_task.get(task.id, ())
        told = known.family.policies if known else rows[0].score.policies if rows else ()
        for policy in told or ():
            held[policy].append(task)
    found: list[PolicyKept] = []
    for policy, here in held.items():
        rows = [row for task in here for row in run.by_task.get(task.id, ()) if row.valid]
        rows = [row for row in rows if row.score.policies[policy] is not Outcome.UNSCORED]
        kept = share(rows, lambda row, name=policy: row.score.policies[name] is Outcome.PASSED)
        found.append(PolicyKept(policy, count(run, here), kept))
    return tuple(one for one in found if one.counts.planned)


def _matching(run: Run, part: _Slice) -> MatchingBound | None:
    labelled = [row for row in part.rows if row.finding is not None]
    if not labelled:
        return None

    def down(row: Row) -> bool:
        return row.success and row.finding is not None and row.finding.unearned

    def up(row: Row) -> bool:
        return not row.success and row.finding is not None and row.finding.missed

    def success(counts: Callable[[Row], bool]) -> float | None:
        tasks = [
            [row for row in run.by_task[task.id] if row.valid]
            for task in run.tasks
            if task.condition == part.condition and task.id in run.by_task
        ]
        return _mean(share(rows, counts).value or 0.0 for rows in tasks if rows)

    return MatchingBound(
        part.counts,
        len(labelled),
        sum(row.finding.turns for row in labelled if row.finding),
        sum(map(down, labelled)),
        sum(map(up, labelled)),
        success(lambda row: row.success),
        success(lambda row: row.success and not down(row)),
        success(lambda row: row.success or up(row)),
    )
