"""The suite's reference agents, by name. `oracle` scores full marks, `null` recommends nothing; the
others show what popularity, keywords, reading by rule, and other users' histories are worth."""

from mystery_shopper.suites.recbench.reference.catalogued import AGENTS, AgentFactory

__all__ = ["AGENTS", "AgentFactory"]
