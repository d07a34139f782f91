"""Answers that were made elsewhere: a file with an object a line, each of one query.

    {"query": "explicit-1-001", "text": "1. Heat (1995)\\n2. Ronin (1998)"}
    {"id": "explicit-1-002", "titles": ["Heat (1995)", {"title": "Ronin", "year": 1998}]}
    {"query_id": "interest-001", "recommendations": [{"title": "Heat"}], "concerns": ["…"]}

An answer is a text as the agent said it, or titles. An empty text or list is an answer that
recommends nothing; a query of which no line speaks has no answer, which is not the same.

A query goes by its id. One of an imported set also goes by what the release calls it (its kind and
`data_idx` or place in the file, and its style where a record holds two texts), and any by its text.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import cast

import msgspec

from mystery_shopper.foundation import InputError, at_most
from mystery_shopper.suites.recbench.answers import Answer, answer_of_titles, read_answer
from mystery_shopper.suites.recbench.query import QuerySet, Style
from mystery_shopper.suites.recbench.released.records import kind_of
from mystery_shopper.suites.recbench.released.shapes import Found, read_shape
from mystery_shopper.suites.recbench.score import Pick

IDS = ("query_id", "id", "query")
TEXTS = ("text", "answer", "response", "output", "prediction")
INDICES = ("data_idx", "index")
"""What a release calls a record; goes with a kind and a style where the line names them."""
KINDS, STYLES = ("kind", "type", "query_type", "file"), ("style", "wording")
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


def other_names(queries: QuerySet) -> Mapping[str, tuple[str, ...]]:
    """Other name, folded -> the queries that go by it: their texts, and of an imported set what the
    release calls them ("explicit-40" and "40" for explicit-40-direct)."""
    names: dict[str, dict[str, None]] = {}
    for query in queries.queries:
        called = {query.text}
        if queries.source:
            base = query.id
            for style in Style:
                base = base.removesuffix(f"-{style.value}")
            called.update((query.id, base))
            start = f"{query.kind.value}-"
            called.update(name.removeprefix(start) for name in (query.id, base))
            # A record of a profile holds several queries, numbered from 0.
            if query.kind.is_profile:
                whole = base.rpartition("-")[0]
                called.update((whole, whole.removeprefix(start)))
        for name in called:
            names.setdefault(_folded(name), {})[query.id] = None
    return {name: tuple(ids) for name, ids in names.items() if name}


def _folded(name: str) -> str:
    return "-".join(name.casefold().replace("_", "-").split())


def read_answers(
    raw: bytes,
    where: str,
    known: Container[str],
    others: Mapping[str, tuple[str, ...]] | None = None,
    *,
    example: str = "",
    skip: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Foreign:
    """The answers in the bytes of a file, packed by gzip or not. `known`: the ids of the queries,
    `others`: other names of theirs (`other_names`); `example`: one of the ids. `progress` hears how
    many lines are done, of how many.

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
    for number, found in enumerate(shape.entries):
        if progress is not None:
            progress(number, len(shape.entries))
        place = f"line {found.line}" if found.line else f"record {found.number}"
        try:
            said, answer = _entry(found)
            query = _known_by(said, known, others or {})
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


def _known_by(said: str, known: Container[str], others: Mapping[str, tuple[str, ...]]) -> str:
    """The id of the query that goes by a name; the name itself where none does. Raises ValueError
    where several do."""
    if said in known:
        return said
    ids = others.get(_folded(said), ())
    if len(ids) > 1:
        more = ", …" if len(ids) > 3 else ""
        raise ValueError(
            f"{len(ids)} queries go by {said!r:.80} ({', '.join(ids[:3])}{more}); name one of them"
        )
    return ids[0] if ids else said


def _entry(found: Found) -> tuple[str, Answer]:
    """(query, answer) of a line. Raises ValueError that says what is wrong with it."""
    if not isinstance(found.value, Mapping):
        raise ValueError("is no object")
    if found.twice:
        raise ValueError(f"{', '.join(map(repr, found.twice[:3]))} occurs twice; keep one")
    record = cast("Mapping[str, object]", found.value)
    ident = _ident(record)
    if not ident:
        raise ValueError(f"has no query id ({' or '.join(map(repr, IDS))})")
    texts = [key for key in TEXTS if key in record]
    lists = [key for key in LISTS if key in record]
    if not texts and not lists:
        raise ValueError(f"has no answer ({', '.join(map(repr, (*TEXTS[:3], *LISTS[:2])))})")
    value = record[texts[0]] if texts else record[lists[0]]
    if texts and isinstance(value, str | list | dict):
        return ident, read_answer(value)
    if not texts and isinstance(value, list):
        return ident, _of_list(cast("list[object]", value), record)
    raise ValueError(
        f"{(texts or lists)[0]!r} is no {'text' if texts else 'list of titles'}"
        ' (for an answer that says nothing write "" or [], else leave the line out)'
    )


def _ident(record: Mapping[str, object]) -> str:
    """What a line calls its query: its id, else the index in a release, with a kind and a style
    where it names them; "" where it names none."""
    key = next((key for key in IDS if record.get(key) is not None), None)
    if key is not None:
        return _word(record[key])
    index = next((word for key in INDICES if (word := _word(record.get(key)))), "")
    if not index:
        return ""
    kind = next((word for key in KINDS if (word := _word(record.get(key)))), "")
    style = next((word for key in STYLES if (word := _word(record.get(key)))), "")
    file = kind_of(PurePath(kind)) if kind else None
    return "-".join(filter(None, (kind if file is None else file.value, index, style)))


def _word(value: object) -> str:
    """A text or a whole number as a text, else ""."""
    return "" if isinstance(value, bool) or not isinstance(value, str | int) else str(value).strip()


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
