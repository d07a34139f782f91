"""Type-correct trials, plans and run folders, made up for the report's tests."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    Event,
    Fault,
    ToolCalled,
    ToolReturned,
    Transcript,
    UserSaid,
    Verdict,
)
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.tau_rec.score import Checks, Elicited, Failure, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.task import (
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Reveal,
    Task,
    TaskSet,
    Tier,
    fact,
)

TEMPLATES = {
    Tier.SIMPLE: ("genre", "language"),
    Tier.MEDIUM: ("genre", "country", "year>=", "year<="),
    Tier.COMPLEX: ("genre", "language", "country", "year>=", "year<="),
}
_PREDICATES = {
    "genre": Predicate("genre", Operator.CONTAINS, "Drama"),
    "language": Predicate("language", Operator.WITHIN, "French"),
    "country": Predicate("country", Operator.WITHIN, "France"),
    "year>=": Predicate("year", Operator.AT_LEAST, 1950),
    "year<=": Predicate("year", Operator.AT_MOST, 1980),
}


def family(number: int, *, satisfiable: bool | None = None) -> Family:
    """Family `f<number>`: tiers in turn, every tenth without a valid recommendation."""
    tier = list(Tier)[number % 3]
    template = TEMPLATES[tier]
    size = len(template)
    stated, asked, hidden = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN
    return Family(
        id=f"f{number:03d}",
        tier=tier,
        template=template,
        predicates=tuple(_PREDICATES[slot] for slot in template),
        reveals={
            Condition.VOLUNTEER: (stated,) * size,
            Condition.MIXED: (stated, *(asked,) * (size - 1)),
            Condition.HIDDEN: (stated, *(asked,) * (size - 2), hidden),
        },
        formats=("dvd",) if number % 2 else ("dvd", "stream"),
        history=("tt7",) if number % 4 == 0 else (),
        satisfiable=number % 10 != 9 if satisfiable is None else satisfiable,
        persona="A nurse who works nights and likes slow films.",
        answers={},
    )


def make_task_set(families: int = 20, name: str = "tau_rec/toys@1") -> TaskSet:
    """A task set of so many families."""
    made = tuple(family(number) for number in range(families))
    ids = tuple(one.id for one in made)
    reference = CatalogueRef("toys", "c" * 64, (100,))
    return TaskSet(1, name, "canary", reference, Origin(1, 0, {}), made, ids, ids[:2])


def make_plan(task_set: TaskSet, **changes: Any) -> RunPlan:
    """A plan over every task of the set, one trial each."""
    plan = RunPlan(
        schema=1,
        version="0.1.0",
        suite="tau_rec",
        task_set=task_set.name,
        task_set_digest=task_set.digest,
        canary=task_set.canary,
        source="toys",
        size=100,
        catalogue_digest="c" * 64,
        agent="popularity",
        user="rule",
        interface="structured",
        prompt="base",
        prompts_version=1,
        tool_line="structured",
        instructions="0" * 64,
        conditions=("volunteer", "mixed", "hidden"),
        block="all",
        tasks=tuple(task_set.by_id),
        trials=1,
        seed=7,
    )
    return msgspec.structs.replace(plan, **changes)


def make_score(**changes: Any) -> TauRecScore:
    """The score of a plain success."""
    passed = Outcome.PASSED
    score = TauRecScore(
        success=True,
        ending=Ending.RECOMMENDED,
        failure=None,
        checks=Checks(passed, passed, passed, passed, passed),
        meets=True,
        elicited=Elicited.ALL,
        askable=2,
        elicited_facts=2,
        questions=1,
        not_understood=0,
        turns=2,
        calls=3,
        tool_errors=0,
        proposals=1,
        rejections=0,
        accepted=True,
        untested=False,
        before_proposals=False,
        after_decline=False,
        unsearched=False,
        untagged=0,
        recommended="tt1",
        rank=12,
    )
    return msgspec.structs.replace(score, **changes)


def random_score(random_: random.Random, task: Task) -> TauRecScore:
    """A score that could be, success likelier the more the user says."""
    likely = {"volunteer": 0.95, "mixed": 0.75, "hidden": 0.4}[task.condition.value]
    success = random_.random() < (likely if task.family.satisfiable else likely / 2)
    recommended = task.family.satisfiable if success else random_.random() < 0.8
    rejections = random_.randint(0, 6) if task.condition is Condition.HIDDEN else 0
    proposals = rejections + random_.randint(0, 1)
    elicited = None if not task.askable else random_.choice(list(Elicited))
    capped = not success and not recommended and random_.random() < 0.7
    ending = Ending.RECOMMENDED if recommended else Ending.TURN_CAP if capped else Ending.ABSTAINED
    failure = None
    if not success:
        failure = Failure.NEEDLESS_ABSTENTION
        if recommended:
            kinds = [Failure.NEVER_PROPOSED, Failure.ASKED_NOTHING, Failure.MISSED_FIELD]
            failure = random_.choice([*kinds, Failure.REJECTED_ITEM, Failure.FORMATS_UNCHECKED])
        elif capped:
            failure = Failure.TURN_CAP
    untested = random_.random() < 0.5 if recommended else None
    return make_score(
        success=success,
        ending=ending,
        failure=failure,
        meets=success if recommended else None,
        elicited=elicited,
        questions=random_.randint(0, 2),
        not_understood=random_.randint(0, 1),
        proposals=proposals,
        rejections=rejections,
        untested=untested,
        before_proposals=not proposals if recommended else None,
        after_decline=random_.random() < 0.5 if recommended else None,
        unsearched=random_.random() < 0.1 if recommended else None,
        untagged=int(random_.random() < 0.1),
        recommended="tt1" if recommended else None,
        rank=random_.randint(1, 3000) if recommended else None,
    )


def page_of_results(titles: Sequence[str]) -> str:
    """What a search gives."""
    rows = [
        {"item_id": f"tt{n}", "title": title, "year": 1960 + n} for n, title in enumerate(titles)
    ]
    return msgspec.json.encode({"total": len(rows), "page": 1, "items": rows}).decode()


def make_transcript(task: Task, score: TauRecScore, title: str = "Playtime") -> Transcript:
    """A dialogue in which the agent asks, searches, proposes and decides."""
    stated = tuple(fact(r.predicate) for r in task.requirements if r.reveal is Reveal.STATED)
    asked = tuple(fact(r.predicate) for r in task.requirements if r.reveal is Reveal.ON_ASK)
    hidden = tuple(r.predicate for r in task.requirements if r.reveal is Reveal.HIDDEN)
    events: list[Event] = [
        UserSaid("Hello! I'm looking for one film.\nIt should include Drama.", disclosed=stated),
        ToolCalled("c1", "search", {"genre": "Drama"}),
        ToolReturned("c1", "search", page_of_results(["Mon Oncle", title, "Le Samouraï"])),
        AgentSaid("Which language, country, years and formats do you want?"),
        UserSaid(
            "It should be in French.\nAbout the release year I would rather not say.",
            asked=("language", "country", "year", "format"),
            disclosed=(*asked, *(("formats",) if "formats" in task.askable else ())),
            declined=tuple(predicate.field for predicate in hidden),
            unconcerned=("country",) if task.family.tier is Tier.SIMPLE else (),
        ),
    ]
    for number in range(score.rejections):
        events += [
            AgentSaid(f"How about this one? [[candidate_id:tt{number}]]"),
            Verdict(f"tt{number}", False, tuple(map(fact, hidden))),
            UserSaid("###REJECTED###"),
        ]
    if score.recommended is not None:
        events += [
            AgentSaid(f"Then {title}. [[candidate_id:tt1]]"),
            Verdict(
                "tt1",
                score.success is True,
                () if score.success else (fact(task.family.predicates[-1]),),
            ),
            UserSaid("###ACCEPTED###" if score.success else "###REJECTED###"),
            ToolCalled("c2", "check_formats", {"item_id": "tt1"}),
            ToolReturned("c2", "check_formats", '{"item_id":"tt1","formats":["dvd"]}'),
            ToolCalled("c3", "recommend", {"item_id": "tt1"}),
            ToolReturned("c3", "recommend", '{"recommended":"tt1"}'),
        ]
    return Transcript((*events, Ended(score.ending, score.recommended)))


def make_trial(task: Task, plan: RunPlan, number: int = 0, **changes: Any) -> Trial:
    """A trial of the task; without a score, a plain success."""
    score = changes.pop("score", None) or make_score()
    transcript = changes.pop("transcript", None) or make_transcript(task, score)
    trial = Trial(
        schema=1,
        task=task.id,
        family=task.family.id,
        condition=task.condition.value,
        tier=task.family.tier.value,
        template=task.family.template,
        satisfiable=task.family.satisfiable,
        number=number,
        agent=plan.agent,
        user=plan.user,
        seed=plan.seed,
        canary=plan.canary,
        attempts=1,
        fault=None,
        score=score,
        transcript=transcript,
    )
    return msgspec.structs.replace(trial, **changes)


def faulty(task: Task, plan: RunPlan, number: int = 0) -> Trial:
    """A trial that an infrastructure fault excludes."""
    score = make_score(success=None, ending=Ending.ERROR, meets=None, recommended=None, rank=None)
    return make_trial(task, plan, number, score=score, fault=Fault.INFRASTRUCTURE)


def make_trials(
    task_set: TaskSet, plan: RunPlan, seed: int = 1, *, faults: float = 0.0
) -> list[Trial]:
    """Every planned trial with a random score; a share of them excluded."""
    random_ = random.Random(seed)
    trials: list[Trial] = []
    for planned in plan.planned():
        task = task_set.by_id[planned.task]
        if random_.random() < faults:
            trials.append(faulty(task, plan, planned.number))
            continue
        score = random_score(random_, task)
        trials.append(make_trial(task, plan, planned.number, score=score))
    return trials


def make_folder(path: Path, plan: RunPlan, trials: Iterable[Trial]) -> RunFolder:
    """A run on disk."""
    folder = RunFolder(path)
    folder.begin(plan)
    folder.append(list(trials), [])
    return folder
