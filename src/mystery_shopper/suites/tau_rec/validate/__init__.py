"""Whether a task set is what it says: its form, and every property over its catalogue."""

from mystery_shopper.suites.tau_rec.validate.check import answer_sizes, check_task_set
from mystery_shopper.suites.tau_rec.validate.report import CheckReport, Property, Violation

__all__ = ["CheckReport", "Property", "Violation", "answer_sizes", "check_task_set"]
