"""What a user's words are freed of, and what shows that the simulation failed.

A failed simulation is no answer of a customer's: no words at all, reasoning or parts of our own
prompt instead of words, or the assistant's part played in the customer's place.
"""

from __future__ import annotations

import json
import re

from mystery_shopper.dialogue.limits import clean_text
from mystery_shopper.suites.tau_rec.modeluser.prompt import TAGS

LONGEST_REPLY = 4_000
"""Characters of a reply that are kept; the guard reads all of them."""

_MARK = re.compile(r"#{2,}\s*[A-Za-z_]{3,20}\s*#{2,}|(?<![A-Za-z])#{3,}(?![A-Za-z])")
_NAME = re.compile(
    r"\A\s*(?:\**(?:the )?(?:customer|user|shopper|client)\**\s*:\s*)+", re.IGNORECASE
)
_SCRATCH = re.compile(
    r"</?\s*(?:think|thinking|thought|reasoning|scratchpad|analysis|reflection)\b"
    r"|<\|[^|<>]{0,40}\|>"
    r"|\bas the (?:user|customer|shopper|client),? (?:i|my)\b"
    r"|\bas (?:a|the) simulated\b"
    r"|(?:^|\n)\s*(?:(?:okay|ok|alright|so|hmm|now),?\s+)?(?:the|this) (?:assistant|agent|model) "
    r"(?:is|has|wants?|asks?|asked|says|said|just|proposed|proposes)\b"
    r"|\bi(?:'m| am) (?:supposed|instructed|told) (?:not )?to\b"
    r"|\b(?:my|the) (?:hidden|secret) (?:requirement|fact|preference)s?\b"
    r"|```",
    re.IGNORECASE,
)
_SWAP = re.compile(
    r"\[\[\s*candidate_id"
    r"|\A\s*\**(?:assistant|agent|seller|shop assistant|shopping assistant|ai)\**\s*:"
    r"|\bas an ai\b"
    r"|\bhow (?:can|may) i (?:help|assist)\b"
    r"|\bi(?:'d|'ll| would| can| could| will)? (?:recommend|suggest)\b"
    r"|\bmy (?:recommendation|suggestion)s?\b"
    r"|\blet me (?:search|look|check|find|see what)\b"
    r"|\bi(?:'ll| will| can) (?:search|look (?:it )?up|find you|help you|check (?:the|our))\b"
    r"|\bwould you like me to\b"
    r"|\bhere (?:are|is) (?:some|a few|my|the) (?:\w+ )?(?:recommendation|suggestion|option|film|"
    r"book|product|item)s?\b"
    r"|\bwhat are you (?:looking for|in the mood for)\b"
    r"|\bwhat (?:\w+ ){1,4}(?:do|would|are) you (?:prefer|like|want|looking)\b",
    re.IGNORECASE,
)


def cleaned(text: object) -> str:
    """The words of a reply: cut to length, without verdict tokens or other markers of that kind and
    without a name before them. Doing it twice changes nothing."""
    words, _ = clean_text(text, LONGEST_REPLY)
    while True:
        fewer = _NAME.sub("", _MARK.sub(" ", words)).strip()
        if fewer == words:
            return words
        words = fewer


def fault_of(words: str) -> str | None:
    """Why these words are no customer's; None if they may be."""
    if not any(letter.isalnum() for letter in words):
        return "it is empty"
    if _SCRATCH.search(words) or any(f"[{tag}]" in words for tag in TAGS.values()):
        return "it holds thoughts or instructions, not words to the assistant"
    if _is_json(words):
        return "it is JSON"
    if _SWAP.search(words):
        return "it speaks as the assistant"
    return None


def _is_json(words: str) -> bool:
    if words[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(words), dict | list)
    except (ValueError, RecursionError):
        return False
