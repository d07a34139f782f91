"""Effects: averages of paired contrasts over agents, interfaces and conditions, and their tests.

An effect is a sum of terms, each the mean of paired differences of two settings' tasks, times a
coefficient. All effects of a report are tested on one draw of families (`paired_bootstrap`), and
again by flipping signs of whole templates (τ-Rec-Books §4.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.settings import (
    Holds,
    Panel,
    Setting,
    Tried,
    every,
    succeeded,
)
from mystery_shopper.statistics.cellplan import Paired, pair
from mystery_shopper.statistics.contrasts import (
    Combined,
    Contrast,
    ContrastResult,
    paired_bootstrap,
)
from mystery_shopper.statistics.exact import SignFlip, sign_flip
from mystery_shopper.statistics.power import (
    Components,
    Detectable,
    Needed,
    minimum_detectable_effect,
    needed,
)

Side = tuple[Setting, str]
"""A setting and a condition."""


@dataclass(frozen=True, eq=False)
class Term:
    """One paired contrast of an effect, with its coefficient, and how much a trial's chance adds to
    the variance of each pair (None where a task has a single trial)."""

    base: Side
    candidate: Side
    paired: Paired
    coefficient: float
    noise: tuple[float | None, ...]
    trials: float
    answers: Answers


@dataclass(frozen=True, eq=False)
class Effect:
    """What is to be tested, by name. `missing` says why there is nothing to test; then there are no
    terms. `role` is its place in the paper's plan, whatever the agents are called."""

    name: str
    terms: tuple[Term, ...]
    missing: str = ""
    role: str = ""

    @property
    def unpaired(self) -> tuple[str, ...]:
        """Tasks that stand in one of a term's settings only, and those unscored in one."""
        found: dict[str, None] = {}
        for term in self.terms:
            paired = term.paired
            found |= dict.fromkeys((*paired.only_base, *paired.only_candidate, *paired.unscored))
        return tuple(found)

    def times(self, factor: float) -> tuple[Term, ...]:
        """The terms with other coefficients."""
        return tuple(replace(term, coefficient=term.coefficient * factor) for term in self.terms)


@dataclass(frozen=True)
class Finding:
    """An effect's estimate with all that is said of it. `flips`: over templates, where it was
    tested so. `adjusted` is Holm's p where the effect
    belongs to a corrected family; `wanted` is what it takes to settle an effect of this size."""

    effect: Effect
    result: ContrastResult
    flips: SignFlip | None
    detectable: Detectable
    wanted: Needed | None
    adjusted: float | None = None


def contrast(
    panel: Panel,
    base: Side,
    candidate: Side,
    factor: str,
    answers: Answers = Answers.ALL,
    *,
    holds: Holds = succeeded,
    keep: Holds = every,
) -> Term | None:
    """The candidate's tasks minus the base's, paired: shares of the trials to `keep` of which
    something holds, successes if nothing else is named. None where nothing pairs. Raises
    IncomparableCells where the two differ in more than the factor."""
    sides = [
        panel[setting].cell(condition, answers, holds=holds, keep=keep)
        for setting, condition in (base, candidate)
    ]
    paired = pair(sides[0], sides[1], factor=factor)
    if not paired.tasks:
        return None
    first, second = (
        _tried(panel, side, answers, by_family=factor == "condition") for side in (base, candidate)
    )
    noise = [_noise((first[name], second[name]), holds, keep) for name in paired.tasks]
    trials = [len(side[name].rows) for name in paired.tasks for side in (first, second)]
    return Term(base, candidate, paired, 1.0, tuple(noise), sum(trials) / len(trials), answers)


def _tried(panel: Panel, side: Side, answers: Answers, *, by_family: bool) -> Mapping[str, Tried]:
    setting, condition = side
    tasks = panel[setting].of(condition, answers)
    return {task.family if by_family else task.task: task for task in tasks}


def _noise(sides: Sequence[Tried], holds: Holds, keep: Holds) -> float | None:
    """The variance of a pair's difference that comes of chance between trials."""
    total = 0.0
    for side in sides:
        rows = [row for row in side.rows if keep(row)]
        if len(rows) < 2:
            return None
        share = sum(map(holds, rows)) / len(rows)
        total += share * (1 - share) / (len(rows) - 1)
    return total


def average(name: str, terms: Sequence[Term | None], missing: str, role: str = "") -> Effect:
    """The plain average of the terms that there are; `missing` is said where there is none."""
    found = [term for term in terms if term is not None]
    if not found:
        return Effect(name, (), missing, role)
    return Effect(name, Effect(name, tuple(found)).times(1 / len(found)), role=role)


def minus(name: str, first: Effect, second: Effect, missing: str, role: str = "") -> Effect:
    """`first` minus `second`: an interaction."""
    if not first.terms or not second.terms:
        return Effect(name, (), missing, role)
    return Effect(name, (*first.times(1.0), *second.times(-1.0)), role=role)


def find(
    panel: Panel, effects: Sequence[Effect], *, resamples: int, templates: bool = False
) -> list[Finding]:
    """Every effect, on the panel's one draw of families; with `templates` also tested by flipping
    the signs of whole templates."""
    results = draw(panel, [_combined(effect) for effect in effects], resamples)
    known = {family: request.template for family, request in panel.requests.items()}
    return [
        _tested(effect, result, known if templates else None, panel.seed)
        for effect, result in zip(effects, results, strict=True)
    ]


def draw(
    panel: Panel, contrasts: Sequence[Contrast | Combined], resamples: int
) -> tuple[ContrastResult, ...]:
    """The contrasts on the one draw of a panel: whatever is asked together, every family of the
    panel is among those that are resampled, so the same draws serve every figure."""
    families = panel.families
    anchor = Contrast("every family", np.zeros(len(families)), families)
    return paired_bootstrap([anchor, *contrasts], seed=panel.seed, resamples=resamples)[1:]


def _combined(effect: Effect) -> Combined | Contrast:
    if not effect.terms:
        return Contrast(effect.name, (), ())
    parts = tuple(
        Contrast(effect.name, term.paired.differences, term.paired.clusters)
        for term in effect.terms
    )
    return Combined(effect.name, parts, tuple(term.coefficient for term in effect.terms))


def _tested(
    effect: Effect, result: ContrastResult, templates: Mapping[str, str] | None, seed: int
) -> Finding:
    parts = _parts(effect)
    families = [part.family for part in parts]
    flips = None
    if templates is not None:
        flips = sign_flip(
            [part.value for part in parts],
            seed=derive_seed(seed, "templates", effect.name),
            clusters=[templates.get(family, family) for family in families],
        )
    middle = result.estimate or 0.0
    least = minimum_detectable_effect([part.away + middle for part in parts], families)
    return Finding(effect, result, flips, least, _wanted(effect, result.estimate, least))


@dataclass(frozen=True, slots=True)
class _Part:
    """One pair's share of an effect: the mean of all `value`s is the estimate; `away` is how far
    the pair lies from its own term's mean, on the same scale."""

    value: float
    away: float
    family: str


def _parts(effect: Effect) -> list[_Part]:
    """Nothing where a term has no scored pair: the effect is then unmeasured."""
    scored = [~np.isnan(term.paired.differences) for term in effect.terms]
    if not all(kept.any() for kept in scored):
        return []
    count = sum(int(kept.sum()) for kept in scored)
    found: list[_Part] = []
    for term, kept in zip(effect.terms, scored, strict=True):
        values = term.paired.differences[kept].tolist()
        families = [f for f, there in zip(term.paired.clusters, kept, strict=True) if there]
        mean, share = math.fsum(values) / len(values), count * term.coefficient / len(values)
        found.extend(
            _Part(share * value, share * (value - mean), family)
            for value, family in zip(values, families, strict=True)
        )
    return found


def _wanted(effect: Effect, estimate: float | None, least: Detectable) -> Needed | None:
    """What would settle an effect as large as the one found: the standard error split into what
    more trials lessen and what only more families do."""
    error = least.standard_error
    if estimate is None or not error or not estimate:
        return None
    chance = 0.0
    for term in effect.terms:
        scored = [
            noise
            for noise, value in zip(term.noise, term.paired.differences, strict=True)
            if not math.isnan(value)
        ]
        if any(noise is None for noise in scored):
            chance = math.nan
            break
        share = term.coefficient / len(scored)
        chance += share**2 * math.fsum(noise for noise in scored if noise is not None)
    trials = max(1, round(sum(term.trials for term in effect.terms) / len(effect.terms)))
    count = least.clusters
    if math.isnan(chance):  # One trial a task: its chance cannot be told from the task's own part.
        parts = Components(error**2 * count, 0.0, count)
        return needed(estimate, parts, trials=trials, power=least.power, alpha=least.alpha)
    chance = min(chance, error**2)
    parts = Components((error**2 - chance) * count, chance * count * trials, count)
    return needed(estimate, parts, trials=trials, power=least.power, alpha=least.alpha)
