"""The published files of RecBench+: ExplicitQuery, ImplicitQuery, MisinformedQuery,
InterestBasedQuery and UserBasedQuery, of films and of books.

Reading is strict where a record would lose its meaning, and lenient with keys that it does not
need. All problems of all files are told together, each with its file and record; with any there is
no release at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from mystery_shopper.foundation import InputError, at_most, read_whole
from mystery_shopper.foundation.decoding import parse_json
from mystery_shopper.suites.recbench.query import Kind, Style

MOST_PROBLEMS = 50
REMEDY = "Mend or remove these records and read again; nothing was written."
FILES: Mapping[str, Kind] = {
    "explicit": Kind.EXPLICIT,
    "implicit": Kind.IMPLICIT,
    "misinformed": Kind.MISINFORMED,
    "interest": Kind.INTEREST,
    "user": Kind.DEMOGRAPHICS,
    "demographic": Kind.DEMOGRAPHICS,
}
"""What a file's name begins with, in small letters -> what its queries rest on."""

Record = Mapping[str, object]


@dataclass(frozen=True)
class Released:
    """One query as published. `place`: its file and record. `domain`: "movie" or "book".
    `conditions`: (relation, value) as written there. `titles`: what answers it; `ids`: their ids
    there, as many or none. `user`: who asks, a group's number where nobody does. `group`: attribute
    -> value, `listed`: the titles that mark it or the sequence, `users`: how many share it."""

    place: str
    domain: str
    kind: Kind
    user: str
    style: Style
    text: str
    titles: tuple[str, ...]
    ids: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    group: Mapping[str, str] = field(default_factory=dict[str, str])
    listed: tuple[str, ...] = ()
    users: int = 0


@dataclass(frozen=True)
class Release:
    """All queries of a folder, by file and record. `files`: path -> its number of queries. `notes`:
    what does not agree within a record, and does no harm."""

    queries: tuple[Released, ...]
    files: Mapping[str, int]
    notes: tuple[str, ...] = ()

    def of(self, domain: str) -> tuple[Released, ...]:
        """The queries of one domain."""
        return tuple(query for query in self.queries if query.domain == domain)


def read_release(folder: Path) -> Release:
    """Read the published files in a folder, at any depth.

    Raises InputError that holds every problem of every file, 50 at most, with file and record.
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
        name = str(path.relative_to(folder))
        reader = _Reader(name, kind, domain_of(name), problems, notes)
        read = list(reader.queries(_records(path, name, problems)))
        files[name] = len(read)
        queries += read
    if problems:
        raise InputError(at_most(problems, MOST_PROBLEMS), where=str(folder), remedy=REMEDY)
    if not queries:
        raise InputError("the files hold no query", where=str(folder), remedy=REMEDY)
    return Release(tuple(queries), files, tuple(notes))


def kind_of(path: Path) -> Kind | None:
    """What the queries of a published file rest on, by its name; None for any other file."""
    name = re.sub(r"[^a-z]", "", path.stem.lower())
    if "query" not in name and "queries" not in name:
        return None
    return next((kind for start, kind in FILES.items() if start in name), None)


def domain_of(name: str) -> str:
    """The domain that a path names, "" where it names none."""
    low = name.lower()
    return "book" if "book" in low else "movie" if "movie" in low or "film" in low else ""


def _records(path: Path, name: str, problems: list[str]) -> list[object]:
    """The records of a file: a list, or one object a line."""
    raw = read_whole(path, "Name a file that can be read.").removeprefix(b"\xef\xbb\xbf")
    found: list[str] = []
    try:
        value = parse_json(raw, found)
    except ValueError as error:
        lines = [line for line in raw.split(b"\n") if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith(b"{") for line in lines[:2]):
            problems.append(f"{name}: {error}")
            return []
        return _lines(lines, name, problems)
    problems.extend(f"{name}: {problem}" for problem in found)
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value)
        if entries and all(isinstance(entry, Mapping) for entry in entries.values()):
            return list(entries.values())
        return [entries]
    if not isinstance(value, list):
        problems.append(f"{name}: is no list of records")
        return []
    return cast("list[object]", value)


def _lines(lines: Sequence[bytes], name: str, problems: list[str]) -> list[object]:
    records: list[object] = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(json.loads(line.decode("utf-8")))
        except (ValueError, RecursionError) as error:
            problems.append(f"{name}: line {number}: not JSON ({error})")
    return records


@dataclass
class _Reader:
    """Reads the records of one file; what is wrong goes to `problems`."""

    name: str
    kind: Kind
    domain: str
    problems: list[str]
    notes: list[str]

    def queries(self, records: Sequence[object]) -> Iterator[Released]:
        for number, value in enumerate(records, 1):
            place = f"{self.name}: record {number}"
            if not isinstance(value, Mapping):
                self.problems.append(f"{place}: is no object")
                continue
            record = cast("Record", value)
            read = self._profile if self.kind.is_profile else self._conditions
            yield from read(record, place)

    # --- condition queries ----------------------------------------------------------------------

    def _conditions(self, record: Record, place: str) -> Iterator[Released]:
        before = len(self.problems)
        user = self._text(record, ("source_user", "user"), place)
        titles = self._titles(record, ("movieSubset", "bookSubset", "itemSubset"), place)
        shared = self._pairs(record, place)
        ids = self._ids(record, ("movieSubsetId", "bookSubsetId", "itemSubsetId"), titles, place)
        texts = list(self._texts(record, place))
        self._counted(record, ("condition_num",), len(shared), place)
        self._counted(record, ("movieCount", "bookCount", "itemCount"), len(titles), place)
        if len(self.problems) > before:
            return
        domain = self.domain or ("book" if "bookSubset" in record else "movie")
        for style, text in texts:
            yield Released(
                place, domain, self.kind, user, style, text, titles, ids, conditions=shared
            )

    def _texts(self, record: Record, place: str) -> Iterator[tuple[Style, str]]:
        keys = (
            ("direct_description_query", Style.DIRECT),
            ("situational_description_query", Style.SITUATIONAL),
            ("query", Style.DIRECT),
        )
        present = [(key, style) for key, style in keys if key in record]
        if not present:
            wanted = "query" if self.kind is Kind.MISINFORMED else keys[0][0]
            self.problems.append(f"{place}: {wanted}: is missing")
        for key, style in present:
            text = self._text(record, (key,), place)
            if text:
                yield style, text

    def _pairs(self, record: Record, place: str) -> tuple[tuple[str, str], ...]:
        key = "sharedRelationships"
        value = record.get(key)
        if not isinstance(value, list) or not value:
            self.problems.append(f"{place}: {key}: {'is missing' if value is None else 'no pairs'}")
            return ()
        pairs: list[tuple[str, str]] = []
        for number, pair in enumerate(cast("list[object]", value), 1):
            parts = cast("list[object]", pair) if isinstance(pair, list) else []
            texts = [part for part in parts[:2] if isinstance(part, str) and part.strip()]
            if len(texts) < 2:
                self.problems.append(
                    f"{place}: {key}: pair {number} is not a relation and a value ({pair!r:.60})"
                )
            else:
                pairs.append((texts[0].strip(), texts[1].strip()))
        return tuple(dict.fromkeys(pairs))

    # --- profile queries ------------------------------------------------------------------------

    def _profile(self, record: Record, place: str) -> Iterator[Released]:
        key = next((key for key in record if _folded(key) in _ANSWERED), None)
        listed = record[key] if key is not None else None
        if not isinstance(listed, list):
            self.problems.append(f'{place}: "query & ground true": is missing or no list')
            return
        summary = record.get("summary")
        lines = summary if isinstance(summary, str) else ""
        group = self._group(record)
        counted = re.search(r"Total users in this group:\s*(\d+)", lines)
        marked = tuple(re.findall(r"^(.+?) - TF-IDF:", lines, re.M))
        number = record.get("data_idx")
        user = f"{'group' if group else 'interest'} {number if number is not None else place}"
        for part, entry in enumerate(cast("list[object]", listed), 1):
            where = f"{place}, query {part}"
            if not isinstance(entry, Mapping):
                self.problems.append(f"{where}: is no object")
                continue
            answer = cast("Record", {_folded(str(key)): found for key, found in entry.items()})
            before = len(self.problems)
            text = self._text(answer, ("query",), where)
            names = ("movie subset", "book subset", "subset", "item subset")
            titles = self._titles(answer, names, where)
            reason = answer.get("reason")
            if len(self.problems) > before:
                continue
            domain = self.domain or ("book" if "book subset" in answer else "movie")
            yield Released(
                where, domain, self.kind, user, Style.SITUATIONAL, text, titles,
                reason=reason if isinstance(reason, str) else "",
                group=group, listed=marked, users=int(counted[1]) if counted else 0,
            )  # fmt: skip

    def _group(self, record: Record) -> dict[str, str]:
        names, values = record.get("group_type"), record.get("group")
        if not isinstance(names, str):
            return {}
        said = cast("list[object]", values) if isinstance(values, list) else [values]
        parts = names.split("_") if len(said) > 1 else [names]
        if len(parts) != len(said):
            return {names: ", ".join(map(str, said))}
        return {name: str(value) for name, value in zip(parts, said, strict=True)}

    # --- fields ---------------------------------------------------------------------------------

    def _text(self, record: Record, keys: Sequence[str], place: str) -> str:
        value = next((record[key] for key in keys if key in record), None)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value.strip()
        what = "is missing" if value is None else "is empty" if value == "" else "is no text"
        self.problems.append(f"{place}: {keys[0]}: {what}")
        return ""

    def _titles(self, record: Record, keys: Sequence[str], place: str) -> tuple[str, ...]:
        key = next((key for key in keys if key in record), None)
        value = record[key] if key is not None else None
        titles = cast("list[object]", value) if isinstance(value, list) else [value]
        kept = [title.strip() for title in titles if isinstance(title, str) and title.strip()]
        if key is None or len(kept) < len(titles) or not kept:
            what = "is missing" if key is None else "holds what is no title" if kept else "is empty"
            self.problems.append(f"{place}: {key or keys[0]}: {what}")
        return tuple(dict.fromkeys(kept))

    def _ids(
        self, record: Record, keys: Sequence[str], titles: Sequence[str], place: str
    ) -> tuple[str, ...]:
        key = next((key for key in keys if key in record), None)
        value = record[key] if key is not None else None
        if not isinstance(value, list):
            return ()
        ids = tuple(str(one) for one in cast("list[object]", value))
        if len(ids) != len(titles):
            self.notes.append(f"{place}: {key}: {len(ids)} ids for {len(titles)} titles")
            return ()
        return ids

    def _counted(self, record: Record, keys: Sequence[str], known: int, place: str) -> None:
        for key in keys:
            said = record.get(key)
            if isinstance(said, int) and said != known:
                self.notes.append(f"{place}: {key}: {said}, and there are {known}")


_ANSWERED = ("query & ground true", "query & ground truth", "queries", "query and ground truth")


def _folded(key: str) -> str:
    return " ".join(key.lower().replace("_", " ").split())
