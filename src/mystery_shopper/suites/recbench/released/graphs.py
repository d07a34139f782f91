"""A graph that goes with a release: triples in whichever form they come, on a catalogue's items.

A line holds an item, a relation and a value, set off by tabs, commas (CSV) or "::"; a first line
may name the columns. JSON does as well: a list of triples, or of objects with such keys, or one of
them a line. An item goes by its id in the catalogue or in the release, or by its title.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError, at_most, read_whole
from mystery_shopper.sources.triples import save_triples, triples_of
from mystery_shopper.suites.recbench.released.shapes import decoded
from mystery_shopper.suites.recbench.titles import TitleIndex, TitleMatch

_NAMES: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "itemid", "id", "movieid", "movie_id", "movie", "bookid",
             "book_id", "book", "title", "head", "subject"),
    "relation": ("relation", "relationship", "predicate", "rel", "type", "property"),
    "value": ("value", "object", "tail", "name", "target"),
}  # fmt: skip
_SEPARATORS = ("\t", "::", ",", "|")
MOST_PROBLEMS = 20
_REMEDY = (
    "Give an item, a relation and a value each, with tabs between them; or leave bad lines out"
    " with --on-bad skip."
)

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class GraphRead:
    """A graph of a catalogue's items. `triples`: how many were read, `kept`: those of an item of
    the catalogue. `strangers`: items that it lacks. `bad`: lines that are no triple, left out."""

    graph: ItemGraph
    triples: int
    kept: int
    strangers: tuple[str, ...]
    bad: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_graph(
    path: Path,
    catalogue: Catalogue,
    titles: TitleIndex,
    names: Mapping[str, str] | None = None,
    *,
    skip: bool = False,
) -> GraphRead:
    """The graph of a file. `names`: an id of the release -> its title, where the catalogue has
    other ids. Raises InputError with every line that is no triple (unless they are to be left
    out), and where no item is the catalogue's."""
    bad: list[str] = []
    notes: list[str] = []
    read = list(_triples(read_whole(path, "Name a file of triples."), bad, notes))
    if (bad and not skip) or not read:
        raise InputError(
            at_most(bad, MOST_PROBLEMS) or ["holds no triple"], where=str(path), remedy=_REMEDY
        )
    place = _places(catalogue, titles, names or {})
    item_of = {item: place(item) for item in dict.fromkeys(item for item, _, _ in read)}
    kept = [(mine, rel, val) for item, rel, val in read if (mine := item_of[item]) is not None]
    strangers = tuple(item for item, mine in item_of.items() if mine is None)
    if not kept:
        raise InputError(
            f"none of its {len(item_of):,} items is in the catalogue ({strangers[0]!r} is not)",
            where=str(path),
            remedy=f"Name items by id, for example {catalogue.ids[0]}, or by title.",
        )
    with TemporaryDirectory() as folder:
        # As it will be read again, over all items of the catalogue.
        save_triples(ItemGraph.of_triples(kept), Path(folder) / "graph.tsv")
        graph = triples_of(Path(folder) / "graph.tsv", catalogue)
    return GraphRead(graph, len(read), len(kept), strangers, tuple(bad), tuple(notes))


def _places(
    catalogue: Catalogue, titles: TitleIndex, names: Mapping[str, str]
) -> Callable[[str], str | None]:
    """Finds the catalogue's item that a file's item is."""
    known = catalogue.position_of

    def place(item: str) -> str | None:
        if item in known:
            return item
        if item in names:
            return titles.resolve(names[item]).item_id
        if item.isdecimal():
            return None
        found = titles.resolve(item.replace("_", " "))
        return found.item_id if found.kind in (TitleMatch.EXACT, TitleMatch.NEAR) else None

    return place


def _triples(raw: bytes, bad: list[str], notes: list[str]) -> Iterator[Triple]:
    text = decoded(raw, notes)
    start = text.lstrip("\ufeff \t\r\n")[:1]
    rows = _json_rows(text, bad) if start in ("[", "{") else _text_rows(text)
    places: Sequence[int] = (0, 1, 2)
    for number, (line, cells) in enumerate(rows):
        if number == 0 and (found := _header(cells)) is not None:
            places = found
            continue
        parts = [" ".join(cells[p].split()) if p < len(cells) else "" for p in places]
        if len(cells) < 3:
            bad.append(f"line {line}: {len(cells)} parts, where there must be 3")
        elif not all(parts):
            empty = ("item", "relation", "value")[parts.index("")]
            bad.append(f"line {line}: the {empty} is empty")
        else:
            yield parts[0], parts[1], parts[2]


def _header(cells: Sequence[str]) -> list[int] | None:
    """Where item, relation and value stand, if a line names them."""
    low = [cell.strip().casefold() for cell in cells]
    found = [next((low.index(n) for n in names if n in low), None) for names in _NAMES.values()]
    places = [place for place in found if place is not None]
    return places if len(set(places)) == len(_NAMES) else None


def _text_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    counts = {mark: first.count(mark) for mark in _SEPARATORS}
    mark = next((mark for mark, n in counts.items() if n >= 2), "\t")
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = line.rstrip("\r")
            yield number, next(csv.reader([row])) if mark == "," else row.split(mark)


def _json_rows(text: str, bad: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Rows of JSON; an array gives the number of the entry for a line."""
    try:
        whole: object = json.loads(text)
        entries = list(enumerate(cast("list[object]", whole), 1)) if isinstance(whole, list) else []
        entries = entries or [(1, whole)]
    except (ValueError, RecursionError):
        entries = []
        for number, line in enumerate(text.split("\n"), 1):
            try:
                if line.strip():
                    entries.append((number, json.loads(line)))
            except (ValueError, RecursionError) as error:
                bad.append(f"line {number}: not JSON ({error})")
    for number, entry in entries:
        if isinstance(entry, list):
            yield number, [_cell(cell) for cell in cast("list[object]", entry)]
        elif isinstance(entry, dict):
            said = {str(k).casefold(): v for k, v in cast("dict[object, object]", entry).items()}
            yield (
                number,
                [
                    _cell(next((said[n] for n in names if n in said), None))
                    for names in _NAMES.values()
                ],
            )
        else:
            bad.append(f"line {number}: is no triple")


def _cell(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
