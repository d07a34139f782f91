"""A message without its markup: tags, titles and quoted speech taken out, lines told apart."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from mystery_shopper.suites.tau_rec.asks.tokens import QUOTE, TAG, TITLE

READ = 20_000
"""How many characters are read for what the message asks."""

_TAG = re.compile(r"\[\[\s{0,4}candidate_id\s{0,4}:([^\[\]\n]+)\]\]")
_HTML_BREAK = re.compile(
    r"<\s{0,3}/?\s{0,3}(?:br|p|li|ul|ol|div|tr|table|h[1-6]|option)\b[^<>]{0,200}>", re.I
)
_HTML_CELL = re.compile(r"</?t[dh]\b[^<>]{0,200}>", re.I)
_HTML_EMPHASIS = re.compile(r"</?(?:i|em|cite)>", re.I)
_HTML_STRONG = re.compile(r"</?(?:b|strong)>", re.I)
_HTML_INPUT = re.compile(r"<(?:input|select|textarea)\b[^<>]{0,200}>", re.I)
_HTML_OTHER = re.compile(r"</?[A-Za-z][\w-]{0,30}(?:\s[^<>]{0,200})?>")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,200})\]\((?:https?:|/|#)[^()\s]{0,300}\)|https?://\S{1,300}")
_STARRED = re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]{1,160}?)(?<=[^\s*])\1")
_UNDERLINED = re.compile(r"(?<![\w_])(_{1,2})(?=[^\s_])([^_\n]{1,160}?)(?<=[^\s_])\1(?![\w_])")
_QUOTED = re.compile(r'"([^"\n]{1,400})"')
_SINGLE = re.compile(r"(?<![\w'])'([^'\n]{1,160})'(?![\w'])")
_CODE = re.compile(r"`{1,3}([^`\n]{1,200})`{1,3}")
_TABLE = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\u201f": '"',
        "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u00b4": "'", "\u02bc": "'",
        "\u00bf": " ", "\u00a1": " ", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
        "\u200b": "", "\u200c": "", "\u200d": "", "\ufe0f": "", "\ufeff": "", "\u00ad": "",
        "\u2028": "\n", "\u2029": "\n", "\u0085": "\n", "\r": "\n", "\v": "\n",
        "\f": "\n", "\t": " ",
        TITLE: "", QUOTE: "", TAG: "",
        "\u2753": "?", "\u2754": "?", "\uff1f": "?", "\u061f": "?",
    }
)  # fmt: skip
_BULLET = re.compile(
    r"\s{0,12}(?:[-*+•◦▪‣·–—►▶➤→]|\(?(?:[Qq]?\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[[1-9A-Wa-w]\]|\d\u20e3)\s+"
)
_BOX = re.compile(r"[\[(]([ xX✓✔_]?)[\])]\s*|([☐⬜◻□✗✘❌☑✅✔✓🗹☒]|\?(?=\s))\s*")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_RULE = re.compile(r"[\s|:=_*+-]*\Z")


class Box(IntEnum):
    """A tick box before a line."""

    NONE = 0
    EMPTY = 1
    TICKED = 2


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, whether it stands in a list, its tick box, its cells if it is a row.

    `number`: its number in a list, or 0. `gap`: an empty line comes before it.
    """

    text: str
    listed: bool = False
    box: Box = Box.NONE
    cells: tuple[str, ...] = ()
    heading: bool = False
    gap: bool = False
    number: int = 0


def proposed(text: str) -> tuple[str, ...]:
    """The ids in the tags of a message, each once, in the order of first mention."""
    if "[[" not in text:
        return ()
    return tuple(dict.fromkeys(found for tag in _TAG.findall(text) if (found := tag.strip())))


def cleaned(text: str, names: Callable[[str], bool]) -> str:
    """The plain words of a message, with marks in the place of tags, titles and quotes.

    `names(text)`: whether it holds only names and values of fields.
    """
    text = text[:READ]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TABLE)
    elif not text.isprintable():
        text = text.translate(_TABLE)
    if "[[" in text:
        text = _TAG.sub(f" {TAG} ", text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _without_html(text, names)
    if "](" in text or "://" in text:
        text = _LINK.sub(r"\1", text)
    return _without_quotes(text, names)


def _without_html(text: str, names: Callable[[str], bool]) -> str:
    text = _HTML_BREAK.sub("\n", text)
    text = _HTML_CELL.sub("|", text)
    text = _HTML_EMPHASIS.sub("*", text)
    text = _HTML_STRONG.sub("**", text)
    text = _HTML_INPUT.sub(" ___ ", text)
    return _HTML_OTHER.sub(lambda tag: _slot_name(tag.group(0), names), text)


def _slot_name(tag: str, names: Callable[[str], bool]) -> str:
    """What is left of a tag: nothing but where it names a field, as a slot does."""
    inner = tag.strip("</>")
    return f" {inner} " if names(inner) else " "


def _without_quotes(text: str, names: Callable[[str], bool]) -> str:
    """Titles and quoted speech replaced, emphasis kept as plain text."""

    def emphasised(match: re.Match[str]) -> str:
        marker, inner = match.group(1), match.group(2)
        if _is_title(inner, strong=len(marker) == 2, names=names):
            return f" {TITLE} "
        return inner

    def quoted(match: re.Match[str]) -> str:
        inner = match.group(1)
        if names(inner):
            return inner
        if _announces(text, match):
            return f": {inner} "
        return f" {TITLE} " if _title_case(inner) else f" {QUOTE} "

    if "`" in text:
        text = _CODE.sub(lambda m: m.group(1) if names(m.group(1)) else f" {QUOTE} ", text)
        text = text.replace("```", "\n").replace("`", " ")
    if '"' in text:
        text = _QUOTED.sub(quoted, text)
    if "*" in text:
        text = _STARRED.sub(emphasised, text)
    if "_" in text:
        text = _UNDERLINED.sub(emphasised, text)
    if "'" in text:
        text = _SINGLE.sub(quoted, text)
    return text


_OWN_QUESTION = re.compile(
    r"\b(?:question|questions|ask you|asking you|answer|ask|query|fill in|complete)\b"
    r"[^.?!\n]{0,24}[:,]?\s*\Z",
    re.I,
)


def _announces(text: str, match: re.Match[str]) -> bool:
    """Whether the quoted words are the speaker's own question to the reader."""
    if "__" in match.group(1):
        return True
    if "?" not in match.group(1):
        return False
    before = text[max(0, match.start() - 60) : match.start()]
    found = _OWN_QUESTION.search(before)
    if found is None:
        return False
    words = set(re.findall(r"[a-z]+", before.lower()))
    return bool(words & {"my", "you", "please", "your"}) and not words & {
        "asked", "wrote", "said", "catalogue", "she", "he", "blurb", "asks", "wondered",
    }  # fmt: skip


_SMALL = frozenset(
    "a an the of in on at to and or for from by with de la le les des du der die das und el los "
    "las il lo i gli di da en y et un une uno una o os as e van het een von zu vs is not no s t l "
    "d".split()
)


def _title_case(text: str) -> bool:
    """Whether the words are written as in a title: each with a capital, not all in capitals."""
    words = re.findall(r"[^\W_]+", text)
    if not words or (text.isupper() and len(text) > 4 and len(words) > 1):
        return False
    if not (words[0][0].isupper() or words[0][0].isdigit()):
        return False
    return all(w[0].isupper() or w[0].isdigit() or w.lower() in _SMALL for w in words)


def _is_title(inner: str, *, strong: bool, names: Callable[[str], bool]) -> bool:
    tail = inner.rstrip()[-1:]
    if tail == ":" or names(inner):
        return False
    if strong and tail == "?":
        return False
    return _title_case(inner)


_QUOTING = re.compile(r"^$|\b(?:you|he|she|they|blurb|asks|says|wrote|asked|said)\b", re.I)


def divided(text: str) -> list[Line]:
    """The lines of a cleaned message."""
    found: list[Line] = []
    gap = False
    before = ""
    for raw in text.split("\n"):
        if not raw or raw.isspace():
            gap = True
            continue
        for part in _boxes(raw):
            line = _line(part, gap=gap, quoting=_QUOTING.search(before) is not None)
            if line is not None:
                found.append(line)
                gap = False
                before = part
    return found


def _boxes(raw: str) -> list[str]:
    """A line with several tick boxes, cut before each."""
    if "[" not in raw and "(" not in raw and raw.isascii():
        return [raw]
    starts = [box.start() for box in _BOX.finditer(raw) if box.group(0).strip() != "?"]
    if len(starts) < 2 or (raw[: starts[0]].strip() and raw[starts[0]] not in "[(☐"):
        return [raw]
    cuts = [0, *starts, len(raw)]
    return [part for a, b in pairwise(cuts) if (part := raw[a:b]).strip()]


def _letter(mark: str) -> int:
    """The number that a letter in a list stands for: "(b)" is the second."""
    letters = mark.strip(" ().").lower()
    return ord(letters) - 96 if len(letters) == 1 and "a" <= letters <= "h" else 0


def _line(raw: str, *, gap: bool = False, quoting: bool = True) -> Line | None:
    """One line without its list mark; None where it holds nothing to read."""
    head = raw.lstrip()[:1]
    if head == ">":
        own = raw.rstrip().endswith("_") or (raw.rstrip().endswith("?") and not quoting)
        return _line(raw.lstrip(" >"), gap=gap) if own else Line(QUOTE, gap=gap)
    if raw.count("|") >= 2 or head == "|":
        if _RULE.match(raw):
            return None
        cells = tuple(cell.strip() for cell in raw.strip().strip("|").split("|"))
        return Line(raw.replace("|", " ; "), cells=cells, gap=gap)
    if head == "#":
        heading = _HEADING.match(raw)
        if heading is not None:
            return Line(raw[heading.end() :], heading=True, gap=gap)
    numbered = head in "Qq" and raw[1:2].isdigit()
    if head.isalpha() and not raw[1:3].startswith((")", ".")) and head != "i" and not numbered:
        return Line(raw, gap=gap)
    bullet = _BULLET.match(raw) if head != "(" or not _BOX.match(raw.lstrip()) else None
    text = raw[bullet.end() :] if bullet is not None else raw.strip()
    if _RULE.match(text) and "__" not in text:
        return None
    box = _BOX.match(text)
    if box is None:
        digits = re.findall(r"\d+", bullet.group(0)) if bullet is not None else []
        number = int(digits[0]) if digits else _letter(bullet.group(0) if bullet else "")
        return Line(text, listed=bullet is not None, gap=gap, number=number)
    sign = box.group(1) if box.group(1) is not None else box.group(2)
    empty = sign.strip(" _") == "" or sign in "☐⬜◻□✗✘❌?"
    return Line(text[box.end() :], True, Box.EMPTY if empty else Box.TICKED, gap=gap)
