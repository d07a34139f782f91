"""From a command's wishes to a run's plan, with everything wrong said at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from mystery_shopper.agents.chat import ToolMode
from mystery_shopper.agents.deployed import file_digest
from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.catalog.predicates import codes_for
from mystery_shopper.engine.casting import HUMAN, INSPECT, MODEL, agent_problems, is_deployed, talks
from mystery_shopper.engine.loading import (
    catalogue_name,
    check_origin,
    choose_sources,
    load_catalogue,
    load_tasks,
)
from mystery_shopper.engine.plan import (
    RULE_BASED,
    RUN_SCHEMA,
    SUITES,
    ModelOptions,
    RunPlan,
    TrialLimits,
    UserOptions,
    package_version,
)
from mystery_shopper.engine.speakers import user_problems, user_talks
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.modeluser.prompt import USER_PROMPT_VERSION
from mystery_shopper.suites.tau_rec.prompts import PROMPTS_VERSION, Prompt, ToolLine, instructions
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet, fact

BLOCKS = ("all", "panel", "reliability")
RELIABILITY_TRIALS = 8
TOOL_MODES = tuple(mode.value for mode in ToolMode)


@dataclass(frozen=True)
class Wishes:
    """What the person asked for; None stands for the usual."""

    agent: str
    suite: str = "tau_rec"
    task_set: str | None = None
    catalog: str | None = None
    conditions: Sequence[str] = ()
    interface: str = Interface.STRUCTURED.value
    prompt: str = Prompt.BASE.value
    tool_line: str = ToolLine.OWN.value
    block: str = "all"
    trials: int | None = None
    seed: int = 0
    only: Sequence[str] = ()
    as_paper: bool = False
    model: ModelOptions = field(default_factory=ModelOptions)
    user: str = RULE_BASED
    user_options: UserOptions = field(default_factory=UserOptions)
    limits: TrialLimits = field(default_factory=TrialLimits)


def make_plan(wishes: Wishes) -> RunPlan:
    """The plan of a run. Raises InputError that names every unknown value with those there are."""
    _check_words(wishes)
    catalog, task_set = choose_sources(wishes.catalog, wishes.task_set)
    tasks = load_tasks(task_set)
    source, size = catalogue_name(catalog)
    catalogue = load_catalogue(source, size)
    whole = catalogue if size is None else load_catalogue(source)
    check_origin(tasks, whole, task_set)
    _check_labels(tasks, whole, task_set)
    conditions = tuple(c for c in Condition if not wishes.conditions or c in wishes.conditions)
    text = instructions(
        catalogue.domain,
        Interface(wishes.interface),
        Prompt(wishes.prompt),
        ToolLine(wishes.tool_line),
    )
    usual = RELIABILITY_TRIALS if wishes.block == "reliability" else 1
    return RunPlan(
        schema=RUN_SCHEMA,
        version=package_version(),
        suite=wishes.suite,
        task_set=task_set,
        task_set_digest=tasks.digest,
        canary=tasks.canary,
        source=source,
        size=len(catalogue),
        catalogue_digest=catalogue.digest,
        agent=wishes.agent,
        user=wishes.user,
        interface=wishes.interface,
        prompt=wishes.prompt,
        prompts_version=PROMPTS_VERSION,
        tool_line=wishes.tool_line,
        instructions=hashlib.sha256(text.encode()).hexdigest(),
        conditions=tuple(condition.value for condition in conditions),
        block=wishes.block,
        tasks=_choose(wishes, tasks, conditions),
        trials=usual if wishes.trials is None else wishes.trials,
        seed=wishes.seed,
        as_paper=wishes.as_paper,
        model=wishes.model,
        user_options=_user_options(wishes),
        agent_file=file_digest(wishes.agent) if is_deployed(wishes.agent) else "",
        limits=wishes.limits,
    )


def _check_words(wishes: Wishes) -> None:
    problems = [
        *_unknown("suite", wishes.suite, SUITES),
        *([] if wishes.agent == HUMAN else agent_problems(wishes.agent)),
        *_unknown("--interface", wishes.interface, tuple(i.value for i in Interface)),
        *_unknown("--prompt", wishes.prompt, tuple(p.value for p in Prompt)),
        *_unknown("--tool-line", wishes.tool_line, tuple(line.value for line in ToolLine)),
        *_unknown("--tasks", wishes.block, BLOCKS),
    ]
    problems += _unknown("--tool-mode", wishes.model.tool_mode, TOOL_MODES)
    if wishes.model != ModelOptions() and not wishes.agent.startswith(MODEL):
        problems.append(f"--agent {wishes.agent!r} is no model, so it has no model's options")
    problems += _user_problems(wishes)
    problems += _limit_problems(wishes)
    for condition in wishes.conditions:
        problems += _unknown("--condition", condition, tuple(c.value for c in Condition))
    if wishes.trials is not None and wishes.trials < 1:
        problems.append(f"--trials {wishes.trials}: at least one trial is needed")
    if problems:
        raise InputError(problems, remedy="Correct the command; --help lists the options.")


def _user_problems(wishes: Wishes) -> list[str]:
    problems = user_problems(wishes.user)
    asked = wishes.user_options
    of_models = UserOptions(enforce=asked.enforce)
    if wishes.user == RULE_BASED and asked != UserOptions():
        problems.append(f"--user {RULE_BASED} words its replies by code, so it has no such options")
    elif asked != of_models and not wishes.user.startswith(MODEL):
        problems.append(f"--user {wishes.user!r} is no model, so it has no model's options")
    return problems


def _limit_problems(wishes: Wishes) -> list[str]:
    """A limit that nothing could hold the agent to is refused, not passed over."""
    agent, limits = wishes.agent, wishes.limits
    problems: list[str] = []
    if limits.seconds is not None and not (talks(agent) or user_talks(wishes.user)):
        problems.append(f"--time-limit: --agent {agent!r} plays here and waits for nobody")
    told = {"--token-limit": limits.tokens, "--cost-limit": limits.cost}
    for name, value in told.items():
        if value is not None and not agent.startswith((MODEL, INSPECT)):
            problems.append(f"{name}: what --agent {agent!r} uses is not known here")
    if limits.cost is not None and not limits.cost > 0:
        problems.append(f"--cost-limit {limits.cost:g}: must be more than 0")
    return problems


def _user_options(wishes: Wishes) -> UserOptions | None:
    """The options with the usual temperature of a model user, 1 as in the paper's block, and the
    version of its prompt."""
    asked = wishes.user_options
    if not wishes.user.startswith(MODEL):
        return None if wishes.user == RULE_BASED else asked
    usual = 1.0 if asked.temperature is None else asked.temperature
    return msgspec.structs.replace(asked, temperature=usual, prompt=USER_PROMPT_VERSION)


def _check_labels(tasks: TaskSet, catalogue: Catalogue, where: str) -> None:
    """Raises InputError for predicates that name a label which no item of the catalogue bears. An
    imported request may: it was read against this catalogue, and then nothing fits it."""
    if tasks.source:
        return
    known: set[Predicate] = set()
    problems: list[str] = []
    for family in tasks.families:
        for predicate in family.predicates:
            spec = catalogue.domain.fields.get(predicate.field)
            if spec is None or not spec.kind.is_label or predicate in known:
                continue
            known.add(predicate)
            tree = catalogue.domain.hierarchies[predicate.field]
            column = catalogue.labels(predicate.field)
            if not codes_for(predicate.op, predicate.value, column, tree):
                problems.append(f"{family.id}: nothing in the catalogue has {fact(predicate)}")
    if problems:
        raise InputError(problems, where=where, remedy="mystery-shopper check tells more.")


def _choose(wishes: Wishes, tasks: TaskSet, conditions: Sequence[Condition]) -> tuple[str, ...]:
    """The ids of the tasks to be played."""
    chosen = tuple(task.id for task in tasks.select(wishes.block, conditions))
    if not chosen:
        raise InputError(
            f"no family of {tasks.name} is in the block {wishes.block!r}",
            where="--tasks",
            remedy="Use --tasks all.",
        )
    if wishes.only:
        lost = [name for name in wishes.only if name not in chosen]
        if lost:
            raise InputError(
                [
                    f"there is no task {name!r} under the chosen --tasks and --condition"
                    for name in lost
                ],
                where="--task",
                remedy=f"Task ids look like {chosen[0]!r}.",
            )
        chosen = tuple(name for name in chosen if name in set(wishes.only))
    return chosen


def _unknown(name: str, value: str, known: Sequence[str]) -> list[str]:
    return (
        [] if value in known else [f"{name} {value!r} is unknown; use one of: {', '.join(known)}"]
    )


def check_suite(name: str) -> None:
    """Raises InputError for a suite that is not there."""
    problems = _unknown("suite", name, SUITES)
    if problems:
        raise InputError(problems, remedy="mystery-shopper --help lists what there is.")
