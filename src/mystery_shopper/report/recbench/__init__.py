"""The report of the suite `recbench`: figures, the paper's observations, tables and trials."""

from mystery_shopper.report.recbench.telling import tell

__all__ = ["tell"]
