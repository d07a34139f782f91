"""`mystery-shopper score`: answers that were made elsewhere, scored as a run's own."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

if TYPE_CHECKING:
    from mystery_shopper.cli.scored import Scored
    from mystery_shopper.engine.suites.recbench import RecBenchScene
    from mystery_shopper.suites.recbench.foreign import Foreign
    from mystery_shopper.suites.recbench.query import QuerySet
    from mystery_shopper.suites.recbench.summary import Entry

SUITES = ("recbench",)


def score(
    suite: str = typer.Argument(help="The suite: recbench."),
    answers: str = typer.Argument(
        metavar="ANSWERS.jsonl", help="The answers, packed by gzip or not; - for stdin."
    ),
    task_set: str | None = typer.Option(
        None, help="The queries: a shipped set, a file, or a catalogue folder with queries.json."
    ),
    catalog: str | None = typer.Option(
        None, help="The catalogue of the queries, if it is not found by the set's name or place."
    ),
    history: bool = typer.Option(
        False, help="The users' histories were handed over with the queries."
    ),
    k: int = typer.Option(5, min=1, help="K where it is fixed: only the first K items count."),
    on_bad: Literal["stop", "skip"] = typer.Option(
        "stop", help="What a bad line does: stop, or be left out and told."
    ),
    format_: Literal["text", "json", "csv", "md"] = typer.Option(
        "text", "--format", help="text, json, csv or md."
    ),
    by: Literal["kind", "number", "popularity", "gender", "age", "occupation", "all"] = (
        typer.Option(
            "kind",
            help="Of text: the headline by kind, or all figures by number of conditions,"
            " interest popularity, gender, age, occupation, or all of these. The other forms hold"
            " all.",
        )
    ),
    out: Path | None = typer.Option(
        None, help="Write to this file, not to stdout; as text it lists every title."
    ),
    resamples: int = typer.Option(2_000, min=100, help="Of the bootstrap over users."),
    seed: int = typer.Option(0, help="Its seed."),
) -> None:
    """Score answers to the queries of a set exactly as a run's own, and print the figures by kind,
    with all items of an answer (K free) and with its first K, and the titles that came to no item.

    A line of the file is an object with a query's id ("query", "id" or "query_id") and its answer:
    what was said ("text", "answer" or "response"), or titles ("titles" or "recommendations", texts
    or objects with title, year, id), and "concerns" if there are any. An empty answer recommends
    nothing and is scored so; a query without a line is missing, and told. The 95 % intervals draw
    users. Exits 2 on lines that cannot be used, unless they are to be left out.
    """
    from mystery_shopper.foundation import InputError, write_whole

    if suite not in SUITES:
        raise InputError(
            f"answers to {suite} cannot be scored by themselves",
            where="score",
            remedy=f"Use {' or '.join(SUITES)}.",
        )
    raw, where = _bytes(answers)
    with _uncollected():
        scene = _scene(catalog, task_set)
        foreign = _read(raw, where, scene.tasks, skip=on_bad == "skip")
        entries = _scored(scene, foreign, k, history=history)
        found = _summed(scene, foreign, entries, seed, resamples, k=k, history=history)
    text = _told(found, format_, by, every_title=out is not None)
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_whole(out, text.encode("utf-8", "replace"))
        print(f"{out}: {len(found.rows)} rows, {found.answered:,} answers", file=sys.stderr)


@contextmanager
def _uncollected() -> Generator[None]:
    """Without the search for cycles: a hundred thousand answers make few, and it takes a sixth of
    the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _read(raw: bytes, where: str, queries: QuerySet, *, skip: bool) -> Foreign:
    """The answers of a file. Raises InputError where none is left."""
    from mystery_shopper.cli.common import told_slowly
    from mystery_shopper.foundation import InputError
    from mystery_shopper.suites.recbench.foreign import other_names, read_answers

    known = queries.by_id
    with told_slowly("Reading") as progress:
        foreign = read_answers(
            raw, where, known, other_names(queries), example=next(iter(known)), skip=skip,
            progress=progress,
        )  # fmt: skip
    _tell_bad(foreign, where)
    if not foreign.answers:
        raise InputError(
            f"answers none of the {len(known):,} queries", where=where,
            remedy='Give an object a line: {"query": "…", "text": "…"}.',
        )  # fmt: skip
    return foreign


def _summed(
    scene: RecBenchScene,
    foreign: Foreign,
    entries: Sequence[Entry],
    seed: int,
    resamples: int,
    *,
    k: int,
    history: bool,
) -> Scored:
    from collections import Counter

    from mystery_shopper.cli.scored import Scored, groups_of
    from mystery_shopper.suites.recbench.missed import account_of
    from mystery_shopper.suites.recbench.summary import summarise, summarise_groups

    queries = scene.tasks
    planned = dict(Counter(query.cell for query in queries.queries))
    return Scored(
        queries, scene.catalogue.name, len(foreign.answers), k, history,
        summarise(entries, seed, planned, resamples=resamples),
        summarise_groups(entries, groups_of(queries), seed, resamples=resamples),
        account_of(entries, foreign.answers, scene.shelf.titles),
    )  # fmt: skip


def _told(found: Scored, form: str, by: str, *, every_title: bool) -> str:
    from mystery_shopper.cli.scored_tables import told_csv, told_json, told_markdown
    from mystery_shopper.cli.scored_text import told_text

    if form == "text":
        return told_text(found, by, every_title=every_title)
    return {"json": told_json, "csv": told_csv, "md": told_markdown}[form](found)


def _bytes(source: str) -> tuple[bytes, str]:
    """(bytes, name) of a file or of stdin."""
    from mystery_shopper.foundation import read_whole

    if source == "-":
        return sys.stdin.buffer.read(), "stdin"
    return read_whole(Path(source), "Name a file of answers, or - for stdin."), source


def _scene(catalog: str | None, task_set: str | None) -> RecBenchScene:
    """The queries on their catalogue."""
    from mystery_shopper.engine import catalogue_name, choose_sources, load_catalogue
    from mystery_shopper.engine.loading import folder_of, load_book
    from mystery_shopper.engine.suites.recbench import (
        SUITE,
        RecBenchScene,
        graph_in,
        own,
        shelf_over,
    )
    from mystery_shopper.suites.recbench.scoring import Scorer
    from mystery_shopper.suites.recbench.stage import Setting

    chosen, name = choose_sources(catalog, task_set, SUITE.name)
    source, size = catalogue_name(chosen)
    queries, folder = own(load_book(SUITE.name, name)), folder_of(source)
    whole = load_catalogue(source)
    SUITE.check_tasks(queries, whole, name, folder)
    catalogue = whole if size is None else whole.nested(size)
    graph = None if folder is None else graph_in(folder, catalogue)
    shelf = shelf_over(catalogue, graph)
    return RecBenchScene(queries, shelf, Setting(), Scorer(shelf, queries))


def _scored(scene: RecBenchScene, foreign: Foreign, k: int, *, history: bool) -> list[Entry]:
    """The scores of the answers; with another K than the suite's own, `at_five` holds that one."""
    import msgspec

    from mystery_shopper.cli.common import told_slowly
    from mystery_shopper.suites.recbench.foreign import first_items
    from mystery_shopper.suites.recbench.request import handed
    from mystery_shopper.suites.recbench.score import FIVE
    from mystery_shopper.suites.recbench.summary import Entry

    entries: list[Entry] = []
    with told_slowly("Scoring") as progress:
        for number, (ident, answer) in enumerate(foreign.answers.items()):
            progress(number, len(foreign.answers))
            query = scene.query(ident)
            items = handed(query, scene.tasks, scene.shelf).items if history else ()
            found = scene.scorer.of_answer(query, answer, items)
            if k != FIVE:
                cut = first_items(answer, found.picks, k)
                few = scene.scorer.of_answer(query, cut, items).figures
                found = msgspec.structs.replace(found, at_five=few)
            entries.append(Entry.of(query, found))
    return entries


def _tell_bad(foreign: Foreign, where: str) -> None:
    from mystery_shopper.foundation import at_most
    from mystery_shopper.suites.recbench.foreign import MOST_PROBLEMS

    for note in foreign.notes:
        print(f"note: {where}: {note}", file=sys.stderr)
    if foreign.bad:
        print(f"{where}: {len(foreign.bad):,} lines left out", file=sys.stderr)
        for line in at_most(foreign.bad, MOST_PROBLEMS):
            print(f"  {line}", file=sys.stderr)
