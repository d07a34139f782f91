"""How to cite runs: BibTeX from the package's citation file, and a methods paragraph of the runs'
own numbers. What a run did not record is said to be unknown; nothing is made up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from mystery_shopper.engine import RunFolder, RunPlan
from mystery_shopper.engine.bundling.pins import asked_models
from mystery_shopper.engine.casting import INSPECT
from mystery_shopper.engine.loading import SHIPPED_CATALOGUES
from mystery_shopper.engine.plan import (
    RULE_BASED,
    Environment,
    ModelOptions,
    RunFile,
    TrialLimits,
)
from mystery_shopper.report.bibtex import SOFTWARE, bibtex_of
from mystery_shopper.report.cells import ALL, Answers, Estimate
from mystery_shopper.report.page import read_folders
from mystery_shopper.report.summary import Group, RunSummary, summarise
from mystery_shopper.report.words import bounds, figure, plain, plural
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.taskfile import shipped_names

RESAMPLES = 10_000


@dataclass(frozen=True)
class Cited:
    """Runs as they are cited: groups of comparable ones, what each was made with, and the ids of
    the models that answered: (party, id) -> calls, in the order of the runs."""

    groups: tuple[Group, ...]
    made: Mapping[str, Environment]
    answered: Mapping[str, Counter[tuple[str, str]]]


def read_cited(folders: Sequence[RunFolder], task_sets: Mapping[str, TaskSet]) -> Cited:
    """Read the runs and their figures. Raises InputError as `read_folders` does."""
    runs = read_folders(folders, task_sets=task_sets)
    made: dict[str, Environment] = {}
    answered: dict[str, Counter[tuple[str, str]]] = {}
    for run, folder in zip(runs, folders, strict=True):
        made[run.name], answered[run.name] = behind(folder)
    return Cited(summarise(runs, resamples=RESAMPLES).groups, made, answered)


def behind(folder: RunFolder) -> tuple[Environment, Counter[tuple[str, str]]]:
    """What a run was made with, and the ids of the models that answered."""
    file = msgspec.json.decode(folder.run_file.read_bytes(), type=RunFile)
    ids: Counter[tuple[str, str]] = Counter()
    for timing in folder.timings():
        for party, used in timing.usage.items():
            ids.update({(party, model): n for model, n in used.answered.items()})
    return file.environment, ids


def bibtex(cited: Cited) -> str:
    """As `bibtex_of`, of these runs."""
    return bibtex_of([run.plan for group in cited.groups for run in group.runs])


# --- the paragraph ------------------------------------------------------------------------------


def methods(cited: Cited) -> str:
    """A paragraph for each group of runs that may be compared."""
    return "\n\n".join(_paragraph(group, cited) for group in cited.groups)


def _paragraph(group: Group, cited: Cited) -> str:
    runs = group.runs
    told = [
        _what(group),
        _where(group),
        *agents_told([(run, cited.answered[run.run.name]) for run in runs], AGENTS),
        *_users(runs, cited),
        *_settings(runs),
        *_counts(runs),
        _success(runs),
        made_with([cited.made[run.run.name] for run in runs]),
    ]
    return " ".join(sentence for sentence in told if sentence)


def _what(group: Group) -> str:
    names = listed([plain(run.full) for run in group.runs])
    versions = listed(sorted({run.plan.version for run in group.runs}))
    suite = listed(sorted({run.plan.suite for run in group.runs}))
    count = plural(len(group.runs), "agent run")
    return (
        f"We evaluated {count} ({names}) with Mystery Shopper {versions} [{SOFTWARE}] and its "
        f"suite {suite} [{suite}]."
    )


def _where(group: Group) -> str:
    found, run = group.provenance, group.runs[0].run
    # A person's own are named by paths, which say nothing to a reader of a paper.
    shop = found.catalogue if found.catalogue in SHIPPED_CATALOGUES else Path(found.catalogue).name
    name = run.task_set.name if run.task_set is not None else Path(found.task_set).name
    if found.task_set in shipped_names():
        name = found.task_set
    requests = {task.family: task.request for task in run.tasks if task.request is not None}
    fit = sum(request.satisfiable for request in requests.values())
    known = len(requests) == found.family_count
    answers = f", {fit:,} of them with an answer in the catalogue" if known else ""
    every = {len(one.run.tasks) for one in group.runs}
    tasks = " to ".join(f"{count:,}" for count in sorted({min(every), max(every)}))
    tasks += " task" if every == {1} else " tasks"
    condition = "condition" if len(group.conditions) == 1 else "conditions"
    return (
        f"The tasks are those of {plain(name)} (SHA-256 {found.task_set_digest[:12]}; "
        f"{plural(found.family_count, 'family', 'families')}{answers}; {tasks} a run under "
        f"the {condition} {listed(group.conditions)}), over the catalogue "
        f"{plain(shop)} of {plural(found.size, 'item')} (SHA-256 "
        f"{found.catalogue_digest[:12]})."
    )


class Member(Protocol):
    """A run as the sentences that all suites share need it."""

    @property
    def full(self) -> str: ...
    @property
    def plan(self) -> RunPlan: ...


def agents_told(
    runs: Sequence[tuple[Member, Counter[tuple[str, str]]]], scripts: Collection[str]
) -> Iterator[str]:
    """Which agents these are. Beside each run the ids that answered: (party, id) -> calls;
    `scripts` are the suite's agents that ask no model."""
    scripted = [plain(run.full) for run, _ in runs if run.plan.agent in scripts]
    if scripted:
        told = (
            "agent {} is scripted and asks"
            if len(scripted) == 1
            else "agents {} are scripted and ask"
        )
        yield f"The {told.format(listed(scripted))} no model."
    for run, answered in runs:
        if run.plan.agent not in scripts:
            yield _agent(run, answered)


def _agent(run: Member, answered: Counter[tuple[str, str]]) -> str:
    name, plan = plain(run.full), run.plan
    asked = asked_models(plan).get("agent")
    if asked is None:
        kind = "an agent of Inspect AI" if plan.agent.startswith(INSPECT) else "our own agent"
        heard = _heard("agent", answered)
        behind = heard or "which model stands behind it, if any, is unknown"
        return f"{name[:1].upper()}{name[1:]} is {kind}; {behind}."
    options = _options(plan.model)
    heard = _heard("agent", answered) or "the id with which the model answered was not recorded"
    return f"The agent {name} is the model {plain(asked)}{options}; {heard}."


def _heard(party: str, answered: Counter[tuple[str, str]]) -> str:
    ids = [plain(model) for who, model in sorted(answered) if who == party]
    return f"it answered as {listed(ids)}" if ids else ""


def _options(options: ModelOptions) -> str:
    given = {
        "temperature {}": options.temperature,
        "reasoning effort {}": options.reasoning_effort,
        "at most {} tokens an answer": options.max_tokens,
    }
    told = [words.format(value) for words, value in given.items() if value is not None]
    return f" ({', '.join(told)})" if told else " (sampled as its provider does by default)"


def _users(runs: Sequence[RunSummary], cited: Cited) -> list[str]:
    plan = runs[0].plan
    rules = ", answering as the paper's does" if plan.as_paper else ""
    if plan.user == RULE_BASED:
        return [f"The customers are rule-based{rules}."]
    asked = asked_models(plan).get("user")
    options = f" ({plan.user_options})" if str(plan.user_options or "") else ""
    if asked is None:
        return [f"The customers are worded by {plain(plan.user)}{options}{rules}, our own code."]
    ids = sum((cited.answered[run.run.name] for run in runs), Counter[tuple[str, str]]())
    heard = _heard("user", ids) or "the id with which it answered was not recorded"
    return [f"The customers are worded by the model {plain(asked)}{options}{rules}; {heard}."]


def _settings(runs: Sequence[RunSummary]) -> list[str]:
    def each(of: Callable[[RunPlan], str]) -> str:
        return listed(sorted({of(run.plan) for run in runs}))

    seeds = sorted({run.plan.seed for run in runs})
    counts = [run.plan.trials for run in runs]
    trials = " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))
    word = "seed" if len(seeds) == 1 else "seeds"
    times = "once" if trials == "1" else f"{trials} times"
    played = "was to be played" if any(run.counts.unplayed for run in runs) else "was played"
    limits = {str(run.plan.limits) for run in runs if run.plan.limits != TrialLimits()}
    told = [
        f"Agents search by the interface {each(lambda plan: plan.interface)} under the prompt "
        f"{each(lambda plan: plan.prompt)} (prompts version "
        f"{each(lambda plan: str(plan.prompts_version))}). Each task {played} {times}, with the "
        f"{word} {listed([str(seed) for seed in seeds])}."
    ]
    if limits:
        told.append(f"The agent's limits of a trial are {listed(sorted(limits))}.")
    return told


def _counts(runs: Sequence[RunSummary]) -> list[str]:
    told: list[str] = []
    for run in runs:
        counts = run.counts
        missing = f", {counts.unplayed:,} not played" if counts.unplayed else ""
        told.append(
            f"{plain(run.full)} {counts.planned:,} planned, {counts.valid:,} valid, "
            f"{counts.excluded:,} excluded{missing}"
        )
    return [f"Trials: {'; '.join(told)}."]


def _success(runs: Sequence[RunSummary]) -> str:
    told: list[str] = []
    for run in runs:
        cells = [
            (cell.condition, cell.passes[0])
            for cell in run.cells.by_answers
            if cell.answers is Answers.SATISFIABLE and cell.condition != ALL
        ]
        part = [f"{condition} {_estimate(found)}" for condition, found in cells]
        told.append(f"{plain(run.full)}: {', '.join(part) or 'unmeasured'}")
    return (
        "Success is pass^1, the mean over the tasks of satisfiable families, with 95 % percentile "
        f"intervals from {RESAMPLES:,} bootstrap resamples of families, seeded by the run's seed: "
        f"{'; '.join(told)}."
    )


def _estimate(found: Estimate) -> str:
    if found.value is None:
        return "unmeasured"
    if found.low is None:
        return f"{figure(found.value)} (one family, no interval)"
    return f"{figure(found.value)} {bounds(found.low, found.high)}"


def made_with(environments: Sequence[Environment]) -> str:
    """What the runs were made with."""
    made = sorted(
        {f"Python {one.python}, numpy {one.numpy} and DuckDB {one.duckdb}" for one in environments}
    )
    return f"The runs were made with {'; '.join(made)}."


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them."""
    if len(names) < 2:
        return "".join(names) or "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"
