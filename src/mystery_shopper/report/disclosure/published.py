"""Figures of the τ-Rec-Books paper that stand beside ours, marked as the paper's.

They are of other agents on another catalogue (20,000 books): shown to be read, never mixed into a
figure of ours. Only what stands in the paper's text is here; a cell that is not there stays blank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mystery_shopper.report.disclosure.settings import HIDDEN, KEYWORD, MIXED, STRUCTURED, VOLUNTEER
from mystery_shopper.report.disclosure.twelve import CROSSED, INTERFACE, SCALE

MARK = "paper"
"""How a head, or a row's first cell, names the paper's own figures."""


@dataclass(frozen=True, slots=True)
class PublishedContrast:
    """A row of Table 4: points, interval, the p value over families as printed (adjusted but for
    the test that stands alone), and the exact sign-flip p value over templates."""

    points: float
    low: float
    high: float
    families: str
    templates: str


CONTRASTS: Mapping[str, PublishedContrast] = {
    INTERFACE: PublishedContrast(7.1, 3.0, 11.4, "0.0005", "0.15"),
    f"{MIXED} gap, all": PublishedContrast(-23.3, -27.3, -19.3, "≤ 0.0011", "0.003"),
    f"{HIDDEN} gap, satisfiable": PublishedContrast(-69.3, -76.3, -61.9, "≤ 0.0011", "0.005"),
    f"{KEYWORD} {SCALE}": PublishedContrast(4.2, 1.3, 7.0, "0.0255", "0.42"),
    f"{STRUCTURED} {SCALE}": PublishedContrast(0.8, -0.2, 1.8, "0.288", "0.62"),
    CROSSED: PublishedContrast(-3.3, -6.4, -0.3, "0.140", "0.56"),
}
"""By role (Table 4). The rows of single agents have no counterpart here."""

USERS: Mapping[str, PublishedContrast] = {
    "GLM": PublishedContrast(-10.2, -15.7, -4.6, "≤ 0.0011", "0.38"),
    "Qwen": PublishedContrast(-7.4, -13.2, -2.3, "0.0138", "0.42"),
}
"""Table 4: model users minus the rule-based one, over the agent DeepSeek."""

PASSES: Mapping[tuple[str, int], float] = {
    (VOLUNTEER, 1): 0.975,
    (MIXED, 1): 0.756,
    (HIDDEN, 1): 0.283,
    (VOLUNTEER, 4): 0.955,
    (MIXED, 4): 0.582,
    (HIDDEN, 4): 0.099,
}
"""(condition, k) -> pass^k on satisfiable families, averaged over models and interfaces (§6.1,
§6.4)."""

HIDDEN_NVR = 0.047
"""pass^1 on hidden NVR tasks under the base prompt (§6.5)."""

TIERS: Mapping[tuple[str, str], float] = {
    ("simple", HIDDEN): 0.409,
    ("complex", HIDDEN): 0.163,
}
"""(tier, condition) -> pass^1 on satisfiable families (§6.1)."""

INTERFACE_MIXED = 13.2
"""Points that structured search adds on mixed tasks (§6.2)."""

REACHED: Mapping[int, int] = {5_000: 106, 20_000: 73}
REACHED_OF = 135
"""Catalogue size -> families of 135 whose answer a fixed keyword query finds (§6.3)."""

MEDIAN_ANSWERS: Mapping[int, int] = {5_000: 10, 20_000: 40}
"""Catalogue size -> median number of answers (§6.3)."""

DETECTABLE, DETECTABLE_PAIR, DETECTABLE_PAIR_HIDDEN = 6, 8, 14
"""Points that the panel detects at 80 % power, "about": of the interface contrast, between two
agent-interface pairs, and between two on hidden tasks (§6.2)."""

SEPARATED = (19, 28)
"""Agent-interface pairs that the panel separates at the 95 % level, of all (§7)."""

ELICITED_ALL, ELICITED_LESS = 0.98, 0.52
"""Mixed success of trials that elicit every askable fact, and of the others (§6.5)."""

UNTESTED_FAILURES, BEFORE_PROPOSAL, AFTER_DECLINE, NAMED_UNTAGGED = 0.78, 0.5, 0.73, 0.085
"""Of failed hidden satisfiable trials those that recommend what was never proposed; of these those
before any proposal ("half") and after a declined question; and of the failures those that had named
an acceptable item without a tag (§6.5)."""

WITHIN_THREE: Mapping[str, float] = {"agents": 0.208, "popularity": 0.311, "eliminating": 0.622}
"""Hidden satisfiable success within three rejections (§6.5)."""

PROMPTS: Mapping[tuple[str, str], str] = {
    ("ask", MIXED): "≥ 0.931",
    ("ask-and-verify", HIDDEN): "0.483–0.617",
    ("protocol", HIDDEN): "0.708–0.825",
}
"""(prompt, condition) -> the range of pass^1 over the paper's agents, on the reliability block with
structured search (§6.5); hidden: satisfiable families."""
