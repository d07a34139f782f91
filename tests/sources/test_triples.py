"""Graphs as tables of triples: what is written comes back, and a bad file says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_shop
from mystery_shopper.sources.triples import load_triples, save_triples, triples_of

HEAD = "item\trelation\tvalue\n"


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_a_catalogues_graph_comes_back_over_its_positions(tmp_path: Path) -> None:
    shop = load_shop()
    graph = ItemGraph.of_catalogue(shop)
    save_triples(graph, tmp_path / "graph.tsv")
    again = triples_of(tmp_path / "graph.tsv", shop)
    assert again.items == tuple(shop.ids)
    assert again.digest == graph.digest
    lines = (tmp_path / "graph.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "item\trelation\tvalue"
    assert len(lines) == 1 + len(graph.codes)


word = st.text("ab é'\"ü,#", min_size=1, max_size=5).filter(lambda text: text.strip())


@given(st.lists(st.tuples(st.sampled_from(["i1", "i2", "x 3"]), word, word), min_size=1))
def test_any_graph_comes_back(
    tmp_path_factory: pytest.TempPathFactory, triples: list[tuple[str, str, str]]
) -> None:
    triples = [(item, relation.strip(), value) for item, relation, value in triples]
    graph = ItemGraph.of_triples(triples)
    path = tmp_path_factory.mktemp("graph") / "graph.tsv"
    save_triples(graph, path)
    again = load_triples(path)
    assert again.relations == graph.relations
    assert set(again.items) == set(graph.items)
    for position, item in enumerate(graph.items):
        for relation in graph.relations:
            found = again.values_of(again.position_of[item], relation)
            assert found == graph.values_of(position, relation)


def test_items_without_a_triple_are_in_the_graph(
    tmp_path: Path, small_catalogue: Callable[..., Catalogue]
) -> None:
    small = small_catalogue()
    path = write(tmp_path / "g.tsv", HEAD + "i3\tmade by\tAnn\ni0\tmade by\tBo\ni0\tmade by\tANN\n")
    graph = triples_of(path, small)
    assert graph.items == tuple(small.ids)
    assert graph.relations == ("made by",)
    for item, values in (("i3", 1), ("i0", 2), ("i1", 0)):
        assert len(graph.values_of(small.position_of[item], "made by")) == values
    found = graph.items_of("made by", "ann").tolist()
    assert found == sorted(small.position_of[item] for item in ("i0", "i3"))


def test_an_item_that_the_catalogue_lacks(
    tmp_path: Path, small_catalogue: Callable[..., Catalogue]
) -> None:
    path = write(tmp_path / "g.tsv", HEAD + "i0\tby\tAnn\nzz\tby\tBo\nzz\tby\tCy\nyy\tby\tBo\n")
    with pytest.raises(InputError, match="line 3: the catalogue has no item 'zz'") as caught:
        triples_of(path, small_catalogue())
    assert len(caught.value.problems) == 2
    graph = triples_of(path, small_catalogue(), leave_out_others=True)
    assert graph.values("by") == ("Ann",)
    path = write(tmp_path / "h.tsv", HEAD + "zz\tby\tBo\n")
    with pytest.raises(InputError, match="line 2"):
        triples_of(path, small_catalogue(), leave_out_others=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no triples"),
        (HEAD, "there are no triples"),
        ("i0\tby\tAnn\n", r"line 1: the header is missing; it says i0 \| by \| Ann"),
        (HEAD + "i0\tby\n", "line 2: 2 parts, where there must be 3"),
        (HEAD + "i0\tby\tAnn\tBo\n", "line 2: 4 parts"),
        (HEAD + "\n\ni0\tby\t \n", "line 4: the value is empty"),
        (HEAD + "\tby\tAnn\n", "line 2: the item is empty"),
    ],
)
def test_what_is_no_table_of_triples(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        load_triples(write(tmp_path / "bad.tsv", text))
    assert str(tmp_path / "bad.tsv") in str(caught.value)
    assert caught.value.remedy


def test_every_bad_line_is_told_and_not_more_than_twenty(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_triples(write(tmp_path / "bad.tsv", HEAD + "a\tb\n" * 30 + "i\tby\tAnn\n"))
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1] == "and 10 more"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_file_in_another_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "g.tsv", HEAD + "i0\tby\tAmélie Poulain\r\n", encoding)
    assert load_triples(path).values("by") == ("Amélie Poulain",)


def test_a_name_that_would_break_the_table(tmp_path: Path) -> None:
    graph = ItemGraph.of_triples([("a\tb", "by", "Ann")])
    with pytest.raises(InputError, match="holds a tab"):
        save_triples(graph, tmp_path / "g.tsv")
    assert not list(tmp_path.iterdir())
