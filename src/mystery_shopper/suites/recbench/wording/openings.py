"""How much the openings of requests vary: the first words, with names and slot values masked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.query import Query

OPENING_WORDS = 8
MOST_ALIKE = 10
"""Of 1,000 requests so many may open alike."""
_MASK = "\ue000"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\ue000")


def opening(query: Query, titles: Mapping[str, str], words: int = OPENING_WORDS) -> str:
    """The first words of a query's text in small letters, each title and each value one mask. Masks
    that only "and" or commas part are one."""
    said = [part.value for part in query.parts]
    if query.profile is not None:
        said += [trait.value for trait in query.profile.traits]
        said += list(query.profile.group.values())
    texts = sorted({*said, *(titles[item] for item in query.named)}, key=len, reverse=True)
    text = query.text
    for masked in texts:
        bounds = (r"(?<!\w)", r"(?!\w)")
        text = re.sub(bounds[0] + re.escape(masked) + bounds[1], _MASK, text, flags=re.I)
    found: list[str] = []
    for word in _WORD.findall(text):
        found.append("…" if word == _MASK else name_key(word))
    return " ".join(_joined(found)[:words])


def _joined(words: Sequence[str]) -> list[str]:
    """The words, a run of masks ("…", "… …", "… and …") as one mask."""
    kept: list[str] = []
    for word in words:
        if word == "…" and kept[-1:] == ["…"]:
            continue
        if word == "…" and kept[-2:] == ["…", "and"]:
            kept.pop()
            continue
        kept.append(word)
    return kept


@dataclass(frozen=True)
class Openings:
    """How often openings occur, the most frequent first."""

    counts: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, queries: Iterable[Query], titles: Mapping[str, str]) -> Openings:
        """Count the openings of worded queries."""
        counts = Counter(opening(query, titles) for query in queries)
        return cls(tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))))

    @property
    def most(self) -> int:
        """How often the most frequent one occurs; 0 where there is none."""
        return self.counts[0][1] if self.counts else 0

    @property
    def histogram(self) -> dict[int, int]:
        """How often an opening occurs -> how many openings do."""
        return dict(sorted(Counter(count for _, count in self.counts).items()))
