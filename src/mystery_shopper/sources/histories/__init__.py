"""Histories of users: who consumed what, when, how they liked it, and who they are."""

from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    OCCUPATIONS,
    Demographics,
    age_band,
)
from mystery_shopper.sources.histories.histories import Histories

__all__ = ["AGES", "GENDERS", "OCCUPATIONS", "Demographics", "Histories", "age_band"]
