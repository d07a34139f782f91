"""The disclosure guard: what a user may not say now, and whether its words say it."""

from mystery_shopper.suites.tau_rec.guard.disclosure import Disclosure, Judged
from mystery_shopper.suites.tau_rec.guard.forms import Ear

__all__ = ["Disclosure", "Ear", "Judged"]
