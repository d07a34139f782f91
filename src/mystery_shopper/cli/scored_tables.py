"""The figures of answers that were made elsewhere, as text, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from mystery_shopper.engine.plan import package_version
from mystery_shopper.report.every import keep
from mystery_shopper.report.formats.markdown import markdown
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import DASH, bounds, figure, plain, plural, whole
from mystery_shopper.statistics import Interval
from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.summary import SummaryRow

Head: TypeAlias = tuple[QuerySet, str, int]
"""The queries, the catalogue's name, and how many answers there are."""

_MATCH = {
    "precision_own": "P own",
    "recall_own": "R own",
    "precision_all": "P all",
    "recall_all": "R all",
    "cmr": "CMR",
}


class Block(NamedTuple):
    """Figures that stand side by side: title, what they are, name -> head."""

    title: str
    note: str
    heads: Mapping[str, str]


BLOCKS = (
    Block(
        "Answers that recommend something",
        "P, R: precision and recall, against the user's own group and against all that fit; CMR:"
        " share of what was recommended that meets all true conditions.",
        _MATCH,
    ),
    Block(
        "All answers, an empty one as 0",
        "As above, with 0 for an answer that recommends nothing.",
        {f"{name}_with_empty": head for name, head in _MATCH.items()},
    ),
    Block(
        "Failures",
        "FTR: share of answers that recommend nothing; names it: share of misinformed queries whose"
        " answer names the mistake; unknown, ambiguous: share of titles that are no item, several.",
        {
            "failed": "FTR",
            "names_mistake": "names it",
            "hallucinated": "unknown",
            "ambiguous": "ambiguous",
            "recommended": "items",
        },
    ),
    Block(
        "Beyond the paper",
        "novelty: mean self-information in bits; diversity: 1 - mean similarity of pairs; pulled:"
        " share pulled off the conditions by the history.",
        {"novelty": "novelty", "diversity": "diversity", "pulled": "pulled"},
    ),
)
_COUNTS = ("queries", "answered", "missing")


def tables(rows: Sequence[SummaryRow], head: Head, k: int) -> list[Table]:
    """A table for each block with K free, then with the first K items."""
    queries, catalogue, _ = head
    caption = (
        f"{plain(queries.name)}, {plural(len(queries.queries), 'query', 'queries')}, digest"
        f" {queries.digest[:12]} · catalogue {plain(catalogue)}"
    )
    return [
        Table(
            f"{block.title}: {label}", block.note, caption,
            ("kind", "conditions", *_COUNTS, *block.heads.values()),
            tuple(_row(row, of(row), block) for row in rows),
        )
        for label, of in (("K free", _free), (f"K = {k}", _fixed))
        for block in BLOCKS
    ]  # fmt: skip


def _free(row: SummaryRow) -> Mapping[str, Interval]:
    return row.free


def _fixed(row: SummaryRow) -> Mapping[str, Interval]:
    return row.at_five


def _row(row: SummaryRow, found: Mapping[str, Interval], block: Block) -> tuple[str, ...]:
    return (
        row.kind, row.width, whole(row.planned), whole(row.answered), whole(row.missing),
        *(_cell(found[name]) for name in block.heads),
    )  # fmt: skip


def _cell(found: Interval) -> str:
    return f"{figure(found.estimate)} {_bounds(found)}".strip()


def _bounds(found: Interval) -> str:
    """Nothing where one user was drawn from: that tells no spread."""
    return "" if not found.scored or found.one_cluster else bounds(found.low, found.high)


# --- forms --------------------------------------------------------------------------------------


def told_text(rows: Sequence[SummaryRow], head: Head, k: int, *, history: bool) -> str:
    """For a terminal: the figure, and its interval below it."""
    made = [*_opening(rows, head, history), ""]
    every = tables(rows, head, k)
    # What K hardly touches stands in the other forms only.
    for table in [*every[: len(BLOCKS)], *every[len(BLOCKS) : len(BLOCKS) + 2]]:
        names = [f"{kind} {width}".strip() for kind, width, *_ in table.rows]
        first = max([*(len(name) for name in names), len("kind, conditions")])
        columns = table.head[5:]
        if all(cell == DASH for row in table.rows for cell in row[5:]):
            made += [f"{table.title}: nothing was scored", ""]
            continue
        made += [table.title, *(f"  {line}" for line in _wrapped(table.note))]
        made.append(f"{'kind, conditions':<{first}}" + "".join(f"{c:>16}" for c in columns))
        for name, row in zip(names, table.rows, strict=True):
            parts = [cell.split(" ", 1) for cell in row[5:]]
            made.append(f"{name:<{first}}" + "".join(f"{part[0]:>16}" for part in parts))
            below = [part[1] if len(part) > 1 else "" for part in parts]
            if any(below):
                made.append(" " * first + "".join(f"{part:>16}" for part in below))
        made.append("")
    return "\n".join(line.rstrip() for line in made).rstrip() + "\n"


def _opening(rows: Sequence[SummaryRow], head: Head, history: bool) -> Iterator[str]:
    queries, catalogue, answered = head
    planned = len(queries.queries)
    yield (
        f"{queries.name}: {plural(planned, 'query', 'queries')}, digest {queries.digest[:12]},"
        f" catalogue {catalogue}"
    )
    missing = planned - answered
    yield (
        f"{answered:,} answered, {missing:,} missing"
        + (" (a query without an answer is not scored)" if missing else "")
        + ("; histories were handed over" if history else "; without histories")
    )
    yield "95 % intervals draw users"
    yield ""
    first = max(len(f"{row.kind} {row.width}") for row in rows)
    first = max(first, len("kind, conditions"))
    yield f"{'kind, conditions':<{first}}" + "".join(f"{c:>10}" for c in (*_COUNTS, "users"))
    for row in rows:
        counts = (row.planned, row.answered, row.missing, row.users)
        name = f"{row.kind} {row.width}".strip()
        yield f"{name:<{first}}" + "".join(f"{whole(count):>10}" for count in counts)


def _wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, 94)


class Mean(msgspec.Struct, frozen=True):
    """A mean over queries with its 95 % interval; None where nothing was scored."""

    mean: float | None
    low: float | None
    high: float | None
    scored: int
    unscored: int
    users: int

    @classmethod
    def of(cls, found: Interval) -> Mean:
        """Without an interval where one user was drawn from."""
        if not found.scored:
            return cls(None, None, None, 0, found.unscored, 0)
        low, high = (None, None) if found.one_cluster else (found.low, found.high)
        return cls(found.estimate, low, high, found.scored, found.unscored, found.clusters)


class Row(msgspec.Struct, frozen=True):
    """The figures of one kind and number of conditions."""

    kind: str
    conditions: str
    queries: int
    answered: int
    missing: int
    users: int
    k_free: dict[str, Mean]
    k_fixed: dict[str, Mean]


class Told(msgspec.Struct, frozen=True):
    """All of it. `k`: the K of `k_fixed`."""

    suite: str
    task_set: str
    task_set_digest: str
    catalogue: str
    history: bool
    k: int
    queries: int
    answered: int
    missing: int
    rows: tuple[Row, ...]
    written_by: str


def told_json(rows: Sequence[SummaryRow], head: Head, k: int, *, history: bool) -> str:
    """Numbers as numbers, null where nothing was scored."""
    queries, catalogue, answered = head
    told = Told(
        "recbench", queries.name, queries.digest, catalogue, history, k, len(queries.queries),
        answered, len(queries.queries) - answered,
        tuple(
            Row(
                row.kind, row.width, row.planned, row.answered, row.missing, row.users,
                {name: Mean.of(row.free[name]) for name in NAMES},
                {name: Mean.of(row.at_five[name]) for name in NAMES},
            )
            for row in rows
        ),
        f"mystery-shopper {package_version()}",
    )  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"


def told_csv(rows: Sequence[SummaryRow], head: Head, k: int, *, history: bool) -> str:
    """A line for each row, K and figure; an empty cell is unscored."""
    del head
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(
        ("kind", "conditions", "history", "k", "figure", "mean", "low", "high", "scored",
         "unscored", "users", *_COUNTS)
    )  # fmt: skip
    for row in rows:
        for label, found in (("free", row.free), (str(k), row.at_five)):
            for name in NAMES:
                mean = Mean.of(found[name])
                writer.writerow(
                    (row.kind, row.width, "yes" if history else "no", label, name, mean.mean,
                     mean.low, mean.high, mean.scored, mean.unscored, mean.users, row.planned,
                     row.answered, row.missing)
                )  # fmt: skip
    return text.getvalue()


def told_markdown(rows: Sequence[SummaryRow], head: Head, k: int, *, history: bool) -> str:
    """One document of all tables."""
    del history
    return markdown(keep([tables(rows, head, k)], "set"), f"mystery-shopper {package_version()}")
