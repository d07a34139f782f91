"""Who a user is, by MovieLens's codes: gender, age band, occupation (MovieLens 1M, README)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

GENDERS: Mapping[str, str] = MappingProxyType({"F": "Female", "M": "Male"})
"""Code -> name."""
AGES: Mapping[int, str] = MappingProxyType(
    {
        1: "Under 18",
        18: "18-24",
        25: "25-34",
        35: "35-44",
        45: "45-49",
        50: "50-55",
        56: "56+",
    }
)
"""Code, which is the youngest age of the band, -> name."""
OCCUPATIONS = (
    "other",
    "academic/educator",
    "artist",
    "clerical/admin",
    "college/grad student",
    "customer service",
    "doctor/health care",
    "executive/managerial",
    "farmer",
    "homemaker",
    "K-12 student",
    "lawyer",
    "programmer",
    "retired",
    "sales/marketing",
    "scientist",
    "self-employed",
    "technician/engineer",
    "tradesman/craftsman",
    "unemployed",
    "writer",
)
"""By code, from 0."""
YOUNG = AGES[1]
_NAMED_OTHERWISE = {
    "administrator": "clerical/admin",
    "doctor": "doctor/health care",
    "educator": "academic/educator",
    "engineer": "technician/engineer",
    "executive": "executive/managerial",
    "healthcare": "doctor/health care",
    "marketing": "sales/marketing",
    "none": "unemployed",
    "salesman": "sales/marketing",
    "technician": "technician/engineer",
}
"""The words of MovieLens 100K that mean an occupation of 1M. Two have no like: "entertainment" and
"librarian" stay as they are."""


@dataclass(frozen=True)
class Demographics:
    """What is known of a user, in MovieLens's names ("Female", "25-34", "academic/educator")."""

    gender: str | None = None
    age: str | None = None
    occupation: str | None = None


def age_band(years: int) -> str:
    """The name of the band that holds an age in years."""
    return AGES[max((start for start in AGES if start <= years), default=1)]


def occupation_named(word: str, age: str | None = None) -> str:
    """The name of an occupation that MovieLens 100K writes with one word. Its students under 18
    are pupils."""
    plain = word.strip()
    if plain == "student":
        return "K-12 student" if age == YOUNG else "college/grad student"
    return _NAMED_OTHERWISE.get(plain, plain)
