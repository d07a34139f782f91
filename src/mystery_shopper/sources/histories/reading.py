"""Lines of text files to cells, with the line's number, in whichever encoding they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.tables import Broken, open_table
from mystery_shopper.sources.tables.encoding import encoding_of
from mystery_shopper.sources.tables.lines import fault_of, numbered
from mystery_shopper.sources.tables.stream import Source

Line = tuple[int, Sequence[str]]
_RELEASED = "give the line as it was released, or delete it"


def separated(
    path: Path, separator: str, form: Sequence[str], ledger: Ledger, *, exact: bool = True
) -> Iterator[Line]:
    """The lines of a file without a header, cut at a separator. `form` names the parts of a line;
    others are counted as bad. Where `exact` is false a line may have more parts.

    Raises InputError where the file cannot be read.
    """
    source = Source.of(path)
    encoding = encoding_of(source, b"\n")
    count = len(form)
    for block in numbered(source, encoding, b"\n"):
        for number, text in enumerate(block.texts, block.first):
            if not text.strip():
                continue
            fault = fault_of(text, encoding.name) if block.suspect else None
            if fault is not None:
                what = f"{fault.reason} ({fault.more}); save the file as UTF-8"
                ledger.bad(path, number, what, fault.reason)
                continue
            cells = text.rstrip("\r").split(separator)
            if len(cells) < count or (exact and len(cells) > count):
                shown = separator.join(form).replace("\t", " TAB ")
                ledger.bad(
                    path, number, f"{len(cells)} parts, where {shown} are {count}; {_RELEASED}"
                )
                continue
            yield number, cells


def with_header(
    path: Path, names: Sequence[str], ledger: Ledger, optional: Sequence[str] = ()
) -> Iterator[Line]:
    """The cells of these columns of a file with a header (CSV), in the order of `names` and then
    of `optional`; "" for an optional column that the file does not have.

    Raises InputError where the file cannot be read, or lacks a column.
    """
    table = open_table(path)
    at = {name.strip().casefold(): place for place, name in enumerate(table.columns)}
    missing = [name for name in names if name.casefold() not in at]
    if missing:
        raise InputError(
            [f"there is no column {name!r}" for name in missing],
            where=str(path),
            remedy=f"Its first line must name the columns {', '.join(names)};"
            f" it names {', '.join(table.columns)}.",
        )
    places = [at.get(name.casefold(), -1) for name in (*names, *optional)]
    for entry in table.rows():
        if isinstance(entry, Broken):
            what = f"{entry.reason} ({entry.more}); {_RELEASED}"
            ledger.bad(path, entry.line, what, entry.reason)
            continue
        line, cells = entry
        yield line, [_text(cells[place]) if place >= 0 else "" for place in places]


def _text(cell: object) -> str:
    return "" if cell is None else str(cell)


def require(folder: Path, names: Sequence[str], what: str) -> None:
    """Raise InputError that names the files that a folder lacks or that are empty."""
    problems = [f"there is no {name}" for name in names if not (folder / name).is_file()]
    problems += [
        f"{name} is empty"
        for name in names
        if (folder / name).is_file() and (folder / name).stat().st_size == 0
    ]
    if problems:
        raise InputError(
            problems, where=str(folder), remedy=f"Unpack the whole release of {what} there."
        )


def mended(title: str) -> str:
    """A title whose UTF-8 was read as latin-1 and saved, as it was ("MisÃ©rables" -> "Misérables");
    any other title as it is."""
    if title.isascii():
        return title
    for codec in ("latin-1", "cp1252"):
        try:
            return title.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return title
