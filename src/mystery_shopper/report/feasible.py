"""Which tiers and templates a catalogue can meet, and which fields nobody can ask about, in the
words of `catalog show`."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.catalog import Catalogue, Domain
from mystery_shopper.foundation import InputError
from mystery_shopper.report.catalogview import TierView
from mystery_shopper.suites.tau_rec.generate.probe import feasibility
from mystery_shopper.suites.tau_rec.probe.mute import mute_fields
from mystery_shopper.suites.tau_rec.task import Tier

_MUTE = "a question by its label is not understood; choose another `label`"


def tiers_of(catalogue: Catalogue) -> tuple[TierView, ...]:
    """A view of every tier. Where the domain's fields fill no tier, each says why."""
    try:
        found = feasibility(catalogue)
    except InputError as error:
        return tuple(TierView(tier.value, False, (), _of(tier, error.problems)) for tier in Tier)
    return tuple(
        TierView(
            tier=tier.tier.value,
            feasible=tier.feasible,
            templates=tuple(one.text for one in tier.templates if one.satisfiable.made),
            problems=(
                *([tier.obstacle] if tier.obstacle else []),
                *(f"{one.text}: {one.dropped}" for one in tier.templates if one.dropped),
            ),
        )
        for tier in found.tiers
    )


def _of(tier: Tier, problems: Sequence[str]) -> tuple[str, ...]:
    """The problems without those that are another tier's."""
    others = [other.value for other in Tier if other is not tier]
    return tuple(
        problem
        for problem in problems
        if not any(f"tier {name}:" in problem or f"templates.{name}:" in problem for name in others)
    )


def mute_of(domain: Domain) -> dict[str, str]:
    """Field (or the formats' name) -> what is wrong, of those nobody can ask about by label."""
    return dict.fromkeys(mute_fields(domain), _MUTE)
