"""Success and untested commitments by prompt, each against base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mystery_shopper.report.cells import Answers, Counts, Estimate
from mystery_shopper.report.disclosure.contrasttable import points
from mystery_shopper.report.disclosure.effects import Effect, average, contrast
from mystery_shopper.report.disclosure.means import Mean
from mystery_shopper.report.disclosure.published import PROMPTS
from mystery_shopper.report.disclosure.settings import BASE, Panel, Setting, Tried
from mystery_shopper.report.disclosure.study import AVERAGE, BOTH, Study, paper_row
from mystery_shopper.report.disclosure.twelve import shared
from mystery_shopper.report.rows import Row
from mystery_shopper.report.tabular import Table, counted, estimate
from mystery_shopper.report.words import DASH, p_value
from mystery_shopper.statistics.contrasts import ContrastResult
from mystery_shopper.suites.tau_rec.prompts import Prompt
from mystery_shopper.suites.tau_rec.task import Condition


@dataclass(frozen=True, slots=True)
class Prompted:
    """A prompt's figures for one agent and search, or the average of those that played it, under a
    condition: success and untested commitments, and how each differs from base; None for base
    itself."""

    agent: str
    interface: str
    prompt: str
    condition: str
    success: Estimate
    untested: Estimate
    more: ContrastResult | None
    less: ContrastResult | None
    counts: Counts


def commits_untested(row: Row) -> bool:
    """Whether the agent recommended what it had never proposed."""
    return bool(row.score.untested)


def _untested(task: Tried) -> float:
    return task.share(commits_untested)


def prompted(study: Study) -> list[Prompted]:
    """Every agent and search that was run with more than one prompt at one size, user and line on
    search; nothing where there is none."""
    keys = [*_keys(study.panel)]
    means: list[Mean] = []
    effects: list[Effect] = []
    for _, _, prompt, condition, sides in keys:
        some = tuple(side for _, side in sides)
        means += [Mean(some, condition), Mean(some, condition, of=_untested)]
        effects += _effects(study.panel, prompt, condition, sides)
    levels, found = study.levels(means), study.find(effects)
    made: list[Prompted] = []
    for place, (agent, search, prompt, condition, _) in enumerate(keys):
        success, untested = levels[2 * place : 2 * place + 2]
        more, less = (one.result for one in found[2 * place : 2 * place + 2])
        base = prompt == BASE
        made.append(
            Prompted(
                agent, search, prompt, condition, success.estimate, untested.estimate,
                None if base else more, None if base else less, success.counts,
            )
        )  # fmt: skip
    return made


Sides = tuple[tuple[Setting | None, Setting], ...]
"""Settings with a prompt, each after its like with the base prompt."""


def _keys(panel: Panel) -> Iterator[tuple[str, str, str, str, Sides]]:
    several: dict[Setting, dict[str, Setting]] = {}
    for setting in panel.settings:
        several.setdefault(replace(setting, prompt=BASE), {})[setting.prompt] = setting
    several = {base: there for base, there in several.items() if len(there) > 1}
    prompts = [p.value for p in Prompt if any(p.value in there for there in several.values())]
    lines: list[tuple[str, str, list[Setting]]] = [
        (base.agent, _told(base, several), [base]) for base in several
    ]
    if len(lines) > 1:
        lines.insert(0, (AVERAGE, BOTH, [*several]))
    for agent, search, bases in lines:
        for condition in Condition:
            for prompt in prompts:
                sides = tuple(
                    (several[base].get(BASE), several[base][prompt])
                    for base in bases
                    if prompt in several[base]
                    and condition.value in panel[several[base][prompt]].conditions
                )
                if sides:
                    yield agent, search, prompt, condition.value, sides


def _told(base: Setting, others: Sequence[Setting] | dict[Setting, dict[str, Setting]]) -> str:
    """The interface, and what else tells it from the agent's others on that interface."""
    alike = [o for o in others if (o.agent, o.interface) == (base.agent, base.interface)]
    parts = [("size", f"{base.size:,} items"), ("user", base.user), ("tool_line", base.tool_line)]
    more = [told for name, told in parts if len({getattr(one, name) for one in alike}) > 1]
    return " · ".join([base.interface, *more])


def _effects(panel: Panel, prompt: str, condition: str, sides: Sides) -> list[Effect]:
    """Success and untested commitments, this prompt minus base."""
    pairs = [
        (base, side)
        for base, side in sides
        if base is not None and side != base and condition in shared(panel, base, side)
    ]
    sat = Answers.SATISFIABLE
    more = [contrast(panel, (b, condition), (s, condition), "prompt", sat) for b, s in pairs]
    less = [
        contrast(panel, (b, condition), (s, condition), "prompt", sat, holds=commits_untested)
        for b, s in pairs
    ]
    missing = "not run with the base prompt"
    return [average(prompt, more, missing), average(prompt, less, missing)]


def prompt_table(study: Study, found: Sequence[Prompted]) -> Table:
    """By agent, condition and prompt."""
    rows: list[tuple[str, ...]] = [
        (
            one.agent, one.interface, one.condition, one.prompt, estimate(one.success),
            *_against(one.more), estimate(one.untested), *_against(one.less),
            *counted(one.counts),
        )
        for one in found
    ]  # fmt: skip
    for (prompt, condition), told in PROMPTS.items() if rows else ():
        row = paper_row("its 4 agents", [told, "", "", "", "", ""], 4)
        rows.append((row[0], "structured", condition, prompt, *row[4:]))
    note = (
        "Satisfiable families: pass^1, and the share of a task's valid trials that recommend what "
        "was never proposed (untested), averaged over tasks. Against base: the same agent, search "
        "and tasks, in points; 95 % intervals over families, p uncorrected. The average of a "
        "prompt is over those that were run with it."
    )
    head = ("agent", "interface", "condition", "prompt", "pass^1", "against base", "p")
    return study.table(
        "Success and untested commitments by prompt",
        note,
        (*head, "untested", "untested, against base", "p, untested"),
        rows,
        4,
    )


def _against(result: ContrastResult | None) -> tuple[str, str]:
    if result is None:
        return DASH, DASH
    return (
        points(result.estimate, result.low, result.high),
        p_value(result.p, result.at_floor),
    )
