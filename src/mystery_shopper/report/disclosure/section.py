"""The part of a report that answers the paper's research questions: one section a ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mystery_shopper.report.charts import Chart
from mystery_shopper.report.disclosure import answers, conducttables, plots
from mystery_shopper.report.disclosure.contrasttable import contrast_table
from mystery_shopper.report.disclosure.gaptables import gap_table, gradient_table, part_table
from mystery_shopper.report.disclosure.interfacetables import contrasted, interface_table
from mystery_shopper.report.disclosure.prompttables import prompt_table, prompted
from mystery_shopper.report.disclosure.reliabilitytables import (
    alike_table,
    apart,
    pass_table,
    passed,
    power_table,
    user_table,
)
from mystery_shopper.report.disclosure.scaletables import (
    reach_table,
    reaches,
    scale_findings,
    scale_table,
    sized,
    sized_table,
)
from mystery_shopper.report.disclosure.settings import USUAL, Panel, panels
from mystery_shopper.report.disclosure.study import Study, study
from mystery_shopper.report.rows import Run
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import plain, plural, whole


@dataclass(frozen=True)
class Question:
    """A research question: its answer in words, figures and tables; a table that stands behind a
    figure is not repeated."""

    title: str
    answer: str
    charts: tuple[Chart, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Section:
    """The questions of one ground."""

    title: str
    introduction: str
    questions: tuple[Question, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, those behind figures among them, in the order of the page."""
        return tuple(
            table
            for one in self.questions
            for table in (*(chart.table for chart in one.charts), *one.tables)
        )


def sections(runs: Sequence[Run], *, resamples: int = 10_000) -> tuple[Section, ...]:
    """One a ground whose runs allow a contrast."""
    found = (study(panel, resamples=resamples) for panel in panels(runs))
    return tuple(_section(one) for one in found if allows_contrast(one))


def allows_contrast(one: Study) -> bool:
    """Whether the runs of a ground differ in anything that can be told from them."""
    tests = (one.tests.alone, *one.tests.corrected)
    several = len({replace(s, prompt="") for s in one.panel.settings}) < len(one.panel.settings)
    return several or len(one.settings) > 1 or any(test.effect.terms for test in tests)


def _section(one: Study) -> Section:
    questions = (
        _tests(one),
        _disclosure(one),
        _interface(one),
        _scale(one),
        _reliability(one),
        _conduct(one),
    )
    return Section(one.caption, _introduction(one.panel), questions)


def _introduction(panel: Panel) -> str:
    """What the settings are, and which of them the questions compare."""
    user, prompt, line = panel.common
    told = (
        f"{plural(len(panel.settings), 'setting')}: {plural(len(panel.agents), 'agent')} on "
        f"{_listed({s.interface for s in panel.settings})} search, "
        f"{_listed({f'{s.size:,}' for s in panel.settings})} items, "
        f"{_listed({s.user for s in panel.settings})} user, "
        f"{_listed({s.prompt for s in panel.settings})} prompt. The main comparison has "
        f"{whole(panel.full)} items, the {plain(user, 40)} user and the {prompt} prompt"
    )
    told += f" with the line on search {line!r}" if line != USUAL[2] else ""
    repeated = sum(played.repeated for played in panel.played.values())
    more = f" {plural(repeated, 'trial')} stood in two runs and count once." if repeated else ""
    if not panel.is_whole:
        more = f" The whole catalogue was not played.{more}"
    return f"{told}.{more}"


def _listed(names: set[str]) -> str:
    found = sorted((plain(name, 40) for name in names), key=lambda name: (len(name), name))
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def _question(
    title: str,
    answer: str,
    charts: Sequence[Chart | None],
    tables: Sequence[Table],
) -> Question:
    drawn = tuple(chart for chart in charts if chart is not None)
    behind = {id(chart.table) for chart in drawn}
    kept = tuple(table for table in tables if table.rows and id(table) not in behind)
    return Question(title, answer, drawn, kept)


def _tests(one: Study) -> Question:
    table = contrast_table(one.panel, one.tests, one.caption)
    missing = len(one.tests.missing)
    told = [] if one.tests.alone.effect.missing else ["one test stands alone"]
    told += [f"{one.tests.tested} share Holm's correction"] if one.tests.tested else []
    made = " and ".join(told) or "no test could be made"
    why = f"; {missing} could not be made, and the table says why" if missing and told else ""
    answer = f"{made[0].upper()}{made[1:]}{why}."
    return _question("The tests", answer, [plots.forest(one.tests, table)], [table])


def _disclosure(one: Study) -> Question:
    table = gradient_table(one)
    drawn = plots.gradient(passed(one), table)
    parts = (part_table(one, part) for part in ("tier", "template"))
    tables = [table, gap_table(one), *parts]
    return _question("RQ1: Disclosure", answers.disclosure(one), [drawn], tables)


def _interface(one: Study) -> Question:
    found = contrasted(one)
    answer = answers.interface(one, found)
    return _question("RQ2: Interface", answer, [], [interface_table(one, found)])


def _scale(one: Study) -> Question:
    several = len(one.panel.sizes) > 1
    reached, missing = reaches(one.panel) if several else ((), "")
    points = sized(one) if several else []
    table = sized_table(one, points)
    drawn = plots.scale_lines(one.panel, points, reached, table)
    tables = [scale_table(one, scale_findings(one)), table]
    tables += [reach_table(one, reached, missing)] if several else []
    return _question("RQ3: Scale", answers.scale(one), [drawn], tables)


def _reliability(one: Study) -> Question:
    found, pairs = passed(one), apart(one)
    table = pass_table(one, found)
    answer = answers.reliability(one, found, pairs)
    drawn = plots.pass_curves(found, table)
    tables = [table, power_table(one, pairs), alike_table(one, pairs), user_table(one)]
    return _question("RQ4: Reliability", answer, [drawn], tables)


def _conduct(one: Study) -> Question:
    found = prompted(one)
    table = prompt_table(one, found)
    answer = "How trials go over all settings together; single runs stand in the tables below."
    drawn = plots.prompt_dots(found, table)
    return _question("How agents go about it", answer, [drawn], [table, *conducttables.tables(one)])
