"""The figures of answers that were made elsewhere, as text, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import msgspec

from mystery_shopper.cli.scored import GROUPED, POPULARITY, Scored
from mystery_shopper.engine.plan import package_version
from mystery_shopper.report.every import keep
from mystery_shopper.report.formats.markdown import markdown
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import bounds, figure, plain, plural, whole
from mystery_shopper.statistics import Interval
from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.released import Unresolved
from mystery_shopper.suites.recbench.summary import SummaryRow

MATCH = {
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
        MATCH,
    ),
    Block(
        "All answers, an empty one as 0",
        "As above, with 0 for an answer that recommends nothing.",
        {f"{name}_with_empty": head for name, head in MATCH.items()},
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
_KIND_OF = {POPULARITY: "interest"}

Shape = TypeVar("Shape", "Row", "Group")


def tables(scored: Scored) -> list[Table]:
    """A table for each block with K free, then with the first K items: by kind and number of
    conditions, then by each kind of group that the set has; and the titles that came to no item."""
    queries = scored.queries
    caption = (
        f"{plain(queries.name)}, {plural(scored.planned, 'query', 'queries')}, digest"
        f" {queries.digest[:12]} · catalogue {plain(scored.catalogue)}"
    )
    whole = [(("kind", "conditions"), "", scored.rows)]
    whole += [
        (("by", "group"), f", by {by}", rows) for by in GROUPED if (rows := scored.of_group(by))
    ]
    made = [
        Table(
            f"{block.title}: {label}{more}", block.note, caption,
            (*names, *_COUNTS, *block.heads.values()),
            tuple(_row(row, of(row), block) for row in rows),
        )
        for names, more, rows in whole
        for label, of in (("K free", free), (f"K = {scored.k}", fixed))
        for block in BLOCKS
    ]  # fmt: skip
    return [*made, _missed(scored, caption)]


def _missed(scored: Scored, caption: str) -> Table:
    titles = scored.titles
    return Table(
        "Titles that came to no item",
        f"{titles.recommended:,} titles were recommended, {titles.known:,} of them are items.",
        caption,
        ("found", "title", "times", "candidates", "queries"),
        tuple(
            (kind, plain(one.title), whole(one.times), ", ".join(one.candidates),
             ", ".join(one.queries))
            for kind, missed in (("ambiguous", titles.ambiguous), ("unknown", titles.unknown))
            for one in missed
        ),
    )  # fmt: skip


def free(row: SummaryRow) -> Mapping[str, Interval]:
    """A row's figures over all items of an answer."""
    return row.free


def fixed(row: SummaryRow) -> Mapping[str, Interval]:
    """A row's figures over the first K items."""
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


class Group(msgspec.Struct, frozen=True):
    """The figures of one group of profile queries. `by`: popularity, gender, age, occupation."""

    by: str
    group: str
    queries: int
    answered: int
    missing: int
    users: int
    k_free: dict[str, Mean]
    k_fixed: dict[str, Mean]


class Missed(msgspec.Struct, frozen=True):
    """A title that came to no item; `queries`: the first that it was said to."""

    title: str
    times: int
    candidates: tuple[str, ...]
    queries: tuple[str, ...]

    @classmethod
    def of(cls, one: Unresolved) -> Missed:
        """As the account has it."""
        return cls(one.title, one.times, one.candidates, one.queries)


class Titles(msgspec.Struct, frozen=True):
    """What the recommended titles came to, each once an answer."""

    recommended: int
    known: int
    ambiguous: tuple[Missed, ...]
    unknown: tuple[Missed, ...]


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
    groups: tuple[Group, ...]
    titles: Titles
    written_by: str


def told_json(scored: Scored) -> str:
    """Numbers as numbers, null where nothing was scored."""
    queries, planned, titles = scored.queries, scored.planned, scored.titles
    told = Told(
        "recbench", queries.name, queries.digest, scored.catalogue, scored.history, scored.k,
        planned, scored.answered, planned - scored.answered,
        tuple(_of_row(Row, row) for row in scored.rows),
        tuple(_of_row(Group, row) for row in scored.groups),
        Titles(
            titles.recommended, titles.known,
            tuple(map(Missed.of, titles.ambiguous)), tuple(map(Missed.of, titles.unknown)),
        ),
        f"mystery-shopper {package_version()}",
    )  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"


def _of_row(kind: type[Shape], row: SummaryRow) -> Shape:
    return kind(
        row.kind, row.width, row.planned, row.answered, row.missing, row.users,
        {name: Mean.of(row.free[name]) for name in NAMES},
        {name: Mean.of(row.at_five[name]) for name in NAMES},
    )  # fmt: skip


def told_csv(scored: Scored) -> str:
    """A line for each row, K and figure; an empty cell is unscored. `by` is empty where rows are by
    kind and number of conditions."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(
        ("kind", "conditions", "by", "group", "history", "k", "figure", "mean", "low", "high",
         "scored", "unscored", "users", *_COUNTS)
    )  # fmt: skip
    history = "yes" if scored.history else "no"
    rows = [((row.kind, row.width, "", ""), row) for row in scored.rows]
    rows += [
        ((_KIND_OF.get(row.kind, "demographics"), "", row.kind, row.width), row)
        for row in scored.groups
    ]
    for where, row in rows:
        for label, found in (("free", row.free), (str(scored.k), row.at_five)):
            for name in NAMES:
                mean = Mean.of(found[name])
                writer.writerow(
                    (*where, history, label, name, mean.mean, mean.low, mean.high, mean.scored,
                     mean.unscored, mean.users, row.planned, row.answered, row.missing)
                )  # fmt: skip
    return text.getvalue()


def told_markdown(scored: Scored) -> str:
    """One document of all tables."""
    return markdown(keep([tables(scored)], "set"), f"mystery-shopper {package_version()}")
