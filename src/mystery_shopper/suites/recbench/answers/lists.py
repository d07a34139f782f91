"""Lists and tables in an answer: their entries, and what stands under the headings for concerns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import structs

from mystery_shopper.suites.recbench.answers.model import MOST_TITLES, Named
from mystery_shopper.suites.recbench.answers.titles import YEAR, named

_NUMBER = re.compile(
    r"^(?P<space>\s*)(?:>\s*)?(?:\*\*|__)?(?:#{1,6}\s+)?(?:[(\[]?\d{1,3}(?:[.)\]]|\s?/(?=\s)"
    r"|\s*[-–—:](?=\s))"
    r"|#\d{1,3}[.:)]?|\d️?⃣|[①-⑳]|[a-zA-Z]\)|[(\[]?(?:[ivx]{1,5}|[IVX]{1,5})[.)\]])"
    r"(?:\*\*|__)?\s+(?P<text>\S.*)$"
)
_BULLET = re.compile(r"^(?P<space>\s*)(?:>\s*)?[-*+•–—·▪▸►◦‣○●✦★🎬📚📖🎥🍿✅👉]️?\s+(?P<text>\S.*)$")
_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s*|\*\*|__)?(?P<name>[A-Za-z][\w '’/&-]{1,40}?)\s*(?::\s*(?:\*\*|__)?|(?:\*\*"
    r"|__):?)?\s*$"
)
_CONCERNS = re.compile(
    r"^(?:\s*(?:[-*•>]\s*)?(?:#{1,6}\s*)?(?:\*\*|__)?\s*)(?:⚠️?\s*)?(?:my\s+|one\s+|a\s+|quick\s+"
    r"|some\s+)*"
    r"(?:concerns?|notes?|caveats?|corrections?|clarifications?|warnings?|important|disclaimers?"
    r"|heads[- ]up|p\.?s\.?|fact[- ]check)\b[^:\n*]{0,30}(?::|\*\*|__|$)(?:\*\*|__"
    r"|:)?\s*(?P<text>.*)$",
    re.I,
)
_NO_CONCERN = re.compile(r"\W*(?:none|n/?a|null)?\W*", re.I)
_YEAR_LINE = re.compile(rf"^\s*(?:[-*•+]\s+)?\W{{0,3}}(?:release )?year\W+({YEAR})\b", re.I)
_OVER_TEXT = re.compile(
    rf"^(?:\s*#{{1,6}}\s+(?P<heading>\S.*)|\s*(?P<mark>\*\*|__)(?P<bold>[^*_\n]{{1,200}})(?P=mark)"
    rf"(?P<year>\s*[(\[]{YEAR}[)\]])?\s*:?)\s*$"
)
_APART = re.compile(
    r"^(?:not recommended|avoid|already (?:seen|watched|read)|(?:movies|films|books) (?:you"
    r"|to avoid).*"
    r"|(?:what )?i (?:left out|excluded|ruled out).*|excluded|ruled out|sources?|references?"
    r"|why (?:these|this|i).*|next steps?|questions?.*|search(?:es)?.*|reasoning|rationale"
    r"|analysis"
    r"|conditions?|criteria|requirements?|request|summary)$",
    re.I,
)
_SECTION = re.compile(
    r"^(?:(?:my |our |the |top |final |best |honou?rable |other |more |further |your )*"
    r"(?:recommendations?|recommended\b.*|picks?|answers?|suggestions?|results?|list|mentions?"
    r"|options?|movies?|films?|books?|titles?|matches|introduction|overview|conclusion))$",
    re.I,
)
DETAIL = re.compile(
    r"^(?:\*\*|__|\*)?(?:why\b[^:\n]{0,40}|reason(?:s|ing)?\b[^:\n]{0,30}|directors?|directed by"
    r"|genres?|starring|stars"
    r"|cast|plot|synopsis|summary|(?:release )?year|released?(?: date)?|rating|imdb[^:\n]{0,20}"
    r"|runtime|language|country"
    r"|writers?|written by|authors?|publisher|pages|notes?|description|about|themes?"
    r"|cinematograph(?:er|y)|composer|music"
    r"|producers?|studio|format|where to watch|available on|tone|setting|connection|match(?:es)?"
    r"|conditions?(?: met)?"
    r"|meets|relevance|highlights?|key [a-z]+|main [a-z]+)\s*(?:\*\*|__|\*)?\s*:",
    re.I,
)
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_TITLE_HEAD = re.compile(r"^\W*(?:movie|film|book|title|name|recommendation|item)s?\b", re.I)
_YEAR_HEAD = re.compile(r"^\W*(?:release )?(?:year|released|date)\b", re.I)
_ID_HEAD = re.compile(r"^\W*(?:item[ _]?|movie[ _]?|imdb[ _]?|book[ _]?)?ids?\W*$", re.I)


@dataclass
class Found:
    """What was found so far: entries, and what is objected."""

    items: list[Named] = field(default_factory=list[Named])
    concerns: list[str] = field(default_factory=list[str])


def concern_in(line: str) -> str | None:
    """What stands behind "Note:" and the like; "" where it only heads what follows."""
    found = _CONCERNS.match(line)
    if found is None:
        return None
    said = found["text"].strip().strip("*_").strip()
    return "" if _NO_CONCERN.fullmatch(said) else said


def read_list(lines: Sequence[str]) -> Found:
    """The entries of a list: the numbered ones if there are any, else the bulleted ones that stand
    furthest left. What stands below an entry explains it."""
    found = Found()
    marks: list[tuple[bool, int, str, int | None]] = []
    apart = objecting = whole = False
    for line in lines:
        if marks and "year" in line.lower() and (year := _YEAR_LINE.match(line)):
            marks[-1] = (*marks[-1][:3], int(year[1]))
            continue
        number = _NUMBER.match(line)
        mark = number or _BULLET.match(line)
        if mark is None:
            said = concern_in(line)
            if said is not None:
                # A line that says its objection heads no list of them, unless one of items is over.
                objecting, apart, whole = not said or bool(marks), False, bool(said)
                if said:
                    found.concerns.append(said)
            elif heading := _heading(line):
                apart = _APART.match(heading) is not None
                objecting = False
            elif line.rstrip().endswith(":"):
                objecting = False
            continue
        text = mark["text"]
        if objecting and whole and number and any(mark[0] for mark in marks):
            objecting = False  # The list of items goes on.
        if (said := concern_in(text)) is not None and not objecting:
            if said:
                found.concerns.append(said)
        elif objecting:
            found.concerns.append(text)
        elif not apart:
            marks.append((number is not None, len(mark["space"].expandtabs(4)), text, None))
    numbered = [mark for mark in marks if mark[0]]
    chosen = numbered if len(numbered) > 1 or (numbered and marks[0][0]) else marks
    left = min((space for _, space, _, _ in chosen), default=0)
    for _, space, text, year in chosen[: 4 * MOST_TITLES]:
        if space <= left + 1 and not DETAIL.match(text) and (item := named(text)):
            dated = item.year is None and year is not None
            found.items.append(structs.replace(item, year=year) if dated else item)
    return found


def read_headed(lines: Sequence[str]) -> list[Named]:
    """The titles of a list in which each stands over what is said of it, as a heading or a line in
    bold: at least two such lines, and text below each."""
    for heads in ("heading", "bold"):
        items: list[Named] = []
        apart = False
        said = 0
        for line in filter(str.strip, lines):
            found = _OVER_TEXT.match(line)
            if found is None or not found[heads]:
                said += bool(items) and not apart
                continue
            text = f"{found[heads].strip()} {found['year'] or ''}"
            name = text.strip(" *_:")
            apart = concern_in(line) is not None or _APART.match(name) is not None
            if not apart and not _SECTION.match(name) and (item := named(text)):
                items.append(item)
        if len(items) > 1 and said >= len(items):
            return items
    return []


def _heading(line: str) -> str | None:
    found = _HEADING.match(line)
    marked = line.lstrip().startswith(("#", "*", "_")) or line.rstrip().endswith(":")
    return found["name"].strip() if found and marked else None


def read_table(lines: Sequence[str]) -> list[Named] | None:
    """The titles of a table of cells between bars; None where there is no table."""
    rows = [line for line in lines if line.count("|") >= 1 and line.strip(" |-:")]
    rules = any(_RULE.match(line) and "|" in line for line in lines)
    if len(rows) == 1 and rules:
        return []
    if len(rows) < 2 or not (rules or all(row.strip().startswith("|") for row in rows)):
        return None
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    head = cells[0]
    title = next((i for i, name in enumerate(head) if _TITLE_HEAD.match(name)), None)
    year = next((i for i, name in enumerate(head) if _YEAR_HEAD.match(name)), None)
    ident = next((i for i, name in enumerate(head) if _ID_HEAD.match(name)), None)
    if title is not None and title == ident:
        title = None
    if title is None:
        title = (
            1 if len(head) > 1 and all(re.fullmatch(r"\W*\d*\W*", r[0]) for r in cells[1:]) else 0
        )
    headed = any(_TITLE_HEAD.match(name) for name in head)
    dated = next((i for i, name in enumerate(head) if re.fullmatch(YEAR, name)), None)
    if not headed and dated is not None:
        rules, year = False, dated  # Its first line is an entry too.
    body = cells[1:] if rules or headed else cells
    items: list[Named] = []
    for row in body[: 2 * MOST_TITLES]:
        item = named(row[title]) if title < len(row) else None
        if item is None:
            continue
        when = re.search(r"\d{4}", row[year]) if year is not None and year < len(row) else None
        code = row[ident].strip("`* ") if ident is not None and ident < len(row) else ""
        items.append(
            Named(
                item.title,
                int(when[0]) if when and item.year is None else item.year,
                code or None,
                item.others,
            )
        )
    return items
