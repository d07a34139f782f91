"""Two runs side by side: paired, clustered, with conditions that a change must not break."""

from mystery_shopper.report.comparing.compare import Comparison, Difference, Flip, compare
from mystery_shopper.report.comparing.demand import Asked, Demand, asked_in, demand
from mystery_shopper.report.comparing.measures import measures_of
from mystery_shopper.report.comparing.written import junit, markdown

__all__ = [
    "Asked",
    "Comparison",
    "Demand",
    "Difference",
    "Flip",
    "asked_in",
    "compare",
    "demand",
    "junit",
    "markdown",
    "measures_of",
]
