"""The tag by which an item is proposed, and how it is kept out of a catalogue's own texts."""

from __future__ import annotations

import re

_OPENING = re.compile(r"\[(?=\[\s{0,4}candidate_id)")


def defuse(text: str) -> str:
    """The text with every tag broken by a space: an agent that quotes it proposes nothing."""
    return _OPENING.sub("[ ", text) if "[[" in text else text
