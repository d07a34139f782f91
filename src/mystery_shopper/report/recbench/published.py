"""Figures of the RecBench+ paper that stand beside ours, marked as the paper's.

Only what stands in our copy of the paper's text is here; its tables and figures do not, so a cell
that is not here stays blank. They are of other agents and of the paper's own queries: shown to be
read, never mixed into a figure of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MARK = "paper"
"""How a row's first cell names the paper's own figures."""


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """The statistics of one of the paper's sets (§5.1); `interest`: interest queries (§4.2.3)."""

    queries: int
    users: int
    items: int
    interactions: int
    interest: int | None = None


SETS: Mapping[str, PublishedSet] = {
    "Movie": PublishedSet(19_529, 6_036, 3_247, 33_291, 7_365),
    "Book": PublishedSet(14_965, 4_421, 9_016, 29_285),
}
"""Domain -> its set."""

FTR_AGENT = "GPT-4o"
FTR_MISINFORMED = 0.270
"""FTR of that agent on misinformed film queries (§6.1.1, observation 2)."""

ATTRIBUTES_OF_FILMS = 7
"""Relations of the paper's film graph (§4.2.1.1)."""

AGENTS = 7
"""Language models that the paper evaluates."""

FIVE = 5
"""Its fixed K (appendix F)."""

OBSERVED: Mapping[int, tuple[str, str]] = {
    1: (
        "Agents differ on condition queries",
        "GPT-4o and DeepSeek-R1 come out ahead of the five other models, and DeepSeek-R1 loses "
        "least from explicit to implicit conditions.",
    ),
    2: (
        "Harder types are answered worse",
        "Explicit queries are answered best. Precision, recall and CMR drop on implicit ones; on "
        "misinformed ones recall and CMR are lowest and FTR is higher.",
    ),
    3: (
        "More conditions",
        "With more conditions precision and recall rise; CMR falls for explicit queries and rises "
        "for implicit and misinformed ones.",
    ),
    4: (
        "The user's history",
        "A history that is handed over raises precision for every type, but not always CMR: it can "
        "draw a model to items that suit the user and break a condition.",
    ),
    5: (
        "Agents differ on profile queries, and answer them",
        "Gemini-1.5 Pro and DeepSeek-R1 do better than the others; FTR is low for most models.",
    ),
    6: (
        "Interests and demographics",
        "For films, recall is lower on demographics than on interests, and precision about equal.",
    ),
    7: (
        "Popular interests",
        "For films, precision and recall rise with the number of users who share an interest; for "
        "books it is the other way round.",
    ),
    8: (
        "Who asks",
        "Recall is higher for women than for men, highest for people in sales or marketing and for "
        "those of 50 to 55, and lower from 56 on.",
    ),
}
"""Observation -> (its name here, what the paper saw, in our words) (§6.1)."""

OF_WOMEN, OF_MEN = ("gender", "Female"), ("gender", "Male")
BEST_OCCUPATION = ("occupation", "sales/marketing")
BEST_AGE, WEAK_AGE = ("age", "50-55"), ("age", "56+")
"""The groups that observation 8 names, as MovieLens calls them."""
