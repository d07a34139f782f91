"""Task sets from a catalogue: seeded, deterministic, every rule of the suite enforced."""

from mystery_shopper.suites.tau_rec.generate.build import GENERATOR, generate
from mystery_shopper.suites.tau_rec.generate.rules import Rules

__all__ = ["GENERATOR", "Rules", "generate"]
