"""The claims of an observation as one table, and what they come to in words."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.report.recbench.claims import Claim, Verdict, overall
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import DASH, figure, plural, whole

HEAD = ("agent", "claim", "verdict", "first", "second", "difference", "queries or answers", "users")
NOTE = (
    "First and second: the means that the claim compares, in its order; of two agents the drops or "
    "the figures of each. Difference: first minus second, with a 95 % interval that draws users; "
    "pairs of the same queries where both runs answered them. Seen: the interval lies wholly where "
    "the claim says. Not seen: it does not reach there. Else it cannot be told, as from fewer than "
    "6 users. That two agents differ is corrected by Holm, figure by figure; the other claims are "
    "not corrected for their number."
)


def claim_table(title: str, claims: Sequence[Claim], caption: str, more: str = "") -> Table:
    """A row a claim; a claim that nothing could be computed for says why."""
    rows = tuple(_row(one) for one in claims)
    return Table(title, f"{NOTE} {more}".strip(), caption, HEAD, rows, 3)


def _row(one: Claim) -> tuple[str, ...]:
    told = f"{one.verdict.value} ({one.why})" if one.why else one.verdict.value
    found = one.difference
    return (
        one.run,
        one.what + (", first five" if one.five else ""),
        told,
        figure(one.first),
        figure(one.second),
        difference(one),
        whole(found.tasks) if found is not None else DASH,
        whole(found.clusters) if found is not None else DASH,
    )


def difference(one: Claim) -> str:
    """`+0.104 [+0.050, +0.160]`; of a claim about one share the share itself has no sign."""
    found = one.difference
    if found is None or found.estimate is None:
        return DASH
    form = "+.3f" if one.second is not None else ".3f"
    bounds = ""
    if found.low is not None and found.high is not None:
        bounds = f" [{found.low:{form}}, {found.high:{form}}]"
    return f"{found.estimate:{form}}{bounds}"


def answer(claims: Sequence[Claim]) -> str:
    """What the runs show, in words: the verdict, then each claim with how many runs show it, or
    with its difference where there is one run."""
    by_claim: dict[str, list[Claim]] = {}
    for one in claims:
        by_claim.setdefault(one.what, []).append(one)
    told = "; ".join(_told(what, found) for what, found in by_claim.items())
    return f"{overall(claims).value.capitalize()}. {told}."


def _told(what: str, claims: Sequence[Claim]) -> str:
    if len(claims) == 1:
        one = claims[0]
        shown = difference(one)
        why = f" ({one.why})" if one.why else ""
        return f"{what}: {one.verdict.value}{'' if shown == DASH else f', {shown}'}{why}"
    counts = [
        f"{verdict.value} {sum(one.verdict is verdict for one in claims)}"
        for verdict in Verdict
        if any(one.verdict is verdict for one in claims)
    ]
    return f"{what}: of {plural(len(claims), 'comparison')} {', '.join(counts)}"
