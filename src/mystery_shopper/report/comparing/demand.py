"""`--fail-if "success < -0.05"`: what must not come of a comparison.

The number is the candidate minus the base. A condition fails where the difference found lies beyond
the number and its 95 % interval leaves out zero: a difference that could be chance fails nothing,
and so equal agents alarm in fewer than 5 % of comparisons. `compare` asks an exact test as well
where few families differ, since the interval is too narrow there.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing.measures import Measure, Reader, measure

_FORM = re.compile(r"\s*(?P<name>[\w^@-]+?)\s*(?P<sign><=|>=|<|>)\s*(?P<number>\S+)\s*")


@dataclass(frozen=True, slots=True)
class Demand:
    """One condition: the comparison fails where the difference of the measure is beyond the
    threshold on the side of the sign."""

    measure: Measure
    sign: str
    threshold: float

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {self.threshold:g}"

    def broken(self, estimate: float | None, low: float | None, high: float | None) -> bool | None:
        """Whether it fails; None where there is too little to tell."""
        if estimate is None or low is None or high is None:
            return None
        beyond = {
            "<": estimate < self.threshold,
            "<=": estimate <= self.threshold,
            ">": estimate > self.threshold,
            ">=": estimate >= self.threshold,
        }[self.sign]
        return beyond and not low <= 0 <= high


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition as it was written, before it is known which suite's measure it names."""

    text: str
    name: str
    sign: str
    threshold: float

    def of(self, reader: Reader) -> Demand:
        """The condition on the measure that `reader` reads (`measures_of`). Raises InputError for
        one that there is not, and for a sign that holds where the two are equal."""
        found = reader(self.name, "--fail-if")
        if (self.threshold > 0) != (">" in self.sign) and self.threshold != 0:
            raise InputError(
                f"{self.text!r} holds where the two are equal",
                where="--fail-if",
                remedy='A loss is negative: "success < -0.05"; a rise is positive: "calls > 2".',
            )
        return Demand(found, self.sign, self.threshold)


def demand(text: str, reader: Reader = measure) -> Demand:
    """Read a condition; see `asked_in` and `Asked.of`."""
    return asked_in(text).of(reader)


def asked_in(text: str) -> Asked:
    """Read a condition. Raises InputError with the form that one has."""
    found = _FORM.fullmatch(text)
    try:
        number = float(found["number"]) if found else math.nan
    except ValueError:
        number = math.nan
    if found is None or not math.isfinite(number):
        raise InputError(
            f"{text!r} is no condition",
            where="--fail-if",
            remedy='Write it as "success < -0.05", the candidate minus the base; '
            "also success@CONDITION or another measure; docs/comparing.md has them.",
        )
    return Asked(text, found["name"], found["sign"], number)
