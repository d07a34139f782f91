"""Why a cell cannot be a value of its field."""

from __future__ import annotations


class Unfit(ValueError):
    """`reason` is one of a few sentences that follow the value ("is not a number"); `remedy` says
    what would help, where something is known to."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
