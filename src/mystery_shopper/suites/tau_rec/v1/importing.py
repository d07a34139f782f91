"""τ-Rec v1 as a catalogue and a task set of this suite.

A task becomes a family of one condition that bears the task's id. Its policies gate instead of the
suite's five checks; its soft preferences are mentioned and never scored; the user's services are
the accepted formats. Reading is strict: whatever is not understood is told, all of it together, and
nothing is imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mystery_shopper.catalog import Catalogue, Domain, Predicate, all_match, fold, parse_domain
from mystery_shopper.foundation import InputError, at_most
from mystery_shopper.sources.tau_rec_v1 import NAME, domain_text, read_catalogue
from mystery_shopper.suites.tau_rec.policies import policy_problems
from mystery_shopper.suites.tau_rec.task import (
    SCHEMA,
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Reveal,
    TaskSet,
    Tier,
    canary_for,
    fact,
)
from mystery_shopper.suites.tau_rec.v1.constraints import predicates_for
from mystery_shopper.suites.tau_rec.v1.raw import RawTask, read_tasks

SOURCE = "tau-rec-v1"
SET_NAME = "tau_rec/v1@1"
MOST_PROBLEMS = 50
REVEALS = {"volunteer": Reveal.STATED, "on_ask": Reveal.ON_ASK, "hidden": Reveal.HIDDEN}


def import_tau_rec_v1(folder: Path) -> tuple[Catalogue, TaskSet]:
    """The catalogue and the tasks in a folder of τ-Rec v1 (`catalog.json`, `tasks/*.json`).

    Raises InputError that holds every problem of every file, 50 at most, each with its file and
    place.
    """
    catalogue, problems = read_catalogue(folder)
    tasks = read_tasks(folder, problems)
    domain = parse_domain(domain_text(), NAME)
    families: list[Family] = []
    for file, task in tasks:
        family, found = family_of(task, domain, catalogue)
        problems.extend(f"{file}: {problem}" for problem in found)
        families.append(family)
    if catalogue is None or problems:
        raise InputError(
            at_most(problems, MOST_PROBLEMS),
            where=str(folder),
            remedy="Mend these files and import again; nothing was written.",
        )
    return catalogue, TaskSet(
        schema=SCHEMA,
        name=SET_NAME,
        canary=canary_for(SET_NAME, 0),
        catalogue=CatalogueRef(catalogue.name, catalogue.digest, catalogue.sizes),
        origin=Origin(generator=0, seed=0, rejected={}),
        families=tuple(families),
        panel=(),
        reliability=(),
        source=SOURCE,
    )


def family_of(
    task: RawTask, domain: Domain, catalogue: Catalogue | None
) -> tuple[Family, list[str]]:
    """(family, problems) of one task over the catalogue; without one, what can be told is told.
    With problems the family is not whole."""
    problems = [f"{place}: {text}" for place, text in _form_problems(task)]
    predicates, tags = _requirements(task, domain, problems)
    problems += [f"policy_flags: {text}" for text in policy_problems(task.policy_flags, domain)]
    watched = task.user_history[task.user_id].watched if task.user_id in task.user_history else ()
    satisfiable = not task.no_valid_recommendation
    answers: dict[int, int] = {}
    if catalogue is not None:
        problems += _catalogue_problems(task, catalogue)
        if not problems:
            items = map(catalogue.item, range(len(catalogue)))
            answers = {len(catalogue): sum(all_match(predicates, item) for item in items)}
            problems += _answer_problems(satisfiable=satisfiable, answers=sum(answers.values()))
    return Family(
        id=task.id,
        tier=Tier(task.complexity) if task.complexity in list(Tier) else Tier.SIMPLE,
        template=tuple(_slot(predicate, domain) for predicate in predicates),
        predicates=tuple(predicates),
        reveals={Condition(task.reveal_difficulty): tuple(tags)}
        if task.reveal_difficulty in list(Condition)
        else {},
        formats=task.user_services,
        history=watched,
        satisfiable=satisfiable,
        persona=task.persona,
        answers=answers,
        policies=task.policy_flags,
        soft=task.soft_preferences,
    ), problems


def _requirements(
    task: RawTask, domain: Domain, problems: list[str]
) -> tuple[list[Predicate], list[Reveal]]:
    """The task's predicates and the tag of each; what is wrong is added to `problems`."""
    predicates: list[Predicate] = []
    tags: list[Reveal] = []
    for index, requirement in enumerate(task.constraints):
        place = f"constraints[{index}]"
        raw = requirement.constraint
        made, found = predicates_for(raw.field, raw.op, raw.value, domain)
        problems += [f"{place}.constraint.{text}" for text in found]
        problems += [
            f"{place}: repeats {fact(predicate)!r} of an earlier constraint"
            for predicate in made
            if predicate in predicates
        ]
        tag = REVEALS.get(requirement.reveal)
        if tag is None:
            problems.append(f"{place}.reveal: {requirement.reveal!r} is none of {_names(REVEALS)}")
            continue
        predicates += made
        tags += [tag] * len(made)
    return predicates, tags


def _form_problems(task: RawTask) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    if not task.id.strip() or any(mark.isspace() for mark in task.id):
        problems.append(("id", f"{task.id!r} is empty or holds a space"))
    if not task.constraints:
        problems.append(("constraints", "there is none, so anything would do"))
    for place, given, known in (
        ("complexity", task.complexity, Tier),
        ("reveal_difficulty", task.reveal_difficulty, Condition),
    ):
        if given not in list(known):
            problems.append((place, f"{given!r} is none of {_names(known)}"))
    if task.user_id not in task.user_history:
        problems.append(("user_id", f"{task.user_id!r} has no entry in user_history"))
    for place, texts in (
        ("user_services", task.user_services),
        ("soft_preferences", task.soft_preferences),
        *((f"user_history.{user}.watched", h.watched) for user, h in task.user_history.items()),
    ):
        problems += [(place, "a text is empty") for text in texts if not text.strip()]
        repeated = dict.fromkeys(text for text in texts if texts.count(text) > 1)
        problems += [(place, f"{text!r} occurs more than once") for text in repeated]
    return problems


def _catalogue_problems(task: RawTask, catalogue: Catalogue) -> list[str]:
    """What the catalogue lacks or writes otherwise."""
    services = catalogue.domain.formats
    problems: list[str] = []
    if services is not None and services.column is not None:
        problems += _spelling("user_services", services.column, task.user_services, catalogue)
    for index, requirement in enumerate(task.constraints):
        raw = requirement.constraint
        texts = raw.value if isinstance(raw.value, tuple) else (raw.value,)
        place = f"constraints[{index}].constraint.value"
        problems += _spelling(place, raw.field, map(str, texts), catalogue)
    for user, history in task.user_history.items():
        place = f"user_history.{user}"
        problems += _unknown(f"{place}.watched", history.watched, catalogue)
        problems += _unknown(f"{place}.ratings", history.ratings, catalogue)
    return problems


def _unknown(place: str, ids: Iterable[str], catalogue: Catalogue) -> list[str]:
    return [
        f"{place}: the catalogue has no {item_id!r}"
        for item_id in ids
        if item_id.strip() and item_id not in catalogue.position_of
    ]


def _spelling(place: str, field: str, texts: Iterable[str], catalogue: Catalogue) -> list[str]:
    """Labels that the catalogue writes otherwise. They are one here, where case does not matter,
    and two in τ-Rec v1."""
    spec = catalogue.domain.fields.get(field)
    if spec is None or not spec.kind.is_label:
        return []
    column = catalogue.labels(field)
    written = {text: column.code_of.get(fold(text)) for text in texts}
    return [
        f"{place}: {text!r} is written {column.labels[code]!r} in the catalogue"
        for text, code in written.items()
        if code is not None and column.labels[code] != text
    ]


def _answer_problems(*, satisfiable: bool, answers: int) -> list[str]:
    if satisfiable and not answers:
        return ["no_valid_recommendation: is false, but no item meets all constraints"]
    if not satisfiable and answers:
        met = "1 item meets" if answers == 1 else f"{answers} items meet"
        return [f"no_valid_recommendation: is true, but {met} all constraints"]
    return []


def _slot(predicate: Predicate, domain: Domain) -> str:
    """The template's slot, as our own families name theirs: a label field, or an ordered field with
    its bound."""
    ordered = domain.fields[predicate.field].kind.is_ordered
    return f"{predicate.field}{predicate.op.value}" if ordered else predicate.field


def _names(known: Iterable[str]) -> str:
    return ", ".join(str(name) for name in known)
