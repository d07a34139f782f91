"""The twelve tests on a terminal, within 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap

from mystery_shopper.report.disclosure.contrasttable import at_most, points
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.settings import Panel, panels
from mystery_shopper.report.disclosure.twelve import ALPHA, Twelve, twelve
from mystery_shopper.report.rows import Run
from mystery_shopper.report.words import DASH, p_value, plain, plural

_WIDTH = 80
_NAME = 32


def lines_of_tests(runs: Sequence[Run], *, resamples: int = 10_000) -> list[str]:
    """The tests of every ground with more than one setting, a line each; nothing where all grounds
    have one."""
    found = [panel for panel in panels(runs) if len(panel.settings) > 1]
    lines: list[str] = []
    for panel in found:
        tests = twelve(panel, resamples=resamples)
        if any(not one.effect.missing for one in (tests.alone, *tests.corrected)):
            lines += ["", *_ground(panel, tests)]
    return lines


def _ground(panel: Panel, tests: Twelve) -> Iterator[str]:
    told = f"Tests: points of pass^1, 95 % intervals; {corrected(tests)}."
    yield from wrap(f"{told} Needed: families that would settle it.", _WIDTH)
    yield from wrap(f"{plain(panel.ground.task_set)} · {plain(panel.ground.source)}", _WIDTH)
    yield f"{'':{_NAME}} {'points':>7} {'interval':>16} {'p':>8} {'needed':>10}"
    for one in (tests.alone, *tests.corrected):
        if not one.effect.missing:
            yield _line(one, one.result.p if one is tests.alone else one.adjusted)
    why = Counter(one.effect.missing for one in (tests.alone, *tests.corrected))
    told = "; ".join(f"{plural(n, 'test')}: {plain(reason)}" for reason, n in why.items() if reason)
    if told:
        yield from wrap(f"Not made: {told}.", _WIDTH)


def corrected(tests: Twelve) -> str:
    """Which of the tests shown stand alone, and how many share Holm's correction."""
    alone = f"alone at {ALPHA}"
    if tests.alone.effect.missing:
        return alone if tests.tested == 1 else f"all {tests.tested} with Holm's correction"
    if tests.tested == 0:
        return alone
    return f"the first {alone}, {_others(tests.tested)} with Holm's correction"


def _others(number: int) -> str:
    return "the other" if number == 1 else f"the other {number}"


def _line(one: Finding, p: float | None) -> str:
    found = one.result
    value, _, interval = points(found.estimate, found.low, found.high).partition(" ")
    needed = DASH
    if p is not None and p >= ALPHA and one.wanted is not None and one.wanted.families:
        needed = at_most(one.wanted.families).replace(",000,000", " million")
    told = f"{plain(one.effect.name, _NAME):{_NAME}} {value:>7} {interval or DASH:>16}"
    return f"{told} {p_value(p, found.at_floor):>8} {needed:>10}"
