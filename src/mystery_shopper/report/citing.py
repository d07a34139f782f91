"""How to cite runs: BibTeX from the package's citation file, and a methods paragraph of the runs'
own numbers. What a run did not record is said to be unknown; nothing is made up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import resources
from pathlib import Path

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
from mystery_shopper.report.cells import ALL, Answers, Estimate
from mystery_shopper.report.page import read_folders
from mystery_shopper.report.summary import Group, RunSummary, summarise
from mystery_shopper.report.words import bounds, figure, plain, plural
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.taskfile import shipped_names

RESAMPLES = 10_000
SOFTWARE = "mystery_shopper"


class Person(msgspec.Struct, frozen=True, rename="kebab"):
    """An author: a person's names, or the name of a body."""

    name: str = ""
    family_names: str = ""
    given_names: str = ""


class Reference(msgspec.Struct, frozen=True):
    """A paper; `notes` give its arXiv number and the suite that follows it."""

    title: str
    authors: tuple[Person, ...]
    year: int
    notes: str = ""

    @property
    def suite(self) -> str:
        """The suite's name; empty where the notes name none."""
        found = re.search(r"the suite (\w+)", self.notes)
        return found[1] if found else ""


class CitationFile(msgspec.Struct, frozen=True, rename="kebab"):
    """What is used of `CITATION.cff`."""

    title: str
    version: str
    license: str
    date_released: date
    authors: tuple[Person, ...]
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Cited:
    """Runs as they are cited: groups of comparable ones, what each was made with, and the ids of
    the models that answered: (party, id) -> calls, in the order of the runs."""

    groups: tuple[Group, ...]
    made: Mapping[str, Environment]
    answered: Mapping[str, Counter[tuple[str, str]]]


def citation() -> CitationFile:
    """The package's own citation file."""
    raw = (resources.files("mystery_shopper") / "data" / "CITATION.cff").read_bytes()
    return msgspec.yaml.decode(raw, type=CitationFile)


def read_cited(folders: Sequence[RunFolder], task_sets: Mapping[str, TaskSet]) -> Cited:
    """Read the runs and their figures. Raises InputError as `read_folders` does."""
    runs = read_folders(folders, task_sets=task_sets)
    made: dict[str, Environment] = {}
    answered: dict[str, Counter[tuple[str, str]]] = {}
    for run, folder in zip(runs, folders, strict=True):
        file = msgspec.json.decode(folder.run_file.read_bytes(), type=RunFile)
        made[run.name] = file.environment
        ids: Counter[tuple[str, str]] = Counter()
        for timing in folder.timings():
            for party, used in timing.usage.items():
                ids.update({(party, model): n for model, n in used.answered.items()})
        answered[run.name] = ids
    return Cited(summarise(runs, resamples=RESAMPLES).groups, made, answered)


# --- BibTeX -------------------------------------------------------------------------------------


def bibtex(cited: Cited) -> str:
    """An entry for the software, in the version that made the runs, and one for each suite's
    paper."""
    known = citation()
    plans = [run.plan for group in cited.groups for run in group.runs]
    versions = sorted({plan.version for plan in plans})
    fields = {"title": f"{{{_tex(known.title)}}}", "author": _authors(known.authors)}
    fields["version"] = _tex(", ".join(versions))
    if versions == [known.version]:  # Of another version the date is not known here.
        fields |= {"year": str(known.date_released.year), "date": str(known.date_released)}
    fields["note"] = f"Licence: {_tex(known.license)}"
    entries = [_entry("software", SOFTWARE, fields)]
    suites = {plan.suite for plan in plans}
    entries += [_paper(paper) for paper in known.references if paper.suite in suites]
    return "\n".join(entries)


def _paper(paper: Reference) -> str:
    fields = {
        "title": f"{{{_tex(paper.title)}}}",
        "author": _authors(paper.authors),
        "year": str(paper.year),
    }
    found = re.search(r"arXiv:(\d{4}\.\d{4,5})", paper.notes)
    if found:
        fields |= {"eprint": found[1], "archivePrefix": "arXiv"}
    return _entry("misc", paper.suite, fields)


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}\n"


def _authors(people: Sequence[Person]) -> str:
    return " and ".join(
        f"{{{_tex(one.name)}}}"
        if one.name
        else f"{_tex(one.family_names)}, {_tex(one.given_names)}"
        for one in people
    )


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def _tex(text: str) -> str:
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _TEX.get(found[0], f"\\{found[0]}"), text)


# --- the paragraph ------------------------------------------------------------------------------


def methods(cited: Cited) -> str:
    """A paragraph for each group of runs that may be compared."""
    return "\n\n".join(_paragraph(group, cited) for group in cited.groups)


def _paragraph(group: Group, cited: Cited) -> str:
    runs = group.runs
    told = [
        _what(group),
        _where(group),
        *_agents(runs, cited),
        *_users(runs, cited),
        *_settings(runs),
        *_counts(runs),
        _success(runs),
        _versions(runs, cited),
    ]
    return " ".join(sentence for sentence in told if sentence)


def _what(group: Group) -> str:
    names = _listed([plain(run.full) for run in group.runs])
    versions = _listed(sorted({run.plan.version for run in group.runs}))
    suite = _listed(sorted({run.plan.suite for run in group.runs}))
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
        f"the {condition} {_listed(group.conditions)}), over the catalogue "
        f"{plain(shop)} of {plural(found.size, 'item')} (SHA-256 "
        f"{found.catalogue_digest[:12]})."
    )


def _agents(runs: Sequence[RunSummary], cited: Cited) -> Iterator[str]:
    scripted = [plain(run.full) for run in runs if run.plan.agent in AGENTS]
    if scripted:
        told = (
            "agent {} is scripted and asks"
            if len(scripted) == 1
            else "agents {} are scripted and ask"
        )
        yield f"The {told.format(_listed(scripted))} no model."
    for run in runs:
        if run.plan.agent not in AGENTS:
            yield _agent(run, cited.answered[run.run.name])


def _agent(run: RunSummary, answered: Counter[tuple[str, str]]) -> str:
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
    return f"it answered as {_listed(ids)}" if ids else ""


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
        return _listed(sorted({of(run.plan) for run in runs}))

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
        f"{word} {_listed([str(seed) for seed in seeds])}."
    ]
    if limits:
        told.append(f"The agent's limits of a trial are {_listed(sorted(limits))}.")
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


def _versions(runs: Sequence[RunSummary], cited: Cited) -> str:
    made = sorted({
        f"Python {one.python}, numpy {one.numpy} and DuckDB {one.duckdb}"
        for run in runs
        for one in (cited.made[run.run.name],)
    })  # fmt: skip
    return f"The runs were made with {'; '.join(made)}."


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names) or "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"
