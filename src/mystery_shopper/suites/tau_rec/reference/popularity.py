"""The agents that go by popularity: one asks everything once and then proposes the most popular
match until one is accepted; the others leave out the asking, the proposing, or both. They use only
what the prompt tells agents. Source: τ-Rec-Books §5 (the first and the last)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from mystery_shopper.dialogue import Act, Message
from mystery_shopper.suites.tau_rec.reference.interview import Interviewer, Known
from mystery_shopper.suites.tau_rec.reference.script import Script, call
from mystery_shopper.suites.tau_rec.shelf import Interface


def popularity(work: Interviewer, opening: str) -> Script:
    """Ask, filter on what is stated, propose by popularity, abstain when none is left."""
    yield from _propose(work, (yield from work.learn(opening, ask=True)))


def propose_never_ask(work: Interviewer, opening: str) -> Script:
    """Never ask: propose the matches of the opening request by popularity."""
    yield from _propose(work, (yield from work.learn(opening, ask=False)))


def ask_never_propose(work: Interviewer, opening: str) -> Script:
    """Ask, and recommend the most popular unread match of what is stated, untested."""
    yield from _commit(work, (yield from work.learn(opening, ask=True)))


def no_ask(work: Interviewer, opening: str) -> Script:
    """Never ask: recommend the most popular unread match of the opening request."""
    yield from _commit(work, (yield from work.learn(opening, ask=False)))


def _propose(work: Interviewer, known: Known) -> Script:
    """Propose page by page until one is accepted; abstain when none is left."""
    if work.interface is Interface.KEYWORD:
        yield from _try(work, (yield from work.matches(known)))
    else:
        page = pages = 1
        while page <= pages:
            found = yield from _page(work, known, page)
            ids = [row["item_id"] for row in found.get("items", ())]
            yield from _try(work, [item_id for item_id in ids if work.fits(known, item_id)])
            page, pages = page + 1, found.get("pages", 0)
    yield from work.recommend(None)


def _commit(work: Interviewer, known: Known) -> Script:
    """Recommend the first match without proposing it; abstain where the first page has none."""
    if work.interface is Interface.KEYWORD:
        ids = list((yield from work.matches(known)))
    else:
        found = yield from _page(work, known, 1)
        ids = [row["item_id"] for row in found.get("items", ()) if work.fits(known, row["item_id"])]
    if ids:
        yield from work.disclose(ids[0])
    yield from work.recommend(ids[0] if ids else None)


def _try(work: Interviewer, ids: Iterable[str]) -> Script:
    """Propose one after the other, and recommend the first that is accepted."""
    for item_id in ids:
        if (yield from work.propose(item_id)):
            yield from work.recommend(item_id)


def _page(
    work: Interviewer, known: Known, page: int
) -> Generator[Act, Sequence[Message], dict[str, Any]]:
    """One page of the matches. A search that is refused, since the catalogue lacks a label that
    is required, shows that there are none."""
    given = work.arguments(known.predicates, known.formats)
    found = yield from call("search", **given, page=page)
    return {"items": [], "pages": 0} if "error" in found else found
