"""The embedded films with the made-up users: a draw of every cell, proven."""

from __future__ import annotations

from collections import Counter

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import load_synthetic
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries, planned, titles_of
from mystery_shopper.suites.recbench.validate import prove_queries

from .world import words


def test_the_films_fill_every_cell_and_every_query_is_proven() -> None:
    films = load_films()
    graph, titles, histories = ItemGraph.of_catalogue(films), titles_of(films), load_synthetic()
    options = DrawOptions(queries=360, most_users=80)
    drawn = draw_queries("recbench/films@1", graph, titles, histories, words, options)
    assert drawn.origin.short == {}
    assert Counter(query.cell for query in drawn.queries) == planned(360)
    relations = Counter(part.relation for query in drawn.queries for part in query.parts)
    assert set(relations) == set(graph.relations)
    found = prove_queries(drawn, graph, titles, histories)
    assert found.problems == ()
    assert found.proven["form"] == found.proven["history"] == 360
