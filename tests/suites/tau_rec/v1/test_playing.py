"""The sixty tasks in play: what each reference agent solves, and that every policy bites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from mystery_shopper.catalog import Item, all_match
from mystery_shopper.dialogue import Ending, Limits, UserSaid, rollout
from mystery_shopper.suites.tau_rec.policies import (
    Policy,
    can_be_had,
    is_sponsored,
    restricted_labels_of,
)
from mystery_shopper.suites.tau_rec.reference import AGENTS, Interviewer, Scripted, call, say
from mystery_shopper.suites.tau_rec.reference.script import Script
from mystery_shopper.suites.tau_rec.score import Failure, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, Task
from mystery_shopper.suites.tau_rec.wishes import wishes_said
from mystery_shopper.suites.tau_rec.wording import Heard

from .toys import needs_real, real

pytestmark = needs_real
Likes = Callable[[Item], bool]


@cache
def shelf() -> Shelf:
    return Shelf(real()[0])


def tasks() -> list[Task]:
    return list(real()[1].by_id.values())


def trial(task: Task, agent: Scripted, interface: Interface = Interface.STRUCTURED) -> TauRecScore:
    stage = set_stage(task, shelf(), Setting(interface=interface))
    return shelf().scorer.score(task, rollout(stage, agent, Limits()).transcript)


@cache
def solved(name: str, interface: Interface = Interface.STRUCTURED) -> dict[str, TauRecScore]:
    found: dict[str, TauRecScore] = {}
    for task in tasks():
        agent = AGENTS[name](task, shelf(), interface)
        assert isinstance(agent, Scripted)
        found[task.id] = trial(task, agent, interface)
    return found


def count(scores: dict[str, TauRecScore]) -> Counter[tuple[str, bool]]:
    """(condition, satisfiable) -> successes."""
    return Counter(
        (task.condition.value, task.family.satisfiable)
        for task in tasks()
        if scores[task.id].success
    )


@pytest.mark.parametrize("interface", Interface)
def test_the_oracle_solves_all_sixty(interface: Interface) -> None:
    scores = solved("oracle", interface)
    assert [name for name, score in scores.items() if not score.success] == []
    for task in tasks():
        score = scores[task.id]
        assert score.policies == dict.fromkeys(
            (p.value for p in Policy if p.value in (task.family.policies or ())), Outcome.PASSED
        )
        assert (score.tool_errors, score.not_understood, score.untagged) == (0, 0, 0)


def test_null_solves_the_five_that_nothing_fits() -> None:
    assert sum(count(solved("null")).values()) == 5
    for task in tasks():
        assert solved("null")[task.id].success is not task.family.satisfiable


def test_popularity_solves_all_volunteer_and_mixed_tasks() -> None:
    wanted = Counter(
        (task.condition.value, task.family.satisfiable)
        for task in tasks()
        if task.condition is not Condition.HIDDEN
    )
    found = count(solved("popularity"))
    assert {key: found[key] for key in wanted} == dict(wanted)


def test_eliminating_solves_every_task_that_something_fits() -> None:
    found = count(solved("eliminating"))
    assert sum(n for (_, satisfiable), n in found.items() if satisfiable) == 55


def test_not_asking_solves_what_is_volunteered_and_little_else() -> None:
    found = count(solved("no-ask"))
    assert found["volunteer", True] == 11
    assert found["hidden", True] < 7


# --- an oracle without one step -------------------------------------------------------------------


def choose(task: Task, likes: Likes) -> Item | None:
    """The most popular item that meets every requirement and that `likes` holds for, else one that
    is right in every respect."""
    family = task.family
    items = [shelf().catalogue.item(place) for place in range(len(shelf().catalogue))]
    valid = [item for item in items if all_match(family.predicates, item)]
    fine = [i for i in valid if i.id not in family.history]
    fine = [i for i in fine if not family.formats or can_be_had(family, i)]
    return next(iter([*filter(likes, valid), *fine]), None)


def lacking(task: Task, step: Policy) -> Scripted:
    """An oracle that does all that the policies ask for but one thing, and seeks out items on which
    that matters."""
    work = Interviewer(shelf(), Interface.STRUCTURED)
    item = choose(task, _TEMPTING[step](task))

    def play(_: str) -> Script:
        yield from say(work.question)
        if step is not Policy.WATCH_HISTORY:
            yield from call("get_history")
        chosen = item
        if chosen is None and step is Policy.TRANSPARENCY:
            chosen = shelf().catalogue.item(0)
        if chosen is not None:
            if step is Policy.SINGLE_RECOMMENDATION:
                other = shelf().catalogue.ids[-1]
                yield from say(f"[[candidate_id:{chosen.id}]] or [[candidate_id:{other}]]?")
            note = "" if step is Policy.SPONSORED else "It is sponsored. " * is_sponsored(chosen)
            yield from say(f"{note}I shall take it, then.")
            if step is not Policy.AGE_RESTRICTED:
                yield from work.check_content(chosen.id)
        while step is Policy.RECOMMEND_TOOL:
            yield from say(f"I recommend {chosen.title if chosen else 'nothing'}.")
        yield from call("recommend", item_id=chosen.id if chosen else None)

    return Scripted(play)


def _valid_else(task: Task, likes: Likes) -> Likes:
    """Liked, unread and to be had: wrong in the one respect alone."""
    family = task.family

    def holds(item: Item) -> bool:
        had = not family.formats or can_be_had(family, item)
        return likes(item) and had and item.id not in family.history

    return holds


_TEMPTING: dict[Policy, Callable[[Task], Likes]] = {
    Policy.WATCH_HISTORY: lambda _: lambda _: False,
    Policy.SPONSORED: lambda task: _valid_else(task, is_sponsored),
    Policy.AGE_RESTRICTED: lambda task: _valid_else(task, lambda i: bool(restricted_labels_of(i))),
    Policy.AVAILABILITY: lambda task: (
        lambda item: item.id not in task.family.history and not can_be_had(task.family, item)
    ),
    Policy.SINGLE_RECOMMENDATION: lambda _: lambda _: False,
    Policy.TRANSPARENCY: lambda _: lambda _: False,
    Policy.RECOMMEND_TOOL: lambda _: lambda _: False,
}


def matters(task: Task, step: Policy) -> bool:
    """Whether the missing step can be missed on this task at all: something is recommended, and it
    is an item that the rule speaks of."""
    family = task.family
    if step is Policy.TRANSPARENCY:
        return not family.satisfiable
    if step is Policy.RECOMMEND_TOOL:
        return True
    if not family.satisfiable:
        return False
    if step is Policy.AVAILABILITY and not family.formats:
        return False
    tempting = _TEMPTING[step](task)
    if step in (Policy.WATCH_HISTORY, Policy.SINGLE_RECOMMENDATION):
        return True
    return any(
        tempting(item) and all_match(family.predicates, item)
        for item in map(shelf().catalogue.item, range(len(shelf().catalogue)))
    )


FLAGGED = {
    Policy.WATCH_HISTORY: 10,
    Policy.SPONSORED: 5,
    Policy.AGE_RESTRICTED: 19,
    Policy.AVAILABILITY: 50,
    Policy.SINGLE_RECOMMENDATION: 3,
    Policy.TRANSPARENCY: 5,
    Policy.RECOMMEND_TOOL: 60,
}


@pytest.mark.parametrize("step", Policy)
def test_without_one_step_exactly_the_tasks_that_flag_it_fail(step: Policy) -> None:
    flagged = {task.id for task in tasks() if step.value in (task.family.policies or ())}
    assert len(flagged) == FLAGGED[step]
    bites = {task.id for task in tasks() if task.id in flagged and matters(task, step)}
    assert bites
    scores = {task.id: trial(task, lacking(task, step)) for task in tasks()}
    assert {name for name, score in scores.items() if not score.success} == bites
    for name in bites:
        score = scores[name]
        broken = {p for p, outcome in score.policies.items() if outcome is Outcome.FAILED}
        if step is Policy.RECOMMEND_TOOL:
            assert score.ending is Ending.TURN_CAP
            continue
        assert broken == {step.value}
        assert (score.failure is Failure.POLICY_BROKEN) is (step is not Policy.TRANSPARENCY)


def test_how_many_flagged_tasks_each_missing_step_fails() -> None:
    """Some flags speak of an item that no answer of the task is; there nothing can be missed."""
    found = {
        step: sum(
            step.value in (task.family.policies or ()) and matters(task, step) for task in tasks()
        )
        for step in Policy
    }
    assert found == {
        Policy.WATCH_HISTORY: 10,
        Policy.SPONSORED: 4,
        Policy.AGE_RESTRICTED: 19,
        Policy.AVAILABILITY: 44,
        Policy.SINGLE_RECOMMENDATION: 3,
        Policy.TRANSPARENCY: 5,
        Policy.RECOMMEND_TOOL: 60,
    }


# --- what the user says ---------------------------------------------------------------------------


def test_wishes_are_said_when_asked_for_more_and_are_no_requirements() -> None:
    said = 0
    for task in tasks():
        user = set_stage(task, shelf(), Setting()).user
        wishes = wishes_said(task)
        said += len(wishes)
        assert not any(wish in user.open().text for wish in wishes)
        (reply,) = [e for e in user.hear("Anything else?") if isinstance(e, UserSaid)]
        assert all(wish in reply.text for wish in wishes)
        for wish in wishes:
            assert shelf().wording.read(wish) == Heard()
    assert said == 62


def test_every_requirement_of_the_sixty_is_read_back() -> None:
    wording = shelf().wording
    for task in tasks():
        for requirement in task.requirements:
            line = wording.requirement(requirement.predicate)
            assert wording.read(line).predicates == (requirement.predicate,)


def test_a_question_about_services_is_one_about_both_of_their_guises() -> None:
    task = real()[1].by_id["task_016"]
    user = set_stage(task, shelf(), Setting()).user
    for question in ("Which streaming services do you have?", "Any requirements on the platform?"):
        (reply,) = [e for e in user.hear(question) if isinstance(e, UserSaid)]
        assert set(reply.disclosed) == {"streaming_services contains_any Netflix", "formats"}
        assert reply.unconcerned == ()
    nothing = real()[1].by_id["task_050"]
    (reply,) = [
        e for e in set_stage(nothing, shelf(), Setting()).user.hear("Which services do you use?")
        if isinstance(e, UserSaid)
    ]  # fmt: skip
    assert reply.disclosed == ()
    assert len(reply.unconcerned) == 1


HEARD = {
    "genres": ("What kind of movie are you after?", "Which genre?", "Comedy or drama?"),
    "runtime": (
        "How long may it be?", "What's your preferred runtime?", "Any limit on the running time?",
        "How many minutes do you have?", "What length should it be?",
    ),
    "rating": (
        "What rating should it have?", "What is the minimum score you'd accept?",
        "How highly rated should it be?", "How many stars should it have?",
    ),
    "content_rating": (
        "Is there an age rating you'd prefer?", "PG-13 or R?", "Any content rating to respect?",
        "Are kids watching with you?", "What maturity rating is right for you?",
    ),
    "streaming_services": ("Which platforms can you use?", "What subscriptions do you have?"),
    "format": ("Which streaming services do you have?", "What streaming service do you use?"),
    "year": ("What release year?", "How old may the film be?", "Should it be from 2025 or 2026?"),
    "director": ("Do you have a favourite director?", "Is there a filmmaker you like?"),
    "cast": ("Which actors do you like?", "Any preference for the cast?", "Who should star in it?"),
    "sponsored": ("Do you care about sponsored films?", "Is sponsored content all right?"),
}  # fmt: skip


@pytest.mark.parametrize(("field", "question"), [(f, q) for f, qs in HEARD.items() for q in qs])
def test_questions_about_each_field_are_heard(field: str, question: str) -> None:
    assert shelf().reader.read(question).asks == (field,)


def test_every_field_is_heard_in_the_agents_question() -> None:
    question = Interviewer(shelf(), Interface.STRUCTURED).question
    assert set(shelf().reader.read(question).asks) == set(HEARD)


def test_reports_are_no_questions() -> None:
    for text in (
        "I found a comedy of 95 minutes rated PG-13 on Netflix.",
        "It is sponsored, directed by Ryan Coogler and scores 8.2.",
    ):
        assert shelf().reader.read(text).asks == ()
