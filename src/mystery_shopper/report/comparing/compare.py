"""Two runs task by task: what moved, how sure that is, and which tasks turned over."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mystery_shopper.engine.suites import Score
from mystery_shopper.foundation import InputError, derive_seed
from mystery_shopper.report.cells import Counts
from mystery_shopper.report.comparing.demand import Demand
from mystery_shopper.report.comparing.measures import NVR, Measure, measures_of
from mystery_shopper.report.comparing.plans import contrasted
from mystery_shopper.report.comparing.terms import Terms, terms_of
from mystery_shopper.report.rows import PlannedTask, RunOf, Scored
from mystery_shopper.statistics.contrasts import Contrast, ContrastResult, paired_bootstrap
from mystery_shopper.statistics.designs import group_differences
from mystery_shopper.statistics.exact import SignFlip, sign_flip
from mystery_shopper.statistics.power import minimum_detectable_effect
from mystery_shopper.statistics.special import student_t_bound

FEW = 20
"""Where no more families than this differ, the bootstrap is too sure, and the exact test decides.
At 8 families its interval leaves out zero for one in ten pairs of equal agents."""
ALPHA = 0.05
FEWEST = 6
"""Below so many families no difference, however large, has an exact p of 0.05 or less."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure, candidate minus base, over the tasks that both have.

    `base` and `candidate` are means over the paired tasks; None where nothing pairs. `detectable`
    is the smallest difference that so many families find at 80 % power; None below `FEWEST`.
    `exact` is the sign-flip test over families where at most `FEW` of them differ, None where more
    do. `demand` is the condition that asked for it, and `broken` whether it fails: None where
    nobody asked, or where there is too little to tell.
    """

    measure: Measure
    base: float | None
    candidate: float | None
    result: ContrastResult
    detectable: float | None
    exact: SignFlip | None = None
    demand: Demand | None = None
    broken: bool | None = None

    @property
    def p(self) -> float | None:
        """Of the exact test where that decides, or of the bootstrap; None where neither has one."""
        return self.result.p if self.exact is None else self.exact.p


@dataclass(frozen=True, slots=True)
class Flip:
    """A task of which more than half of the trials succeeded in one run and no more than half in
    the other: its success in both, and a trial of each to look at."""

    task: str
    base: float
    candidate: float
    base_trial: str
    candidate_trial: str
    failure: str

    @property
    def trials(self) -> tuple[str, str]:
        """The two trials, the base's first."""
        return self.base_trial, self.candidate_trial

    @property
    def lost(self) -> bool:
        """Whether the candidate is the one that fails."""
        return self.candidate < self.base


@dataclass(frozen=True)
class Comparison:
    """All that two runs tell of each other. Of the `paired` tasks so many are `valid`: both runs
    have a valid trial of them whose success is told."""

    base: RunOf[Score]
    candidate: RunOf[Score]
    factor: str
    paired: int
    valid: int
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]
    base_counts: Counts
    candidate_counts: Counts
    differences: tuple[Difference, ...]
    flips: tuple[Flip, ...]
    resamples: int

    @property
    def terms(self) -> Terms:
        """What the tasks of these runs are called."""
        return terms_of(self.base.plan.suite)

    @property
    def failed(self) -> tuple[Difference, ...]:
        """The conditions that fail."""
        return tuple(found for found in self.differences if found.broken)

    @property
    def untold(self) -> tuple[Difference, ...]:
        """The conditions of which there is too little to tell: too few families, or, where none
        fails, a run that is not finished."""
        return tuple(
            found
            for found in self.differences
            if found.demand is not None
            and (found.broken is None or (self.unfinished and not found.broken))
        )

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Which of the two has planned trials that were not played."""
        sides = (("base", self.base_counts), ("candidate", self.candidate_counts))
        return tuple(name for name, counts in sides if counts.unplayed)


def compare(
    base: RunOf[Score],
    candidate: RunOf[Score],
    demands: Sequence[Demand] = (),
    *,
    resamples: int = 10_000,
) -> Comparison:
    """Pair two runs of one suite by task id and contrast them, families resampled whole; in
    recbench all queries of a user are its family.

    What the suite's `USUAL` measures tell is contrasted over all tasks, success in each condition
    too, and so is what `demands` name. Raises InputError where the runs differ in more than one
    factor, where they share no task, and for a condition that neither has.
    """
    factor = contrasted(base.plan, candidate.plan)
    ours, theirs = ({task.id: task for task in run.tasks} for run in (base, candidate))
    shared = [task for name, task in ours.items() if name in theirs]
    if not shared:
        raise InputError(
            f"the two runs have no {terms_of(base.plan.suite).task} in common",
            where=f"{base.name} and {candidate.name}",
            remedy="Compare runs over the same --tasks and --condition.",
        )
    conditions = list(dict.fromkeys(task.condition for task in shared if task.condition))
    _check_conditions(demands, conditions, terms_of(base.plan.suite))
    plain = _usual(base, conditions)
    asked = [*plain, *(one.measure for one in demands if one.measure not in plain)]
    asked = list(dict.fromkeys(asked))
    pairs = [_Pair.of(one, base, candidate, shared) for one in asked]
    seed = derive_seed(0, "compare", base.plan.task_set_digest)
    results = paired_bootstrap(
        [
            Contrast(str(one), p.differences, p.families)
            for one, p in zip(asked, pairs, strict=True)
        ],
        seed=seed,
        resamples=resamples,
    )
    by_measure = {
        one: _difference(one, p, r) for one, p, r in zip(asked, pairs, results, strict=True)
    }
    demanded = [_judged(by_measure[one.measure], one) for one in demands]
    rest = [by_measure[one] for one in plain if one not in {d.measure for d in demands}]
    return Comparison(
        base,
        candidate,
        factor,
        len(shared),
        sum(bool(_told(base, task.id) and _told(candidate, task.id)) for task in shared),
        tuple(name for name in ours if name not in theirs),
        tuple(name for name in theirs if name not in ours),
        _counts(base),
        _counts(candidate),
        (*demanded, *rest),
        _flips(base, candidate, shared),
        resamples,
    )


USUAL: Mapping[str, Sequence[str]] = {
    "tau_rec": ("success", NVR),
    "recbench": ("success", "precision", "recall", "cmr", "ftr", "hallucinated"),
}
"""What is contrasted unasked: the suite's main figures; the first decides what has turned over."""


def _usual(base: RunOf[Score], conditions: Sequence[str]) -> list[Measure]:
    read = measures_of(base.plan.suite)
    first, *more = USUAL[base.plan.suite]
    named = [first, *more, *(f"{first}@{name}" for name in conditions if len(conditions) > 1)]
    if NVR in named:
        named.remove(NVR)
        if not all(row.satisfiable for row in base.rows):  # Of hidden tasks, as in a report.
            named.append(f"{NVR}@hidden" if "hidden" in conditions else NVR)
    return [read(name, "") for name in named]


def _counts(run: RunOf[Score]) -> Counts:
    valid = sum(row.valid for row in run.rows)
    return Counts(run.plan.count, valid, len(run.rows) - valid, None)


def _check_conditions(demands: Sequence[Demand], conditions: Sequence[str], terms: Terms) -> None:
    for one in demands:
        name = one.measure.condition
        if name and name not in conditions:
            raise InputError(
                f"{str(one)!r}: the runs share no {terms.task} of the {terms.condition} {name!r}",
                where="--fail-if",
                remedy=f"They share: {', '.join(conditions)}.",
            )


@dataclass(frozen=True)
class _Pair:
    """Both runs' values of the shared tasks, and the families of those."""

    base: tuple[float, ...]
    candidate: tuple[float, ...]
    families: tuple[str, ...]

    @classmethod
    def of(
        cls,
        one: Measure,
        base: RunOf[Score],
        candidate: RunOf[Score],
        shared: Sequence[PlannedTask],
    ) -> _Pair:
        tasks = [task for task in shared if not one.condition or task.condition == one.condition]
        return cls(
            tuple(one.of(valid(base, task.id)) for task in tasks),
            tuple(one.of(valid(candidate, task.id)) for task in tasks),
            tuple(task.family for task in tasks),
        )

    @property
    def differences(self) -> list[float]:
        return [after - before for before, after in zip(self.base, self.candidate, strict=True)]

    def means(self) -> tuple[float | None, float | None]:
        kept = [
            (before, after)
            for before, after in zip(self.base, self.candidate, strict=True)
            if not math.isnan(after - before)
        ]
        if not kept:
            return None, None
        before, after = zip(*kept, strict=True)
        return math.fsum(before) / len(kept), math.fsum(after) / len(kept)


def valid(run: RunOf[Score], task: str) -> list[Scored[Score]]:
    """The valid trials of a task."""
    return [row for row in run.by_task.get(task, ()) if row.valid]


def _difference(one: Measure, pair: _Pair, result: ContrastResult) -> Difference:
    base, candidate = pair.means()
    exact = _exact(pair)
    return Difference(one, base, candidate, result, _least(pair, exact is not None), exact)


def _least(pair: _Pair, few: bool) -> float | None:
    """The smallest difference that is found at 80 % power; where few families differ, by Student's
    distribution, since the normal one promises a sixth too much at eight families."""
    found = minimum_detectable_effect(pair.differences, pair.families)
    if found.clusters < FEWEST or found.standard_error is None:
        return None
    if not few:
        return found.effect
    df = found.clusters - 1
    bounds = student_t_bound(found.alpha, df) + student_t_bound(2 * (1 - found.power), df)
    return bounds * found.standard_error


def _exact(pair: _Pair) -> SignFlip | None:
    """The sign-flip test over families, where few differ. One that does not differ has no sign to
    flip: it changes no p."""
    _, totals = group_differences(Contrast("differences", pair.differences, pair.families))
    differing = totals[totals != 0]
    if len(totals) < 2 or len(differing) > FEW:
        return None
    return sign_flip(differing if len(differing) else totals[:1], seed=0, enumerate_up_to=FEW)


def _judged(found: Difference, one: Demand) -> Difference:
    result = found.result
    broken = one.broken(result.estimate, result.low, result.high)
    if result.clusters < FEWEST:
        broken = None
    elif broken and found.exact is not None and found.exact.p is not None:
        broken = found.exact.p <= ALPHA
    return replace(found, demand=one, broken=broken)


def _flips(
    base: RunOf[Score], candidate: RunOf[Score], shared: Sequence[PlannedTask]
) -> tuple[Flip, ...]:
    """The lost ones first, each kind in the plan's order."""
    found: list[Flip] = []
    for task in shared:
        ours, theirs = _told(base, task.id), _told(candidate, task.id)
        if not ours or not theirs:
            continue
        before, after = (sum(row.success for row in rows) / len(rows) for rows in (ours, theirs))
        if (before > 0.5) == (after > 0.5):
            continue
        won = before > after
        told = _trial(ours, won), _trial(theirs, not won)
        failing = next(row for row in told if not row.success)
        found.append(Flip(task.id, before, after, told[0].key, told[1].key, failing.failure or ""))
    return tuple(sorted(found, key=lambda flip: not flip.lost))


def _told(run: RunOf[Score], task: str) -> list[Scored[Score]]:
    """The valid trials of a task whose success is told."""
    return [row for row in valid(run, task) if row.score.success is not None]


def _trial(rows: Sequence[Scored[Score]], success: bool) -> Scored[Score]:
    return next((row for row in rows if row.success is success), rows[0])
