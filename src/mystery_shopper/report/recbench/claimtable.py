"""The claims of an observation as one table, and what they come to in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.report.recbench.claims import ALIKE, Claim, Verdict, overall
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import DASH, figure, plural, whole

HEAD = ("agent", "claim", "verdict", "first", "second", "difference", "queries or answers", "users")
NOTE = (
    "First and second: the means that the claim compares, in its order; of two agents the drops or "
    "the figures of each. Difference: first minus second, with a 95 % interval that draws users; "
    "pairs of the same queries where both runs answered them. Seen: the interval lies wholly where "
    "the claim says. Not seen: it does not reach there. Else it cannot be told, as from fewer than "
    f"6 users. Alike: the interval lies within {ALIKE} either way. At the floor, where each side's "
    f"own interval lies within {ALIKE} of the worst (0, of FTR 1), any two would be alike: that "
    "cannot be told either. That two agents differ is corrected by Holm, figure by figure; the "
    "other claims are not corrected for their number."
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


@dataclass(frozen=True, slots=True)
class Told:
    """One claim in words: what it says, and what came of it: with one comparison its verdict and
    difference, with several how many of them have which verdict."""

    what: str
    found: str
    verdict: Verdict


def told(claims: Sequence[Claim]) -> tuple[Told, ...]:
    """What the runs show, claim by claim."""
    by_claim: dict[str, list[Claim]] = {}
    for one in claims:
        by_claim.setdefault(one.what, []).append(one)
    return tuple(Told(what, _found(some), overall(some)) for what, some in by_claim.items())


def _found(claims: Sequence[Claim]) -> str:
    if len(claims) == 1:
        one = claims[0]
        shown = difference(one)
        why = f" ({one.why})" if one.why else ""
        return f"{one.verdict.value}{'' if shown == DASH else f', {shown}'}{why}"
    counts = [
        f"{verdict.value} {number}"
        for verdict in Verdict
        if (number := sum(one.verdict is verdict for one in claims))
    ]
    why = {one.why for one in claims}
    reason = f" ({why.pop()})" if len(why) == 1 and "" not in why else ""
    return f"{', '.join(counts)} of {plural(len(claims), 'comparison')}{reason}"
