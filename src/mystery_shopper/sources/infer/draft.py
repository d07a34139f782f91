"""`infer_domain`: all guesses together, and the YAML that is written of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.sources.infer.foreign import foreign_names
from mystery_shopper.sources.infer.outline import Outline, outline_of
from mystery_shopper.sources.infer.render import render
from mystery_shopper.sources.infer.roles import Choice
from mystery_shopper.sources.infer.sample import TableLike, brief, take_sample

ROWS = 50_000


@dataclass(frozen=True)
class Draft:
    """A domain to be completed: its YAML text, what was guessed and why (a line each), a line that
    sums it up, what the owner should answer, and what they should look at."""

    yaml: str
    summary: str
    notes: tuple[str, ...]
    questions: tuple[str, ...]
    looks: tuple[str, ...]


def infer_domain(table: TableLike, *, name: str, rows: int = ROWS) -> Draft:
    """The draft of a domain for a table, guessed from its first `rows` rows. It can be parsed as
    it is. `name` is the domain's name; the noun for an item is guessed from it."""
    outline = outline_of(take_sample(table, rows), name)
    questions = _questions(outline)
    return Draft(
        render(outline, questions), _summary(outline), _notes(outline), questions, _looks(outline)
    )


def _questions(outline: Outline) -> tuple[str, ...]:
    asked = [
        choice.question
        for choice in (outline.id, outline.title, outline.popularity)
        if choice.question
    ]
    if not outline.noun[2]:
        asked.append("What is one item called, and several? (`noun`)")
    if all(outline.usable.values()):
        asked.append(
            "No column was found of which a customer would speak: which are they? "
            "(`requirement: true`)"
        )
    foreign = foreign_names([guess.name for guess in outline.fields])
    if foreign:
        shown = ", ".join(foreign[:4]) + (", …" if len(foreign) > 4 else "")
        asked.append(
            f"Some columns look non-English ({shown}). Customers speak and read English: give the "
            "fields English labels (`label:`) and sentences; values may stay as they are."
        )
    asked += [f"{guess.name}: {guess.question}" for guess in outline.fields if guess.question]
    return tuple(brief(text, 400) for text in asked)


def _looks(outline: Outline) -> tuple[str, ...]:
    doubts = [f"{guess.name}: {doubt}." for guess in outline.fields for doubt in guess.doubts]
    broken = _broken(outline)
    return tuple(brief(text, 400) for text in ([f"{broken}."] if broken else []) + doubts)


def _broken(outline: Outline) -> str:
    """How many broken rows were passed over, and where the first of them stand."""
    sample = outline.sample
    if not sample.broken:
        return ""
    lines = ", ".join(map(str, sample.broken_lines))
    more = ", …" if sample.broken > len(sample.broken_lines) else ""
    where = f" (line {lines}{more})" if lines else ""
    return f"{sample.broken:,} broken row{'s' * (sample.broken != 1)} passed over{where}"


def _summary(outline: Outline) -> str:
    fields, spoken = len(outline.fields), sum(not why for why in outline.usable.values())
    left = f"; {len(outline.left_out)} columns left out" if outline.left_out else ""
    return (
        f"{fields} fields, {spoken} of which carry requirements{left}; guessed from the columns"
        f" {outline.sample.where}"
    )


def _notes(outline: Outline) -> tuple[str, ...]:
    sample = outline.sample
    lines = [f"guessed from the columns {sample.where}"]
    broken = _broken(outline)
    lines += [broken] if broken else []
    chosen: Sequence[tuple[str, Choice]] = (
        ("id", outline.id), ("title", outline.title), ("popularity", outline.popularity),
        ("recency", outline.recency), ("formats", outline.formats),
    )  # fmt: skip
    lines += [f"{role}: {c.column}: {c.why}" for role, c in chosen if c.column is not None]
    for guess in outline.fields:
        kind = guess.kind.value if guess.kind is not None else ""
        needs = outline.usable[guess.name]
        spoken = f"no requirement: {needs}" if needs else "carries requirements"
        lines.append(f"{guess.name}: {kind}: {guess.why}; {spoken}")
    lines += [f"{guess.name}: left out: {guess.why}" for guess in outline.left_out]
    return tuple(brief(line, 300) for line in lines)
