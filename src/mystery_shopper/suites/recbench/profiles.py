"""What profile queries rest on: interests that users share, and groups of users.

The parts: `sequences` (items consumed one after another, and what came before), `groups`
(demographics, the items that mark a group) and `reasons` (over-represented attributes).
"""

from mystery_shopper.suites.recbench.groups import Group, Marked, demographic_groups
from mystery_shopper.suites.recbench.reasons import Reason, Reasons
from mystery_shopper.suites.recbench.sequences import (
    Before,
    CommonSequence,
    closed_sequences,
    common_sequences,
    preceding,
)

__all__ = [
    "Before",
    "CommonSequence",
    "Group",
    "Marked",
    "Reason",
    "Reasons",
    "closed_sequences",
    "common_sequences",
    "demographic_groups",
    "preceding",
]
