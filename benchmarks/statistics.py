"""The twelve tests of a panel, and their bootstrap beside scipy's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, row, seconds
from mystery_shopper.foundation import generator
from mystery_shopper.statistics import (
    Cell,
    Combined,
    Contrast,
    ContrastResult,
    SignFlip,
    average,
    group_differences,
    holm,
    interaction,
    pair,
    paired_bootstrap,
    sign_flip,
)

FAMILIES, TRIALS, RESAMPLES = 51, 8, 10_000
MODELS = ("one", "two", "three", "four")
INTERFACES = ("keyword", "structured")
CONDITIONS = {"volunteer": 0.95, "mixed": 0.75, "hidden": 0.3}
FACTORS = ("agent", "interface", "condition", "size", "user")
USERS = ("rule-based", "user one", "user two")
TEMPLATES = {f"f{family:02}": f"t{family % 13:02}" for family in range(FAMILIES)}

Setting = tuple[str, str, str, str, str]
Outcomes = NDArray[np.bool_]


@dataclass(frozen=True)
class Tests:
    """The interface test, which stands alone; Holm's family of eleven; sign flips of all."""

    results: tuple[ContrastResult, ...]
    adjusted: tuple[float | None, ...]
    flips: tuple[SignFlip, ...]


def twelve_tests() -> list[Row]:
    """From 0/1 outcomes of 51 families x 8 agents x 3 conditions x 8 trials, and the smaller
    catalogue and model users that the tests need, to twelve intervals, p values and sign flips.

    scipy draws the same families for the same twelve contrasts, from the same outcomes, and then
    from what is averaged for it beforehand: the trials of each task, and the tasks of each family.
    """
    panel = _panel()
    twelve = contrasts(panel)
    trials = [_outcomes(contrast, panel) for contrast in twelve]
    tasks = [table.mean(axis=2) for table in trials]
    families = [table.sum(axis=1) for table in tasks]
    for tables in (trials, tasks, families):
        _agree(_bootstrap(twelve), tables)
    whole = seconds(lambda: tests(panel), repeat=15)
    outcomes = seconds(lambda: _bootstrap(contrasts(panel)), repeat=15)
    drawn = seconds(lambda: _bootstrap(twelve), repeat=15)
    name = f"twelve contrasts of a panel, {RESAMPLES:,} resamples of families"
    peer = "scipy.stats.bootstrap, percentile"
    return [
        row("twelve tests of a panel, from outcomes to p values (target: 1.5)", whole, "s"),
        row(f"{name}, from outcomes (target: 40 x)", outcomes * 1e3, "ms",
            peer, 1e3 * seconds(lambda: _scipys(trials), repeat=1, warm=False)),
        row(f"{name}, from pass^1 of tasks", drawn * 1e3, "ms",
            peer, 1e3 * seconds(lambda: _scipys(tasks))),
        row(f"{name}, from pass^1 of tasks", drawn * 1e3, "ms",
            f"{peer}, given one number a family", 1e3 * seconds(lambda: _scipys(families))),
    ]  # fmt: skip


def _bootstrap(twelve: Sequence[Contrast | Combined]) -> tuple[ContrastResult, ...]:
    return paired_bootstrap(twelve, seed=1, resamples=RESAMPLES)


def tests(panel: dict[Setting, Outcomes]) -> Tests:
    """All twelve tests."""
    twelve = contrasts(panel)
    results = paired_bootstrap(twelve, seed=1, resamples=RESAMPLES)
    return Tests(
        results,
        (results[0].p, *holm([result.p for result in results[1:]])),
        tuple(sign_flip(group_differences(one, TEMPLATES)[1], seed=1) for one in twelve),
    )


def contrasts(panel: dict[Setting, Outcomes]) -> list[Contrast | Combined]:
    """The interface test, then the eleven that Holm corrects (τ-Rec-Books, table 4)."""
    cells = {setting: _cell(setting, outcomes) for setting, outcomes in panel.items()}
    rule = USERS[0]

    def between(factor: str, base: Setting, candidate: Setting) -> Contrast:
        name = f"{'/'.join(base)} > {'/'.join(candidate)}"
        return pair(cells[base], cells[candidate], factor=factor).contrast(name)

    interfaces = [
        average(
            f"interface, {model}",
            [
                between("interface", (model, "keyword", condition, "20k", rule),
                        (model, "structured", condition, "20k", rule))
                for condition in CONDITIONS
            ],
        )
        for model in MODELS
    ]  # fmt: skip
    disclosure = [
        average(
            f"{condition} - volunteer",
            [
                between("condition", (model, interface, "volunteer", "20k", rule),
                        (model, interface, condition, "20k", rule))
                for model in MODELS for interface in INTERFACES
            ],
        )
        for condition in ("mixed", "hidden")
    ]  # fmt: skip
    scale = [
        average(
            f"{interface}, 5k - 20k",
            [
                between("size", (model, interface, condition, "20k", rule),
                        (model, interface, condition, "5k", rule))
                for model in MODELS for condition in ("volunteer", "mixed")
            ],
        )
        for interface in INTERFACES
    ]  # fmt: skip
    users = [
        average(
            f"{user} - rule-based",
            [
                between("user", ("one", "structured", condition, "20k", rule),
                        ("one", "structured", condition, "20k", user))
                for condition in CONDITIONS
            ],
        )
        for user in USERS[1:]
    ]  # fmt: skip
    return [
        average("interface", interfaces),
        *interfaces,
        *disclosure,
        *scale,
        interaction("interface x scale", scale[1], scale[0]),
        *users,
    ]


def _panel() -> dict[Setting, Outcomes]:
    """(families, trials) outcomes of each setting."""
    random = generator("benchmark panel", 1)
    ease = random.normal(0, 0.12, size=FAMILIES)
    settings = [
        (model, interface, condition, size, user)
        for model in MODELS
        for interface in INTERFACES
        for condition in CONDITIONS
        for size in ("20k", "5k")
        for user in (USERS if model == "one" and size == "20k" else USERS[:1])
    ]
    panel: dict[Setting, Outcomes] = {}
    for setting in settings:
        rate = CONDITIONS[setting[2]] + 0.05 * (setting[1] == "structured")
        rate += 0.03 * (setting[3] == "5k") - 0.08 * (setting[4] != "rule-based")
        chance = np.clip(rate + ease + random.normal(0, 0.1, size=FAMILIES), 0.02, 0.98)
        panel[setting] = random.random((FAMILIES, TRIALS)) < chance[:, None]
    return panel


def _cell(setting: Setting, outcomes: Outcomes) -> Cell:
    factors: dict[str, str] = dict(zip(FACTORS, setting, strict=True))
    families = {f"{family}/{setting[2]}": family for family in TEMPLATES}
    return Cell(factors, dict(zip(families, outcomes.mean(axis=1).tolist(), strict=True)), families)


def _outcomes(contrast: Contrast | Combined, panel: dict[Setting, Outcomes]) -> NDArray[np.float64]:
    """(families, tasks, trials): differences of outcomes, times the coefficient of their task, so
    that a mean over families and trials of the sum over tasks is the estimate."""
    parts = contrast if isinstance(contrast, Combined) else Combined("", (contrast,), (1.0,))
    table: NDArray[np.float64] = np.stack(
        [
            coefficient * (1.0 * panel[_setting(candidate)] - panel[_setting(base)])
            for coefficient, term in zip(parts.coefficients, parts.terms, strict=True)
            for base, candidate in [term.name.split(" > ")]
        ],
        axis=1,
        dtype=np.float64,
    )
    return table


def _setting(name: str) -> Setting:
    agent, interface, condition, size, user = name.split("/")
    return agent, interface, condition, size, user


def _scipys(tables: Sequence[NDArray[np.float64]]) -> list[tuple[float, float]]:
    return [_scipy(table) for table in tables]


def _scipy(table: NDArray[np.float64]) -> tuple[float, float]:
    """scipy's interval of a contrast: it draws families, the rows of `table`, which may have tasks
    and trials behind them."""

    def drawn(index: NDArray[np.intp], axis: int = -1) -> NDArray[np.float64]:
        rows = table[index]
        if rows.ndim == index.ndim + 2:
            rows = rows.mean(axis=-1)
        return rows.sum(axis=-1).mean(axis=axis)

    plain = table.ndim == 1
    found = stats.bootstrap(
        (table if plain else np.arange(len(table)),),
        np.mean if plain else drawn,
        n_resamples=RESAMPLES,
        # The fastest of 20, 100, 500 and all at once.
        batch=100 if table.ndim == 3 else None,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(1),
    ).confidence_interval
    return float(found.low), float(found.high)


def _agree(results: Sequence[ContrastResult], tables: Sequence[NDArray[np.float64]]) -> None:
    """Raise where a bound is not scipy's within four standard errors of a percentile's draw."""
    for result, table in zip(results, tables, strict=True):
        assert result.low is not None
        assert result.high is not None
        # sqrt(p q / B) over the normal density there, for each of two bounds.
        error = 2.67 * (result.high - result.low) / 3.92 / RESAMPLES**0.5 * 2**0.5
        for ours, theirs in zip((result.low, result.high), _scipy(table), strict=True):
            if abs(ours - theirs) > 4 * error:
                raise AssertionError(f"{result.name}: {ours} is not scipy's {theirs}")
