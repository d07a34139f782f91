"""What a person who answered a request is shown afterwards.

What was asked, what answers it, and how each title of theirs was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mystery_shopper.engine.loading import folder_of, load_book, load_part
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites.recbench import graph_in, own, shelf_over
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.recbench.amiss import ASKS, MUTE, NAMED, REFUSES, UNREAD, amiss_in
from mystery_shopper.suites.recbench.fits import Fit, fit_of
from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.score import Pick
from mystery_shopper.suites.recbench.shelf import Shelf

SHOWN = 10
"""Titles of a list that are told."""
FITS = {
    Fit.NAMED: "does not count: the request names it",
    Fit.OWN: "yes, the user's own",
    Fit.MATCHING: "yes",
}
FORMS = {
    ASKS: "you asked back, and nobody replies: your first words are the answer",
    REFUSES: "you said that there is nothing to recommend",
    NAMED: "you named only what the request itself names",
    UNREAD: "no title could be read in your answer",
    MUTE: "you said nothing",
}
GIVEN = {"stated": "stated", "reference": "what is common to", "claim": "wrongly claimed of"}


def what_was_asked(plan: RunPlan) -> Iterator[RenderableType]:
    """What the request rests on, and what answers it."""
    query, shelf = _query(plan), _shelf(plan)
    noun = shelf.catalogue.domain.noun
    if query.parts:
        table = Table("relation", "value", "given", title="What the request asks for")
        for part in query.parts:
            through = "; ".join(map(shelf.dated, part.through))
            given = f"{GIVEN[part.given.value]} {through}".strip()
            table.add_row(Text(part.relation), Text(part.value), Text(given))
        yield table
    if query.profile is not None:
        yield Text(f"What the request rests on: {query.profile.reason}")
    yield Text(f"The user's own: {_listed(query.own, shelf)}.")
    count = len(query.matching)
    whole = "the group's whole list" if query.kind.is_profile else "all that meet every condition"
    yield Text(f"In all {count:,} {noun.singular if count == 1 else noun.plural} count: {whole}.")


def how_it_scored(plan: RunPlan, trial: Trial) -> Iterator[RenderableType]:
    """How each title of the answer was read, what the answer is worth, and why it recommends
    nothing where it does not."""
    query, shelf, score = _query(plan), _shelf(plan), trial.requested
    if score.picks:
        table = Table("you wrote", "read as", "fits", title="How your answer was read")
        for pick in score.picks:
            read, fits = _read(pick, query, shelf)
            table.add_row(Text(pick.text), Text(read), Text(fits))
        yield table
    if score.success is None:
        yield Text("Not scored: nothing in this catalogue can be told to fit.", style="bold yellow")
    elif score.success:
        yield Text("Success: all that you recommend fits.", style="bold green")
    else:
        why = score.failure.value.replace("_", " ") if score.failure else "not all of it fits"
        yield Text(f"Failed: {why}.", style="bold red")
    silent = amiss_in(trial).silent
    if silent:
        yield Text(f"Nothing was recommended: {FORMS.get(silent, silent)}.")
    figures = score.figures
    told = {
        "CMR": figures.cmr,
        "precision": figures.precision_own,
        "recall": figures.recall_own,
        "precision against all that count": figures.precision_all,
    }
    shares = [f"{name} {value:.2f}" for name, value in told.items() if value is not None]
    if figures.names_mistake is not None:
        shares.append("the mistake named" if figures.names_mistake else "the mistake not named")
    shares.append(f"{score.calls} tool calls")
    yield Text(f"{', '.join(shares)}.", style="dim")


def _read(pick: Pick, query: Query, shelf: Shelf) -> tuple[str, str]:
    """(what a title came to, whether it fits)."""
    fit = fit_of(pick, query)
    if pick.item_id is None:
        noun = shelf.catalogue.domain.noun.plural
        several = fit is Fit.AMBIGUOUS
        return (f"several {noun}: say the year" if several else "nothing in the catalogue"), "no"
    return f"{shelf.dated(pick.item_id)}, {pick.item_id}", FITS.get(fit, "no")


def _listed(items: Sequence[str], shelf: Shelf) -> str:
    told = [shelf.dated(item) for item in items if item in shelf.position_of]
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return ("; ".join(told[:SHOWN]) or "nothing in this catalogue") + more


def _query(plan: RunPlan) -> Query:
    return own(load_book(plan.suite, plan.task_set)).by_id[plan.tasks[0]]


def _shelf(plan: RunPlan) -> Shelf:
    catalogue, folder = load_part(plan.source, plan.size), folder_of(plan.source)
    return shelf_over(catalogue, None if folder is None else graph_in(folder, catalogue))
