"""How good an answer is: pure functions of what was recommended and what is true.

Every figure is taken per query and then averaged over queries (RecBench+ §5.2). With R the items
recommended, each once, in the answer's order, without those that the query itself names:

- precision |R ∩ T| / |R| (§5.2.1) and recall |R ∩ T| / |T| (§5.2.2), where T is the user's own
  group (§4.2.1.2, the release's `movieSubset`) or every item that meets the true conditions
  (§4.2.1.3);
- CMR: the share of R that meets all true conditions (§5.2.3), of condition queries only;
- FTR: 1 where R is empty, else 0 (§5.2.4), and for misinformed queries whether the answer names the
  mistake;
- beyond the paper (its outlook asks for the first two): the share of R that no item bears the title
  of, the mean self-information of R (Zhou et al. 2010), 1 - the mean Jaccard similarity of the
  values of its pairs (Ziegler et al. 2005), and the share of R that the history pulled off the
  conditions (the "distractor" items of §6.1.1, observation 4).

A title that no item bears, or that several bear, is in R and in no T. NaN stands for unscored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from operator import add

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.statistics import Interval, cluster_bootstrap, cluster_bootstrap_columns

UNKNOWN = -1
"""A recommended title that no item bears."""
AMBIGUOUS = -2
"""A recommended title that several items bear."""

WITH_EMPTY = "_with_empty"
MATCHES = ("precision_own", "recall_own", "precision_all", "recall_all", "cmr")
NAMES = (
    *MATCHES,
    *(name + WITH_EMPTY for name in MATCHES),
    "failed",
    "names_mistake",
    "hallucinated",
    "ambiguous",
    "novelty",
    "diversity",
    "pulled",
    "recommended",
)
"""The figures of one answer. Those that end in `_with_empty` are 0 where nothing was recommended;
their likes without it are unscored there."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Truth:
    """What answers one query, by positions in the catalogue.

    `own`: the user's group, `every`: every item that meets the true conditions, or a profile's
    whole list; None where it is not known. `meeting`: every item that meets the true conditions,
    named or not; None where CMR is not scored (profile queries, a relation that the graph lacks).
    `named`: the items that the query names. `history`: the items handed over. `claims`: it rests
    on a mistaken claim.
    """

    query: str
    user: str
    own: frozenset[int]
    every: frozenset[int] | None = None
    meeting: frozenset[int] | None = None
    named: frozenset[int] = frozenset()
    history: tuple[int, ...] = ()
    claims: bool = False


@dataclass(frozen=True)
class Recommended:
    """One answer by positions, in its order; UNKNOWN or AMBIGUOUS where a title is no one item.
    `names_mistake`: whether it names the mistaken claim, None where that was not looked for."""

    items: tuple[int, ...]
    names_mistake: bool | None = None


@dataclass
class Shelf:
    """What is known of the items: how many users (or reviews) each has, of how many in all, and the
    values that each bears. Either may be missing; what needs it is then unscored."""

    popularity: Floats | None = None
    population: float = 0
    graph: ItemGraph | None = None
    _values: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    _usual: dict[str, tuple[Truth, float]] = field(default_factory=dict[str, tuple[Truth, float]])
    _often: tuple[Truth, NDArray[np.int64]] | None = None

    def values(self, item: int) -> frozenset[int]:
        """The codes of the values that an item bears."""
        if item not in self._values and self.graph is not None:
            self._values[item] = frozenset(self.graph.codes_of(item).tolist())
        return self._values[item]

    def often(self, truth: Truth) -> NDArray[np.int64]:
        """How many items of the history bear each code."""
        last = self._often
        if last is None or last[0] is not truth:
            assert self.graph is not None
            codes, _ = _codes(self.graph, np.array(truth.history, np.int64))
            self._often = last = truth, np.bincount(codes, minlength=len(self.graph.labels))
        return last[1]

    def usual(self, truth: Truth) -> float:
        """How near to the history the items that meet the conditions are on average (`pulled`)."""
        kept, usual = self._usual.get(truth.query, (None, 0.0))
        if kept is not truth:
            assert self.graph is not None
            meeting = np.array(sorted(truth.meeting or ()), np.int64)
            usual = float(_near(self.graph, meeting, self.often(truth)).mean())
            self._usual[truth.query] = truth, usual
        return usual

    def information(self, item: int) -> float:
        """-log2 of the share of users that an item has, in bits; one that nobody has counts as if
        one user had it."""
        if self.popularity is None or not self.population:
            return math.nan
        known = float(self.popularity[item])
        return -math.log2(min(max(known, 1.0) / self.population, 1.0)) + 0.0


@dataclass(frozen=True)
class Scores:
    """The figures of the answers to many queries: `table` has a row a query and a column a name of
    `NAMES`."""

    queries: tuple[str, ...]
    users: tuple[str, ...]
    table: Floats

    def __len__(self) -> int:
        return len(self.queries)

    def column(self, name: str) -> Floats:
        """One figure of every query. Raises ValueError for a name that is none."""
        return self.table[:, NAMES.index(name)]

    def of(self, rows: NDArray[np.bool_]) -> Scores:
        """The rows of a mask."""
        places = np.flatnonzero(rows).tolist()
        return Scores(
            tuple(self.queries[place] for place in places),
            tuple(self.users[place] for place in places),
            self.table[rows],
        )

    def means(self, *, seed: int = 0, resamples: int = 10_000) -> dict[str, Interval]:
        """The mean of each figure over the queries that have it, with a 95 % interval that draws
        users (a user's queries share a history)."""
        found = cluster_bootstrap_columns(
            self.table, np.array(self.users, dtype=np.str_), seed=seed, resamples=resamples
        )
        return dict(zip(NAMES, found, strict=True))


def distinct(items: Iterable[tuple[int, str]]) -> tuple[int, ...]:
    """The items of (position or UNKNOWN or AMBIGUOUS, title), each once: of those that are no item,
    each title once."""
    seen: dict[tuple[int, str], None] = {}
    for item, title in items:
        seen.setdefault((item, "" if item >= 0 else " ".join(title.casefold().split())), None)
    return tuple(item for item, _ in seen)


def score(
    truths: Sequence[Truth],
    answers: Sequence[Recommended],
    shelf: Shelf | None = None,
    *,
    most: int | None = None,
) -> Scores:
    """The figures of each answer to its query. `most`: only so many items of each count, in the
    answer's order (K; None: all of them). Raises ValueError where the two differ in number."""
    shelf = shelf if shelf is not None else Shelf()
    rows = [
        scored(truth, answer, shelf, most) for truth, answer in zip(truths, answers, strict=True)
    ]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))
    return Scores(tuple(t.query for t in truths), tuple(t.user for t in truths), table)


def scored(
    truth: Truth, answer: Recommended, shelf: Shelf, most: int | None = None
) -> tuple[float, ...]:
    """The figures of one answer, in the order of `NAMES`."""
    items = [item for item in answer.items if item not in truth.named][:most]
    size = len(items)
    held = [item for item in items if item >= 0]
    figures: list[float] = []
    for target in (truth.own, truth.every):
        figures += _precision_recall(held, size, target, truth.named)
    met = math.nan
    if truth.meeting is not None and size:
        met = sum(item in truth.meeting for item in held) / size
    figures.append(met)
    possible = (truth.own, truth.own, truth.every, truth.every, truth.meeting)
    with_empty = [
        0.0 if not size and _scorable(target, name, truth.named) else figure
        for figure, target, name in zip(figures, possible, MATCHES, strict=True)
    ]
    mistake = math.nan
    if truth.claims and answer.names_mistake is not None:
        mistake = float(answer.names_mistake)
    return (
        *figures,
        *with_empty,
        float(not size),
        mistake,
        items.count(UNKNOWN) / size if size else math.nan,
        items.count(AMBIGUOUS) / size if size else math.nan,
        _sum(map(shelf.information, held)) / len(held) if held else math.nan,
        diversity(held, shelf),
        pulled(truth, held, size, shelf),
        float(size),
    )


def _sum(numbers: Iterable[float]) -> float:
    """Added one by one: `sum` rounds otherwise from Python 3.12 on."""
    return reduce(add, numbers, 0.0)


def _precision_recall(
    held: Sequence[int], size: int, target: frozenset[int] | None, named: frozenset[int]
) -> tuple[float, float]:
    if target is None or not size:
        return math.nan, math.nan
    hits = sum(item in target for item in held)
    wanted = len(target - named) if named else len(target)
    return hits / size, hits / wanted if wanted else math.nan


def _scorable(target: frozenset[int] | None, name: str, named: frozenset[int]) -> bool:
    """Whether a figure exists for the query, whatever is answered."""
    return target is not None and (not name.startswith("recall") or bool(target - named))


def diversity(held: Sequence[int], shelf: Shelf) -> float:
    """1 - the mean Jaccard similarity of the values of each pair of items; NaN for fewer than two.
    Two items without a value are alike."""
    if shelf.graph is None or not shelf.graph.labels or len(held) < 2:
        return math.nan
    values = [shelf.values(item) for item in held]
    total = 0.0
    for one, other in combinations(values, 2):
        if one.isdisjoint(other):  # Most pairs are.
            total += not (one or other)
        else:
            shared = len(one & other)
            total += shared / (len(one) + len(other) - shared)
    return 1 - total / (len(held) * (len(held) - 1) / 2)


def pulled(truth: Truth, held: Sequence[int], size: int, shelf: Shelf) -> float:
    """The share of what was recommended that breaks a condition and is nearer to the history than
    the items that meet them all are on average. NaN without a history, conditions, or an item.

    How near an item is: the mean, over the values that it bears, of the share of the history's
    items that bear them too.
    """
    if shelf.graph is None or truth.meeting is None or not truth.history or not size:
        return math.nan
    off = [item for item in held if item not in truth.meeting]
    if not off or not truth.meeting:
        return 0.0 if not off else math.nan
    near = _near(shelf.graph, np.array(off), shelf.often(truth))
    return float((near > shelf.usual(truth)).sum()) / size


def _near(graph: ItemGraph, items: NDArray[np.integer], often: NDArray[np.int64]) -> Floats:
    """The mean, over the values that each item bears, of how often they occur in a history."""
    codes, rows = _codes(graph, items)
    sums = np.bincount(rows, weights=often[codes], minlength=len(items))
    return sums / np.maximum(np.bincount(rows, minlength=len(items)), 1)


def _codes(
    graph: ItemGraph, items: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(the codes of several items one after another, the place of the item of each)."""
    starts = graph.offsets[items].astype(np.int64)
    counts = graph.offsets[items + 1] - starts
    rows = np.repeat(np.arange(len(items)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return graph.codes[starts[rows] + within], rows


def history_effect(
    with_history: Scores, without: Scores, name: str, *, seed: int = 0, resamples: int = 10_000
) -> Interval:
    """The mean difference of one figure between the same queries asked with and without a history
    (§6.1.1, observation 4: precision rises, CMR may fall). Only queries that have the figure in
    both count."""
    other: Mapping[str, float] = dict(
        zip(without.queries, without.column(name).tolist(), strict=True)
    )
    column = with_history.column(name).tolist()
    pairs = zip(with_history.queries, column, strict=True)
    changes = [value - other.get(query, math.nan) for query, value in pairs]
    users = np.array(with_history.users, dtype=np.str_)
    return cluster_bootstrap(changes, users, seed=seed, resamples=resamples)
