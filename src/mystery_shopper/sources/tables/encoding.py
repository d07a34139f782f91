"""Which encoding a text file is in: UTF-8 unless more of its lines speak against it than for it.

The whole file is looked at: a file of a million lines may have its first accent in the last one.
"""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.sources.tables.stream import Source

UNDEFINED = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))
"""Bytes that mean nothing in cp1252."""


@dataclass(frozen=True)
class Encoding:
    """`codec` is Python's name; `why` the words that follow it. `mixed`: it is a one-byte encoding,
    and yet some lines are valid UTF-8. `wide`: what the file is in where it is read as UTF-8 only
    because its bytes were made so."""

    codec: str
    why: str = ""
    mixed: bool = False
    wide: str = ""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.wide or {"utf-8": "UTF-8"}.get(self.codec, self.codec)

    @property
    def told(self) -> str:
        """The encoding and why it was taken."""
        return f"{self.name} ({self.why})" if self.why else self.name


def encoding_of(source: Source, newline: bytes) -> Encoding:
    """Count the lines beyond ASCII that are valid UTF-8, and those that are not."""
    if source.marked is not None:
        wide = "" if source.marked == "utf-8" else source.marked.upper()
        return Encoding("utf-8", "with a byte order mark", wide=wide)
    good = bad = 0
    undefined = False
    for block in source.lines(newline):
        if block.isascii():
            continue
        lines = [line for line in block.split(newline) if not line.isascii()]
        if _is_utf8(block):
            good += len(lines)
        else:
            right = sum(map(_is_utf8, lines))
            good, bad = good + right, bad + len(lines) - right
        undefined = undefined or any(mark in block for mark in UNDEFINED)
    if not bad:
        return Encoding("utf-8")
    if bad <= good:
        return Encoding("utf-8", f"but for {_lines(bad)}")
    against = f"{_lines(bad)} {'is' if bad == 1 else 'are'} not UTF-8"
    if undefined:
        return Encoding("latin-1", f"{against} and some bytes mean nothing in cp1252", good > 0)
    return Encoding("cp1252", against, good > 0)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _lines(count: int) -> str:
    return f"{count:,} line" + ("" if count == 1 else "s")
