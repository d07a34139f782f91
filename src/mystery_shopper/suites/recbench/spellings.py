"""Values near to one that the graph lacks."""

from __future__ import annotations

from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph_values import name_key

MOST = 20
"""So many near values are told, and of a relation that has no more than twice as many all."""
_LIKE = 60
_LONGEST = 100


@dataclass(frozen=True, eq=False)
class Spellings:
    """Finds near values in a graph; keeps the folded values of relations that were asked for."""

    graph: ItemGraph
    _kept: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def near(self, relation: str, value: str) -> list[str]:
        """The values that hold every word of another one, then those of similar spelling
        (rapidfuzz ratio >= 60), the nearest first; of a relation with few values then the rest.
        Only the first 100 characters count. Raises UnknownRelation."""
        values = self.graph.values(relation)
        keys = self._kept.get(relation)
        if keys is None:
            keys = self._kept[relation] = [name_key(one) for one in values]
        asked = name_key(value[:_LONGEST])
        words = asked.split()
        found: dict[int, None] = {}
        for place, key in enumerate(keys):
            if all(word in key for word in words):
                found[place] = None
                if len(found) == MOST:
                    break
        hits = process.extract(asked, keys, scorer=fuzz.ratio, limit=MOST, score_cutoff=_LIKE)
        found.update(dict.fromkeys(int(hit[2]) for hit in hits))
        if len(values) <= 2 * MOST:
            return [values[place] for place in dict.fromkeys((*found, *range(len(values))))]
        return [values[place] for place in list(found)[:MOST]]
