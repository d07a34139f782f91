"""From one line or cell of an answer to a title: where it starts, where it ends, and its year."""

from __future__ import annotations

import re
from functools import lru_cache

from mystery_shopper.suites.recbench.answers.model import LONGEST_TITLE, Named

YEAR = r"(?:18[7-9]|19\d|20\d)\d"
_LINK = re.compile(r"!?\[([^\[\]]{1,300})\]\([^()\s]{0,500}\)")
_MARKED = re.compile(
    r"^\s*(?:(?P<mark>\*\*\*|\*\*|__|\*|_|`)(?P<bold>[^*_`\n]{1,300}?)(?P=mark)"
    r"|[\"“„«](?P<quoted>[^\"“”„«»\n]{1,300})[\"”»]"
    r"|‘(?P<single>[^‘’\n]{1,300}(?:’\w[^‘’\n]{0,100})*)’(?!\w)"
    r"|<(?P<tag>i|b|em|strong|title)>(?P<inner>[^<\n]{1,300})</(?P=tag)>)"
)
_DATED = re.compile(
    rf"^(?P<title>[^\n]{{1,300}}?)\s*[(\[](?:[^()\[\]\n]{{0,60}}?\b)?(?P<year>{YEAR})"
    r"\b[^()\[\]\n]{0,60}[)\]]"
)
_BRACKET_YEAR = re.compile(rf"^[\s,:*_\"”]*[(\[](?:[^()\[\]]{{0,60}}?\b)?(?P<year>{YEAR})\b")
_LABEL = re.compile(
    r"^(?:(?:movie|film|book|title|name|recommendation|recommended|pick|option|item|answer)s?"
    r"(?:\s+(?:title|name|#?\d+))?|#?\d{1,2}(?!:\d\d\b)"
    r"|(?:my |the )?(?:first|second|third|fourth|fifth|top|best|main|next|runner-up|another)"
    r"(?: (?:movie|film|book|pick|choice|option|match|recommendation|suggestion|one|up))?)"
    r"\s*[:=]\s*(?=\S)",
    re.I,
)
_DASH = re.compile(r"\s+[-–—―]+>?\s+|\s*[–—―]\s+|\s+\|\s+|\s*→\s*|\s+-{2,}\s*|\t+")
_COLON = re.compile(r":\s+")
_SMALL = frozenset(
    "a an the of in on at to and or for from with by as is de la le du des der die das el y vs"
    " ii".split()
)
_PERSON = re.compile(r"^(?:[A-Z][\w.'’-]*\.?)(?:\s+(?:[A-Z][\w.'’-]*|de|von|van|la|du|le)){1,4}$")
_MOST_TITLE_WORDS = 14


@lru_cache(maxsize=1 << 16)
def named(line: str) -> Named | None:
    """The title that a list's entry or a table's cell begins with; None where there is none."""
    text = _LINK.sub(r"\1", line).strip()
    text = _LABEL.sub("", _unlabelled(text)).strip()
    if not text:
        return None
    if found := _MARKED.match(text):
        inner = next(
            part for name in ("bold", "quoted", "single", "inner") if (part := found[name])
        )
        return _marked(inner, text[found.end() :])
    if found := _DATED.match(text):
        return _of(_bare(found["title"]), int(found["year"]))
    return _unmarked(_bare(text))


def _unlabelled(text: str) -> str:
    """The text without a bold label ("**Title:** Heat")."""
    found = re.match(r"^(\*\*|__)([^*_\n]{1,30})(?::\1|\1:)\s*(?=\S)", text)
    if found and _LABEL.match(f"{found[2]}: x"):
        return text[found.end() :]
    return text


def _marked(inner: str, rest: str) -> Named | None:
    """What stands in bold or quotes, with the year in it or behind it."""
    inner = inner.strip().rstrip(":").strip()
    if (label := _LABEL.match(inner)) and len(inner) > label.end():
        inner = inner[label.end() :]
    if re.fullmatch(r"#?\d{1,3}[.)]?", inner):
        return named(rest) if rest.strip() else None
    nested = _MARKED.match(inner)
    if nested is not None:
        return named(inner + rest if nested.end() == len(inner) else inner)
    if found := _DATED.match(inner):
        return _of(_bare(found["title"]), int(found["year"]))
    behind = _BRACKET_YEAR.match(rest)
    return _of(_bare(inner), int(behind["year"]) if behind else None)


def _unmarked(text: str) -> Named | None:
    """A title without marks: it ends at a dash or colon that a description follows."""
    year: int | None = None
    if " | " in text:
        text, _, rest = text.partition(" | ")
        told = re.search(rf"\b({YEAR})\b", rest[:60])
        year = int(told[1]) if told else None
    if found := re.match(rf"^(.*?\S)\s*,\s*({YEAR})(?=\s*(?:$|[-–—:,.;]))", text):
        title = _of(found[1], int(found[2]))
        if title is not None and len(found[1].split()) <= _MOST_TITLE_WORDS:
            return title
    others: list[str] = []
    whole = text
    for pattern in (_DASH, _COLON):
        text, cuts = whole, list(pattern.finditer(whole))[:4]
        for at, cut in enumerate(cuts, 1):
            head, tail = text[: cut.start()].strip(), text[cut.end() :].strip()
            if not head or not tail:
                continue
            if _describes(tail):
                if at == len(cuts) or _describes(text[cut.end() : cuts[at].start()]):
                    whole = head
                    break
                others.append(head)  # "Star Wars - A New Hope - the first of them."
                continue
            if _PERSON.match(tail) and tail.split()[0].lower() not in _SMALL:
                others.append(head)
    by = re.match(r"^(.{1,200}?),?\s+(?:by|directed by|starring)\s+(?=[A-Z])", whole)
    if by:
        others.append(by[1])
    if len(whole.split()) > _MOST_TITLE_WORDS or _is_sentence(whole):
        return None
    return _of(whole, year, tuple(dict.fromkeys(o for o in others if o != whole)))


def _describes(tail: str) -> bool:
    """Whether what stands behind a dash or colon is a description and no subtitle."""
    words = tail.split()
    if len(words) > 8 or (tail.endswith((".", "!", "…")) and len(words) > 3):
        return True
    large = [word for word in words if word.lower().strip(",.") not in _SMALL]
    lower = sum(word[0].islower() for word in large if word[0].isalpha())
    return lower * 2 >= max(len(large), 1) and bool(large)


def _is_sentence(text: str) -> bool:
    """Whether a text without marks is a sentence and not a title."""
    words = text.split()
    if len(words) < 5:
        return False
    large = [word for word in words if word[0].isalpha() and word.lower() not in _SMALL]
    lower = sum(word[0].islower() for word in large)
    return lower * 2 > len(large) and (text.endswith((".", "!", "?", ":")) or lower > 3)


def _bare(title: str) -> str:
    return title.strip().strip("*_`").strip(' "“”„«»,;').removesuffix(":").strip()


def _of(title: str, year: int | None, others: tuple[str, ...] = ()) -> Named | None:
    title = title.strip()[:LONGEST_TITLE]
    if not any(letter.isalnum() for letter in title):
        return None
    return Named(title, year, None, others)
