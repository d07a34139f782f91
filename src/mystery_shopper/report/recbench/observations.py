"""The paper's eight observations, each with what it saw and what these runs show.

What the runs show is computed: claims with differences, intervals and verdicts (`claims`), and the
figures and tables that the paper drew of the same (RecBench+ §6.1, §6.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from mystery_shopper.report.charts import Chart
from mystery_shopper.report.recbench import asking, conducttables, plots, tables
from mystery_shopper.report.recbench.claims import Claim, Question, Verdict, judged, overall
from mystery_shopper.report.recbench.claimtable import Told, claim_table, told
from mystery_shopper.report.recbench.grounds import Ground
from mystery_shopper.report.recbench.historytable import history_table
from mystery_shopper.report.recbench.plots import Drawing
from mystery_shopper.report.recbench.published import FTR_AGENT, FTR_MISINFORMED, OBSERVED
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.wanted import Wanted, wanted
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import figure, plain
from mystery_shopper.suites.recbench.query import Kind

MATCHED = ("precision_own", "recall_own", "cmr")


@dataclass(frozen=True)
class Observation:
    """One of the paper's: its number and name, what the paper saw, the claims made of it with their
    verdicts, what each comes to in words, what else is told, figures, and tables that stand behind
    no figure; and what is wanting where no claim could be computed."""

    number: int
    name: str
    saw: str
    claims: tuple[Claim, ...]
    shows: tuple[Told, ...]
    more: str
    drawings: tuple[Drawing, ...]
    tables: tuple[Table, ...]
    wanted: Wanted | None = None

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """Its figures with K free, drawn when they are first asked for."""
        return tuple(one.drawn() for one in self.drawings if not one.five and not one.flat)

    @cached_property
    def fives(self) -> tuple[Chart, ...]:
        """Its figures of the first five items."""
        return tuple(one.drawn() for one in self.drawings if one.five and not one.flat)

    @property
    def flat(self) -> str:
        """A sentence for each figure in which everything is equal, and which is not drawn."""
        return " ".join(f"{one.title}: {one.flat} everywhere." for one in self.drawings if one.flat)

    @property
    def title(self) -> str:
        """As its head tells it."""
        return f"Observation {self.number}: {self.name}"

    @property
    def verdict(self) -> Verdict:
        """Whether these runs show it."""
        return overall(self.claims)

    @property
    def every_table(self) -> tuple[Table, ...]:
        """Every table, those behind figures among them, in the page's order."""
        return (*(one.table for one in self.drawings), *self.tables)


def observations(study: Study) -> tuple[Observation, ...]:
    """All eight; one that the runs tell nothing of says so."""
    ground = study.ground
    asked: list[tuple[Iterable[Question], Sequence[Drawing | None]]] = [
        (asking.agents_on_conditions(ground), _types(study, MATCHED)),
        (asking.difficulty(ground), _types(study, ("failed",))),
        (_both(asking.conditions, study), _widths(study)),
        (_both(asking.history, study), _histories(study)),
        (asking.agents_on_profiles(ground), ()),
        (asking.profiles(ground), ()),
        (asking.popularity(ground), [plots.by_popularity(study)]),
        (asking.demographics(ground), [plots.by_group(study)]),
    ]
    return tuple(
        _observation(study, number, list(questions), [one for one in drawn if one is not None])
        for number, (questions, drawn) in enumerate(asked, 1)
    )


def _observation(
    study: Study,
    number: int,
    questions: Sequence[Question],
    drawings: Sequence[Drawing],
) -> Observation:
    name, saw = OBSERVED[number]
    claims = judged(questions, f"observation {number}", resamples=study.resamples)
    free = [one for one in claims if not one.five]
    more = _more(study, number, claims)
    table = claim_table(f"Observation {number}: the claims", claims, study.caption)
    lacks = wanted(study.ground, claims)
    return Observation(
        number, name, saw, claims, told(free), more, tuple(drawings), (table,), lacks
    )


class _Asking(Protocol):
    def __call__(self, ground: Ground, *, five: bool = False) -> Iterator[Question]: ...


def _both(make: _Asking, study: Study) -> list[Question]:
    """The questions with K free, then those of the first five items (RecBench+ appendix F)."""
    return [*make(study.ground), *make(study.ground, five=True)]


def _types(study: Study, names: Sequence[str]) -> list[Drawing | None]:
    return [plots.by_type(study, name) for name in names]


def _widths(study: Study) -> list[Drawing | None]:
    names = (*MATCHED, "failed")
    return [plots.by_width(study, name, five=five) for five in (False, True) for name in names]


def _histories(study: Study) -> list[Drawing | None]:
    by_label = {run.label: run for run in study.runs}
    pairs: list[tuple[Figured, Figured]] = [
        (by_label[given.label], by_label[bare.label])
        for given, bare in asking.history_pairs(study.ground)
    ]
    return [
        plots.with_history(study, pairs, name, five=five)
        for five in (False, True)
        for name in ("precision_own", "cmr")
    ]


def _more(study: Study, number: int, claims: Sequence[Claim]) -> str:
    """What an observation tells beside its claims."""
    if number == 2:
        runs = [
            f"{plain(run.label, 40)} {figure(cell.at('failed').value)}"
            for run in study.runs
            if (cell := run.of_type(Kind.MISINFORMED)) is not None
        ]
        ours = f"; here {', '.join(runs)}" if runs else ""
        return (
            f"FTR on misinformed queries: in the paper {FTR_MISINFORMED:.3f} for {FTR_AGENT} on "
            f"films{ours}."
        )
    fixed = [one for one in claims if one.five]
    if fixed:
        return f"With the first five items of each answer: {overall(fixed).value}."
    return ""


def behind(found: Sequence[Observation]) -> list[Table]:
    """Every table of the observations."""
    return [table for one in found for table in one.every_table]


def other_tables(study: Study, shown: Sequence[Observation]) -> list[Table]:
    """Every further table of a ground that has rows: none that an observation shows already."""
    made = [*tables.tables(study), history_table(study), *conducttables.tables(study.ground)]
    already = behind(shown)
    return [table for table in made if table.rows and table not in already]
