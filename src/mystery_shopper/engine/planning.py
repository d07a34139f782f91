"""From a command's wishes to a run's plan, with everything wrong said at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from mystery_shopper.agents.chat import ToolMode
from mystery_shopper.agents.deployed import file_digest
from mystery_shopper.catalog import Domain
from mystery_shopper.dialogue import Limits
from mystery_shopper.engine.casting import (
    HUMAN,
    INSPECT,
    MODEL,
    agent_problems,
    agent_remedy,
    is_deployed,
    talks,
)
from mystery_shopper.engine.loading import (
    catalogue_name,
    choose_sources,
    folder_of,
    load_book,
    load_catalogue,
)
from mystery_shopper.engine.plan import (
    RULE_BASED,
    RUN_SCHEMA,
    ModelOptions,
    RunPlan,
    TrialLimits,
    UserOptions,
    package_version,
)
from mystery_shopper.engine.speakers import user_problems, user_talks
from mystery_shopper.engine.suites import Suite, TaskBook, suite_of
from mystery_shopper.foundation import InputError, did_you_mean
from mystery_shopper.suites.tau_rec.modeluser.prompt import USER_PROMPT_VERSION

RELIABILITY_TRIALS = 8
MOST_ASKED = 100
COMMAND = "Correct the command; --help lists the options."
_THROUGH = "an agent that is played through Inspect: model:…, inspect:…, http://… or agent.yaml"
TOOL_MODES = tuple(mode.value for mode in ToolMode)


@dataclass(frozen=True)
class Wishes:
    """What the person asked for; None stands for the suite's usual."""

    agent: str
    suite: str = "tau_rec"
    task_set: str | None = None
    catalog: str | None = None
    conditions: Sequence[str] = ()
    interface: str | None = None
    prompt: str | None = None
    tool_line: str | None = None
    block: str = "all"
    trials: int | None = None
    seed: int = 0
    only: Sequence[str] = ()
    as_paper: bool = False
    model: ModelOptions = field(default_factory=ModelOptions)
    user: str = RULE_BASED
    user_options: UserOptions = field(default_factory=UserOptions)
    limits: TrialLimits = field(default_factory=TrialLimits)
    history: bool = False
    k: int = 0


def make_plan(wishes: Wishes) -> RunPlan:
    """The plan of a run. Raises InputError that names every unknown value with those there are."""
    suite = suite_of(wishes.suite)
    _check_words(wishes, suite)
    catalog, task_set = choose_sources(wishes.catalog, wishes.task_set, suite.name)
    tasks = load_book(suite.name, task_set)
    source, size = catalogue_name(catalog)
    catalogue = load_catalogue(source, size)
    whole = catalogue if size is None else load_catalogue(source)
    suite.check_tasks(tasks, whole, task_set, folder_of(source))
    known = suite.words.conditions
    conditions = tuple(c for c in known if not wishes.conditions or c in wishes.conditions)
    usual = RELIABILITY_TRIALS if wishes.block == "reliability" else 1
    plan = RunPlan(
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
        interface=wishes.interface or suite.words.interfaces[0],
        prompt=wishes.prompt or suite.words.prompts[0],
        prompts_version=suite.prompts_version,
        tool_line=wishes.tool_line or suite.words.tool_lines[0],
        instructions="",
        conditions=conditions,
        block=wishes.block,
        tasks=_choose(wishes, suite, tasks, conditions),
        trials=usual if wishes.trials is None else wishes.trials,
        seed=wishes.seed,
        as_paper=wishes.as_paper,
        model=wishes.model,
        user_options=_user_options(wishes),
        agent_file=file_digest(wishes.agent) if is_deployed(wishes.agent) else "",
        limits=wishes.limits,
        history=wishes.history,
        k=wishes.k,
    )
    told = instructions_digest(suite, plan, catalogue.domain)
    return msgspec.structs.replace(plan, instructions=told)


def instructions_digest(suite: Suite, plan: RunPlan, domain: Domain) -> str:
    """SHA-256 of what the agent is told. Raises ValueError for a setting that the suite does not
    know."""
    return hashlib.sha256(suite.instructions(plan, domain).encode()).hexdigest()


def _check_words(wishes: Wishes, suite: Suite) -> None:
    words = suite.words
    of_agent = [] if wishes.agent == HUMAN else agent_problems(wishes.agent, suite.name)
    problems = [
        *of_agent,
        *_unknown("--interface", wishes.interface, words.interfaces),
        *_unknown("--prompt", wishes.prompt, words.prompts),
        *_unknown("--tool-line", wishes.tool_line, words.tool_lines),
        *_unknown("--tasks", wishes.block, words.blocks),
    ]
    if not suite.histories:
        asked = [*(["--history"] if wishes.history else []), *(["--k"] if wishes.k else [])]
        problems += [f"{name}: {suite.name} has no such setting" for name in asked]
    elif not 0 <= wishes.k <= MOST_ASKED:
        problems.append(f"--k {wishes.k}: must be from 1 to {MOST_ASKED}, or 0 for any number")
    if suite.histories and wishes.as_paper:
        problems.append(f"--as-paper: in {suite.name} the paper's own setting is --interface bare")
    if not suite.speakers and wishes.user != RULE_BASED:
        problems.append(f"--user: in {suite.name} nobody speaks but the request itself")
    problems += _unknown("--tool-mode", wishes.model.tool_mode, TOOL_MODES)
    if wishes.model != ModelOptions() and not wishes.agent.startswith(MODEL):
        problems.append(f"--agent {wishes.agent!r} is no model, so it has no model's options")
    problems += _user_problems(wishes)
    problems += _limit_problems(wishes)
    for condition in wishes.conditions:
        problems += _unknown("--condition", condition, words.conditions)
    if wishes.trials is not None and wishes.trials < 1:
        problems.append(f"--trials {wishes.trials}: at least one trial is needed")
    if problems:
        of_file = agent_remedy(wishes.agent, suite.name)
        only_file = of_file and len(problems) == len(of_agent)
        remedies = [*([of_file] if of_file else []), *([] if only_file else [COMMAND])]
        raise InputError(problems, remedy="\n".join(remedies))


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
        problems.append(
            f"--time-limit: --agent {agent!r} plays in this process, where each trial has "
            f"{Limits().seconds:g} s; another limit is held for {_THROUGH}, and for any agent "
            "before a customer that is waited for"
        )
    told = {"--token-limit": limits.tokens, "--cost-limit": limits.cost}
    for name, value in told.items():
        if value is not None and not agent.startswith((MODEL, INSPECT)):
            problems.append(
                f"{name}: what --agent {agent!r} uses is not known here; the limit is held for "
                "model:… and inspect:…, whose calls Inspect counts"
            )
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


def _choose(
    wishes: Wishes, suite: Suite, tasks: TaskBook, conditions: Sequence[str]
) -> tuple[str, ...]:
    """The ids of the tasks to be played."""
    chosen = suite.choose(tasks, wishes.block, conditions)
    if not chosen:
        raise _nothing_chosen(wishes, suite, tasks, conditions)
    if wishes.only:
        lost = [name for name in wishes.only if name not in chosen]
        if lost:
            raise _lost(lost, wishes, suite, tasks, chosen)
        chosen = tuple(name for name in chosen if name in set(wishes.only))
    return chosen


def _lost(
    lost: Sequence[str], wishes: Wishes, suite: Suite, tasks: TaskBook, chosen: Sequence[str]
) -> InputError:
    """Each task that is not among the chosen: left out by an option, or not in the set at all."""
    known = set(suite.choose(tasks, "all", suite.words.conditions))
    options = [
        *([f"--tasks {wishes.block}"] if wishes.block != "all" else []),
        *(f"--condition {name}" for name in wishes.conditions),
    ]
    problems = [
        f"the task {name!r} is left out by {' and '.join(options)}"
        if name in known
        else f"{tasks.name} has no task {name!r}{did_you_mean(name, chosen)}"
        for name in lost
    ]
    return InputError(problems, where="--task", remedy=f"Task ids look like {chosen[0]!r}.")


def _nothing_chosen(
    wishes: Wishes, suite: Suite, tasks: TaskBook, conditions: Sequence[str]
) -> InputError:
    """Which of --condition and --tasks leaves nothing of a set, and what it has instead."""
    if suite.choose(tasks, "all", conditions):
        return InputError(
            f"{tasks.name} has no task in the block {wishes.block!r} under these conditions",
            where="--tasks",
            remedy="Use --tasks all.",
        )
    counts = {name: len(suite.choose(tasks, "all", (name,))) for name in suite.words.conditions}
    has = ", ".join(f"{name} ({count:,})" for name, count in counts.items() if count)
    return InputError(
        f"{tasks.name} has no task of {' or '.join(conditions)}",
        where="--condition" if wishes.conditions else tasks.name,
        remedy=f"It has {has}: name one of these, or none for all." if has else "Draw another set.",
    )


def _unknown(name: str, value: str | None, known: Sequence[str]) -> list[str]:
    if value is None or value in known:
        return []
    return [f"{name} {value!r} is unknown; use one of: {', '.join(known)}"]
