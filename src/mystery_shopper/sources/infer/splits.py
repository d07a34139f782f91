"""Whether a column's cells hold several values, and what stands between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from mystery_shopper.catalog import fold

_SEPARATORS = ("|", ";", " > ", ">", "::", " / ", "/", ",")
_PATHS = (" > ", ">", "::", "/", " / ", "|")
_SELDOM_IN_NAMES = ("|", ";")
_LONGEST = 60
_SUFFIX = re.compile(r"(Jr|Sr|Inc|Ltd|LLC|GmbH|Co|M\.?D|Ph\.?D)\.?|I{2,3}|IV|[A-Z]{2}")


@dataclass(frozen=True)
class Split:
    """How a column's cells are taken apart.

    `labels`: part -> number of cells that hold it. `several`: the share of cells with more than one
    part. `parents`: the tree that the parts make where the cells are paths (child -> parent), else
    empty. `doubt`: what speaks against it.
    """

    separator: str
    labels: Counter[str]
    cells: int
    several: float
    parents: Mapping[str, str]
    doubt: str = ""


def split_of(counts: Counter[str], *, plural: bool = False) -> tuple[Split | None, str]:
    """(how the cells are taken apart, why not). `counts`: cell -> number of rows. The split is None
    where the parts are no smaller vocabulary than the cells, and the text then says what speaks
    against the separator that occurs. `plural`: the column's name speaks of several, so commas that
    may as well be part of names are taken as separators."""
    remark = ""
    total = sum(counts.values())
    for separator in _SEPARATORS:
        held = {cell: n for cell, n in counts.items() if separator in cell}
        if sum(held.values()) < max(2, 0.02 * total):
            continue
        parts = {cell: parts_of(cell, separator) for cell in counts}
        tree = _tree(parts, held, total) if separator in _PATHS else None
        problem = "" if tree else _problem(parts, counts, held, separator)
        doubt = ""
        if problem and plural and separator in (",", ";") and _names_people(parts, held):
            doubt = f"split at {separator!r} as its name is a plural, though {problem}"
            problem = ""
        if problem:
            remark = remark or problem
            continue
        labels: Counter[str] = Counter()
        for cell, count in counts.items():
            for part in dict.fromkeys(parts[cell]):
                labels[part] += count
        several = sum(n for cell, n in counts.items() if len(parts[cell]) > 1) / total
        mark = separator.strip() or separator
        doubt = doubt or _doubt(labels, separator)
        return Split(mark, labels, len(counts), several, tree or {}, doubt), ""
    return None, remark


def parts_of(cell: str, separator: str) -> list[str]:
    """The parts of a cell, without blanks around them and without empty ones."""
    return [part for part in map(str.strip, cell.split(separator)) if part]


def _problem(
    parts: Mapping[str, list[str]],
    counts: Counter[str],
    held: Mapping[str, int],
    separator: str,
) -> str:
    """Why the separator takes no values apart; empty where it does.

    It does where the parts of cells that hold it come back: their vocabulary is markedly smaller
    than that of these cells, or nearly all their occurrences are of parts that occur elsewhere. And
    where parts change places: in "New York, NY" what stands second never stands first. (Bars and
    semicolons do not occur in names, so they need not show that.)
    """
    vocabulary = {part for cell in held for part in parts[cell]}
    shown = separator.strip()
    if not vocabulary:
        return f"nothing stands around {shown!r}"
    if sum(len(part) > _LONGEST for part in vocabulary) > 0.02 * len(vocabulary):
        return f"what stands between {shown!r} are long texts"
    heads = {parts[cell][0] for cell in counts if parts[cell]}
    rest = Counter({cell: held[cell] for cell in held if len(parts[cell]) > 1})
    later = [(part, n) for cell, n in rest.items() for part in parts[cell][1:]]
    moving = sum(n for part, n in later if part in heads) / max(1, sum(n for _, n in later))
    if moving < 0.5 and separator not in _SELDOM_IN_NAMES:
        return (
            f"what stands after {shown!r} seldom stands first ({moving:.0%}), so it may be part "
            "of a name"
        )
    uses = sum(len(parts[cell]) * n for cell, n in held.items())
    smaller = len(vocabulary) <= 0.7 * len(held)
    if not smaller and uses < 3 * len(vocabulary):
        return (
            f"split at {shown!r}, {len(held):,} different cells give {len(vocabulary):,} different "
            "parts: no smaller vocabulary"
        )
    return ""


def _names_people(parts: Mapping[str, list[str]], held: Mapping[str, int]) -> bool:
    """Whether the parts look like names: short, and nearly all of two words or more."""
    some = [part for cell in held for part in parts[cell]]
    return sum(" " in part and len(part) < 40 for part in some) > 0.8 * len(some)


def _doubt(labels: Counter[str], separator: str) -> str:
    if separator != ",":
        return ""
    odd = [part for part in labels if _SUFFIX.fullmatch(part)]
    if odd and len(odd) < 0.5 * len(labels):
        return f"parts such as {odd[0]!r} look like the end of a name that holds a comma"
    return ""


def _tree(
    parts: Mapping[str, list[str]], held: Mapping[str, int], total: int
) -> dict[str, str] | None:
    """Child -> parent where the cells are paths of a tree: nearly all have several parts, there are
    few roots, hardly a part stands under two others (such parts are left out). None elsewhere."""
    deep = [parts[cell] for cell in held if len(parts[cell]) > 1]
    if not deep or sum(held.values()) < 0.7 * total:
        return None
    above: dict[str, set[str]] = {}
    spelt: dict[str, str] = {}
    for path in deep:
        for parent, child in pairwise(path):
            above.setdefault(fold(child), set()).add(fold(parent))
            spelt.setdefault(fold(child), child)
            spelt.setdefault(fold(parent), parent)
    roots = {fold(path[0]) for path in deep}
    twice = sum(len(parents) > 1 for parents in above.values())
    if roots & set(above) or len(roots) > 0.5 * len(above) or twice > 0.1 * len(above):
        return None
    return {spelt[key]: spelt[min(over)] for key, over in above.items() if len(over) == 1}
