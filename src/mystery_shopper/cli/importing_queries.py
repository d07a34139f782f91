"""`mystery-shopper import recbench-plus`: the published queries on a catalogue."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mystery_shopper.cli.common import told_slowly

if TYPE_CHECKING:
    from mystery_shopper.suites.recbench.released import Account, Given, Made, Release, Unresolved

MOST_LISTED = 20
"""So many titles, notes and bad records of a kind are listed."""


def import_recbench_plus(
    folder: Path,
    out: Path,
    graph: Path | None,
    catalog: str | None,
    domain: str | None,
    *,
    skip: bool,
) -> None:
    """Read a release, put each domain of it on a catalogue, write a folder for each, and tell what
    it came to. Nothing is written unless all of it can be."""
    from mystery_shopper.foundation import InputError
    from mystery_shopper.suites.recbench.released import import_release, read_release

    release = read_release(folder, skip=skip)
    domains = _domains(release, domain, folder)
    if len(domains) > 1 and (graph is not None or catalog is not None):
        raise InputError(
            f"the folder holds {' and '.join(f'{one}s' for one in domains)}, and"
            " --graph and --catalog go with one of them",
            where=str(folder),
            remedy=f"Say which: --domain {domains[0]}.",
        )
    given = _given(catalog) if catalog is not None else None
    places = {one: out / one if len(domains) > 1 else out for one in domains}
    # A catalogue's own folder keeps its catalogue: only what is new is put there.
    own = given is not None and out.is_dir() and out.resolve() == Path(given.name).resolve()
    _check_place(out, own=own)
    made: dict[str, Made] = {}
    for one in domains:
        with told_slowly(f"Resolving the titles of {one}s") as progress:
            made[one] = import_release(
                release, one, folder, given=given, graph_file=graph, skip=skip, progress=progress
            )
    _tell_files(release)
    _write({places[one]: found for one, found in made.items()}, out, own=own)
    for one, found in made.items():
        print()
        for line in _lines(found, places[one], graph):
            print(line)


def _domains(release: Release, wanted: str | None, folder: Path) -> tuple[str, ...]:
    from mystery_shopper.foundation import InputError

    if wanted is None:
        return release.domains
    if wanted not in release.domains:
        raise InputError(
            f"holds no query of {wanted}s",
            where=str(folder),
            remedy=f"Leave --domain out; it holds {' and '.join(release.domains)} queries.",
        )
    return (wanted,)


def _given(source: str) -> Given:
    """A catalogue that is there already, with the text of its domain."""
    from importlib import resources

    from mystery_shopper.engine import catalogue_name, load_catalogue
    from mystery_shopper.engine.loading import SHIPPED_CATALOGUES
    from mystery_shopper.foundation import read_whole
    from mystery_shopper.suites.recbench.released import Given

    name, size = catalogue_name(source)
    catalogue = load_catalogue(name, size)
    if name in SHIPPED_CATALOGUES:
        place = resources.files("mystery_shopper") / "data" / "domains" / f"{name}.yaml"
        return Given(catalogue, place.read_text(encoding="utf-8"), source)
    raw = read_whole(Path(name) / "domain.yaml", "Build the catalogue again.")
    return Given(catalogue, raw.decode("utf-8"), source)


# --- telling ------------------------------------------------------------------------------------


def _tell_files(release: Release) -> None:
    from mystery_shopper.foundation import at_most

    for name, count in release.files.items():
        print(f"{name}: {_queries(count)}")
    for title, lines in (("left out", release.bad), ("noted", release.notes)):
        if lines:
            print(f"{len(lines):,} {title}:")
            for line in at_most(lines, MOST_LISTED):
                print(f"  {line}")


def _lines(made: Made, place: Path, graph: Path | None) -> Iterator[str]:
    from mystery_shopper.report.words import plain, plural
    from mystery_shopper.suites.recbench.table import statistics_table

    catalogue, queries, account = made.items.catalogue, made.query_set, made.account
    noun = catalogue.domain.noun
    first, *more = made.items.told
    yield f"Catalogue: {first}"
    yield from (f"  {line}" for line in more)
    yield (
        f"{catalogue.name}: {plural(len(catalogue), noun.singular, noun.plural)},"
        f" digest {catalogue.digest[:12]} -> {place}"
    )
    for line in [*made.items.notes, *made.notes][:MOST_LISTED]:
        yield f"note: {plain(line, 200)}"
    if made.bad:
        yield "lines left out:"
        yield from (f"  {plain(line, 200)}" for line in made.bad[:MOST_LISTED])
    count = plural(len(queries.queries), "query", "queries")
    yield f"{queries.name}: {count}, digest {queries.digest[:12]}"
    yield f"  {'cell':<16} {'queries':>8} {'users':>7} {'own':>6} {'all':>8}"
    for row in statistics_table(queries):
        if row.queries:
            cell = f"{row.type}/{row.conditions}" if row.conditions else row.type
            own, every = row.own or 0.0, row.matching or 0.0
            yield f"  {cell:<16} {row.queries:>8,} {row.users:>7,} {own:>6.1f} {every:>8.1f}"
    yield from _title_lines(account)
    yield from _left_out_lines(account)
    yield from _graph_lines(made, graph)
    yield from _user_lines(made)
    yield f"Run them: mystery-shopper run recbench --catalog {place} --agent oracle --out RUN"
    yield f"Score answers: mystery-shopper score recbench ANSWERS.jsonl --catalog {place}"


def _queries(count: int) -> str:
    from mystery_shopper.report.words import plural

    return plural(count, "query", "queries")


def _title_lines(account: Account) -> Iterator[str]:
    from mystery_shopper.suites.recbench.titles import TitleMatch

    count = sum(account.titles.values())
    exact, near = account.titles[TitleMatch.EXACT], account.titles[TitleMatch.NEAR]
    ambiguous = account.titles[TitleMatch.AMBIGUOUS]
    unknown = account.titles[TitleMatch.UNKNOWN]
    yield (
        f"Answer titles: {account.resolved:,} of {count:,} resolved ({exact:,} exactly, {near:,}"
        f" nearly); {ambiguous:,} ambiguous, {unknown:,} unknown"
    )
    for name, missed in (("ambiguous", account.ambiguous), ("unknown", account.unknown)):
        yield from _missed_lines(name, missed)


def _missed_lines(name: str, missed: Sequence[Unresolved]) -> Iterator[str]:
    from mystery_shopper.report.words import plain

    for one in missed[:MOST_LISTED]:
        times = f", {one.times} times" if one.times > 1 else ""
        fits = f": fits {', '.join(one.candidates[:5])}" if one.candidates else ""
        more = " and more" if one.times > len(one.queries) else ""
        where = f"{', '.join(one.queries)}{more}"
        yield f"  {name}: {plain(one.title, 100)}{fits} ({where}{times})"
    if len(missed) > MOST_LISTED:
        yield f"  and {len(missed) - MOST_LISTED:,} more {name} titles"


def _left_out_lines(account: Account) -> Iterator[str]:
    if account.empty:
        yield f"Left out: {_queries(account.empty)}, of which no answer is known"
    if account.named_only:
        yield f"Left out: {_queries(account.named_only)}, answered only by what the text names"
    if account.renamed:
        yield f"Ids that occur again: {account.renamed:,}, told apart by +2, +3, …"


def _graph_lines(made: Made, graph: Path | None) -> Iterator[str]:
    account = made.account
    relations = made.query_set.graph.relations
    conditions = sum(bool(query.parts) for query in made.query_set.queries)
    read = made.graph
    if read is not None:
        yield (
            f"Graph: {graph}: {read.triples:,} triples, {read.kept:,} of them of the catalogue's"
            f" items; {len(read.strangers):,} items of it are not in the catalogue"
        )
        yield from (f"note: {graph}: {note}" for note in read.notes)
    if not conditions:
        return
    if read is None and account.graphless:
        yield "Graph: none was given (--graph), and the catalogue knows no people or categories"
    elif read is None:
        yield f"Graph: none was given (--graph); the catalogue itself tells {', '.join(relations)}"
    unscored = len(made.unscored)
    yield f"CMR: scored on {conditions - unscored:,} of {conditions:,} queries with conditions"
    for relation, count in sorted(account.lacking.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"  {relation}: the graph lacks it, {_queries(count)}"
    if account.valueless:
        yield f"  {_queries(account.valueless)}: no item of the graph bears a value of theirs"
    if account.strays:
        yield (
            f"  {account.strays:,} answers of the release do not meet the conditions in this graph:"
            " they count among the answers, and lower CMR"
        )


def _user_lines(made: Made) -> Iterator[str]:
    if not made.askers:
        yield "Users: the queries are those of groups and interests; nobody has a history"
        return
    if made.histories is None:
        yield (
            f"Users: {made.askers:,}, none with a history (ratings.dat is not beside the list of"
            f" items); {made.described:,} whose gender, age or occupation is known"
        )
        return
    yield (
        f"Users: {made.askers:,}, {made.known:,} of them with a history; {made.described:,} whose"
        " gender, age or occupation is known"
    )
    yield from (f"  {line}" for line in made.histories.lines())


# --- writing ------------------------------------------------------------------------------------


def _check_place(out: Path, *, own: bool) -> None:
    """Before the reading, not after it."""
    from mystery_shopper.engine.suites.recbench import QUERIES_FILE
    from mystery_shopper.foundation import InputError

    taken = (
        "is a file"
        if out.is_file()
        else "is not empty"
        if not own and out.is_dir() and any(out.iterdir())
        else f"holds {QUERIES_FILE} already"
        if own and (out / QUERIES_FILE).exists()
        else ""
    )
    if taken:
        raise InputError(
            taken, where=str(out), remedy="Name a new folder as --out, or remove what is there."
        )


def _write(made: Mapping[Path, Made], out: Path, *, own: bool) -> None:
    """Write all folders beside their place, then move them there."""
    from mystery_shopper.catalog.folder import save_catalogue
    from mystery_shopper.foundation import InputError

    if own:
        for place, found in made.items():
            _write_queries(found, place)
        return
    target = out.absolute()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            for place, found in made.items():
                folder = beside / place.relative_to(out)
                save_catalogue(
                    found.items.catalogue,
                    folder,
                    domain_text=found.items.domain_text,
                    notes={"source": found.query_set.source},
                )
                _write_queries(found, folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                target.rmdir()
            beside.rename(target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(out),
            remedy="Name a folder in a place that may be written to and has room.",
        ) from None


def _write_queries(made: Made, folder: Path) -> None:
    from mystery_shopper.engine.suites.recbench import GRAPH_FILE, QUERIES_FILE
    from mystery_shopper.sources.triples import save_triples
    from mystery_shopper.suites.recbench.queryfile import save_query_set

    if made.graph is not None:
        save_triples(made.graph.graph, folder / GRAPH_FILE)
    save_query_set(made.query_set, folder / QUERIES_FILE)
