"""Shelves and query sets to play on: the small world as a catalogue, and the real films."""

from __future__ import annotations

from functools import lru_cache

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.dialogue import Played, Say, rollout
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import load_synthetic
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries, titles_of
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.reference import AGENTS
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting, set_stage
from mystery_shopper.suites.recbench.wording import CheckedTemplates, Checker, TemplateWriter

from .world import NAME, OPTIONS, small_world

DOMAIN = b"""
name: small
noun: {singular: film, plural: films}
title: title
recency: year
fields:
  title: {kind: text, keyword: true}
  year: {kind: integer, requirement: true}
  director: {kind: categories, keyword: people}
  cast: {kind: categories, keyword: people, relation: starring}
  genre: {kind: categories, keyword: true, requirement: true}
"""
VOTES = DOMAIN.replace(b"recency: year", b"recency: year\npopularity: votes") + (
    b"  votes: {kind: number}\n"
)


def small_catalogue(domain: bytes = DOMAIN) -> Catalogue:
    """The small world's films. They know no popularity, unless the domain has a column of it:
    then the later films are the more popular."""
    graph, titles, _ = small_world()

    def borne(relation: str) -> list[tuple[str, ...]]:
        return [graph.values_of(position, relation) for position in range(len(graph))]

    values = {
        "title": [title or None for title in titles],
        "year": [1950 + place % 60 for place in range(len(graph))],
        "director": borne("director"),
        "cast": borne("starring"),
        "genre": borne("genre"),
        "votes": [float(place) for place in range(len(graph))],
    }
    read = parse_domain(domain, "small")
    return build_catalogue("small", read, graph.items, {name: values[name] for name in read.fields})


@lru_cache(maxsize=1)
def small_shelf() -> Shelf:
    """The small world without popularity."""
    return Shelf(small_catalogue())


@lru_cache(maxsize=1)
def small_queries() -> QuerySet:
    """Queries of the small world, worded by the templates."""
    return _drawn(small_shelf(), NAME, small_world()[2], OPTIONS)


@lru_cache(maxsize=1)
def films_shelf() -> Shelf:
    """The real films."""
    return Shelf(load_films())


@lru_cache(maxsize=1)
def films_queries() -> QuerySet:
    """Queries of made-up users over the real films, every cell filled."""
    options = DrawOptions(queries=240, most_users=80)
    return _drawn(films_shelf(), "recbench/films@1", load_synthetic(), options)


def _drawn(shelf: Shelf, name: str, histories: object, options: DrawOptions) -> QuerySet:
    titles, speech = titles_of(shelf.catalogue), shelf.reader.speech
    writer = TemplateWriter(speech, dict(zip(shelf.catalogue.ids, titles, strict=True)))
    checked = CheckedTemplates(writer, Checker(shelf.graph, titles, speech))
    return draw_queries(name, shelf.graph, titles, histories, checked, options)  # type: ignore[arg-type]


class Saying:
    """An agent that says one thing."""

    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, _: object) -> Say:
        """Says it."""
        return Say(self.text)


def play(agent: str, query: Query, queries: QuerySet, shelf: Shelf, setting: Setting) -> Played:
    """One episode with a reference agent."""
    made = AGENTS[agent](query, queries, shelf, setting)
    return rollout(set_stage(query, queries, shelf, setting), made)


def said(text: str, query: Query, setting: Setting | None = None) -> RecBenchScore:
    """The score of these words as the answer to a query of the small world."""
    setting = setting or Setting()
    shelf, queries = small_shelf(), small_queries()
    played = rollout(set_stage(query, queries, shelf, setting), Saying(text))
    return Scorer(shelf, queries).score(query, setting, played.transcript)
