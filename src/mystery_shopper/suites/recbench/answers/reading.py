"""Reading an answer: whatever an agent says comes to titles in order, or to none. It never
raises."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import msgspec

from mystery_shopper.suites.recbench.answers.json_form import of_value, read_json
from mystery_shopper.suites.recbench.answers.lists import (
    concern_in,
    read_headed,
    read_list,
    read_table,
)
from mystery_shopper.suites.recbench.answers.model import (
    MOST_CONCERN,
    MOST_CONCERNS,
    MOST_LINE,
    MOST_LINES,
    MOST_TEXT,
    MOST_TITLES,
    Answer,
    Form,
    Named,
)
from mystery_shopper.suites.recbench.answers.prose import (
    bare_lines,
    in_sentences,
    refuses,
    says_nothing,
)
from mystery_shopper.suites.recbench.answers.rows import beside_notes, in_bars
from mystery_shopper.suites.recbench.answers.titles import YEAR, named

_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.S | re.I
)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)
_NO_TITLES = frozenset(
    ("none", "n/a", "null", "nothing", "no recommendation", "no recommendations")
)
_TAGS = re.compile(r"</?(?:answer|final|response|output|result|recommendations?)>", re.I)
_IN_A_ROW = re.compile(r"(?<=\d[)\]])\s+(?=\d{1,2}[.)]\s)|(?<=[,;])\s+(?=\(?\d{1,2}\)\s)")
_TITLE_TAG = re.compile(
    r"<title>(?P<title>[^<>]{1,300})</title>"
    rf"(?:\s*<(?P<tag>(?:release_)?year)>\s*(?P<year>{YEAR})\s*</(?P=tag)>)?",
    re.I,
)
_SEP = "[SEP]"
_SEP_HEAD = re.compile(r"\A.{0,200}?\(separated by \[SEP\]\)\s*:", re.S | re.I)
_SEP_LEAD = re.compile(
    r"^.{0,200}?\b(?:recommend\w*|suggest\w*|movies|films|books|titles)\b[^:]{0,80}:\s*", re.I
)
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$")
_LINES = re.compile(r"\r\n?|\n|\x85|\u2028|\u2029")


def read_answer(said: object) -> Answer:
    """What an answer recommends. `said`: its text, or decoded JSON. Text is read as JSON if it
    holds an answer in JSON, else as a table, a list, lines of titles, or prose."""
    if isinstance(said, str):
        return _of_text(said)
    if isinstance(said, Mapping | list):
        found = of_value(cast("object", said))
        return _of_json(found, "", False) if found is not None else Answer((), Form.EMPTY)
    return Answer((), Form.EMPTY)


def answer_of_titles(titles: Iterable[str], concerns: Iterable[str] = ()) -> Answer:
    """An answer that was given as titles already, each with or without its year."""
    items = [item for title in titles if (item := named(_plain(title[:MOST_LINE])))]
    return _answer(items, Form.TITLES, list(concerns), "", cut=False)


def _of_text(said: str) -> Answer:
    cut = len(said) > MOST_TEXT
    text = _plain(said[:MOST_TEXT])
    if "<" in text:
        text = _TAGS.sub("", _THOUGHT_END.sub("", _THOUGHT.sub("", text)))
    text = text.strip()
    if not text:
        return Answer((), Form.EMPTY, cut=cut)
    if says_nothing(text):
        return Answer((), Form.NONE, refused=True, prose=text, cut=cut)
    if "</" in text and (items := _tagged(text)):
        return _answer(items, Form.LIST, [], text, cut)
    if _SEP in text and (items := _set_apart(text)):
        return _answer(items, Form.LIST, [], text, cut)
    text = _undoubled(text)
    if ("{" in text or "[" in text) and (found := read_json(text)) is not None:
        return _of_json(found, text, cut)
    lines = _LINES.split(_IN_A_ROW.sub("\n", text))
    cut = cut or len(lines) > MOST_LINES
    lines = [line[:MOST_LINE] for line in lines[:MOST_LINES] if not _FENCE.match(line)]
    table = read_table(lines)
    if table:
        concerns = [told for line in lines if "|" not in line and (told := concern_in(line))]
        return _answer(table, Form.TABLE, concerns, text, cut)
    if table is not None:
        lines = [line for line in lines if "|" not in line]
    listed = read_list(lines)
    if listed.items:
        return _answer(listed.items, Form.LIST, listed.concerns, text, cut)
    if headed := read_headed(lines):
        concerns = [told for line in lines if (told := concern_in(line))]
        return _answer(headed, Form.LIST, concerns, text, cut)
    rest = [line for line in lines if concern_in(line) is None]
    titles = beside_notes(lines) if listed.concerns else in_bars(rest) or bare_lines(rest)
    if titles and not (len(titles) < 3 and refuses(text)):
        return _answer(titles, Form.LIST, listed.concerns, text, cut)
    items = in_sentences("\n".join(rest))
    return _answer(items, Form.PROSE, listed.concerns, text, cut)


def _undoubled(text: str) -> str:
    """JSON that was written as a text of JSON once more, as it was before."""
    if not (text.startswith('"') and text.endswith('"') and "{" in text):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text


def _tagged(text: str) -> list[Named]:
    """Titles in tags of their own: <title>Heat</title> <year>1995</year>."""
    items: list[Named] = []
    for found in list(_TITLE_TAG.finditer(text))[:MOST_TITLES]:
        said = html.unescape(found["title"].strip())
        item = named(said)
        if item is not None:
            year = int(found["year"]) if found["year"] and item.year is None else item.year
            items.append(msgspec.structs.replace(item, year=year))
    return items


def _set_apart(text: str) -> list[Named]:
    """Titles with "[SEP]" between them, as RecBench+'s own prompt asks for them: those of the lines
    that hold the mark, and of the next one where the last of them ends with it."""
    lines = _LINES.split(_SEP_HEAD.sub("", text, count=1))
    marked = [place for place, line in enumerate(lines) if _SEP in line]
    if not marked:
        return []
    end = marked[-1] + 1
    if lines[marked[-1]].rstrip().endswith(_SEP):
        end += 1
    parts = [part.strip() for line in lines[marked[0] : end] for part in line.split(_SEP)]
    parts[:1] = [_SEP_LEAD.sub("", part) for part in parts[:1]]
    return [item for part in parts if part and (item := named(part[:MOST_LINE]))]


def _of_json(found: tuple[list[Named], list[str]], text: str, cut: bool) -> Answer:
    items, concerns = found
    return _answer(items, Form.JSON if items or concerns else Form.NONE, concerns, text, cut)


def _answer(
    items: Sequence[Named], form: Form, concerns: Sequence[str], text: str, cut: bool
) -> Answer:
    """An answer with each title once. One that came out empty and says why is a refusal."""
    kept: dict[tuple[str, int | None, str | None], Named] = {}
    for item in items:
        if item.id or item.title.casefold().rstrip(".") not in _NO_TITLES:
            kept.setdefault((item.title.casefold(), item.year, item.id), item)
    titles = tuple(kept.values())[:MOST_TITLES]
    nothing = form in (Form.NONE, Form.JSON) or bool(items) or bool(concerns)
    refused = not titles and (nothing or refuses(text))
    if not titles and form in (Form.LIST, Form.TABLE, Form.PROSE) and refused:
        form = Form.NONE
    return Answer(
        titles,
        form,
        tuple(said[:MOST_CONCERN] for said in concerns[:MOST_CONCERNS] if said),
        refused,
        text,
        cut or len(kept) > MOST_TITLES,
    )


def _plain(text: str) -> str:
    """The text without lone surrogates, so that it can be written to a file."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
