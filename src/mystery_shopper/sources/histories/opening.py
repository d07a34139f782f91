"""Histories by one name, as a person gives it: `synthetic`, `movielens`, a folder, a file."""

from __future__ import annotations

from pathlib import Path

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import HistoryReport
from mystery_shopper.sources.histories.amazon import load_amazon_books
from mystery_shopper.sources.histories.gathering import Loaded
from mystery_shopper.sources.histories.goodreads import load_goodreads
from mystery_shopper.sources.histories.movielens import detect, load_movielens
from mystery_shopper.sources.histories.movielens_small import load_movielens_small
from mystery_shopper.sources.histories.own import load_histories
from mystery_shopper.sources.histories.synthetic import load_synthetic

SYNTHETIC, MOVIELENS = "synthetic", "movielens"


def open_histories(source: str, catalogue: Catalogue) -> Loaded:
    """The histories of a source, with the items of a catalogue.

    `synthetic` or `synthetic:SEED` are made up over the embedded films; `movielens` are those of
    the extra; a folder is a release of MovieLens, Goodreads, goodbooks-10k or Amazon Books (a file
    `meta_…` and one of reviews); a file is a table of one's own. Raises InputError where it is
    none of these, or nothing fits the catalogue.
    """
    if source == SYNTHETIC or source.startswith(f"{SYNTHETIC}:"):
        return _synthetic(source.partition(":")[2], catalogue)
    if source == MOVIELENS:
        return load_movielens_small(catalogue)
    path = Path(source)
    if path.is_file():
        return load_histories(path, catalogue)
    if not path.is_dir():
        raise InputError(
            "there is no such folder or file",
            where=source,
            remedy=f"Name one, or {SYNTHETIC}, or {MOVIELENS}.",
        )
    if (path / "books.csv").is_file() or any(path.glob("goodreads_*")):
        return Loaded(*load_goodreads(path, catalogue)[:2])
    meta = sorted(path.glob("meta_*"))
    if meta:
        others = [file for file in sorted(path.glob("*.json*")) if file not in meta]
        if len(meta) != 1 or len(others) != 1:
            names = ", ".join(file.name for file in (*meta, *others))
            raise InputError(f"holds {names}", where=source,
                             remedy="Keep one file meta_… and one of reviews there.")  # fmt: skip
        return Loaded(*load_amazon_books(meta[0], others[0], catalogue)[:2])
    detect(path)
    return load_movielens(path, catalogue)


def _synthetic(seed: str, catalogue: Catalogue) -> Loaded:
    if seed and not seed.isdecimal():
        raise InputError(f"seed {seed!r} is no number", where=SYNTHETIC,
                         remedy=f"Say {SYNTHETIC}:1, or {SYNTHETIC} alone.")  # fmt: skip
    whole = load_synthetic(int(seed or 0))
    try:
        histories = whole.within(catalogue)
    except InputError:
        raise InputError(
            f"the made-up histories are of films, not of {catalogue.domain.noun.plural} of"
            f" {catalogue.name}",
            where=SYNTHETIC,
            remedy="Give histories that go with this catalogue.",
        ) from None
    report = HistoryReport(
        histories.source, len(histories.users), len(histories.items), len(histories), len(whole),
        len(whole), len(whole) - len(histories), {"id": len(whole)}, (), 0, 0, 0, 0,
        remarks=("These users are made up: nobody lived these histories.",),
    )  # fmt: skip
    return Loaded(histories, report)
