"""What the titles of many answers came to: how many are items, and which are unknown or fit
several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mystery_shopper.suites.recbench.answers import Answer, Named
from mystery_shopper.suites.recbench.released import Unresolved
from mystery_shopper.suites.recbench.summary import Entry
from mystery_shopper.suites.recbench.titles import TitleIndex

_MOST_QUERIES = 3


@dataclass(frozen=True)
class TitleAccount:
    """The recommended titles of many answers, each once an answer, as they are scored. `known`: how
    many came to an item; the others by title, the commonest first."""

    known: int
    ambiguous: tuple[Unresolved, ...]
    unknown: tuple[Unresolved, ...]

    @property
    def recommended(self) -> int:
        """All of them."""
        return self.known + sum(one.times for one in (*self.ambiguous, *self.unknown))


def account_of(
    entries: Iterable[Entry], answers: Mapping[str, Answer], titles: TitleIndex
) -> TitleAccount:
    """The account of scored answers. `answers`: query id -> what was scored."""
    known = 0
    missed: dict[str, dict[str, Unresolved]] = {"ambiguous": {}, "unknown": {}}
    for entry in entries:
        said: dict[str, Named] | None = None
        for pick in entry.score.picks:
            if pick.item_id is not None:
                known += 1
                continue
            if said is None:
                items = reversed(answers[entry.query_id].items)
                said = {item.title or item.id or "": item for item in items}
            item = said[pick.text]
            shown = f"{pick.text} ({item.year})" if item.title and item.year else pick.text
            of_kind, key = missed[pick.found], " ".join(shown.casefold().split())
            if (before := of_kind.get(key)) is None:
                found = titles.resolve_first(item.readings, item.year, item.id)
                before = Unresolved(shown, 0, found.candidates)
            queries = (*before.queries, entry.query_id)[:_MOST_QUERIES]
            of_kind[key] = replace(before, times=before.times + 1, queries=queries)
    ambiguous, unknown = (
        tuple(sorted(missed[kind].values(), key=lambda one: (-one.times, one.title)))
        for kind in ("ambiguous", "unknown")
    )
    return TitleAccount(known, ambiguous, unknown)
