"""Lists of items: MovieLens's films, books in the same form, and a catalogue of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.itemlists import BOOKS, FILMS, Listed, catalogue_of, read_items

DATA = Path(__file__).parents[3] / "shared" / "data"


def test_films_of_either_file(tmp_path: Path) -> None:
    dat = tmp_path / "movies.dat"
    dat.write_bytes("1::Misérables, Les (1995)::Drama|Musical\n2::A::B::Drama\n".encode("latin-1"))
    csv = tmp_path / "movies.csv"
    csv.write_text(
        'movieId,title,genres\n1,"Misérables, Les (1995)",Drama|Musical\n'
        "2,A::B,(no genres listed)\n",
        encoding="utf-8",
    )
    first = Listed("1", "Misérables, Les", 1995, ("Drama", "Musical"))
    assert read_items(dat).items == (first, Listed("2", "A::B", None, ("Drama",)))
    assert read_items(csv).items == (first, Listed("2", "A::B"))
    assert read_items(dat).titles["1"] == "Misérables, Les (1995)"


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_list_without_an_item_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "movies.dat"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"movies\.dat"):
        read_items(path)


def test_a_film_of_two_parts_is_told_and_a_book_is_none(tmp_path: Path) -> None:
    lines = "1::Heat (1995)::Crime\n2::Crime|Thriller\n3::Ronin (1998)::\n"
    films, books = tmp_path / "movies.dat", tmp_path / "books.dat"
    films.write_text(lines, encoding="utf-8")
    books.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_items(films)
    (told,) = raised.value.problems
    assert told.startswith("movies.dat:2: 2 parts, where id::title::genres are 3")
    assert "id::title::" in told
    assert "--on-bad skip" in str(raised.value)
    assert [item.id for item in read_items(films, skip=True).items] == ["1", "3"]
    assert [item.id for item in read_items(books).items] == ["1", "2", "3"]


def test_every_bad_line_is_told_and_not_more_than_twenty(tmp_path: Path) -> None:
    path = tmp_path / "books.dat"
    path.write_text("1::Dune\n" + "nothing\n" * 30 + "x[1]::Emma\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_items(path)
    assert raised.value.problems[0].startswith("books.dat:2: 1 parts")
    assert "likewise lines 3, 4, 5 and 26 more" in raised.value.problems[0]
    assert raised.value.problems[1].startswith("books.dat:32: id 'x[1]'")
    assert len(raised.value.problems) == 2
    path.write_text("1::Dune\n" + "".join(f"{n}::\n" for n in range(2, 62)), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_items(path)
    assert raised.value.problems[-1] == "of 60 such lines in all"
    assert len(raised.value.problems) == 21
    path.write_text("1::Dune\nnothing\n", encoding="utf-8")
    assert [item.title for item in read_items(path, skip=True).items] == ["Dune"]


def test_a_catalogue_of_films_has_genres_and_years() -> None:
    items = [Listed("2", "Heat", 1995, ("Crime",)), Listed("1", "Alien", 1979, ("Horror",))]
    films, text = catalogue_of(items, FILMS, name="mine")
    assert (films.name, tuple(films.ids)) == ("mine", ("1", "2"))
    assert ItemGraph.of_catalogue(films).relations == ("genre",)
    assert "name: movielens" in text
    counted, text = catalogue_of(items, FILMS, name="mine", popularity={"2": 7})
    assert tuple(counted.ids) == ("2", "1")
    assert "number of ratings" in text


def test_a_catalogue_of_titles_knows_nothing_else() -> None:
    books, _ = catalogue_of([Listed("1", "Dune"), Listed("2", "Emma", 1815)], BOOKS, name="b")
    graph = ItemGraph.of_catalogue(books)
    assert (graph.relations, graph.labels) == (("author", "genre"), ())


@pytest.mark.skipif(not DATA.is_dir(), reason=f"needs {DATA}, which is not part of the project")
def test_the_real_lists_are_read_whole() -> None:
    million = read_items(DATA / "recbench-plus" / "movies.dat")
    assert (len(million.items), million.problems) == (3_883, ())
    assert len({genre for item in million.items for genre in item.genres}) == 18
    small = read_items(DATA / "ml-latest-small" / "movies.csv")
    assert (len(small.items), small.problems) == (9_742, ())
