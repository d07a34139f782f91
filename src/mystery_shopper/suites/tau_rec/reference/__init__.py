"""The suite's reference agents, by name. `oracle` scores full marks, `null` nothing on satisfiable
tasks; the others show what asking, proposing and eliminating are worth."""

from mystery_shopper.suites.tau_rec.reference.catalogued import AGENTS, AgentFactory
from mystery_shopper.suites.tau_rec.reference.interview import Interviewer
from mystery_shopper.suites.tau_rec.reference.script import Scripted, call, say

__all__ = ["AGENTS", "AgentFactory", "Interviewer", "Scripted", "call", "say"]
