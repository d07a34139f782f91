"""The shelf: its graph, what is known of popularity, and what tools show."""

from __future__ import annotations

import pickle

import msgspec
import numpy as np
import pytest

from mystery_shopper.catalog import Condition, ItemGraph, build_catalogue, parse_domain
from mystery_shopper.suites.recbench.shelf import Interface, Shelf

from .stage_world import VOTES, films_shelf, small_catalogue, small_shelf


def test_a_graph_of_its_own_stands_at_the_catalogues_positions() -> None:
    catalogue = small_catalogue(VOTES)
    own = ItemGraph.of_triples(
        [("f003", "scored by", "Zimmer"), ("elsewhere", "scored by", "Nobody"),
         ("f001", "scored by", "Zimmer"), ("f001", "shot by", "Deakins")]
    )  # fmt: skip
    shelf = Shelf(catalogue, own)
    assert shelf.graph.items == tuple(catalogue.ids)
    found = shelf.graph.meets([Condition("scored by", "zimmer")])
    assert {catalogue.ids[position] for position in found.tolist()} == {"f001", "f003"}
    one = catalogue.find("f001")
    assert one is not None
    assert shelf.graph.values_of(one.position, "shot by") == ("Deakins",)
    record = shelf.record(one)
    assert record["scored by"] == ("Zimmer",)
    assert "director" in record
    assert {"scored_by", "shot_by"} <= set(shelf.search_schema.relations)
    read = shelf.reader.read("I'd like a film with Zimmer as the scored by.")
    assert read.stated == (Condition("scored by", "Zimmer"),)


def test_a_graph_of_the_same_items_stays_as_it_is() -> None:
    shelf = small_shelf()
    assert Shelf(shelf.catalogue, shelf.graph).graph is shelf.graph
    turned = Shelf(small_catalogue(VOTES), shelf.graph).graph
    assert turned.items == tuple(reversed(shelf.graph.items))
    for relation in shelf.graph.relations:
        assert turned.values_of(239, relation) == shelf.graph.values_of(0, relation)


def test_counts_of_reviews_give_the_share_of_all_reviews() -> None:
    shelf = Shelf(small_catalogue(VOTES))
    assert shelf.knows_popularity
    total = sum(range(240))
    place = shelf.position_of["f200"]
    assert shelf.known.information(place) == pytest.approx(-np.log2(200 / total))
    # One without any counts as if it had one.
    assert shelf.known.information(shelf.position_of["f000"]) == pytest.approx(np.log2(total))


def _of_popularity(numbers: list[float | None]) -> Shelf:
    domain = parse_domain(VOTES, "small")
    size = len(numbers)
    values: dict[str, list[object]] = {name: [None] * size for name in domain.fields}
    values["director"] = [["A"]] * size
    values["votes"] = list(numbers)
    return Shelf(build_catalogue("few", domain, [f"i{n}" for n in range(size)], values))


def test_shares_below_one_keep_their_proportions() -> None:
    shelf = _of_popularity([0.5, 0.25, 0.125, None])
    known = [shelf.known.information(place) for place in range(3)]
    assert np.diff(known) == pytest.approx([1, 1])


@pytest.mark.parametrize("numbers", [[None, None], [0, 0], [-1, 5]])
def test_what_is_no_count_is_not_known(numbers: list[float | None]) -> None:
    shelf = _of_popularity(numbers)
    assert not shelf.knows_popularity
    assert shelf.known.popularity is None
    assert np.isnan(shelf.known.information(0))


def test_without_a_column_of_popularity_nothing_is_known_of_it() -> None:
    assert not small_shelf().knows_popularity
    assert films_shelf().knows_popularity


def test_it_travels_as_catalogue_and_graph() -> None:
    shelf = small_shelf()
    there = pickle.loads(pickle.dumps(Shelf(shelf.catalogue, shelf.graph)))
    assert there.graph.digest == shelf.graph.digest
    assert there.title_of == shelf.title_of


def test_titles_are_dated_once() -> None:
    shelf = small_shelf()
    assert shelf.dated("f010") == "Film No 10 (1960)"
    assert shelf.dated("f007") == "f007 (1957)"
    assert shelf.title_of["f007"] == "f007"


def test_rows_hold_id_title_year_and_what_carries_requirements() -> None:
    row = msgspec.json.decode(small_shelf().row(10))
    graph = small_shelf().graph
    assert row == {
        "item_id": "f010",
        "title": "Film No 10",
        "year": 1960,
        "genre": list(graph.values_of(10, "genre")),
    }


def test_metadata_speaks_of_relations_as_the_search_does() -> None:
    shelf = films_shelf()
    record = shelf.record(shelf.catalogue.item(0))
    assert set(shelf.search_schema.relations) <= set(record)
    assert {"cast", "production_company"}.isdisjoint(record)
    assert {"runtime", "certificate"} <= set(record)


def test_a_bare_agent_has_no_tools() -> None:
    assert small_shelf().specs(Interface.BARE, True) == ()
    names = [spec.name for spec in small_shelf().specs(Interface.TOOLS, False)]
    assert names == ["search", "get_metadata"]
    assert small_shelf().specs(Interface.TOOLS, True)[-1].name == "get_history"
