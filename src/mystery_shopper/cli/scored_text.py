"""The figures of answers that were made elsewhere on a terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TypeAlias

from mystery_shopper.cli.scored import GROUPED, Scored
from mystery_shopper.cli.scored_tables import BLOCKS, MATCH, Block, fixed, free
from mystery_shopper.report.words import DASH, plain, plural, whole
from mystery_shopper.statistics import Interval
from mystery_shopper.suites.recbench.metrics import WITH_EMPTY
from mystery_shopper.suites.recbench.released import Unresolved
from mystery_shopper.suites.recbench.summary import SummaryRow

_Of: TypeAlias = Callable[[SummaryRow], Mapping[str, Interval]]

WIDTH = 80
DOZEN = 12
_CELL = 12
_LEAST_CELL = 8
_CUT = {
    **{f"{name}{WITH_EMPTY}": head for name, head in MATCH.items()},
    "failed": "FTR", "hallucinated": "unknown", "recommended": "items",
}  # fmt: skip
_KEY = (
    "P, R: precision and recall, against the user's own group and against all that fit. CMR: share"
    " of the items that meet all true conditions. FTR: share of answers that recommend nothing."
    " unknown: share of the titles that no item bears. Below a figure: its 95 % interval, which"
    " draws users."
)


def told_text(scored: Scored, by: str = "kind", *, every_title: bool = False) -> str:
    """The headline by kind, the titles that came to no item (a dozen of each; with `every_title`
    all), and what a breakdown is asked for (`by`: number, one of `GROUPED`, or all)."""
    made = [*_opening(scored), ""]
    if by == "kind":
        made += [*_headline(scored), ""]
    if by in ("number", "all"):
        made += _breakdown(scored, scored.rows, "kind, conditions")
    for group in GROUPED:
        if by in (group, "all"):
            made += _breakdown(scored, scored.of_group(group), group)
    made += _titles(scored, None if every_title else DOZEN)
    if by == "kind":
        made += ["", f"More: --by number, {', '.join(GROUPED)}, all; or --format json"]
    return "\n".join(line.rstrip() for line in made).rstrip() + "\n"


def _opening(scored: Scored) -> Iterator[str]:
    queries, missing = scored.queries, scored.planned - scored.answered
    told = "; histories were handed over" if scored.history else "; without histories"
    yield from wrap(
        f"{plain(queries.name)}: {plural(scored.planned, 'query', 'queries')}, digest"
        f" {queries.digest[:12]}, catalogue {plain(scored.catalogue)}",
        WIDTH, subsequent_indent="  ",
    )  # fmt: skip
    yield (
        f"{scored.answered:,} answered, {missing:,} missing"
        + (" (a query without an answer is not scored)" if missing else "")
        + ("" if missing else told)
    )
    if missing:
        yield told.removeprefix("; ")


def _headline(scored: Scored) -> Iterator[str]:
    rows = scored.by_kind
    yield "All items of an answer (K free); answers that recommend something"
    yield from _table(rows, free, MATCH, "kind", counts=True)
    yield ""
    yield f"The first {scored.k} items (K = {scored.k}); an answer that recommends nothing as 0"
    yield from _table(rows, fixed, _CUT, "kind", cell=_LEAST_CELL, intervals=False)
    misled = next((row for row in rows if row.kind == "misinformed"), None)
    if misled is not None and misled.free["names_mistake"].scored:
        found = misled.free["names_mistake"]
        told = f" [{_bounds(found)}]" if _bounds(found) else ""
        yield f"Misinformed queries whose answer names the mistake: {_short(found)}{told}"
    yield from wrap(_KEY, WIDTH)


def _breakdown(scored: Scored, rows: Sequence[SummaryRow], name: str) -> Iterator[str]:
    """All blocks of some rows; of those with K fixed what K touches."""
    if not rows:
        yield from (f"By {name}: the set has no such queries", "")
        return
    tables = [(block, free, "K free") for block in BLOCKS]
    tables += [(block, fixed, f"K = {scored.k}") for block in BLOCKS[:2]]
    for number, (block, of, label) in enumerate(tables):
        title = f"{block.title}: {label}, by {name}"
        if not _scored_at_all(rows, of, block):
            yield from (f"{title}: nothing was scored", "")
            continue
        yield title
        yield from (f"  {line}" for line in wrap(block.note, WIDTH - 2))
        yield from _table(rows, of, block.heads, name, counts=number == 0)
        yield ""


def _scored_at_all(rows: Sequence[SummaryRow], of: _Of, block: Block) -> bool:
    return any(of(row)[name].scored for row in rows for name in block.heads)


def _table(
    rows: Sequence[SummaryRow],
    of: _Of,
    heads: Mapping[str, str],
    name: str,
    *,
    cell: int = _CELL,
    intervals: bool = True,
    counts: bool = False,
) -> Iterator[str]:
    """A row's figures, and below them their intervals (with `counts` also how many answers of how
    many queries it has). Names are cut to what is left."""
    most = WIDTH - cell * len(heads)
    names = [_named(row, most - 1) for row in rows]
    below = [f"  {whole(row.answered)} of {whole(row.planned)}" if counts else "" for row in rows]
    first = min(most, 1 + max(map(len, [*names, *below, name])))
    yield f"{name:<{first}}" + "".join(f"{head:>{cell}}" for head in heads.values())
    for row, label, told in zip(rows, names, below, strict=True):
        found = [of(row)[figure] for figure in heads]
        yield f"{label:<{first}}" + "".join(f"{_short(one):>{cell}}" for one in found)
        spread = [_bounds(one) if intervals else "" for one in found]
        if told or any(spread):
            yield f"{told:<{first}}" + "".join(f"{one:>{cell}}" for one in spread)


def _named(row: SummaryRow, most: int) -> str:
    text = row.width if row.kind in GROUPED else f"{row.kind} {row.width}".strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _short(found: Interval) -> str:
    return _digits(found.estimate) if found.scored else DASH


def _bounds(found: Interval) -> str:
    """Nothing where one user was drawn from: that tells no spread."""
    if not found.scored or found.one_cluster:
        return ""
    return f"{_digits(found.low)}-{_digits(found.high)}"


def _digits(value: float) -> str:
    return f"{value:.3f}" if value < 9.9995 else f"{value:.1f}"


def _titles(scored: Scored, most: int | None) -> Iterator[str]:
    titles = scored.titles
    yield (
        f"Titles: {titles.recommended:,} recommended,"
        f" {titles.known:,} known, {sum(one.times for one in titles.ambiguous):,} ambiguous,"
        f" {sum(one.times for one in titles.unknown):,} unknown"
    )
    for what, missed in (("ambiguous", titles.ambiguous), ("unknown", titles.unknown)):
        shown = missed[:most]
        for one in shown:
            line = f"  {what}: {plain(one.title, 40)}{_fits(what, one)} ({_where(one)})"
            yield line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
        if len(missed) > len(shown):
            yield (
                f"  and {len(missed) - len(shown):,} more {what} titles (--format json or --out"
                " FILE lists all)"
            )


def _fits(what: str, one: Unresolved) -> str:
    if not one.candidates:
        return ""
    more = ", …" if len(one.candidates) > 2 else ""
    told = f"{', '.join(one.candidates[:2])}{more}"
    return f": fits {told}" if what == "ambiguous" else f": not {told}"


def _where(one: Unresolved) -> str:
    return f"{one.queries[0]}" if one.times == 1 else f"{one.times:,} times"
