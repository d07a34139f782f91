"""What the paper's observations claim, put to the runs of a ground: one list of questions each.

Source: RecBench+ §6.1, observations 1-8. A claim that needs what the runs lack (a second agent, a
run with the history, the query set) is put all the same and says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from mystery_shopper.report.recbench import published
from mystery_shopper.report.recbench.cells import demographic_groups, popularity_groups, shared_by
from mystery_shopper.report.recbench.claims import ALIKE, RARE, Form, Question, Side
from mystery_shopper.report.recbench.grounds import Ground, Member
from mystery_shopper.report.recbench.played import Asked, Played
from mystery_shopper.report.recbench.words import FIGURES, width_words
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind

PRECISION, RECALL, CMR, FTR = "precision_own", "recall_own", "cmr", "failed"
MATCHED = (PRECISION, RECALL, CMR)
ANY = "all runs"
NEEDS_AGENTS = "needs two agents under one setting"
NEEDS_HISTORY = "needs one agent's runs with and without the history"
NEEDS_SET = "needs the query set"


def side(run: Played, keep: Callable[[Asked], bool]) -> Side:
    """The valid answers to some of a run's queries."""
    return Side(run, run.places(keep))


def of_kinds(run: Played, *kinds: Kind, width: str = "") -> Side:
    """The valid answers to queries of these types."""
    return side(run, lambda one: one.kind in kinds and (not width or one.width == width))


def _says(figure: str, text: str) -> str:
    return f"{FIGURES[figure]}: {text}"


def agents_on_conditions(ground: Ground) -> Iterator[Question]:
    """Observation 1: agents differ, and so does what they lose from explicit to implicit."""
    yield from _agents(ground, CONDITION_KINDS, MATCHED)
    pairs = _pairs(ground)
    for ours, theirs in pairs:
        explicit, implicit = Kind.EXPLICIT, Kind.IMPLICIT
        sides = (
            of_kinds(ours.played, implicit), of_kinds(ours.played, explicit),
            of_kinds(theirs.played, implicit), of_kinds(theirs.played, explicit),
        )  # fmt: skip
        yield Question(
            _versus(ours, theirs),
            _says(CMR, "the drops from explicit to implicit differ"),
            CMR, Form.DIFFERENT, sides,
        )  # fmt: skip


def agents_on_profiles(ground: Ground) -> Iterator[Question]:
    """Observation 5: agents differ, and few profile queries go without a recommendation."""
    kinds = (Kind.INTEREST, Kind.DEMOGRAPHICS)
    yield from _agents(ground, kinds, (PRECISION, RECALL))
    for member in ground.members:
        what = _says(FTR, f"of profile queries at most {RARE}")
        yield Question(member.label, what, FTR, Form.LOW, (of_kinds(member.played, *kinds),))


def _agents(ground: Ground, kinds: Sequence[Kind], figures: Sequence[str]) -> Iterator[Question]:
    pairs = _pairs(ground)
    missing = "" if pairs else NEEDS_AGENTS
    for figure in figures:
        what = _says(figure, "the agents differ")
        if missing:
            yield Question(ANY, what, figure, Form.DIFFERENT, missing=missing)
        for ours, theirs in pairs:
            sides = (of_kinds(ours.played, *kinds), of_kinds(theirs.played, *kinds))
            yield Question(_versus(ours, theirs), what, figure, Form.DIFFERENT, sides, paired=True)


def _pairs(ground: Ground) -> list[tuple[Member, Member]]:
    """Runs of different agents under one setting."""
    return [
        (one, other)
        for one, other in combinations(ground.members, 2)
        if _setting(one) == _setting(other) and one.plan.agent != other.plan.agent
    ]


def _setting(member: Member, *, history: bool = True) -> tuple[str, ...]:
    plan = member.plan
    found = (plan.interface, plan.prompt, plan.tool_line, str(plan.k))
    return (*found, str(plan.history)) if history else found


def _versus(ours: Member, theirs: Member) -> str:
    return f"{ours.label} − {theirs.label}"


def difficulty(ground: Ground) -> Iterator[Question]:
    """Observation 2: explicit above implicit, misinformed lowest; FTR higher where misinformed."""
    explicit, implicit, misled = CONDITION_KINDS
    for member in ground.members:
        run, label = member.played, member.label
        for figure in MATCHED:
            sides = (of_kinds(run, implicit), of_kinds(run, explicit))
            yield Question(
                label, _says(figure, "implicit below explicit"), figure, Form.BELOW, sides
            )
        for figure in (RECALL, CMR):
            for other in (explicit, implicit):
                sides = (of_kinds(run, misled), of_kinds(run, other))
                what = _says(figure, f"misinformed below {other.value}")
                yield Question(label, what, figure, Form.BELOW, sides)
        sides = (of_kinds(run, misled), of_kinds(run, explicit, implicit))
        what = _says(FTR, "misinformed above the other two")
        yield Question(label, what, FTR, Form.ABOVE, sides)


def conditions(ground: Ground, *, five: bool = False) -> Iterator[Question]:
    """Observation 3: from one condition to three or four, precision and recall rise; CMR falls for
    explicit queries and rises for the other two."""
    most = "3-4"
    for member in ground.members:
        for kind in CONDITION_KINDS:
            few, many = (of_kinds(member.played, kind, width=width) for width in ("1", most))
            for figure in MATCHED:
                falls = figure == CMR and kind is Kind.EXPLICIT
                form = Form.BELOW if falls else Form.ABOVE
                what = _says(
                    figure,
                    f"{kind.value}, {width_words(most)} {'below' if falls else 'above'} 1",
                )
                yield Question(member.label, what, figure, form, (many, few), five=five)


def history(ground: Ground, *, five: bool = False) -> Iterator[Question]:
    """Observation 4: the same queries with the history handed over and without it: precision rises;
    CMR may fall, and is asked whether it does."""
    pairs = history_pairs(ground)
    if not pairs:
        for figure, form in ((PRECISION, Form.ABOVE), (CMR, Form.BELOW)):
            what = _says(figure, f"with history {form.value} without")
            yield Question(ANY, what, figure, form, missing=NEEDS_HISTORY, five=five)
    for given, bare in pairs:
        for figure, form in ((PRECISION, Form.ABOVE), (CMR, Form.BELOW)):
            for kind in CONDITION_KINDS:
                sides = (of_kinds(given.played, kind), of_kinds(bare.played, kind))
                what = _says(figure, f"{kind.value}, with history {form.value} without")
                yield Question(
                    with_and_without(given), what, figure, form, sides, paired=True, five=five
                )


def with_and_without(given: Member) -> str:
    """How a pair of runs is called of which this one has the history."""
    return f"{given.label} − without"


def history_pairs(ground: Ground) -> list[tuple[Member, Member]]:
    """(with the history, without it): runs that differ in nothing else."""
    return [
        (given, bare)
        for given in ground.members
        for bare in ground.members
        if given.plan.history
        and not bare.plan.history
        and given.plan.agent == bare.plan.agent
        and _setting(given, history=False) == _setting(bare, history=False)
    ]


def profiles(ground: Ground) -> Iterator[Question]:
    """Observation 6: demographics below interests in recall, alike in precision."""
    for member in ground.members:
        sides = (
            of_kinds(member.played, Kind.DEMOGRAPHICS), of_kinds(member.played, Kind.INTEREST)
        )  # fmt: skip
        yield Question(
            member.label, _says(RECALL, "demographics below interest"), RECALL, Form.BELOW, sides
        )
        yield Question(
            member.label,
            _says(PRECISION, f"demographics and interest alike (within {ALIKE})"),
            PRECISION, Form.ALIKE, sides,
        )  # fmt: skip


def popularity(ground: Ground) -> Iterator[Question]:
    """Observation 7: the most popular group of the interests above the least popular one."""
    for member in ground.members:
        groups = list(popularity_groups(member.played.asked).values())
        apart = groups and shared_by(groups[0])[0] > shared_by(groups[-1])[1]
        for figure in (PRECISION, RECALL):
            what = _says(figure, "the most popular interests above the least popular")
            if not apart:
                missing = _wanting(member, "interests of several popularities")
                yield Question(member.label, what, figure, Form.ABOVE, missing=missing)
                continue
            sides = (_among(member.played, groups[0]), _among(member.played, groups[-1]))
            yield Question(member.label, what, figure, Form.ABOVE, sides)


def demographics(ground: Ground) -> Iterator[Question]:
    """Observation 8: recall for women, for sales and marketing, from 50 to 55, from 56 on."""
    for member in ground.members:
        groups = demographic_groups(member.played.asked)
        women, men = published.OF_WOMEN, published.OF_MEN
        yield _group(member, groups, women, (men,), Form.ABOVE)
        for best in (published.BEST_OCCUPATION, published.BEST_AGE):
            yield _group(member, groups, best, _others(groups, best), Form.ABOVE)
        weak = published.WEAK_AGE
        yield _group(member, groups, weak, _others(groups, weak), Form.BELOW)


def _others(
    groups: Mapping[tuple[str, str], object], key: tuple[str, str]
) -> tuple[tuple[str, str], ...]:
    return tuple(one for one in groups if one[0] == key[0] and one != key)


def _group(
    member: Member,
    groups: Mapping[tuple[str, str], tuple[Asked, ...]],
    key: tuple[str, str],
    others: Sequence[tuple[str, str]],
    form: Form,
) -> Question:
    against = others[0][1] if len(others) == 1 else f"every other {key[0]}"
    what = _says(RECALL, f"{key[1]} {form.value} {against}")
    rest = [one for other in others for one in groups.get(other, ())]
    mine = groups.get(key)
    if not mine or not rest:
        missing = _wanting(member, f"demographics queries for {key[1]} and for others")
        return Question(member.label, what, RECALL, form, missing=missing)
    sides = (_among(member.played, mine), _among(member.played, rest))
    return Question(member.label, what, RECALL, form, sides)


def _wanting(member: Member, what: str) -> str:
    return f"needs {what}" if member.played.query_set is not None else NEEDS_SET


def _among(run: Played, asked: Sequence[Asked]) -> Side:
    ids = {one.id for one in asked}
    return side(run, lambda one: one.id in ids)
