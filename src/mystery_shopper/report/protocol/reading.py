"""Runs as the paper's protocol sees them, agent by agent.

Runs of one setting count together, trial by trial (see `disclosure.settings`), so what is missing
can be played into another folder. Of a run over more families the panel's count.
"""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.foundation import InputError
from mystery_shopper.report.disclosure.settings import Panel, Setting, panels
from mystery_shopper.report.protocol.asked import Asked
from mystery_shopper.report.protocol.checks import checks
from mystery_shopper.report.protocol.records import (
    INTERFACES,
    PAPER,
    PROMPTS,
    Part,
    Protocol,
    Report,
)
from mystery_shopper.report.rows import Run


def check_name(name: str) -> None:
    """Raise InputError where there is no such protocol."""
    if name != PAPER:
        raise InputError(
            f"there is no protocol {name!r}", where="--protocol", remedy=f"Use: {PAPER}."
        )


def read_protocol(runs: Sequence[Run]) -> tuple[Protocol, ...]:
    """The runs held against the paper's protocol, a record a ground."""
    return tuple(map(_protocol, panels(runs)))


def _protocol(panel: Panel) -> Protocol:
    found = [run.task_set for played in panel.played.values() for run in played.runs]
    task_set = next((one for one in found if one is not None), None)
    asked = Asked(task_set)
    families = () if task_set is None else task_set.panel
    agents = tuple(_report(panel, agent, asked) for agent in panel.agents)
    return Protocol(panel, families, asked.size, agents)


def _report(panel: Panel, agent: str, asked: Asked) -> Report:
    by_place: dict[tuple[str, str], list[Setting]] = {}
    aside: list[tuple[str, str]] = []
    for setting in panel.settings:
        if setting.agent != agent:
            continue
        if setting.prompt in PROMPTS:
            by_place.setdefault((setting.interface, setting.prompt), []).append(setting)
        else:
            names = [run.name for run in panel[setting].runs]
            aside += [(name, f"the prompt {setting.prompt}") for name in names]
    parts: list[Part] = []
    for settings in by_place.values():
        fit = [setting for setting in settings if not asked.unfit(setting)]
        for setting in settings:
            part = Part(setting, asked.within(panel[setting]), asked.unfit(setting))
            if fit and part.unfit:
                aside += [(name, ", ".join(part.unfit)) for name in part.runs]
            else:
                parts.append(part)
    parts.sort(key=_order)
    every = [run for s in panel.settings if s.agent == agent for run in panel[s].runs]
    return Report(agent, tuple(checks(parts, asked, every)), tuple(parts), tuple(aside))


def _order(part: Part) -> tuple[int, int]:
    setting = part.setting
    return INTERFACES.index(setting.interface), PROMPTS.index(setting.prompt)
