"""Two runs side by side: paired, clustered, with conditions that a change must not break."""

from mystery_shopper.report.comparing.compare import Comparison, Difference, Flip, compare
from mystery_shopper.report.comparing.demand import Demand, demand
from mystery_shopper.report.comparing.written import junit, markdown

__all__ = [
    "Comparison",
    "Demand",
    "Difference",
    "Flip",
    "compare",
    "demand",
    "junit",
    "markdown",
]
