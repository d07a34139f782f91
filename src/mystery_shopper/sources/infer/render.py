"""The YAML of a domain with a comment at every guess. Written by hand: a library's writer drops
comments."""

from __future__ import annotations

import numpy as np

from mystery_shopper.catalog import Hierarchy, Kind, bounds_of
from mystery_shopper.sources.infer.blocks import block_for, lists_for, tree_for
from mystery_shopper.sources.infer.guess import Guess
from mystery_shopper.sources.infer.outline import FORMATS_LABELS, Outline
from mystery_shopper.sources.infer.phrases import kind_of_phrase, says
from mystery_shopper.sources.infer.roles import Choice
from mystery_shopper.sources.infer.sample import brief
from mystery_shopper.sources.infer.yamltext import comment, flow, quoted

_TREE_AT_MOST = 2_000
_EXAMPLES = 5


def render(outline: Outline, questions: tuple[str, ...]) -> str:
    """The text of the domain file."""
    lines = _head(outline, questions)
    lines += ["fields:"]
    phrased: set[str] = set()
    for guess in _ordered_fields(outline):
        lines += _field(outline, guess, phrased)
    if not any(guess.name == outline.title.column for guess in outline.fields):
        lines += _stand_in(outline)
    lines += _formats(outline)
    lines += _left_out(outline)
    return "\n".join(lines) + "\n"


def _ordered_fields(outline: Outline) -> list[Guess]:
    """The title first, then in the file's order."""
    return sorted(outline.fields, key=lambda guess: guess.name != outline.title.column)


def _head(outline: Outline, questions: tuple[str, ...]) -> list[str]:
    one, many, guessed = outline.noun
    lines = comment(
        f"A draft, guessed from the columns {outline.sample.where}. Read it, answer the questions, "
        "correct what is wrong; then `mystery-shopper catalog build` makes the catalogue."
    )
    lines += [line for asked in questions for line in comment(f"QUESTION: {asked}")]
    lines += [f"name: {quoted(outline.name)}"]
    lines += [] if guessed else comment("Nothing tells what the items are; say it here.")
    lines += ["noun:", f"  singular: {quoted(one)}", f"  plural: {quoted(many)}"]
    lines += ["  synonyms: []  # what else customers and agents call them"]
    lines += _role("id", outline.id, outline.id.column or "id")
    lines += _role("title", outline.title, _title_field(outline))
    for role, choice in (("popularity", outline.popularity), ("recency", outline.recency)):
        if choice.column is not None:
            lines += _role(role, choice, outline.names[choice.column].name)
        else:
            lines += comment(f"{role}: none was found; it names a field of whole or other numbers.")
    return lines


def _role(role: str, choice: Choice, value: str) -> list[str]:
    return [*(comment(f"{choice.why}.") if choice.why else []), f"{role}: {quoted(value)}"]


def _title_field(outline: Outline) -> str:
    column = outline.title.column
    if column is not None and column in outline.names:
        return outline.names[column].name
    return _free("title", outline)


def _free(name: str, outline: Outline) -> str:
    taken = {named.name for named in outline.names.values()}
    while name in taken:
        name += "_"
    return name


def _stand_in(outline: Outline) -> list[str]:
    source = outline.id.column or "id"
    return [
        *comment("No column of names was found; the ids stand in.", 2),
        f"  {quoted(_free('title', outline))}:",
        "    kind: text",
        "    keyword: true",
        f"    source: {{column: {quoted(source)}}}",
    ]


def _field(outline: Outline, guess: Guess, phrased: set[str]) -> list[str]:
    named = outline.names[guess.name]
    is_title = guess.name == outline.title.column
    kind = Kind.TEXT if is_title or guess.kind is None else guess.kind
    reason = outline.usable[guess.name]
    lines = [line for text in _about(guess, outline) for line in comment(text, 2)]
    lines += [f"  {quoted(named.name)}:", f"    kind: {kind.value}"]
    if named.label != named.name.replace("_", " "):
        lines.append(f"    label: {quoted(named.label)}")
    if not reason:
        lines.append("    requirement: true")
    elif not is_title and kind.carries_requirements:
        lines += comment(f"requirement: false, for {reason}", 4)
    formats = guess.name == outline.formats.column
    if (kind is Kind.TEXT or kind.is_label) and not formats:
        lines.append("    keyword: true")
    if formats or (kind is Kind.TEXT and not is_title and _is_long(guess)):
        lines.append("    shown: false")
    if guess.name == outline.main:
        lines.append("    most: 2  # one request may name two of its values")
    lines += _tree(guess)
    lines += _source(guess, named.name, kind)
    if not reason:
        lines += _spoken(outline, guess, phrased)
    return lines


def _about(guess: Guess, outline: Outline) -> list[str]:
    missing = guess.column.missing / max(1, outline.sample.rows)
    told = f"{guess.name}: {guess.why}; missing on {missing:.0%}."
    examples = _examples(guess)
    if examples:
        told += f" {examples}"
    lines = [told]
    if guess.numbers and not outline.usable[guess.name]:
        bounds = bounds_of(np.array(guess.numbers), None)
        shown = ", ".join(f"{bound:g}" if bound % 1 else f"{bound:.0f}" for bound in bounds)
        lines.append(f"Bounds that customers may name (without `step`): {shown}.")
    if guess.name in outline.nests:
        lines.append(
            f"Its labels nest in those of {outline.nests[guess.name]}: export both in one column, "
            "as `parent > child`, and they become one field with a hierarchy."
        )
    lines += [f"LOOK: {doubt}." for doubt in guess.doubts]
    return lines


def _examples(guess: Guess) -> str:
    if guess.labels:
        top = guess.labels.most_common(_EXAMPLES)
        shown = ", ".join(f"{brief(label)} ({count:,})" for label, count in top)
        return f"{len(guess.labels):,} labels: {shown}."
    if guess.kind is Kind.TEXT:
        return f"As {brief(next(iter(guess.column.counts)), 50)!r}."
    return ""


def _is_long(guess: Guess) -> bool:
    return sum(map(len, guess.column.counts)) > 200 * len(guess.column.counts)


def _tree(guess: Guess) -> list[str]:
    if not guess.parents:
        known = tree_for(guess.labels) if guess.labels else None
        if known is None:
            return []
        return comment(f"hierarchy: {known}  # shipped; a parent then accepts what is below", 4)
    children: dict[str, list[str]] = {}
    for child, parent in sorted(guess.parents.items()):
        children.setdefault(parent, []).append(child)
    try:
        Hierarchy.from_children(children)
    except ValueError as error:
        return comment(f"no hierarchy could be made of the paths: {error}", 4)
    if len(guess.parents) > _TREE_AT_MOST:
        return comment("hierarchy: too many labels to list; each part of a path is a label", 4)
    rows = [f"      {quoted(parent)}: {flow(many)}" for parent, many in sorted(children.items())]
    return ["    hierarchy:  # whoever asks for the first accepts those in brackets", *rows]


def _source(guess: Guess, name: str, kind: Kind) -> list[str]:
    parts: list[str] = []
    if name != guess.name:
        parts.append(f"column: {quoted(guess.name)}")
    if kind is Kind.CATEGORIES and guess.separator is not None:
        parts.append(f"separator: {quoted(guess.separator)}")
    if kind.is_ordered and guess.decimal != ".":
        parts.append(f"decimal: {quoted(guess.decimal)}")
    if guess.year:
        parts.append("part: year")
    if kind is Kind.FLAG:
        parts.append(f"true_words: {flow(guess.true_words)}")
        parts.append(f"false_words: {flow(guess.false_words)}")
    if guess.missing and kind is not Kind.TEXT:
        parts.append(f"missing: {flow(guess.missing)}")
    return [f"    source: {{{', '.join(parts)}}}"] if parts else []


def _spoken(outline: Outline, guess: Guess, phrased: set[str]) -> list[str]:
    named = outline.names[guess.name]
    sort = kind_of_phrase(guess)
    year = guess.year or guess.why.startswith("years")
    phrases = says(guess, named, plain=sort in phrased, year=year)
    if sort is not None:
        phrased.add(sort)
    lines = ["    say:"]
    lines += [f"      {quoted(op)}: {quoted(text)}" for op, text in phrases.items()]
    if not guess.parents and guess.labels and "contains" in phrases and tree_for(guess.labels):
        # A parent is said by `within`; without a hierarchy the operator has no meaning.
        lines += [f"      # within: {quoted(phrases['contains'])}  # with the hierarchy above"]
    block = block_for(named.label)
    words = [f"also: {flow([block])}"] if block else []
    values = lists_for(guess.labels) if guess.labels and not block else None
    words += [f"lists: {flow([values])}"] if values else []
    if words:
        lines.append(f"    words: {{{', '.join(words)}}}")
    else:
        lines.append("    words: {nouns: []}  # what else people call it")
    return lines


def _formats(outline: Outline) -> list[str]:
    column = outline.formats.column
    if column is None:
        return _no_formats()
    guess = next(guess for guess in outline.fields if guess.name == column)
    kind = guess.kind or Kind.TEXT
    lines = comment(f"{column}: {outline.formats.why}.")
    lines += ["formats:", f"  column: {quoted(outline.names[column].name)}"]
    known = block_for(outline.names[column].label)
    if kind.is_label:
        lines += [f"  label: {FORMATS_LABELS[0]}", '  say: "I can get it in these ways: {value}"']
    else:
        lines += [
            f"  label: {FORMATS_LABELS[1]}",
            "  single: in stock",
            '  say: "It must be {value}"',
        ]
    block = known or (block_for("delivery") if kind.is_label else None)
    words = f"also: {flow([block])}" if block else "nouns: [stock, availability]"
    return [*lines, f"  words: {{{words}}}"]


def _no_formats() -> list[str]:
    lines = comment(
        "No column says how an item can be had (stock, services, formats): formats are off. With "
        "such a column, take the marks from these lines:"
    )
    return [
        *lines,
        "# formats:",
        "#   column: stock        # a field above: labels, a flag, or a number in stock",
        "#   label: availability",
        "#   single: in stock     # what an item is called that has it, for a flag or a number",
        '#   say: "It must be {value}"',
        "#   words: {nouns: [stock, availability]}",
    ]


def _left_out(outline: Outline) -> list[str]:
    lines = comment("Left out:") if outline.left_out else []
    for guess in outline.left_out:
        lines += comment(f"{guess.name}: {guess.why}.", 2)
    return lines
