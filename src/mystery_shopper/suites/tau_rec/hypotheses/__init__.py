"""What a declined field may hide, and how verdicts narrow it down."""

from mystery_shopper.suites.tau_rec.hypotheses.elimination import Elimination
from mystery_shopper.suites.tau_rec.hypotheses.space import HypothesisSpace

__all__ = ["Elimination", "HypothesisSpace"]
