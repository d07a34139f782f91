"""What every table of one ground starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mystery_shopper.report.disclosure.effects import Effect, Finding, find
from mystery_shopper.report.disclosure.means import Level, Mean, levels
from mystery_shopper.report.disclosure.published import MARK
from mystery_shopper.report.disclosure.settings import Panel, Setting
from mystery_shopper.report.disclosure.twelve import Twelve, twelve
from mystery_shopper.report.tabular import COUNTED, Table
from mystery_shopper.report.words import DASH, plain, plural, whole

AVERAGE = "average"
BOTH = "all"


@dataclass(frozen=True)
class Study:
    """A panel with its tests; `resamples` of every interval."""

    panel: Panel
    tests: Twelve
    resamples: int

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Those of the main comparison."""
        return tuple(self.panel.usual())

    @property
    def caption(self) -> str:
        """The provenance of every table."""
        ground = self.panel.ground
        rules = ", as in the paper" if ground.as_paper else ""
        families = plural(len(self.panel.families), "family", "families")
        sizes = ", ".join(map(whole, self.panel.sizes))
        return (
            f"{plain(ground.task_set)} ({families}{rules}) · catalogue {plain(ground.source)}, "
            f"{sizes} items, {self.panel.digest[:12]}"
        )

    def find(self, effects: Sequence[Effect]) -> list[Finding]:
        """Effects beyond the twelve, on the same draw; exploratory, so nothing is corrected."""
        return find(self.panel, effects, resamples=self.resamples)

    def levels(self, wanted: Sequence[Mean]) -> list[Level]:
        """Means on the same draw."""
        return levels(self.panel, wanted, self.resamples)

    def table(
        self,
        title: str,
        note: str,
        head: Sequence[str],
        rows: Iterable[tuple[str, ...]],
        names: int = 2,
    ) -> Table:
        """A table of this ground; its rows bear the denominators."""
        return Table(title, note, self.caption, (*head, *COUNTED), tuple(rows), names)


def study(panel: Panel, *, resamples: int = 10_000) -> Study:
    """The panel with its twelve tests."""
    return Study(panel, twelve(panel, resamples=resamples), resamples)


def with_average(settings: Sequence[Setting]) -> list[tuple[str, str, tuple[Setting, ...]]]:
    """(agent, interface, settings) of each setting, after their average where there are several."""
    each = [(one.agent, one.interface, (one,)) for one in settings]
    whole_: list[tuple[str, str, tuple[Setting, ...]]] = [(AVERAGE, BOTH, tuple(settings))]
    return whole_ + each if len(each) > 1 else each


def paper_row(name: str, cells: Sequence[str], names: int = 2) -> tuple[str, ...]:
    """A row of the paper's own figures, blank where the paper has none. It counts no trial of
    ours."""
    return (f"{MARK}: {name}", *[""] * (names - 1), *cells, *[DASH] * len(COUNTED))
