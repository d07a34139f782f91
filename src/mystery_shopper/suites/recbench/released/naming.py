"""What a graph calls the relations of the release."""

from __future__ import annotations

from collections.abc import Mapping

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph_values import name_key

_KNOWN_AS: Mapping[str, tuple[str, ...]] = {
    "directed by": ("director",),
    "director": ("director",),
    "starring": ("starring", "cast", "actor"),
    "actor": ("starring", "cast", "actor"),
    "written by": ("writer", "author", "authors", "screenwriter"),
    "author": ("author", "authors", "writer"),
    "screenplay by": ("writer", "screenwriter"),
    "genre": ("genre", "genres", "category"),
    "in category": ("category", "categories", "genre", "genres"),
    "category": ("category", "categories", "genre", "genres"),
    "production company": ("company", "production_company"),
    "production companies": ("company", "production_company"),
    "country": ("country",),
    "language": ("language",),
    "music by": ("composer", "music"),
    "composed by": ("composer", "music"),
    "cinematography": ("cinematographer", "cinematography"),
    "cinematography by": ("cinematographer", "cinematography"),
    "edited by": ("editor",),
    "produced by": ("producer",),
    "distributed by": ("distributor",),
    "published by": ("publisher",),
}
"""A relation as published, folded -> what graphs call it."""


def relation_in(graph: ItemGraph, relation: str) -> str | None:
    """What a graph calls a published relation; None where it lacks it."""
    folded = {name_key(name): name for name in graph.relations}
    key = name_key(relation)
    names = (key, *map(name_key, _KNOWN_AS.get(key, ())))
    return next((folded[name] for name in names if name in folded), None)
