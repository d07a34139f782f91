"""Acceptable items that an agent names in its words without tagging them as proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.bits import positions_of
from mystery_shopper.suites.tau_rec.task import Family

Names: TypeAlias = tuple[tuple[str, str], ...]
SHORTEST = 4


def answer_names(family: Family, catalogue: Catalogue) -> Names:
    """(id, title) of every item that meets all predicates of the family, most popular first."""
    masks = [predicate.mask(catalogue) for predicate in family.predicates]
    met = masks[0]
    for mask in masks[1:]:
        met = met & mask
    items = (catalogue.item(int(position)) for position in positions_of(met))
    return tuple((item.id, item.title) for item in items)


def untagged(names: Names, texts: Sequence[str]) -> int:
    """How many of the named items stand in the texts by title or id and are tagged in none.

    A title counts where it stands between other than letters and digits; titles of fewer than four
    characters are passed over, since they are mostly common words.
    """
    spoken = "\n".join(texts)
    count = 0
    for item_id, title in names:
        if title in spoken or item_id in spoken:
            tagged = f"[[candidate_id:{item_id}]]" in spoken.replace(
                "candidate_id: ", "candidate_id:"
            )
            count += not tagged and (item_id in spoken or stands_alone(title, spoken))
    return count


def stands_alone(title: str, text: str) -> bool:
    """Whether the title occurs in the text as words of its own."""
    start = text.find(title) if len(title) >= SHORTEST else -1
    while start >= 0:
        end = start + len(title)
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        if not (before.isalnum() or after.isalnum()):
            return True
        start = text.find(title, start + 1)
    return False
