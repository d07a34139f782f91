"""Filling patterns: values as the graph spells them, titles in quotation marks, and agreement."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from mystery_shopper.suites.recbench.wording.speech import RelationWords

SLOT = re.compile(r"\{(\w+)\}")
_AGREEING: Mapping[str, tuple[str, str, str]] = {
    "both": ("", "both ", "all of "),
    "which": ("which", "both of which", "all of which"),
    "is": ("is", "are", "are"),
    "was": ("was", "were", "were"),
    "has": ("has", "have", "have"),
    "s": ("s", "", ""),
    "it": ("it", "both", "all of them"),
    "they": ("it", "they", "they"),
    "plural": ("", "s", "s"),
}
"""Words that agree with one, two, or more titles, and `plural` with values."""
AGREEING = frozenset(_AGREEING)


def agreeing(number: int) -> dict[str, str]:
    """The agreeing words for so many titles or values, at least one."""
    return {name: forms[min(number, 3) - 1] for name, forms in _AGREEING.items()}


def forms_of(name: str) -> tuple[str, ...]:
    """Every form of an agreeing word."""
    return tuple(dict.fromkeys(_AGREEING[name]))


def quoted(title: str) -> str:
    """A title in straight quotation marks, in curly ones where it holds straight ones itself."""
    return f"“{title}”" if '"' in title and "”" not in title else f'"{title}"'


def listed(parts: Sequence[str]) -> str:
    """For example `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def filled(pattern: str, slots: Mapping[str, str]) -> str:
    """A pattern with its slots filled; the rest stays as it is. A full stop behind a value that
    ends in one falls away."""
    text, last = "", 0
    for found in SLOT.finditer(pattern):
        text = _joined(text, pattern[last : found.start()])
        text = _joined(text, slots.get(found[1], found[0]))
        last = found.end()
    return _joined(text, pattern[last:])


def _joined(text: str, more: str) -> str:
    return text + (more[1:] if text.endswith(".") and more.startswith(".") else more)


def expanded(
    pattern: str,
    lists: Mapping[str, Sequence[str]],
    slots: Mapping[str, Callable[[], str]],
    source: random.Random,
) -> str:
    """A pattern with one entry of each list that it names, drawn, and its other slots filled. What
    fills a slot is taken as it is."""
    text, last = "", 0
    for found in SLOT.finditer(pattern):
        text = _joined(text, pattern[last : found.start()])
        name = found[1]
        if name in lists:
            text = _joined(text, expanded(source.choice(lists[name]), lists, slots, source))
        else:
            text = _joined(text, slots[name]())
        last = found.end()
    return _joined(text, pattern[last:])


def spoken(value: str, words: RelationWords) -> str:
    """A value within a sentence: its relation may ask for an article or for small letters, which
    words of several capitals keep."""
    if words.the and re.search(words.the, value):
        return f"the {value}"
    if words.lower and not any(sum(map(str.isupper, w)) > 1 and w.isupper() for w in value.split()):
        return value.lower()
    return value
