"""Adapters for systems under test."""

from mystery_shopper.agents.human import HumanAgent, Terminal

__all__ = ["HumanAgent", "Terminal"]
