"""Word tokens for keyword search, in any script.

Two texts that differ only in case, in compatibility forms (NFKC) or in apostrophes give the same
tokens, so "Schindler's List", "SCHINDLER’S LIST" and "schindlers list" are one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ASCII_WORD = re.compile(r"[0-9a-z]+")
_IGNORED = "'`\u2018\u2019\u201b\u02bb\u02bc\u00ad\u200c\u200d\u2060"
_DROP = dict.fromkeys(map(ord, _IGNORED))
# Where combining marks (categories Mn, Mc, Me) are to be found.
_MARK_BLOCKS = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))


def tokenize(text: str) -> list[str]:
    """The words of a text in their order: case-folded, NFKC.

    A word is a letter or digit and the letters, digits and combining marks that follow it.
    Apostrophes, soft hyphens and zero-width joiners are dropped, so they join what they stand
    between ("don't" is "dont"); everything else separates, the underscore too. Scripts that put no
    spaces between words (Chinese, Japanese, Thai) give one token a run. Never raises: what is no
    letter, digit or mark (lone surrogates, controls) separates.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower().replace("'", "").replace("`", ""))
    folded = unicodedata.normalize("NFKC", text).translate(_DROP).casefold()
    return _word().findall(unicodedata.normalize("NFKC", folded).replace("_", " "))


@cache
def _word() -> re.Pattern[str]:
    """A word in any script. Made at the first text that is not ASCII: `re` knows no mark class."""
    marks: list[str] = []
    for block in _MARK_BLOCKS:
        start = None
        for code in (*block, -1):
            is_mark = code >= 0 and unicodedata.category(chr(code))[0] == "M"
            if is_mark and start is None:
                start = code
            elif not is_mark and start is not None:
                last = code - 1 if code >= 0 else block[-1]
                marks.append(f"{chr(start)}-{chr(last)}")
                start = None
    return re.compile(rf"\w[\w{''.join(marks)}]*")
