"""Which suites there are, by name."""

from __future__ import annotations

from mystery_shopper.engine.plan import SUITES
from mystery_shopper.engine.suites.protocol import Suite
from mystery_shopper.foundation import InputError


def suite_of(name: str) -> Suite:
    """The suite of that name. What only one of them needs is imported with it. Raises InputError
    for one that is not there."""
    match name:
        case "tau_rec":
            from mystery_shopper.engine.suites.tau_rec import SUITE

            return SUITE
        case "recbench":
            from mystery_shopper.engine.suites.recbench import SUITE as RECBENCH

            return RECBENCH
        case _:
            raise InputError(
                f"suite {name!r} is unknown; use one of: {', '.join(SUITES)}",
                remedy="mystery-shopper --help lists what there is.",
            )
