"""Task sets from a catalogue: seeded, deterministic, every rule of the suite enforced."""

from mystery_shopper.suites.tau_rec.generate.account import (
    Draws,
    Feasibility,
    QuotaAccount,
    TemplateAccount,
    TierAccount,
)
from mystery_shopper.suites.tau_rec.generate.build import GENERATOR, Drawn, draw_tasks, generate
from mystery_shopper.suites.tau_rec.generate.probe import feasibility
from mystery_shopper.suites.tau_rec.generate.rules import Rules

__all__ = [
    "GENERATOR",
    "Drawn",
    "Draws",
    "Feasibility",
    "QuotaAccount",
    "Rules",
    "TemplateAccount",
    "TierAccount",
    "draw_tasks",
    "feasibility",
    "generate",
]
