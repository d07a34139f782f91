"""What a generation is asked for, and one answer to one brief."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mystery_shopper.suites.tau_rec.generate.plan import Brief
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.probe import TierTemplates
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.task import Family, Tier


@dataclass(frozen=True)
class Order:
    """What is drawn from what. `exact`: a number was asked for, and fewer will not do."""

    pool: Pool
    rules: Rules
    seed: int
    templates: Mapping[Tier, TierTemplates]
    exact: bool


@dataclass(frozen=True)
class Made:
    """A family, the brief that it was to meet, and the one, perhaps plainer, that it meets."""

    family: Family
    wanted: Brief
    met: Brief
