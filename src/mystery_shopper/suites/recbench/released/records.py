"""The published files of RecBench+: ExplicitQuery, ImplicitQuery, MisinformedQuery,
InterestBasedQuery and UserBasedQuery, of films and of books.

Reading is strict where a record would lose its meaning, and lenient with keys that it does not
need. All problems of all files are told together, each with its file, record and line; with any
there is no release at all, unless the records that have them are to be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import cast

from mystery_shopper.foundation import InputError, at_most, read_whole
from mystery_shopper.suites.recbench.query import Kind, Style
from mystery_shopper.suites.recbench.released.fields import (
    first,
    folded,
    plain,
    spelled,
    title_and_id,
)
from mystery_shopper.suites.recbench.released.model import BOOK, MOVIE, Fact, Release, Released
from mystery_shopper.suites.recbench.released.shapes import Found, Record, read_shape

MOST_PROBLEMS = 50
REMEDY = (
    "Mend or remove these records and read again, or leave them out with --on-bad skip; nothing"
    " was written."
)
FILES: Mapping[str, Kind] = {
    "explicit": Kind.EXPLICIT,
    "implicit": Kind.IMPLICIT,
    "misinformed": Kind.MISINFORMED,
    "interest": Kind.INTEREST,
    "itembased": Kind.INTEREST,
    "user": Kind.DEMOGRAPHICS,
    "demographic": Kind.DEMOGRAPHICS,
}
"""What a file's name begins with, in small letters -> what its queries rest on."""


def read_release(folder: Path, *, skip: bool = False) -> Release:
    """Read the published files in a folder, at any depth.

    Raises InputError that holds every problem of every file, 50 at most, with file, record and
    line; with `skip` what is bad is left out and told instead.
    """
    if not folder.is_dir():
        raise InputError(
            "there is no such folder" if not folder.exists() else "is a file and no folder",
            where=str(folder),
            remedy="Name the folder with the published files (ExplicitQuery.json and so on).",
        )
    found = sorted(
        (path, kind)
        for path in folder.rglob("*.json*")
        if path.is_file() and (kind := kind_of(path)) is not None
    )
    if not found:
        raise InputError(
            "holds none of the published files",
            where=str(folder),
            remedy="It should hold ExplicitQuery.json, ImplicitQuery.json, MisinformedQuery.json,"
            " InterestBasedQuery.json or UserBasedQuery.json.",
        )
    queries: list[Released] = []
    files: dict[str, int] = {}
    problems: list[str] = []
    notes: list[str] = []
    for path, kind in found:
        name = path.relative_to(folder).as_posix()
        domain = domain_of(name) or domain_of(folder.resolve().name)
        shape = read_shape(read_whole(path, "Name a file that can be read."))
        problems += [f"{name}: {problem}" for problem in shape.broken]
        notes += [f"{name}: {note}" for note in shape.notes]
        read = list(_Reader(name, kind, domain, problems, notes).queries(shape.entries))
        files[name] = len(read)
        queries += read
    if problems and not skip:
        raise InputError(at_most(problems, MOST_PROBLEMS), where=str(folder), remedy=REMEDY)
    if not queries:
        raise InputError(
            ["the files hold no query", *at_most(problems, MOST_PROBLEMS)],
            where=str(folder),
            remedy=REMEDY,
        )
    return Release(tuple(queries), files, tuple(notes), tuple(problems))


def kind_of(path: PurePath) -> Kind | None:
    """What the queries of a published file rest on, by its name; None for any other file."""
    name = re.sub(r"[^a-z]", "", path.stem.lower())
    if "query" not in name and "queries" not in name:
        return None
    return next((kind for start, kind in FILES.items() if start in name), None)


def domain_of(name: str) -> str:
    """The domain that a path names, "" where it names none or both."""
    low = name.lower()
    book, film = "book" in low, "movie" in low or "film" in low
    return "" if book == film else BOOK if book else MOVIE


@dataclass
class _Reader:
    """Reads the records of one file; what is wrong goes to `problems`."""

    name: str
    kind: Kind
    domain: str
    problems: list[str]
    notes: list[str]

    def queries(self, entries: Sequence[Found]) -> Iterator[Released]:
        for found in entries:
            place = f"{self.name}: {found.place}"
            if not isinstance(found.value, Mapping):
                self.problems.append(f"{place}: is no object")
                continue
            if found.twice:
                keys = ", ".join(map(repr, found.twice[:5]))
                self.problems.append(f"{place}: {keys} occurs twice; leave it there once")
                continue
            record = cast("Record", found.value)
            read = self._profile if self.kind.is_profile else self._conditions
            yield from read(record, place, found.number)

    def _domain(self, record: Record) -> str:
        """What the record's own keys say, else the path; films where neither tells."""
        said = {domain_of(key) for key in record} - {""}
        return said.pop() if len(said) == 1 else self.domain or MOVIE

    # --- condition queries ----------------------------------------------------------------------

    def _conditions(self, record: Record, place: str, number: int) -> Iterator[Released]:
        before = len(self.problems)
        user = self._text(record, ("source_user", "user", "source_users"), place)
        titles, ids = self._answers(record, ("movieSubset", "bookSubset", "itemSubset"), place)
        shared = self._pairs(record, place)
        texts = list(self._texts(record, place))
        self._counted(record, ("condition_num",), len(shared), place)
        self._counted(record, ("movieCount", "bookCount", "itemCount"), len(titles), place)
        if len(self.problems) > before:
            return
        if not ids:
            keys = ("movieSubsetId", "bookSubsetId", "itemSubsetId")
            ids = self._ids(record, keys, titles, place)
        index = plain(record.get("data_idx"))
        for style, text in texts:
            which = f"-{style.value}" if len(texts) > 1 else ""
            yield Released(
                place, self._domain(record), self.kind, user, style, text, titles, ids,
                conditions=shared, facts=tuple(self._facts(record)),
                number=f"{index or number}{which}",
            )  # fmt: skip

    def _texts(self, record: Record, place: str) -> Iterator[tuple[Style, str]]:
        keys = (
            ("direct_description_query", Style.DIRECT),
            ("situational_description_query", Style.SITUATIONAL),
            ("query", Style.DIRECT),
        )
        present = [(key, style) for key, style in keys if record.get(key) is not None]
        if not present:
            wanted = "query" if self.kind is Kind.MISINFORMED else keys[0][0]
            self.problems.append(f"{place}: {wanted}: is missing")
        seen: set[Style] = set()
        for key, style in present:
            text = self._text(record, (key,), place, words=True)
            if text and style not in seen:
                seen.add(style)
                yield style, text

    def _pairs(self, record: Record, place: str) -> tuple[tuple[str, str], ...]:
        key = "sharedRelationships"
        value = record.get(key)
        if isinstance(value, Mapping):
            value = [[k, v] for k, v in spelled(cast("Mapping[str, object]", value))]
        if not isinstance(value, list) or not value:
            self.problems.append(f"{place}: {key}: {'is missing' if value is None else 'no pairs'}")
            return ()
        pairs: list[tuple[str, str]] = []
        for number, pair in enumerate(cast("list[object]", value), 1):
            parts = cast("list[object]", pair) if isinstance(pair, list) else []
            if isinstance(pair, Mapping):
                parts = list(cast("Mapping[str, object]", pair).values())
            texts = [text for part in parts[:2] if (text := plain(part))]
            if len(texts) < 2:
                self.problems.append(
                    f"{place}: {key}: pair {number} is not a relation and a value ({pair!r:.60})"
                )
            else:
                pairs.append((texts[0], texts[1]))
        return tuple(dict.fromkeys(pairs))

    def _facts(self, record: Record) -> Iterator[Fact]:
        """What an implicit query refers to (`multihop_info`), a misinformed one claims."""
        for key in ("multihop_info", "misinformed", "misinformed_info", "error_info"):
            value = record.get(key)
            listed = cast("list[object]", value) if isinstance(value, list) else [value]
            for one in listed:
                if isinstance(one, Mapping):
                    said = cast("Mapping[str, object]", one)
                    title = first(said, ("movie", "book", "title", "item"))
                    name = first(said, ("person", "value", "name", "attribute"))
                    if title:
                        yield Fact(title, first(said, ("relation", "relationship")), name)

    # --- profile queries ------------------------------------------------------------------------

    def _profile(self, record: Record, place: str, number: int) -> Iterator[Released]:
        key = next((key for key in record if folded(key) in _ANSWERED), None)
        listed = record[key] if key is not None else None
        if isinstance(listed, Mapping):
            listed = [listed]
        if not isinstance(listed, list):
            self.problems.append(f'{place}: "query & ground true": is missing or no list')
            return
        summary = record.get("summary")
        lines = summary if isinstance(summary, str) else ""
        group = self._group(record)
        counted = re.search(r"Total users in this group:\s*(\d+)", lines)
        who = record.get("source_users")
        users = len(cast("list[object]", who)) if isinstance(who, list) else 0
        marked, marked_ids = self._listed(record, lines)
        index = plain(record.get("data_idx")) or str(number)
        user = f"{'group' if self.kind is Kind.DEMOGRAPHICS else 'interest'} {index}"
        for part, entry in enumerate(cast("list[object]", listed), 1):
            where = f"{place}, query {part}"
            if not isinstance(entry, Mapping):
                self.problems.append(f"{where}: is no object")
                continue
            if not entry:
                self.notes.append(f"{where}: is empty and was passed over")
                continue
            answer = cast("Record", {folded(str(key)): found for key, found in entry.items()})
            before = len(self.problems)
            text = self._text(answer, ("query",), where, words=True)
            titles, ids = self._answers(answer, _SUBSETS, where)
            if len(self.problems) > before:
                continue
            domain = self._domain(answer) if "subset" not in answer else self._domain(record)
            yield Released(
                where, domain, self.kind, user, Style.SITUATIONAL, text, titles, ids,
                reason=plain(answer.get("reason")), group=group, listed=marked,
                listed_ids=marked_ids, users=int(counted[1]) if counted else users,
                number=f"{index}-{part - 1}",
            )  # fmt: skip

    def _listed(self, record: Record, summary: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(titles, ids) of what marks the group, or of the common sequence."""
        marked = tuple(re.findall(r"^(.+?) - TF-IDF:", summary, re.M))
        key = next((key for key in record if folded(key).startswith("shared consecutive")), None)
        if not marked and key is not None:
            value = record[key]
            said = cast("list[object]", value) if isinstance(value, list) else [value]
            marked = tuple(text for one in said if (text := plain(one)))
        top = next((key for key in record if re.match(r"top_\d+_", key.lower())), None)
        rows = record[top] if top is not None else None
        ids: list[str] = []
        for row in cast("list[object]", rows) if isinstance(rows, list) else []:
            cells = cast("list[object]", row) if isinstance(row, list) else [row]
            ids.append(plain(cells[0]) if cells else "")
        if len(ids) == len(marked):
            return marked, tuple(ids)
        return (marked, ()) if marked else (("",) * len(ids), tuple(ids))

    def _group(self, record: Record) -> dict[str, str]:
        names, values = record.get("group_type"), record.get("group")
        if not isinstance(names, str):
            return {}
        said = cast("list[object]", values) if isinstance(values, list) else [values]
        parts = names.split("_") if len(said) > 1 else [names]
        if len(parts) != len(said):
            return {names: ", ".join(map(plain, said))}
        return {name: plain(value) for name, value in zip(parts, said, strict=True)}

    # --- fields ---------------------------------------------------------------------------------

    def _text(self, record: Record, keys: Sequence[str], place: str, *, words: bool = False) -> str:
        """A text, or where it need not be `words` a number."""
        value = next((found for key in keys if (found := record.get(key)) is not None), None)
        if isinstance(value, list) and len(cast("list[object]", value)) == 1:
            value = cast("list[object]", value)[0]
        if (text := plain(value)) and (isinstance(value, str) or not words):
            return text
        what = "is missing" if value is None else "is empty" if value == "" else "is no text"
        self.problems.append(f"{place}: {keys[0]}: {what}")
        return ""

    def _answers(
        self, record: Record, keys: Sequence[str], place: str
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(titles, ids) of what answers: texts are titles, numbers are ids without a title; ids are
        given as many or none."""
        key = next((key for key in keys if key in record), None)
        value = record[key] if key is not None else None
        if isinstance(value, Mapping):
            said = cast("Mapping[str, object]", value)
            value = [{"id": ident, "title": title} for ident, title in said.items()]
        entries = cast("list[object]", value) if isinstance(value, list) else [value]
        kept = [pair for one in entries if (pair := title_and_id(one)) is not None]
        if len(kept) > 1 and all(title.isdecimal() and not ident for title, ident in kept):
            # Numbers as texts, unless the record gives the ids apart from them.
            kept = kept if any(folded(k).endswith("subsetid") for k in record) else [
                ("", title) for title, _ in kept
            ]  # fmt: skip
        mixed = 0 < sum(bool(title) for title, _ in kept) < len(kept)
        if key is None or len(kept) < len(entries) or not kept or mixed:
            what = "is missing" if key is None else "holds what is no title" if kept else "is empty"
            self.problems.append(f"{place}: {key or self._usual(keys)}: {what}")
        kept = list(dict.fromkeys(kept))
        ids = tuple(ident for _, ident in kept)
        return tuple(title for title, _ in kept), ids if any(ids) else ()

    def _usual(self, keys: Sequence[str]) -> str:
        """The key that a file of this domain should have."""
        return next((key for key in keys if domain_of(key) == (self.domain or MOVIE)), keys[0])

    def _ids(
        self, record: Record, keys: Sequence[str], titles: Sequence[str], place: str
    ) -> tuple[str, ...]:
        key = next((key for key in keys if key in record), None)
        value = record[key] if key is not None else None
        if not isinstance(value, list):
            if value is not None:
                self.notes.append(f"{place}: {key}: is no list; the titles were looked up")
            return ()
        ids = tuple(plain(one) for one in cast("list[object]", value))
        if len(ids) != len(titles):
            self.notes.append(f"{place}: {key}: {len(ids)} ids for {len(titles)} titles")
            return ()
        return ids

    def _counted(self, record: Record, keys: Sequence[str], known: int, place: str) -> None:
        for key in keys:
            said = record.get(key)
            if said is not None and plain(said) != str(known):
                self.notes.append(f"{place}: {key}: {said!r:.40}, and there are {known}")


_ANSWERED = ("query & ground true", "query & ground truth", "queries", "query and ground truth")
_SUBSETS = ("movie subset", "book subset", "subset", "item subset", "moviesubset", "booksubset")
