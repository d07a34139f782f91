"""What a panel can tell apart: the least effect it detects, and what a smaller one would need.

For a clustered paired contrast with standard error s, a two-sided test at α detects the effect
(z_{1-α/2} + z_power) s with the wanted power. The error's variance has two parts: between families
σ²_b / F, which only more families lessen, and within tasks over trials σ²_w / (F n), which more
trials lessen too. Sources: Liang and Zeger 1986 (errors from clusters); Searle, Casella and
McCulloch 1992, §3.6 (components of variance); Sakai 2016, Topic set size design.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from mystery_shopper.statistics.bootstrap import Floats, Labels
from mystery_shopper.statistics.contrasts import ContrastResult, paired_bootstrap
from mystery_shopper.statistics.corrections import holm
from mystery_shopper.statistics.designs import Combined, Contrast, clustered_error

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Detectable:
    """The least effect that is found with `power` at `alpha`, in the units of the differences.

    `effect` and `standard_error` are None below two clusters. A standard error of zero makes every
    effect detectable: it says that the clusters at hand did not differ, and no more.
    """

    effect: float | None
    standard_error: float | None
    clusters: int
    power: float
    alpha: float


@dataclass(frozen=True, slots=True)
class Components:
    """The variance of a paired difference, between families and within a task over its trials.

    `within` is that of one trial of each side. None: a part that the data cannot tell (below two
    families; no task with two trials of both sides).
    """

    between: float | None
    within: float | None
    families: int


@dataclass(frozen=True, slots=True)
class Needed:
    """What a wanted effect would take: `families` at `trials_now` trials a task, or `trials` a task
    with the `families_now` families. None: no number is enough, or the data cannot tell."""

    effect: float
    families: int | None
    trials: int | None
    families_now: int
    trials_now: int
    power: float
    alpha: float


@dataclass(frozen=True, slots=True)
class Separation:
    """How many pairs of agents a panel tells apart. `unmeasured` pairs have no interval and count
    in neither; `share` is None where every pair is one. `results`: one contrast a pair."""

    separated: int
    pairs: int
    unmeasured: int
    share: float | None
    results: tuple[ContrastResult, ...]


def minimum_detectable_effect(
    differences: ArrayLike | Sequence[float | None],
    clusters: Labels,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Detectable:
    """The least effect that a contrast on data like these detects.

    `differences`: (tasks,) floats, NaN or None where unpaired; `clusters`: (tasks,) labels.
    """
    return detectable(Contrast("differences", differences, clusters), power=power, alpha=alpha)


def detectable(
    contrast: Contrast | Combined, *, power: float = 0.8, alpha: float = 0.05
) -> Detectable:
    """As `minimum_detectable_effect`, of any contrast: of an average over agents, say."""
    factor = _factor(power, alpha)
    error, found = clustered_error(contrast)
    return Detectable(None if error is None else factor * error, error, found, power, alpha)


def predicted_power(effect: float, standard_error: float, *, alpha: float = 0.05) -> float:
    """The chance that a two-sided test at `alpha` finds an effect of this size."""
    if standard_error < 0:
        raise ValueError(f"standard_error is {standard_error}, and must not be negative")
    bound = _NORMAL.inv_cdf(1 - _share(alpha, "alpha") / 2)
    if standard_error == 0:
        return 1.0 if effect else alpha
    shift = abs(effect) / standard_error
    return _NORMAL.cdf(shift - bound) + _NORMAL.cdf(-shift - bound)


def variance_components(
    base: Sequence[Sequence[float]], candidate: Sequence[Sequence[float]]
) -> Components:
    """The components of a paired difference, one task a family.

    `base[f]` and `candidate[f]`: the scores of family f's trials on either side, NaN left out. A
    family without a score on both sides is left out. A component that the data put below zero is 0.
    """
    if len(base) != len(candidate):
        raise ValueError(f"{len(base)} families cannot be paired with {len(candidate)}")
    sides = [
        (one, other)
        for one, other in zip(map(_finite, base), map(_finite, candidate), strict=True)
        if len(one) and len(other)
    ]
    count = len(sides)
    spreads = [_spread([side[place] for side in sides]) for place in (0, 1)]
    known = None not in spreads
    within = math.fsum(spread for spread in spreads if spread is not None) if known else None
    if count < 2 or within is None:
        return Components(None, within, count)
    means = [math.fsum(other) / len(other) - math.fsum(one) / len(one) for one, other in sides]
    middle = math.fsum(means) / count
    total = math.fsum((mean - middle) ** 2 for mean in means) / (count - 1)
    noise = math.fsum(
        spread * math.fsum(1 / len(side[place]) for side in sides) / count
        for place, spread in enumerate(spreads)
        if spread is not None
    )
    return Components(max(0.0, total - noise), within, count)


def needed(
    effect: float,
    components: Components,
    *,
    trials: int,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Needed:
    """The families, or the trials of each task, that an effect of this size needs.

    The variance of the contrast is σ²_b / F + σ²_w / (F n). At least two families and one trial
    are always needed. `trials`: how many each task has now.
    """
    if trials < 1:
        raise ValueError(f"trials is {trials}, and must be at least 1")
    allowed = (abs(effect) / _factor(power, alpha)) ** 2
    between, within, now = components.between, components.within, components.families
    families = more = None
    if between is not None and within is not None and allowed > 0:
        families = max(2, _ceiling((between + within / trials) / allowed))
        rest = allowed * now - between
        if within == 0:
            more = 1 if rest >= 0 else None
        elif rest > 0:
            more = max(1, _ceiling(within / rest))
    return Needed(effect, families, more, now, trials, power, alpha)


def separated_share(
    values: Mapping[str, ArrayLike | Sequence[float | None]],
    clusters: Labels,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
    corrected: bool = False,
) -> Separation:
    """The share of agent pairs whose paired difference has an interval on one side of zero, or,
    `corrected`, whose p value by Holm over all pairs is below 1 - level.

    `values`: each agent's (tasks,) scores over the same tasks, NaN or None where unscored.
    """
    table: dict[str, Floats] = {
        name: np.asarray(row, dtype=np.float64) for name, row in values.items()
    }
    if len({row.shape for row in table.values()}) > 1:
        raise ValueError("every agent needs one score a task, NaN where unscored")
    results = paired_bootstrap(
        [
            Contrast(f"{second} - {first}", table[second] - table[first], clusters)
            for first, second in combinations(table, 2)
        ],
        seed=seed,
        resamples=resamples,
        level=level,
    )
    adjusted = holm([result.p for result in results])
    measured = [(result, p) for result, p in zip(results, adjusted, strict=True) if p is not None]
    apart = sum(p < 1 - level if corrected else result.excludes_zero for result, p in measured)
    share = apart / len(measured) if measured else None
    return Separation(apart, len(measured), len(results) - len(measured), share, results)


def _factor(power: float, alpha: float) -> float:
    return _NORMAL.inv_cdf(1 - _share(alpha, "alpha") / 2) + _NORMAL.inv_cdf(_share(power, "power"))


def _share(value: float, name: str) -> float:
    if not 0 < value < 1:
        raise ValueError(f"{name} is {value}, and must lie between 0 and 1")
    return value


def _ceiling(number: float) -> int:
    """The next whole number, where a rounding above a whole one does not count."""
    return math.ceil(number * (1 - 1e-12))


def _finite(scores: Sequence[float]) -> list[float]:
    kept = [float(score) for score in scores if not math.isnan(score)]
    if any(math.isinf(score) for score in kept):
        raise ValueError("scores must be finite, or NaN where unscored")
    return kept


def _spread(tasks: Sequence[Sequence[float]]) -> float | None:
    """The variance of a trial around its task, pooled over tasks; None where none has two."""
    freedom = sum(len(task) - 1 for task in tasks)
    if not freedom:
        return None
    return (
        math.fsum((score - math.fsum(task) / len(task)) ** 2 for task in tasks for score in task)
        / freedom
    )
