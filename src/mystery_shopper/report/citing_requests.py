"""The methods paragraph of runs of recbench: their queries, settings, and figures by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mystery_shopper.engine.loading import SHIPPED_CATALOGUES
from mystery_shopper.engine.plan import Environment, RunPlan, TrialLimits
from mystery_shopper.engine.store import RunFolder, folder_names
from mystery_shopper.report.bibtex import SOFTWARE
from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.citing import RESAMPLES, agents_told, behind, listed, made_with
from mystery_shopper.report.recbench.grounds import Member, asked_for, handed
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.telling import read_studies
from mystery_shopper.report.words import bounds, figure, plain, plural
from mystery_shopper.suites.recbench.query import Kind, QuerySet
from mystery_shopper.suites.recbench.queryfile import shipped_names
from mystery_shopper.suites.recbench.reference import AGENTS

_FIGURES = (("precision_own", "precision"), ("recall_own", "recall"), ("cmr", "CMR"))


@dataclass(frozen=True)
class CitedRequests:
    """Runs as they are cited: the figures of comparable ones together, what each was made with, and
    the ids of the models that answered."""

    studies: tuple[Study, ...]
    made: Mapping[str, Environment]
    answered: Mapping[str, Counter[tuple[str, str]]]

    @property
    def plans(self) -> list[RunPlan]:
        """Of all runs."""
        return [member.plan for study in self.studies for member in study.members]


def read_requests(
    folders: Sequence[RunFolder], query_sets: Mapping[str, QuerySet]
) -> CitedRequests:
    """Read the runs and their figures. Raises InputError as `read_studies` does."""
    studies = read_studies(folders, query_sets, resamples=RESAMPLES)
    made: dict[str, Environment] = {}
    answered: dict[str, Counter[tuple[str, str]]] = {}
    for name, folder in zip(folder_names(folders), folders, strict=True):
        made[name], answered[name] = behind(folder)
    return CitedRequests(tuple(studies), made, answered)


def request_methods(cited: CitedRequests) -> str:
    """A paragraph for the runs of each ground."""
    return "\n\n".join(_paragraph(study, cited) for study in cited.studies)


def _paragraph(study: Study, cited: CitedRequests) -> str:
    members = study.members
    told = [
        _what(members),
        _where(members),
        *agents_told([(one, cited.answered[one.played.name]) for one in members], AGENTS),
        *_settings(members),
        _counts(members),
        _found(study),
        made_with([cited.made[one.played.name] for one in members]),
    ]
    return " ".join(told)


def _what(members: Sequence[Member]) -> str:
    names = listed([plain(one.full) for one in members])
    versions = listed(sorted({one.plan.version for one in members}))
    return (
        f"We evaluated {plural(len(members), 'agent run')} ({names}) with Mystery Shopper "
        f"{versions} [{SOFTWARE}] and its suite recbench [recbench]."
    )


def _where(members: Sequence[Member]) -> str:
    first = members[0]
    plan, queries = first.plan, first.played.query_set
    # A person's own are named by paths, which say nothing to a reader of a paper.
    name = queries.name if queries is not None else Path(plan.task_set).name
    name = plan.task_set if plan.task_set in shipped_names() else name
    shop = plan.source if plan.source in SHIPPED_CATALOGUES else Path(plan.source).name
    kinds = Counter(one.kind for one in first.played.asked)
    parts = [f"{kinds[kind.value]:,} {kind.value}" for kind in Kind if kinds[kind.value]]
    # Of queries that neither the set nor a trial tells of the type is not known.
    known = f": {listed(parts)}" if sum(kinds.values()) == len(plan.tasks) else ""
    users = f", asked by {plural(len({one.user for one in first.played.asked}), 'user')}"
    return (
        f"The queries are those of {plain(name)} (SHA-256 {plan.task_set_digest[:12]}; "
        f"{plural(len(plan.tasks), 'query', 'queries')}{known}{users if known else ''}), over the "
        f"catalogue {plain(shop)} of {plural(plan.size, 'item')} (SHA-256 "
        f"{plan.catalogue_digest[:12]}). {_histories(queries)}"
    )


def _histories(queries: QuerySet | None) -> str:
    if queries is None:
        return "Where the users' histories come from is unknown."
    found = queries.histories
    made = "are synthetic: nobody lived them" if found.synthetic else "are not made up"
    return (
        f"The users' histories ({plain(found.source)}; {plural(found.users, 'user')}, "
        f"{plural(found.interactions, 'interaction')}) {made}."
    )


def _settings(members: Sequence[Member]) -> Iterator[str]:
    plans = [one.plan for one in members]
    interfaces = listed(sorted({plan.interface for plan in plans}))
    history = listed(sorted({handed(plan.history) for plan in plans}))
    k = listed(sorted({asked_for(plan.k) for plan in plans}))
    versions = listed(sorted({str(plan.prompts_version) for plan in plans}))
    seeds = sorted({plan.seed for plan in plans})
    counts = sorted({min(plan.trials for plan in plans), max(plan.trials for plan in plans)})
    times = "once" if counts == [1] else f"{' to '.join(map(str, counts))} times"
    asked = "was to be asked" if any(one.played.counts.unplayed for one in members) else "was asked"
    yield (
        f"Agents answer by the interface {interfaces} (prompts version {versions}), {history}, "
        f"{k}. Each query {asked} {times}, with the "
        f"{'seed' if len(seeds) == 1 else 'seeds'} {listed([str(seed) for seed in seeds])}."
    )
    limits = sorted({str(plan.limits) for plan in plans if plan.limits != TrialLimits()})
    if limits:
        yield f"The agent's limits of a trial are {listed(limits)}."


def _counts(members: Sequence[Member]) -> str:
    told: list[str] = []
    for one in members:
        counts = one.played.counts
        missing = f", {counts.unplayed:,} not played" if counts.unplayed else ""
        told.append(
            f"{plain(one.full)} {counts.planned:,} planned, {counts.valid:,} valid, "
            f"{counts.excluded:,} excluded{missing}"
        )
    return f"Trials: {'; '.join(told)}."


def _found(study: Study) -> str:
    told = [
        f"{plain(member.full)}: {_figures(run) or 'unmeasured'}"
        for member, run in zip(study.members, study.runs, strict=True)
    ]
    return (
        "Precision and recall are against the user's own group, CMR is the share of recommended "
        "items that meet all true conditions; each is a mean over answers that recommend "
        "something, K free, with 95 % percentile intervals from "
        f"{RESAMPLES:,} bootstrap resamples of users. {'. '.join(told)}."
    )


def _figures(run: Figured) -> str:
    parts: list[str] = []
    for kind in Kind:
        cell = run.of_type(kind.value)
        if cell is None:
            continue
        told = [f"{word} {_estimate(cell.at(name))}" for name, word in _FIGURES
                if not (kind.is_profile and name == "cmr")]  # fmt: skip
        parts.append(f"{kind.value} {', '.join(told)}")
    return "; ".join(parts)


def _estimate(found: Estimate) -> str:
    if found.value is None:
        return "unmeasured"
    if found.low is None:
        return f"{figure(found.value)} (one user, no interval)"
    return f"{figure(found.value)} {bounds(found.low, found.high)}"
