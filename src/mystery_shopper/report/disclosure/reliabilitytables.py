"""RQ4: what persists across trials, agents and users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from statistics import median

import numpy as np

from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.cells import Answers, Estimate
from mystery_shopper.report.disclosure.contrasttable import least, points, settle
from mystery_shopper.report.disclosure.counting import count, count_effects, tasks_of
from mystery_shopper.report.disclosure.effects import Effect, average, contrast
from mystery_shopper.report.disclosure.means import Mean
from mystery_shopper.report.disclosure.published import (
    DETECTABLE,
    DETECTABLE_PAIR,
    DETECTABLE_PAIR_HIDDEN,
    MARK,
    PASSES,
    SEPARATED,
    USERS,
)
from mystery_shopper.report.disclosure.settings import HIDDEN, Panel, Setting, Tried
from mystery_shopper.report.disclosure.study import (
    AVERAGE,
    BOTH,
    Study,
    paper_row,
    with_average,
)
from mystery_shopper.report.disclosure.twelve import pairs, shared
from mystery_shopper.report.tabular import Table, counted, estimate
from mystery_shopper.report.words import DASH, figure, p_value, whole
from mystery_shopper.statistics.contrasts import ContrastResult
from mystery_shopper.statistics.power import minimum_detectable_effect, separated_share
from mystery_shopper.suites.tau_rec.task import Condition

MOST = 8
"""The largest k of pass^k."""


@dataclass(frozen=True, slots=True)
class Passed:
    """pass^1 .. pass^k of a setting, or of the average, under one condition."""

    agent: str
    interface: str
    condition: str
    settings: tuple[Setting, ...]
    estimates: tuple[Estimate, ...]


def passed(study: Study) -> list[Passed]:
    """The average first, then each setting of the main comparison."""
    tasks = tasks_of(study.panel, study.settings)
    most = min(MOST, max((len(task.rows) for task in tasks), default=0))
    keys = [
        (agent, search, condition.value, some)
        for agent, search, some in with_average(study.settings)
        for condition in Condition
        if tasks_of(study.panel, some, condition.value, Answers.SATISFIABLE)
    ]
    found = study.levels(
        [
            Mean(some, condition, of=partial(_pass, k=k))
            for _, _, condition, some in keys
            for k in range(1, most + 1)
        ]
    )
    return [
        Passed(*key, tuple(one.estimate for one in found[place * most : (place + 1) * most]))
        for place, key in enumerate(keys)
    ]


def _pass(task: Tried, k: int) -> float:
    return task.passes(k)


def pass_table(study: Study, found: Sequence[Passed]) -> Table:
    """pass^k by setting and condition."""
    most = max((len(one.estimates) for one in found), default=0)
    rows: list[tuple[str, ...]] = []
    for one in found:
        tasks = tasks_of(study.panel, one.settings, one.condition, Answers.SATISFIABLE)
        cells = (estimate(each) for each in one.estimates)
        numbers = " / ".join(dict.fromkeys(whole(each.tasks) for each in one.estimates))
        told = (one.agent, one.interface, one.condition, *cells, numbers)
        rows.append((*told, *counted(count(tasks))))
    if rows:
        for condition in Condition:
            known = [PASSES.get((condition.value, k)) for k in range(1, most + 1)]
            cells = ["" if value is None else figure(value) for value in known]
            row = paper_row("average of its 4 agents", [*cells, ""], 3)
            rows.append((*row[:2], condition.value, *row[3:]))
    note = (
        "Satisfiable families. pass^k: the chance that k trials of a task all succeed, with 95 % "
        "intervals over families. A task with fewer than k valid trials is left out of pass^k; "
        "tasks: how many count, for each k where the numbers differ."
    )
    heads = [f"pass^{k}" for k in range(1, most + 1)]
    head = ("agent", "interface", "condition", *heads, "tasks")
    return study.table("Success at every one of k trials", note, head, rows, 3)


@dataclass(frozen=True)
class Apart:
    """How many pairs of the main comparison's settings the panel tells apart, by trials of every
    condition, and those that it does not. `effects`: the median points that such a pair must differ
    by to be found, over all conditions and on hidden tasks; None where unmeasured."""

    separated: int
    pairs: int
    unmeasured: int
    alike: tuple[tuple[Setting, Setting, ContrastResult], ...]
    effect: float | None
    hidden: float | None

    @property
    def share(self) -> float | None:
        """The share of the pairs that are told apart."""
        return self.separated / self.pairs if self.pairs else None


def apart(study: Study) -> Apart:
    """The settings of the main comparison, pair by pair, over the tasks that both scored."""
    settings = study.settings
    tasks = tasks_of(study.panel, settings)
    places = {name: place for place, name in enumerate(dict.fromkeys(t.task for t in tasks))}
    families = {task.task: task.family for task in tasks}
    hidden = {task.task for task in tasks if task.condition == HIDDEN}
    clusters = [families[name] for name in places]
    scores: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    for number, setting in enumerate(settings):
        row = np.full(len(places), np.nan)
        for task in study.panel[setting].tasks:
            row[places[task.task]] = task.share()
        scores[str(number)] = row
    if len(settings) < 2:
        return Apart(0, 0, 0, (), None, None)
    found = separated_share(scores, clusters, seed=study.panel.seed, resamples=study.resamples)
    both = list(combinations(settings, 2))
    alike = tuple(
        (first, second, result)
        for (first, second), result in zip(both, found.results, strict=True)
        if not result.excludes_zero
    )
    only = np.array([name in hidden for name in places])
    every = [scores[b] - scores[a] for a, b in combinations(scores, 2)]
    return Apart(
        found.separated,
        found.pairs,
        found.unmeasured,
        alike,
        _median_effect(every, clusters),
        _median_effect([np.where(only, one, np.nan) for one in every], clusters),
    )


def _median_effect(
    differences: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]], clusters: Sequence[str]
) -> float | None:
    """None too where no pair differs anywhere: their tasks then tell nothing of the spread."""
    effects = [minimum_detectable_effect(one, clusters).effect for one in differences]
    known = [effect for effect in effects if effect]
    return median(known) if known else None


def power_table(study: Study, found: Apart) -> Table:
    """What the panel can tell, beside what the paper's could."""
    told = f"{found.separated} of {found.pairs}" if found.pairs else DASH
    if found.share is not None:
        told = f"{told} ({figure(found.share)})"
    if found.unmeasured:
        told = f"{told}, {found.unmeasured} unmeasured"
    counts = counted(count(tasks_of(study.panel, study.settings)))
    least_ = least(study.tests.alone)
    rows = [
        ("agent–interface pairs told apart", told, f"{SEPARATED[0]} of {SEPARATED[1]}"),
        ("detectable: the interface, averaged", least_, f"about {DETECTABLE}"),
        ("detectable: between two such pairs", _points(found.effect), str(DETECTABLE_PAIR)),
        ("the same on hidden tasks", _points(found.hidden), str(DETECTABLE_PAIR_HIDDEN)),
    ]
    note = (
        "An agent with an interface is told from another where the 95 % interval of their "
        "difference over families, all conditions together, leaves out zero. Detectable: points "
        "of pass^1 found at 80 % power; between two such pairs the median over pairs that differ "
        "anywhere."
    )
    head = ("what", "points or share", MARK)
    return study.table("What this panel can tell", note, head, ((*row, *counts) for row in rows), 1)


def _points(effect: float | None) -> str:
    return DASH if effect is None else f"{100 * effect:.1f}"


def alike_table(study: Study, found: Apart) -> Table:
    """The pairs that the panel does not tell apart."""
    rows = [
        (
            _named(first), _named(second), points(result.estimate, result.low, result.high),
            whole(result.tasks), *counted(count(tasks_of(study.panel, (first, second)))),
        )
        for first, second, result in found.alike
    ]  # fmt: skip
    note = (
        "Pairs of the main comparison whose 95 % interval holds zero, or that have none: the "
        "second minus the first in points of pass^1, over the tasks that both scored. That a pair "
        "is not told apart does not say that the two are equal."
    )
    return study.table(
        "Pairs that are not told apart", note, ("first", "second", "points", "tasks"), rows
    )


def _named(setting: Setting) -> str:
    return f"{setting.agent} · {setting.interface}"


def user_table(study: Study) -> Table:
    """Each other user against the rule-based one, by condition, averaged and by agent."""
    panel = study.panel
    others = dict.fromkeys(s.user for s in panel.settings if s.user != RULE_BASED)
    keys = [
        (user, agent, condition)
        for user in others
        for agent in (AVERAGE, *(panel.agents if len(panel.agents) > 1 else ()))
        for condition in (BOTH, *(c.value for c in Condition))
    ]
    found = study.find([_user(panel, *key) for key in keys])
    rows: list[tuple[str, ...]] = []
    for key, one in zip(keys, found, strict=True):
        result = one.result
        if one.effect.missing:
            if key[1:] == (AVERAGE, BOTH):
                blank = [DASH] * 5
                told = (f"{key[0]}: {one.effect.missing}", *key[1:], *blank)
                rows.append((*told, *counted(count_effects(panel, []))))
            continue
        told = (
            points(result.estimate, result.low, result.high), p_value(result.p, result.at_floor),
            least(one), settle(one, result.p), whole(result.tasks),
        )  # fmt: skip
        rows.append((*key, *told, *counted(count_effects(panel, [one.effect]))))
    if rows:
        for user, known in USERS.items():
            told = points(known.points / 100, known.low / 100, known.high / 100)
            row = paper_row(f"{user} user", [told, known.families, "", "", ""], 3)
            rows.append((row[0], "DeepSeek", BOTH, *row[3:]))
    note = (
        f"Points of pass^1 against the {RULE_BASED} user, same agent, interface, size and tasks; "
        "95 % intervals over families, p uncorrected (the paper's is adjusted)."
    )
    head = ("user", "agent", "condition", "points", "p", "detectable", "to settle", "pairs")
    return study.table(f"Other users against the {RULE_BASED} one", note, head, rows, 3)


def _user(panel: Panel, user: str, agent: str, condition: str) -> Effect:
    terms = [
        contrast(panel, (ruled, c), (voiced, c), "user")
        for ruled, voiced in pairs(panel.settings, "user", RULE_BASED, user)
        if agent in (AVERAGE, ruled.agent)
        for c in shared(panel, ruled, voiced)
        if condition in (BOTH, c)
    ]
    return average(user, terms, f"no agent was run with the {RULE_BASED} user too")
