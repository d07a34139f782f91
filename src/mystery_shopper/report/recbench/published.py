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
        "GPT-4o and DeepSeek-R1 generally outperform other models in Condition-based Queries; "
        "DeepSeek-R1's performance drop from Explicit to Implicit conditions is notably smaller "
        "compared to other models.",
    ),
    2: (
        "Harder types are answered worse",
        "Most LLMs perform best on explicit queries; on implicit ones P, R and CMR generally drop; "
        "misinformed ones have the lowest Recall and CMR, and a higher FTR.",
    ),
    3: (
        "More conditions",
        "Precision and Recall generally improve with an increasing number of conditions; CMR tends "
        "to decline for explicit queries and improves for implicit and misinformed ones.",
    ),
    4: (
        "The user's history",
        "Incorporating user-item interaction history generally enhances Precision across all query "
        'types, and does not always improve CMR: the model may recommend "distractor" items.',
    ),
    5: (
        "Agents differ on profile queries",
        "Gemini-1.5 Pro and DeepSeek-R1 generally demonstrate better performance; most models "
        "exhibit low FTR.",
    ),
    6: (
        "Interests and demographics",
        "Demographics-based Queries generally show lower Recall than Interest-based Queries (for "
        "movies); Precision is similar between the two types.",
    ),
    7: (
        "Popular interests",
        "For movies, queries based on more prevalent/popular interests tend to yield higher "
        "Precision and Recall; the book domain shows an opposite trend.",
    ),
    8: (
        "Who asks",
        "Higher Recall for female users; performance is best for users in sales/marketing roles; "
        "LLMs perform best in Recall for the 50-55 age group; for 56 and above it is weaker.",
    ),
}
"""Observation -> (its name here, what the paper saw, in its words as far as they go) (§6.1)."""

OF_WOMEN, OF_MEN = ("gender", "Female"), ("gender", "Male")
BEST_OCCUPATION = ("occupation", "sales/marketing")
BEST_AGE, WEAK_AGE = ("age", "50-55"), ("age", "56+")
"""The groups that observation 8 names, as MovieLens calls them."""
