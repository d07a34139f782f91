"""The lasting engine: runs through Inspect AI, for agents and users that talk to somebody.

Inspect is imported when a run begins, not before; without it the extra that is missing is named.
"""

from mystery_shopper.engine.lasting.needs import run_through_inspect

__all__ = ["run_through_inspect"]
