"""Conditions (RecBench+) as the engine sees them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mystery_shopper.catalog import Catalogue, Domain, ItemGraph
from mystery_shopper.dialogue import Agent, Episode, Transcript
from mystery_shopper.engine.suites.protocol import TaskBook, Words
from mystery_shopper.foundation import InputError, MysteryShopperError
from mystery_shopper.sources.triples import triples_of
from mystery_shopper.suites.recbench.people import redacted
from mystery_shopper.suites.recbench.prompts import PROMPTS_VERSION
from mystery_shopper.suites.recbench.query import Kind, Query, QuerySet
from mystery_shopper.suites.recbench.queryfile import (
    load_query_set,
    parse_query_set,
    query_set_bytes,
    shipped_names,
    shipped_query_set,
)
from mystery_shopper.suites.recbench.reference import AGENTS
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Interface, Shelf
from mystery_shopper.suites.recbench.stage import Setting, instructions, set_stage

if TYPE_CHECKING:
    from mystery_shopper.engine.plan import RunPlan
    from mystery_shopper.suites.tau_rec.stage import UserFactory

QUERIES_FILE = "queries.json"
GRAPH_FILE = "graph.tsv"
PANEL = 10
"""The panel is every tenth query of each cell."""
WORDS = Words(
    conditions=tuple(kind.value for kind in Kind),
    interfaces=tuple(one.value for one in Interface),
    prompts=("base",),
    tool_lines=("own",),
    blocks=("all", "panel"),
)


@lru_cache(maxsize=4)
def shelf_over(catalogue: Catalogue, graph: ItemGraph | None) -> Shelf:
    """A catalogue made ready for requests; kept for the next call with the same ones."""
    return Shelf(catalogue, graph)


@lru_cache(maxsize=4)
def graph_in(folder: Path, catalogue: Catalogue) -> ItemGraph | None:
    """The graph that a catalogue's folder brings along; None where the catalogue's own fields make
    it. Raises InputError for a file that cannot be used."""
    place = folder / GRAPH_FILE
    return triples_of(place, catalogue, leave_out_others=True) if place.is_file() else None


@dataclass(frozen=True)
class RecBenchScene:
    """The queries of one plan over its shelf."""

    tasks: QuerySet
    shelf: Shelf
    setting: Setting
    scorer: Scorer

    @property
    def catalogue(self) -> Catalogue:
        """As `Scene.catalogue`."""
        return self.shelf.catalogue

    def query(self, task: str) -> Query:
        """The query of a task's id."""
        return self.tasks.by_id[task]

    def history(self, task: str) -> tuple[str, ...]:
        """As `Scene.history`: what is handed over; nothing where the plan hands nothing over."""
        if not self.setting.history:
            return ()
        return handed(self.query(task), self.tasks, self.shelf).items

    def episode(self, task: str, speaker: UserFactory | None = None) -> Episode:
        """As `Scene.episode`; nobody can speak in the request's place."""
        if speaker is not None:
            raise MysteryShopperError("in recbench nobody speaks but the request itself")
        return set_stage(self.query(task), self.tasks, self.shelf, self.setting)

    def shipped(self, agent: str, task: str) -> Agent:
        """As `Scene.shipped`."""
        return AGENTS[agent](self.query(task), self.tasks, self.shelf, self.setting)

    def score(self, task: str, transcript: Transcript) -> RecBenchScore:
        """As `Scene.score`."""
        return self.scorer.score(self.query(task), self.setting, transcript)

    def make_ready(self) -> None:
        """As `Scene.make_ready`."""
        shelf = self.shelf
        _ = (shelf.titles, shelf.title_of, shelf.known, self.scorer.known)
        shelf.reader.read("")
        for relation in shelf.graph.relations[:1]:
            shelf.graph.degree(relation, "")
        if self.setting.interface is Interface.TOOLS:
            _ = shelf.keyword


@dataclass(frozen=True)
class RecBench:
    """The suite."""

    name: str = "recbench"
    words: Words = WORDS
    agents: tuple[str, ...] = tuple(AGENTS)
    tasks_file: str = QUERIES_FILE
    graph_file: str = GRAPH_FILE
    speakers: bool = False
    histories: bool = True
    decides: bool = False
    prompts_version: int = PROMPTS_VERSION

    def shipped_sets(self) -> tuple[str, ...]:
        """As `Suite.shipped_sets`."""
        return tuple(shipped_names())

    def read_tasks(self, name: str, domain: Domain | None = None) -> QuerySet:
        """As `Suite.read_tasks`."""
        del domain
        return shipped_query_set(name) if name in shipped_names() else load_query_set(name)

    def parse_tasks(self, raw: bytes, where: str, domain: Domain | None) -> QuerySet:
        """As `Suite.parse_tasks`."""
        del domain
        return parse_query_set(raw, where)

    def tasks_bytes(self, tasks: TaskBook) -> bytes:
        """As `Suite.tasks_bytes`."""
        return query_set_bytes(own(tasks))

    def check_tasks(
        self, tasks: TaskBook, catalogue: Catalogue, where: str, folder: Path | None = None
    ) -> None:
        """As `Suite.check_tasks`."""
        drawn, found = self.origin(tasks, catalogue, folder)
        if drawn != found:
            raise InputError(
                f"the queries are of another graph ({own(tasks).graph.name}, digest {drawn[:12]}) "
                f"than that of {catalogue.name} ({found[:12]})",
                where=where,
                remedy="Use the catalogue of the queries, or draw queries from this one.",
            )

    def origin(
        self, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> tuple[str, str]:
        """As `Suite.origin`: the graphs' digests."""
        graph = None if folder is None else graph_in(folder, catalogue)
        return own(tasks).graph.digest, shelf_over(catalogue, graph).graph.digest

    def choose(self, tasks: TaskBook, block: str, conditions: Sequence[str]) -> tuple[str, ...]:
        """As `Suite.choose`."""
        wanted, seen = set(conditions), defaultdict[str, int](int)
        chosen: list[str] = []
        for query in own(tasks).queries:
            place = seen[query.cell]
            seen[query.cell] += 1
            if query.kind.value in wanted and (block == "all" or place % PANEL == 0):
                chosen.append(query.id)
        return tuple(chosen)

    def instructions(self, plan: RunPlan, domain: Domain) -> str:
        """As `Suite.instructions`."""
        return instructions(domain, setting_of(plan))

    def scene(
        self, plan: RunPlan, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> RecBenchScene:
        """As `Suite.scene`."""
        graph = None if folder is None else graph_in(folder, catalogue)
        shelf, queries = shelf_over(catalogue, graph), own(tasks)
        return RecBenchScene(queries, shelf, setting_of(plan), Scorer(shelf, queries))

    def without_personas(self, tasks: TaskBook, text: Callable[[str], str]) -> QuerySet:
        """As `Suite.without_personas`: the users' names and what is known of them, and the words
        of the queries. What answers a query stays."""
        return redacted(own(tasks), text)


def own(tasks: TaskBook) -> QuerySet:
    """The set as the suite's own. Raises InputError for one of another suite."""
    if not isinstance(tasks, QuerySet):
        raise InputError(
            f"{tasks.name} is no query set of recbench",
            where="--task-set",
            remedy="Name a query set of the suite.",
        )
    return tasks


def setting_of(plan: RunPlan) -> Setting:
    """The suite's setting of a plan. Raises ValueError for a value that it does not know."""
    return Setting(Interface(plan.interface), plan.history, plan.k)


SUITE = RecBench()
