"""Small runs of recbench: a catalogue's folder with queries, with or without a graph of its own."""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.suites.recbench.stage_world import VOTES, small_catalogue
from tests.suites.recbench.world import small_world

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.catalog.folder import save_catalogue
from mystery_shopper.engine import RunFolder, RunPlan, Wishes, make_plan, sweep
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.player import Player
from mystery_shopper.sources.triples import save_triples
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries, titles_of
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.queryfile import save_query_set
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.wording import CheckedTemplates, Checker, TemplateWriter

OPTIONS = DrawOptions(queries=60, widest=25, sequence_users=3, group_users=3)
NAME = "recbench/few@1"


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """240 films with titles, years, people and genres, some more popular than others."""
    return small_catalogue(VOTES)


@lru_cache(maxsize=1)
def own_graph() -> ItemGraph:
    """A graph that the catalogue's fields do not make: who directed what, and a mood."""
    source, films = random.Random(3), catalogue()
    moods = ["Bleak Tender", "Wry Bright", "Slow Burning", "Wild Hearted"]
    plain = ItemGraph.of_catalogue(films)
    return ItemGraph.of_triples(
        (item, relation, value)
        for place, item in enumerate(films.ids)
        for relation, values in (
            ("director", plain.values_of(place, "director")),
            ("mood", source.sample(moods, 2)),
        )
        for value in values
    )


@lru_cache(maxsize=2)
def queries(own: bool = False) -> QuerySet:
    """Sixty queries of the catalogue's graph, or of its own one."""
    shelf = Shelf(catalogue(), own_graph() if own else None)
    titles, speech = titles_of(shelf.catalogue), shelf.reader.speech
    writer = TemplateWriter(speech, dict(zip(shelf.catalogue.ids, titles, strict=True)))
    checked = CheckedTemplates(writer, Checker(shelf.graph, titles, speech))
    return draw_queries(NAME, shelf.graph, titles, small_world()[2], checked, OPTIONS)


def shop(path: Path, own: bool = False, tasks: QuerySet | None = None) -> Path:
    """The catalogue's folder with its queries."""
    save_catalogue(catalogue(), path, domain_text=VOTES.decode())
    if own:
        save_triples(own_graph(), path / "graph.tsv")
    save_query_set(tasks or queries(own), path / "queries.json")
    return path


def few(tasks: QuerySet, count: int = 2) -> tuple[str, ...]:
    """The first ids of each kind."""
    seen: dict[str, list[str]] = {}
    for one in tasks.queries:
        seen.setdefault(one.kind.value, []).append(one.id)
    return tuple(name for names in seen.values() for name in names[:count])


def plan_over(folder: Path, agent: str = "popularity", **wishes: Any) -> RunPlan:
    """The plan of a run over the folder: two queries of each kind, unless `only` names others."""
    own = (folder / "graph.tsv").is_file()
    wishes.setdefault("only", few(queries(own)))
    return make_plan(Wishes(agent=agent, suite="recbench", catalog=str(folder), **wishes))


def asked(path: Path, folder: Path, agent: str = "popularity", **wishes: Any) -> RunFolder:
    """A finished run over the folder."""
    run = RunFolder(path)
    sweep(plan_over(folder, agent, **wishes), run)
    return run


def answered(path: Path, plan: RunPlan, factory: Any) -> RunFolder:
    """A run whose agents a factory (scene, query's id) made, whatever the plan calls them."""
    run = RunFolder(path)
    run.begin(plan)
    player = Player(plan, scene_of(plan), factory)
    for planned in plan.planned():
        trial, timing = player.play(planned)
        run.append([trial], [timing])
    return run
