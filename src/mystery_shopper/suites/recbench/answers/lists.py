"""Lists and tables in an answer: their entries, and what stands under the headings for concerns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mystery_shopper.suites.recbench.answers.model import MOST_TITLES, Named
from mystery_shopper.suites.recbench.answers.titles import named

_NUMBER = re.compile(
    r"^(?P<space>\s*)(?:>\s*)?(?:\*\*|__)?(?:#{1,6}\s+)?(?:[(\[]?\d{1,3}(?:[.)\]]"
    r"|\s*[-–—:](?=\s))"
    r"|#\d{1,3}[.:)]?|\d️?⃣|[①-⑳]|[a-zA-Z]\))(?:\*\*|__)?\s+(?P<text>\S.*)$"
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
_APART = re.compile(
    r"^(?:not recommended|avoid|already (?:seen|watched|read)|(?:movies|films|books) (?:you"
    r"|to avoid).*"
    r"|(?:what )?i (?:left out|excluded|ruled out).*|excluded|ruled out|sources?|references?"
    r"|why (?:these|this|i).*|next steps?|questions?.*|search(?:es)?.*|reasoning|rationale"
    r"|analysis"
    r"|conditions?|criteria|requirements?|request|summary)$",
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
    return found["text"].strip().strip("*_").strip() if found else None


def read_list(lines: Sequence[str]) -> Found:
    """The entries of a list: the numbered ones if there are any, else the bulleted ones that stand
    furthest left. What stands below an entry explains it."""
    found = Found()
    marks: list[tuple[bool, int, str]] = []
    apart = objecting = whole = False
    for line in lines:
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
        if objecting and whole and number and any(numbered for numbered, _, _ in marks):
            objecting = False  # The list of items goes on.
        if (said := concern_in(text)) is not None and not objecting:
            if said:
                found.concerns.append(said)
        elif objecting:
            found.concerns.append(text)
        elif not apart:
            marks.append((number is not None, len(mark["space"].expandtabs(4)), text))
    numbered = [mark for mark in marks if mark[0]]
    chosen = numbered if len(numbered) > 1 or (numbered and marks[0][0]) else marks
    left = min((space for _, space, _ in chosen), default=0)
    for _, space, text in chosen[: 4 * MOST_TITLES]:
        if space <= left + 1 and not DETAIL.match(text) and (item := named(text)):
            found.items.append(item)
    return found


def _heading(line: str) -> str | None:
    found = _HEADING.match(line)
    marked = line.lstrip().startswith(("#", "*", "_")) or line.rstrip().endswith(":")
    return found["name"].strip() if found and marked else None


def read_table(lines: Sequence[str]) -> list[Named] | None:
    """The titles of a table of cells between bars; None where there is no table."""
    rows = [line for line in lines if line.count("|") >= 1 and line.strip(" |-:")]
    rules = any(_RULE.match(line) and "|" in line for line in lines)
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
    body = cells[1:] if rules or any(_TITLE_HEAD.match(name) for name in head) else cells
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
