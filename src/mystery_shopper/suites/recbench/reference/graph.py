"""The agent that reads requests by the rules of our templates and answers from the item graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.suites.recbench.implied import common_codes
from mystery_shopper.suites.recbench.mistaken import contradicted
from mystery_shopper.suites.recbench.reference.answering import Found, Request, best
from mystery_shopper.suites.recbench.shelf import Shelf, name_words
from mystery_shopper.suites.recbench.wording import Claim, Reading

NOTHING_FITS = "Nothing in the catalogue meets all of that."
_LONGEST = 7
"""Words of a name."""

Ints = NDArray[np.integer]


def graph(request: Request, shelf: Shelf) -> Found:
    """Reads the request, follows its references, and gives what meets all of it, the likest to the
    titles that it tells of first, then the most popular.

    A claim that the graph contradicts is named in the concerns, and its value is taken as what is
    wanted. Where the rules find no condition, every name of a value in the text counts as one, and
    what bears the most of them comes first.
    """
    reading = shelf.reader.read(request.text)
    wanted = list(_conditions(shelf.graph, reading))
    concerns = _mistakes(shelf, reading.claims)
    out = {*reading.named, *request.history}
    if wanted:
        order = _by_likeness(shelf, shelf.graph.meets(wanted), _told(reading))
    else:
        order = _loosely(shelf, request.text, reading)
    found = best(shelf, order.tolist(), out, request.wanted)
    if not found:
        concerns.append(NOTHING_FITS)
    return Found(found, concerns)


def _conditions(graph: ItemGraph, reading: Reading) -> Iterator[Condition]:
    """What is stated, what the references come to, and what is claimed."""
    yield from reading.stated
    for reference in reading.references:
        through = [graph.position_of[item] for item in reference.items]
        for code in sorted(common_codes(graph, through, reference.relation)):
            yield graph.condition(code)
    yield from dict.fromkeys(claim.condition for claim in reading.claims)


def _mistakes(shelf: Shelf, claims: Iterable[Claim]) -> list[str]:
    """What is wrong with claims that the graph contradicts."""
    told: list[str] = []
    for claim in claims:
        code = shelf.graph.code(claim.condition)
        for item in claim.items:
            position = shelf.graph.position_of[item]
            if code is not None and contradicted(shelf.graph, position, code):
                borne = " and ".join(shelf.graph.values_of(position, claim.condition.relation))
                told.append(f"{denied(shelf, claim, item)}: it has {borne}.")
    return told


def denied(shelf: Shelf, claim: Claim, item: str) -> str:
    """That an item does not meet a claim, in words."""
    title = shelf.dated(item) if item in shelf.position_of else item
    return f"“{title}” does not have {claim.condition.value} as {claim.condition.relation}"


def _told(reading: Reading) -> list[str]:
    """The titles that the request tells of for their own sake."""
    used = {item for one in (*reading.references, *reading.claims) for item in one.items}
    return [item for item in reading.named if item not in used]


def _by_likeness(shelf: Shelf, found: Ints, told: Sequence[str]) -> Ints:
    """Positions by how many values they share with the titles told, the rarer a value the more;
    equals by popularity."""
    if not told or not found.size:
        return found
    weights = _weights(shelf.graph, [shelf.position_of[item] for item in told])
    return found[np.argsort(-weights[found], kind="stable")]


def _weights(graph: ItemGraph, positions: Iterable[int]) -> NDArray[np.float64]:
    """How like each item is to some: the sum over their values of ln(items / bearers)."""
    weights = np.zeros(len(graph))
    for position in positions:
        for code in graph.codes_of(position).tolist():
            bearers = graph.bearers(code)
            weights[bearers] += np.log(len(graph) / len(bearers))
    return weights


def _loosely(shelf: Shelf, text: str, reading: Reading) -> Ints:
    """Positions of what bears most of the values that a text names, and shares any with the titles
    told."""
    weights = _weights(shelf.graph, [shelf.position_of[item] for item in reading.named])
    weights /= weights.max(initial=0.0) + 1
    for code in _named_codes(shelf, text):
        weights[shelf.graph.bearers(code)] += 1
    found = np.flatnonzero(weights)
    return found[np.argsort(-weights[found], kind="stable")]


def _named_codes(shelf: Shelf, text: str) -> list[int]:
    """The codes of the values named in a text, the longest names first come."""
    table = shelf.code_of_name
    words = name_words(text)
    codes: list[int] = []
    place = 0
    while place < len(words):
        for end in range(min(len(words), place + _LONGEST), place, -1):
            code = table.get(" ".join(words[place:end]))
            if code is not None:
                codes.append(code)
                place = end - 1
                break
        place += 1
    return list(dict.fromkeys(codes))
