"""The disclosure report: the paper's research questions, asked of the runs at hand."""

from mystery_shopper.report.disclosure.effects import Effect, Finding
from mystery_shopper.report.disclosure.settings import Panel, Played, Setting, panels
from mystery_shopper.report.disclosure.twelve import Twelve, twelve

__all__ = ["Effect", "Finding", "Panel", "Played", "Setting", "Twelve", "panels", "twelve"]
