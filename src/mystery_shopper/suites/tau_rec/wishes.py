"""Soft wishes: what the user would also like, mentioned when asked for anything more, never scored.

They are other people's texts, so code sees to it that none gives away what is hidden, and each is
said in a sentence that nobody takes for a requirement.
"""

from __future__ import annotations

import re

from mystery_shopper.catalog import Predicate, fold
from mystery_shopper.suites.tau_rec.task import Reveal, Task


def wishes_said(task: Task) -> tuple[str, ...]:
    """The sentences for the task's wishes, but for those that name a label of a hidden requirement
    (in the singular or the plural)."""
    hidden = [r.predicate for r in task.requirements if r.reveal is Reveal.HIDDEN]
    names = [name for predicate in hidden for name in _labels(predicate)]
    return tuple(
        f"A wish, not a requirement: {' '.join(wish.split()).rstrip('.')}."
        for wish in task.family.soft
        if not any(_names(wish, name) for name in names)
    )


def _labels(predicate: Predicate) -> tuple[str, ...]:
    value = predicate.value
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(fold(part) for part in parts if isinstance(part, str))


def _names(wish: str, label: str) -> bool:
    stem, ends = (label[:-1], "(?:y|ies)") if label.endswith("y") else (label, "(?:s|es)?")
    return re.search(rf"(?<!\w){re.escape(stem)}{ends}(?!\w)", fold(wish)) is not None
