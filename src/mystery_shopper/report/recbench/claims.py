"""What a paper says of two groups of answers, held against these runs: a difference with its
interval, and a verdict that follows from them by rule.

Every claim of an observation rests on one draw of users. A claim that the first side is above the
second is *seen* where the 95 % interval of the difference lies wholly on that side, *not seen*
where it reaches no further than 0 (the difference is opposite, or there is none), and *cannot be
told* otherwise, or from fewer than `FEWEST` users. Of two sides said to be alike the interval has
to lie within `ALIKE`; of two said to differ, outside 0 after Holm's correction. Where the own
interval of every side lies within `ALIKE` of the worst value (0, of FTR 1), all stand at the
floor: any two would be alike, and nothing can be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.recbench.played import Places, Played
from mystery_shopper.statistics.contrasts import Contrast, ContrastResult, paired_bootstrap
from mystery_shopper.statistics.corrections import holm
from mystery_shopper.statistics.designs import Combined
from mystery_shopper.suites.recbench.metrics import Floats

FEWEST = 6
"""Below so many users no difference, however large, has an exact p of 0.05 or less."""
ALIKE = 0.05
"""Two sides whose difference lies within this are alike."""
RARE = 0.05
"""A share that lies below this is low."""
ALPHA = 0.05
WORST = {"precision_own": 0.0, "recall_own": 0.0, "cmr": 0.0, "failed": 1.0}
"""A figure -> the value of an agent that can do nothing."""


class Verdict(StrEnum):
    """Whether runs show what the paper saw."""

    SEEN = "seen"
    IN_PART = "seen in part"
    NOT_SEEN = "not seen"
    UNTOLD = "cannot be told"


class Form(StrEnum):
    """What a claim says of the first side's mean minus the second's."""

    ABOVE = "above"
    BELOW = "below"
    DIFFERENT = "different"
    ALIKE = "alike"
    LOW = "low"


@dataclass(frozen=True, eq=False)
class Side:
    """Some of a run's valid answers, whose mean of one figure stands on one side."""

    run: Played
    places: Places

    def values(self, name: str, *, five: bool) -> Floats:
        """(answers,), NaN where unscored."""
        return self.run.column(name, five=five)[self.places]

    @property
    def users(self) -> NDArray[np.str_]:
        """(answers,) who asked."""
        return self.run.users[self.places]

    def by_query(self, name: str, *, five: bool) -> dict[str, float]:
        """Query -> the mean over its answers that have the figure."""
        found: dict[str, list[float]] = {}
        column = self.values(name, five=five).tolist()
        for place, value in zip(self.places.tolist(), column, strict=True):
            if value == value:
                found.setdefault(self.run.valid[place].asked.id, []).append(value)
        return {query: sum(values) / len(values) for query, values in found.items()}

    @property
    def asked(self) -> dict[str, str]:
        """Query -> who asks it."""
        asked = (self.run.valid[place].asked for place in self.places.tolist())
        return {one.id: one.user for one in asked}


@dataclass(frozen=True, eq=False)
class Question:
    """A claim to be held against a run, of a sum of sides' means, each times its coefficient: one
    side (held against `RARE`), two (first minus second), or four (the first two's difference minus
    the last two's). `paired`: the two answered the same queries. `missing` says why nothing can be
    computed; there are then no sides."""

    run: str
    what: str
    figure: str
    form: Form
    sides: tuple[Side, ...] = ()
    paired: bool = False
    five: bool = False
    missing: str = ""

    def contrast(self) -> Contrast | Combined:
        """As the bootstrap takes it."""
        if self.paired:
            return self._pairs(*self.sides)
        signs = (1.0, -1.0, -1.0, 1.0)[: len(self.sides)]
        return Combined(self.what, tuple(map(self.mean, self.sides)), signs)

    def is_low(self, value: float | None) -> bool:
        """Whether a value of the figure lies within `ALIKE` of the worst."""
        worst = WORST.get(self.figure)
        return value is not None and worst is not None and abs(value - worst) <= ALIKE + 1e-12

    @property
    def lies_low(self) -> bool:
        """Whether every side's mean does."""
        return all(self.is_low(self._plain(side)) for side in self.sides)

    def mean(self, side: Side) -> Contrast:
        """One side alone, as the bootstrap takes it."""
        return Contrast(self.what, side.values(self.figure, five=self.five), side.users)

    def _pairs(self, first: Side, second: Side) -> Contrast:
        ours, theirs = (one.by_query(self.figure, five=self.five) for one in (first, second))
        users = first.asked
        both = [query for query in users if query in ours and query in theirs]
        values = [ours[query] - theirs[query] for query in both]
        return Contrast(self.what, values, np.array([users[one] for one in both], dtype=np.str_))

    def means(self) -> tuple[float | None, float | None]:
        """What the difference is taken of: of a paired claim over the queries that both have."""
        if self.paired:
            ours, theirs = (one.by_query(self.figure, five=self.five) for one in self.sides)
            both = [query for query in ours if query in theirs]
            return _mean([ours[one] for one in both]), _mean([theirs[one] for one in both])
        found = [self._plain(side) for side in self.sides]
        if len(found) == 4:
            found = [_minus(found[0], found[1]), _minus(found[2], found[3])]
        return found[0], found[1] if len(found) > 1 else None

    def _plain(self, side: Side) -> float | None:
        values = side.values(self.figure, five=self.five).tolist()
        return _mean([value for value in values if value == value])


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of one run (or pair of runs) with what was found. `why` says what is wanting where
    nothing could be told, and within which margin two that do not differ are alike."""

    run: str
    what: str
    figure: str
    five: bool
    paired: bool
    first: float | None
    second: float | None
    difference: ContrastResult | None
    verdict: Verdict
    why: str = ""


def judged(questions: Sequence[Question], purpose: str, *, resamples: int) -> tuple[Claim, ...]:
    """The claims, all on one draw of users. Those that two agents differ are corrected together,
    figure by figure (Holm)."""
    told = [one for one in questions if not one.missing]
    found = paired_bootstrap(
        [one.contrast() for one in told],
        seed=derive_seed(0, "recbench", purpose), resamples=resamples,
    )  # fmt: skip
    results = {id(one): result for one, result in zip(told, found, strict=True)}
    low = at_floor(told, purpose, resamples=resamples)
    families: dict[tuple[str, bool, int], list[Question]] = {}
    for one in told:
        if one.form is Form.DIFFERENT:
            families.setdefault((one.figure, one.five, len(one.sides)), []).append(one)
    adjusted: dict[int, float | None] = {}
    for family in families.values():
        corrected = holm([results[id(one)].p for one in family])
        adjusted |= {id(one): p for one, p in zip(family, corrected, strict=True)}
    return tuple(
        _claim(one, results.get(id(one)), adjusted.get(id(one)), floor=id(one) in low)
        for one in questions
    )


def at_floor(questions: Sequence[Question], purpose: str, *, resamples: int) -> frozenset[int]:
    """The ids of the questions that compare sides which all lie within `ALIKE` of the worst."""
    low = {
        id(one): [one.mean(side) for side in one.sides]
        for one in questions
        if one.form is not Form.LOW and one.lies_low
    }
    found = iter(
        paired_bootstrap(
            [mean for means in low.values() for mean in means],
            seed=derive_seed(0, "recbench", f"{purpose}, floor"), resamples=resamples,
        )
    )  # fmt: skip
    ends = {
        key: [end for _ in means for one in [next(found)] for end in (one.low, one.high)]
        for key, means in low.items()
    }
    return frozenset(
        id(one) for one in questions if id(one) in ends and all(map(one.is_low, ends[id(one)]))
    )


def _claim(
    one: Question, found: ContrastResult | None, p: float | None = None, *, floor: bool = False
) -> Claim:
    if found is None or found.estimate is None:
        why = one.missing or "nothing is scored on one side"
        return Claim(
            one.run, one.what, one.figure, one.five, one.paired, None, None, None, Verdict.UNTOLD,
            why,
        )  # fmt: skip
    verdict, why = Verdict.UNTOLD, ""
    if found.clusters < FEWEST or found.low is None or found.high is None:
        why = f"fewer than {FEWEST} users"
    elif floor:
        why = f"all at the floor: within {ALIKE} of {WORST[one.figure]:g}"
    else:
        verdict = verdict_of(one.form, found.low, found.high, p)
        if one.form is Form.DIFFERENT and verdict is Verdict.NOT_SEEN:
            why = f"alike within {ALIKE}"
    means = one.means()
    return Claim(one.run, one.what, one.figure, one.five, one.paired, *means, found, verdict, why)


def verdict_of(form: Form, low: float, high: float, p: float | None = None) -> Verdict:
    """The verdict on a difference with this interval. `p`: of a claim that two differ, Holm's."""
    match form:
        case Form.ABOVE:
            seen, against = low > 0, high <= 0
        case Form.BELOW:
            seen, against = high < 0, low >= 0
        case Form.DIFFERENT:
            seen = (low > 0 or high < 0) and (p is None or p <= ALPHA)
            against = low >= -ALIKE and high <= ALIKE and not (low > 0 or high < 0)
        case Form.ALIKE:
            seen, against = low >= -ALIKE and high <= ALIKE, low > ALIKE or high < -ALIKE
        case Form.LOW:
            seen, against = high <= RARE, low > RARE
    return Verdict.SEEN if seen else Verdict.NOT_SEEN if against else Verdict.UNTOLD


def overall(claims: Sequence[Claim]) -> Verdict:
    """The verdict on several claims: seen where at least half of them are and none is not seen, in
    part where fewer are or some are not; not seen, or not to be told, where none is."""
    found = Counter(claim.verdict for claim in claims)
    seen, against = found[Verdict.SEEN], found[Verdict.NOT_SEEN]
    if seen:
        return Verdict.IN_PART if against or 2 * seen < len(claims) else Verdict.SEEN
    return Verdict.NOT_SEEN if against else Verdict.UNTOLD


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second
