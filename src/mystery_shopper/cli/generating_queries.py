"""What `generate` does for the suite recbench: a set of queries from a catalogue and histories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.catalog import Catalogue
    from mystery_shopper.engine.lasting.wording import InspectWriter
    from mystery_shopper.sources.histories import Loaded
    from mystery_shopper.suites.recbench.draw import DrawOptions, Progress
    from mystery_shopper.suites.recbench.generating import Generated, Rewriter
    from mystery_shopper.suites.recbench.ground import Ground
    from mystery_shopper.suites.recbench.query import QuerySet
    from mystery_shopper.suites.recbench.wording import CheckedTemplates, WordingAccount

SUITE = "recbench"
TEMPLATES, MODEL = "templates", "model:"
SYNTHETIC = "synthetic"


@dataclass(frozen=True)
class QueryWishes:
    """What the person asked for; None stands for the usual."""

    histories: str | None = None
    queries: int | None = None
    kinds: Sequence[str] = ()
    widest: int | None = None
    reducible: bool = False
    writer: str | None = None
    base_url: str | None = None
    max_tokens: int | None = None
    max_connections: int | None = None
    sequence_users: int | None = None
    group_users: int | None = None

    def given(self) -> dict[str, object]:
        """Option -> its value, of those that are not as usual."""
        usual = QueryWishes()
        names = {
            "--histories": "histories", "--queries": "queries", "--kind": "kinds",
            "--widest": "widest", "--reducible": "reducible", "--writer": "writer",
            "--base-url": "base_url", "--max-tokens": "max_tokens",
            "--max-connections": "max_connections", "--sequence-users": "sequence_users",
            "--group-users": "group_users",
        }  # fmt: skip
        return {
            option: getattr(self, name)
            for option, name in names.items()
            if getattr(self, name) != getattr(usual, name)
        }


def generate_recbench(
    catalog: str, place: Path, name: str | None, seed: int, wishes: QueryWishes
) -> Generated:
    """Draw the queries and write them to `place`. Raises InputError with what cannot be used;
    nothing is written then."""
    from mystery_shopper.cli.stages import stages
    from mystery_shopper.engine import load_catalogue
    from mystery_shopper.suites.recbench.generating import generate_queries
    from mystery_shopper.suites.recbench.queryfile import save_query_set

    options = _options(seed, wishes)
    writer = _writer(wishes)
    catalogue = load_catalogue(catalog)
    with stages() as tell:
        tell("Reading histories", 0, 0)
        loaded = read_histories(wishes.histories, catalogue)
        tell("Building the graph", 0, 0)
        made = generate_queries(
            name or _name(catalogue, seed, wishes.histories),
            ground_of(catalog, catalogue),
            loaded,
            options,
            rewrite=_rewriter(writer, tell),
            progress=tell,
        )
    save_query_set(made.query_set, place)
    return made


def _name(catalogue: Catalogue, seed: int, histories: str | None) -> str:
    """What a set is called: sets of other histories have other names, and so other canaries."""
    from mystery_shopper.foundation import slug

    of = "" if histories in (None, SYNTHETIC) else f"-{slug(Path(histories).stem)}"
    return f"{SUITE}/{slug(catalogue.name)}{of}-seed{seed}@1"


def print_generated(made: Generated, place: Path) -> None:
    """What was made, and how it came to be."""
    for line in made.lines():
        print(line)
    found = made.query_set
    print(
        f"{found.name}: {len(found.queries):,} queries of {len(found.people):,} users, "
        f"digest {found.digest[:12]} -> {place}"
    )


def read_histories(source: str | None, catalogue: Catalogue) -> Loaded:
    """The histories of a source, by default the made-up ones. Raises InputError, for another
    catalogue than the films where none is named."""
    from mystery_shopper.foundation import InputError
    from mystery_shopper.sources.histories import open_histories

    try:
        return open_histories(source or SYNTHETIC, catalogue)
    except InputError as error:
        if source is not None:
            raise
        raise InputError(
            error.problems,
            where="--histories",
            remedy="Give those of your users: --histories FILE, a table with the columns user, item"
            " (the catalogue's ids) and, if you have them, rating, time, gender, age, occupation;"
            " or the folder of a release.",
        ) from None


def ground_of(source: str, catalogue: Catalogue) -> Ground:
    """The catalogue's graph and words; those of its folder's own graph where it holds one."""
    from mystery_shopper.engine.loading import folder_of
    from mystery_shopper.engine.suites.recbench import graph_in, shelf_over
    from mystery_shopper.suites.recbench.ground import Ground

    folder = folder_of(source)
    graph = None if folder is None else graph_in(folder, catalogue)
    return Ground(shelf_over(catalogue, graph))


def _options(seed: int, wishes: QueryWishes) -> DrawOptions:
    from mystery_shopper.foundation import InputError
    from mystery_shopper.suites.recbench.draw import DEFAULT_QUERIES, WIDEST, DrawOptions
    from mystery_shopper.suites.recbench.query import Kind

    known = {kind.value: kind for kind in Kind}
    unknown = [name for name in wishes.kinds if name not in known]
    if unknown:
        raise InputError(
            [f"there is no kind {name!r}" for name in unknown],
            where="--kind",
            remedy=f"Use some of: {', '.join(known)}.",
        )
    wanted = set(wishes.kinds) or set(known)
    usual = DrawOptions()
    return DrawOptions(
        seed=seed,
        queries=wishes.queries or DEFAULT_QUERIES,
        irreducible=not wishes.reducible,
        widest=WIDEST if wishes.widest is None else wishes.widest,
        sequence_users=wishes.sequence_users or usual.sequence_users,
        group_users=wishes.group_users or usual.group_users,
        kinds=tuple(kind for name, kind in known.items() if name in wanted),
    )


def _writer(wishes: QueryWishes) -> InspectWriter | None:
    """The model that is to word the queries; None for templates."""
    from mystery_shopper.foundation import InputError

    named = wishes.writer or TEMPLATES
    if named == TEMPLATES:
        models = ("--base-url", "--max-tokens", "--max-connections")
        odd = [name for name in models if name in wishes.given()]
        if odd:
            raise InputError(
                [f"{name} is of a model, and templates word the queries" for name in odd],
                remedy="Name the model: --writer model:PROVIDER/NAME",
            )
        return None
    if not named.startswith(MODEL) or "/" not in named:
        raise InputError(
            f"there is no writer {named!r}",
            where="--writer",
            remedy=f"Use {TEMPLATES}, or {MODEL}PROVIDER/NAME.",
        )
    from mystery_shopper.engine.lasting.needs import inspect_ai

    inspect_ai(f"--writer {named}")
    from mystery_shopper.engine.lasting.wording import InspectWriter

    return InspectWriter.open(
        named.removeprefix(MODEL),
        base_url=wishes.base_url,
        max_tokens=wishes.max_tokens,
        at_once=wishes.max_connections,
    )


def _rewriter(writer: InspectWriter | None, tell: Progress) -> Rewriter | None:
    if writer is None:
        return None

    def told(done: int, of: int) -> None:
        tell("Asking the writer", done, of)

    def rewrite(queries: QuerySet, templates: CheckedTemplates) -> tuple[QuerySet, WordingAccount]:
        told(0, len(queries.queries))
        return writer.rewrite(queries, templates, told)

    return rewrite
