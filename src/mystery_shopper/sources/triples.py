"""An item graph as a table of triples: `graph.tsv` of a catalogue's folder, or a person's own.

    item<TAB>relation<TAB>value
    tt0113277<TAB>director<TAB>Michael Mann

UTF-8 with that header line; nothing is quoted. A relation may have any name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError, at_most, write_whole
from mystery_shopper.sources.tables.encoding import encoding_of
from mystery_shopper.sources.tables.lines import fault_of, numbered
from mystery_shopper.sources.tables.stream import Source

HEADER = ("item", "relation", "value")
MOST_PROBLEMS = 20
_FORM = "an item id, a relation and a value, with tabs between them"
_REMEDY = f"Mend these lines: each holds {_FORM}."

Triple = tuple[str, str, str]


def load_triples(path: str | Path) -> ItemGraph:
    """The graph of a file; items and relations stand as first met. Raises InputError with every
    line that is no triple (the first twenty by number)."""
    return ItemGraph.of_triples(triple for _, triple in _read(Path(path)))


def triples_of(
    path: str | Path, catalogue: Catalogue, *, leave_out_others: bool = False
) -> ItemGraph:
    """The graph of a file over all items of a catalogue, by the catalogue's positions.

    Raises InputError with every line that is no triple or whose item the catalogue does not have;
    with `leave_out_others` the latter fall away, as long as some are left.
    """
    place, known = Path(path), catalogue.position_of
    problems: list[str] = []
    kept: list[Triple] = []
    strangers: set[str] = set()
    for line, triple in _read(place):
        if triple[0] in known:
            kept.append(triple)
        elif triple[0] not in strangers:
            strangers.add(triple[0])
            problems.append(f"line {line}: the catalogue has no item {triple[0]!r}")
    if not kept or (problems and not leave_out_others):
        raise InputError(
            at_most(problems, MOST_PROBLEMS),
            where=str(place),
            remedy=f"Name the items by their ids in the catalogue {catalogue.name}, for example"
            f" {catalogue.ids[0]}.",
        )
    return _over(ItemGraph.of_triples(kept), catalogue.ids)


def save_triples(graph: ItemGraph, path: str | Path) -> None:
    """Write a graph, one relation after another, so that reading it over the same items gives it
    back. Raises InputError for an id or a relation that holds a tab or a line break, and where the
    file cannot be written."""
    odd = [name for name in (*graph.items, *graph.relations) if "\t" in name or "\n" in name]
    if odd:
        raise InputError(
            [f"{name!r} holds a tab or a line break" for name in odd[:MOST_PROBLEMS]],
            where=str(path),
            remedy="Rename these items or relations.",
        )
    lines = ["\t".join(HEADER)]
    for relation in graph.relations:
        for position, item in enumerate(graph.items):
            values = graph.values_of(position, relation)
            lines += [f"{item}\t{relation}\t{' '.join(value.split())}" for value in values]
    write_whole(Path(path), ("\n".join(lines) + "\n").encode())


def _read(path: Path) -> Iterator[tuple[int, Triple]]:
    """(line, triple) of each line. Once all is read, raises InputError for those that are none."""
    source = Source.of(path)
    encoding = encoding_of(source, b"\n")
    problems: list[str] = []
    found = 0
    headed = False
    for block in numbered(source, encoding, b"\n"):
        for line, text in enumerate(block.texts, block.first):
            if not text.strip():
                continue
            cells = [cell.strip() for cell in text.split("\t")]
            fault = fault_of(text, encoding.name) if block.suspect else None
            if not headed:
                _check_header(path, line, cells)
                headed = True
            elif fault is not None:
                problems.append(f"line {line}: {fault.reason} ({fault.more}); save it as UTF-8")
            elif len(cells) != len(HEADER):
                problems.append(f"line {line}: {len(cells)} parts, where there must be 3")
            elif not all(cells):
                empty = HEADER[cells.index("")]
                problems.append(f"line {line}: the {empty} is empty")
            else:
                found += 1
                yield line, (cells[0], cells[1], cells[2])
    if not found and not problems:
        problems.append("there are no triples")
    if problems:
        raise InputError(at_most(problems, MOST_PROBLEMS), where=str(path), remedy=_REMEDY)


def _check_header(path: Path, line: int, cells: Sequence[str]) -> None:
    said = tuple(cell.casefold() for cell in cells)
    if said != HEADER:
        raise InputError(
            f"line {line}: the header is missing; it says {' | '.join(cells)[:80]}",
            where=str(path),
            remedy="Begin the file with a line of the words item, relation and value, with tabs"
            " between them.",
        )


def _over(graph: ItemGraph, ids: Sequence[str]) -> ItemGraph:
    """The same graph over all these items, which hold its own."""
    items = tuple(ids)
    counts = np.zeros(len(items), np.int64)
    position_of = {item: position for position, item in enumerate(items)}
    places = np.array([position_of[item] for item in graph.items], np.int64)
    counts[places] = np.diff(graph.offsets)
    offsets = np.zeros(len(items) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    rows = np.repeat(places, np.diff(graph.offsets))
    order = np.argsort(rows, kind="stable")
    return ItemGraph(items, graph.relations, graph.labels, graph.first, offsets, graph.codes[order])
