"""Proofs of an imported set: its ids are the graph's, and who meets its conditions is all there.

What else a published query says (its wording, its claim, whom it counts) is as released.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.query import Query

Finding = tuple[str, str | None]
"""As `validate.Finding`."""


def imported_findings(
    query: Query,
    items: Mapping[str, object],
    bearers: Mapping[tuple[str, str], frozenset[str]],
) -> Iterator[Finding]:
    """(property, what is wrong or None). `items`: the graph's, by id. `bearers`: (relation, folded
    value) -> the items that bear it. A query with a condition that no item bears here has no
    `matching` to prove: the graph does not know."""
    unknown = [item for item in (*query.own, *query.matching, *query.named) if item not in items]
    told = ", ".join(dict.fromkeys(unknown[:5]))
    yield "ids", f"{told} is not in the graph" if unknown else None
    pairs = [(part.relation, name_key(part.value)) for part in query.parts]
    if not pairs or not all(pair in bearers for pair in pairs):
        return
    meeting = frozenset.intersection(*(bearers[pair] for pair in pairs)) - set(query.named)
    lacking = sorted(meeting.difference(query.matching))
    yield "matching", f"lacks {', '.join(lacking[:5])}" if lacking else None
    odd = sorted(set(query.matching) - meeting - set(query.own))
    yield "matching", f"must not hold {', '.join(odd[:5])}" if odd else None
