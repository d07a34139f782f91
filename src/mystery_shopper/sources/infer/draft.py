"""`infer_domain`: all guesses together, and the YAML that is written of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.sources.infer.outline import Outline, outline_of
from mystery_shopper.sources.infer.render import render
from mystery_shopper.sources.infer.roles import Choice
from mystery_shopper.sources.infer.sample import TableLike, brief, take_sample

ROWS = 50_000


@dataclass(frozen=True)
class Draft:
    """A domain to be completed: its YAML text, what was guessed and why (a line each), and what
    the owner should answer."""

    yaml: str
    notes: tuple[str, ...]
    questions: tuple[str, ...]


def infer_domain(table: TableLike, *, name: str, rows: int = ROWS) -> Draft:
    """The draft of a domain for a table, guessed from its first `rows` rows. It can be parsed as
    it is. `name` is the domain's name; the noun for an item is guessed from it."""
    outline = outline_of(take_sample(table, rows), name)
    questions = _questions(outline)
    return Draft(render(outline, questions), _notes(outline), questions)


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
    for guess in outline.fields:
        asked.extend(f"{guess.name}: {doubt}." for doubt in guess.doubts)
    return tuple(brief(text, 400) for text in asked)


def _notes(outline: Outline) -> tuple[str, ...]:
    sample = outline.sample
    lines = [f"guessed from the columns {sample.where}"]
    if sample.broken:
        lines.append(f"{sample.broken:,} broken row{'s' * (sample.broken != 1)} passed over")
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
