"""Single values as YAML, and comments that no value can break out of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mystery_shopper.sources.infer.sample import brief

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*( [A-Za-z][A-Za-z0-9_-]*)*")
_WORDS = frozenset("y n yes no true false on off null none nan inf".split())
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    """The text as a YAML scalar that is read back as this text: bare where it is plain words that
    YAML takes for nothing else, else in double quotes with escapes. Lone surrogates become `?`."""
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(mark: str) -> str:
    if mark in _ESCAPES:
        return _ESCAPES[mark]
    if 0xD800 <= ord(mark) <= 0xDFFF:
        return "?"
    if mark.isprintable():
        return mark
    code = ord(mark)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def flow(texts: Iterable[str]) -> str:
    """A list of texts on one line."""
    return f"[{', '.join(map(quoted, texts))}]"


def comment(text: str, indent: int = 0) -> list[str]:
    """The text as comment lines of at most 98 columns, whatever it holds."""
    width = 96 - indent
    lines: list[str] = []
    line = ""
    for word in brief(text, 2_000).split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    return [" " * indent + f"# {kept}" for kept in lines]
