"""Answers that were made elsewhere: a file with an object a line, each of one query.

    {"query": "explicit-1-001", "text": "1. Heat (1995)\\n2. Ronin (1998)"}
    {"id": "explicit-1-002", "titles": ["Heat (1995)", {"title": "Ronin", "year": 1998}]}
    {"query_id": "interest-001", "recommendations": [{"title": "Heat"}], "concerns": ["…"]}

An answer is a text as the agent said it, or titles. An empty text or list is an answer that
recommends nothing; a query of which no line speaks has no answer, which is not the same.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec

from mystery_shopper.foundation import InputError, at_most
from mystery_shopper.suites.recbench.answers import Answer, answer_of_titles, read_answer
from mystery_shopper.suites.recbench.released.shapes import Found, read_shape
from mystery_shopper.suites.recbench.score import Pick

IDS = ("query_id", "id", "query")
TEXTS = ("text", "answer", "response", "output", "prediction")
LISTS = ("recommendations", "titles", "items", "movies", "books", "films")
MOST_PROBLEMS = 20
_FORM = (
    'Give an object a line with the query\'s id and its answer: {"query": "…", "text": "…"} or'
    ' {"query": "…", "titles": ["…"]}'
)
REMEDY = f"{_FORM}; or leave bad lines out with --on-bad skip."
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Foreign:
    """The answers of a file by query id, in its order. `bad`: what was left out, as asked.
    `notes`: how the file had to be read."""

    answers: Mapping[str, Answer]
    bad: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_answers(
    raw: bytes, where: str, known: Container[str], *, example: str = "", skip: bool = False
) -> Foreign:
    """The answers in the bytes of a file, packed by gzip or not. `known`: the ids of the queries;
    `example`: one of them.

    Raises InputError with every line that is no answer, answers no query of the set, or answers
    one again (20 at most); with `skip` these are left out and told, of several answers the later
    ones.
    """
    if raw.startswith(_GZIP):
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"cannot be unpacked ({error})", where=where, remedy="Pack it again, or unpack it."
            ) from None
    shape = read_shape(raw)
    problems = list(shape.broken)
    answers: dict[str, Answer] = {}
    lines: dict[str, str] = {}
    strangers = 0
    for found in shape.entries:
        place = f"line {found.line}" if found.line else f"record {found.number}"
        try:
            query, answer = _entry(found)
        except ValueError as error:
            problems.append(f"{place}: {error}")
            continue
        if query not in known:
            strangers += 1
            problems.append(f"{place}: there is no query {query!r:.80}")
        elif query in answers:
            problems.append(f"{place}: {query} is answered on {lines[query]} already; keep one")
        else:
            answers[query], lines[query] = answer, place
    if problems and not skip:
        ids = f" Queries have ids such as {example}." if strangers and example else ""
        raise InputError(at_most(problems, MOST_PROBLEMS), where=where, remedy=REMEDY + ids)
    return Foreign(answers, tuple(problems), tuple(shape.notes))


def _entry(found: Found) -> tuple[str, Answer]:
    """(query, answer) of a line. Raises ValueError that says what is wrong with it."""
    if not isinstance(found.value, Mapping):
        raise ValueError("is no object")
    if found.twice:
        raise ValueError(f"{', '.join(map(repr, found.twice[:3]))} occurs twice; keep one")
    record = cast("Mapping[str, object]", found.value)
    key = next((key for key in IDS if record.get(key) is not None), None)
    ident = record[key] if key is not None else None
    if isinstance(ident, bool) or not isinstance(ident, str | int) or not str(ident).strip():
        raise ValueError(f"has no query id ({' or '.join(map(repr, IDS))})")
    texts = [key for key in TEXTS if key in record]
    lists = [key for key in LISTS if key in record]
    if not texts and not lists:
        raise ValueError(f"has no answer ({', '.join(map(repr, (*TEXTS[:3], *LISTS[:2])))})")
    value = record[texts[0]] if texts else record[lists[0]]
    if texts and isinstance(value, str | list | dict):
        return str(ident).strip(), read_answer(value)
    if not texts and isinstance(value, list):
        return str(ident).strip(), _of_list(cast("list[object]", value), record)
    raise ValueError(
        f"{(texts or lists)[0]!r} is no {'text' if texts else 'list of titles'}"
        ' (for an answer that says nothing write "" or [], else leave the line out)'
    )


def _of_list(values: Sequence[object], record: Mapping[str, object]) -> Answer:
    """An answer given as titles, or as objects with one. Raises ValueError for anything else."""
    for number, value in enumerate(values, 1):
        if not isinstance(value, str | dict):
            raise ValueError(f"title {number} is no text and no object with a title")
    concerns = record.get("concerns")
    if all(isinstance(value, str) for value in values):
        said = cast("list[object]", concerns) if isinstance(concerns, list) else [concerns]
        texts = [one for one in said if isinstance(one, str)]
        return answer_of_titles(cast("Sequence[str]", values), texts)
    return read_answer({"recommendations": list(values), "concerns": concerns})


def first_items(answer: Answer, picks: Iterable[Pick], most: int) -> Answer:
    """The answer with its first so many items that count; those that the query names do not.
    `picks`: what the whole answer came to (`score.RecBenchScore.picks`), each item once."""
    counted = [pick for pick in picks if not pick.named][:most]
    kept: list[str] = [pick.text for pick in counted]
    items = tuple(item for item in answer.items if (item.title or item.id or "") in kept)
    return msgspec.structs.replace(answer, items=items)
