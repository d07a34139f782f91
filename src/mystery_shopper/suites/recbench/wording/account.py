"""The account of how a set is worded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.wording.openings import OPENING_WORDS, Openings

K = TypeVar("K", str, tuple[str, str])


@dataclass(frozen=True)
class WordingAccount:
    """How many queries there are by kind and style, and by kind and writer; how many drafts failed
    by reason; and how often the most frequent opening occurs.

    `styles`: (kind, style) -> queries. `writers`: (kind, "template" or "model") -> queries.
    `stood_in`: kind -> queries for which a template stood in for a model. `rejected`: reason ->
    how often a draft had it.
    """

    styles: Mapping[tuple[str, str], int]
    writers: Mapping[tuple[str, str], int]
    stood_in: Mapping[str, int]
    rejected: Mapping[str, int]
    most_alike: int
    queries: int

    @classmethod
    def of(
        cls,
        queries: Sequence[Query],
        titles: Mapping[str, str],
        worded: Sequence[tuple[str, Sequence[str]]] | None = None,
    ) -> WordingAccount:
        """The account of worded queries. `worded`: of each who worded it and the reasons for which
        drafts were not taken; by templates where left out."""
        by = worded if worded is not None else [("template", ())] * len(queries)
        pairs = list(zip(queries, by, strict=True))
        return cls(
            _sorted(Counter((q.kind.value, q.style.value) for q in queries)),
            _sorted(Counter((q.kind.value, writer) for q, (writer, _) in pairs)),
            _sorted(
                Counter(q.kind.value for q, (writer, why) in pairs if writer == "template" and why)
            ),
            _sorted(Counter(reason for _, (_, why) in pairs for reason in why)),
            Openings.of(queries, titles).most,
            len(queries),
        )

    def lines(self) -> tuple[str, ...]:
        """The account in words, one line each."""
        kinds = list(dict.fromkeys(kind for kind, _ in self.styles))
        told: list[str] = []
        for kind in kinds:
            styles = [f"{n:,} {style}" for (k, style), n in self.styles.items() if k == kind]
            writers = [f"{n:,} by {who}" for (k, who), n in self.writers.items() if k == kind]
            stood_in = self.stood_in.get(kind, 0)
            fell = f" ({stood_in:,} stood in for the model)" if stood_in else ""
            told.append(f"{kind}: {', '.join(styles)}; {', '.join(writers)}{fell}")
        told += [f"drafts rejected, {reason}: {n:,}" for reason, n in self.rejected.items()]
        told.append(
            f"most frequent opening of {OPENING_WORDS} words, names masked: {self.most_alike:,} of "
            f"{self.queries:,}"
        )
        return tuple(told)


def _sorted(counts: Counter[K]) -> dict[K, int]:
    return dict(sorted(counts.items()))
