"""What runs take, on a terminal: tokens and money so far, and an estimate of the whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.engine import RunFolder, RunPlan
    from mystery_shopper.engine.estimate import Estimate, PartyEstimate, Range


def tell_usage(folder: RunFolder) -> None:
    """A line for each party that has a model."""
    from mystery_shopper.engine.usage import by_party, told

    lines = list(told(by_party(timing.usage for timing in folder.timings())))
    if lines:
        print("\n" + "\n".join(lines))


def sample_of(plan: RunPlan, wanted: int) -> set[str]:
    """The keys of the trials that an estimate plays."""
    from mystery_shopper.engine.estimate import choose
    from mystery_shopper.engine.loading import load_book

    return {planned.key for planned in choose(plan, load_book(plan.suite, plan.task_set), wanted)}


def tell_estimate(plan: RunPlan, folder: RunFolder, in_flight: int) -> None:
    """Print what the whole run will take by the trials that are done."""
    from mystery_shopper.engine.estimate import estimate
    from mystery_shopper.engine.loading import load_book

    found = estimate(
        plan, load_book(plan.suite, plan.task_set), folder.timings(), in_flight=in_flight
    )
    print("\n".join(_lines(found)))


def _lines(found: Estimate) -> list[str]:
    done = f"{found.done:,} of {found.planned:,} trials are done"
    lines = [f"{done}. The whole run will take, with 95 % intervals:", ""]
    for one in found.parties:
        lines += _party(one)
    if not found.parties:
        lines.append("  tokens         none: no model takes part")
    if found.seconds is None:
        lines.append("  time           unknown: no clock was read")
    else:
        lines.append(f"  time           {_told(found.seconds, duration)}")
        scale = f"{found.planned:,} trials x seconds a trial / {found.in_flight:,} at a time"
        if found.startup:
            scale += f", after {duration(found.startup)} of starting up"
        lines.append(f"                 {scale}")
    return lines


def _party(one: PartyEstimate) -> list[str]:
    if not one.known:
        return [f"  {one.party:<6}         tokens and money unknown: its server does not tell them"]
    from mystery_shopper.engine.usage import dollars

    rows = [
        (name, "unknown" if amount is None else _told(amount, _tokens))
        for name, amount in (("input", one.input), ("cached", one.cached), ("output", one.output))
    ]
    rows.append(
        ("money", "unknown: no price is known" if one.cost is None else _told(one.cost, dollars))
    )
    return [
        f"  {one.party if place == 0 else '':<6} {name:<7} {text}"
        for place, (name, text) in enumerate(rows)
    ]


def _told(amount: Range, word: Callable[[float], str]) -> str:
    if math.isnan(amount.low):
        return f"{word(amount.value)} (no interval from one family)"
    if amount.low == amount.high:
        return word(amount.value)
    return f"{word(amount.value)} ({word(amount.low)} to {word(amount.high)})"


def _tokens(value: float) -> str:
    return f"{value:,.0f}"


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 9.5:
        return f"{seconds:.2g} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"
