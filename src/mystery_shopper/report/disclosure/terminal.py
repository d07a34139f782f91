"""The twelve tests on a terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from mystery_shopper.report.disclosure.contrasttable import p_value, points, settle
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.settings import Panel, panels
from mystery_shopper.report.disclosure.twelve import ALPHA, Twelve, twelve
from mystery_shopper.report.rows import Run
from mystery_shopper.report.words import DASH, plain

_WIDTH = 80
_NAME = 34


def lines_of_tests(runs: Sequence[Run], *, resamples: int = 10_000) -> list[str]:
    """The tests of every ground with more than one setting, a line each; nothing where all grounds
    have one."""
    found = [panel for panel in panels(runs) if len(panel.settings) > 1]
    lines: list[str] = []
    for panel in found:
        tests = twelve(panel, resamples=resamples)
        lines += ["", *_ground(panel, tests)]
    return lines


def _ground(panel: Panel, tests: Twelve) -> Iterator[str]:
    yield f"Tests: points of pass^1, 95 % intervals; the first alone at {ALPHA},"
    yield f"the other {tests.tested} with Holm's correction (p over families)"
    yield from wrap(f"{plain(panel.ground.task_set)} · {plain(panel.ground.source)}", _WIDTH)
    yield f"{'':{_NAME}} {'points':>7} {'interval':>16} {'p':>8}  to settle"
    for one in (tests.alone, *tests.corrected):
        if not one.effect.missing:
            yield _line(one, one.result.p if one is tests.alone else one.adjusted)
    if tests.missing:
        yield from wrap(f"Not tested: {'; '.join(map(plain, tests.missing))}.", _WIDTH)


def _line(one: Finding, p: float | None) -> str:
    found = one.result
    value, _, interval = points(found.estimate, found.low, found.high).partition(" ")
    families = settle(one, p).partition(" or ")[0].replace(" families", " fam.")
    told = f"{plain(one.effect.name, _NAME):{_NAME}} {value:>7} {interval or DASH:>16}"
    return f"{told} {p_value(p, found.at_floor):>8}  {families}".rstrip()
