"""Whether a provider refused a conversation because it is too long for the model's window.

Inspect knows the words of the large providers. Servers of one's own (llama.cpp, vLLM, TGI and
others behind an OpenAI-compatible address) say it in words of their own.
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"context[ _-](?:size|length|window|limit)|exceeds? the (?:available )?context"
    r"|maximum (?:context|prompt|input|sequence|model) length|max_model_len"
    r"|(?:prompt|input|request|conversation)s? (?:is|are|was) too long"
    r"|too many (?:input |prompt )?tokens|reduce the length of (?:the|your) (?:messages|prompt)"
    r"|inputs?\W* (?:tokens \+ .{0,40})?must have less than \d+ tokens|input length .{0,60}exceed",
    re.IGNORECASE | re.DOTALL,
)
_STATUSES = (None, 400, 413, 422)


def is_overflow(error: BaseException) -> bool:
    """Whether the error, or one that it stems from, says so. A provider that asks to slow down, or
    is out of order, may speak of tokens too, but by another status."""
    seen: BaseException | None = error
    for _ in range(5):
        if seen is None:
            return False
        if getattr(seen, "status_code", None) in _STATUSES and _WORDS.search(str(seen)[:5_000]):
            return True
        seen = seen.__cause__
    return False
