"""A person's own table, and histories by one name."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.sources.histories import (
    Demographics,
    load_histories,
    load_synthetic,
    open_histories,
)

Builder = Callable[..., Catalogue]


@pytest.fixture
def small(small_catalogue: Builder) -> Catalogue:
    return small_catalogue()


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_with_everything(tmp_path: Path, small: Catalogue) -> None:
    one, two, three = small.ids[:3]
    path = put(
        tmp_path / "ours.csv",
        "Customer_ID;SKU;Stars;Date;Gender;Age;Occupation\n"
        f"ann;{one};4,5;2024-05-31;f;31;engineer\n"
        f"ann;{two};5;2024-05-30T12:00:00+02:00;f;31;engineer\n"
        f"bob;{three};3;1717100000;X;elderly;beekeeper\n"
        f"bob;nothing;3;1717100001;X;elderly;beekeeper\n",
    )
    histories, report = load_histories(path, small)
    assert histories.items_of("ann") == (two,)
    assert report.bad_lines == 1, "a decimal comma is no number"
    assert "ours.csv:2: user 'ann'" in report.problems[0]
    assert histories.time.tolist() == [1717063200, 1717100000]
    assert histories.who("ann") == Demographics("Female", "25-34", "technician/engineer")
    assert histories.who("bob") == Demographics("X", "elderly", "beekeeper")
    assert report.unknown == (("nothing", 1),)


def test_titles_do_for_ids_and_rows_for_times(tmp_path: Path, small: Catalogue) -> None:
    path = put(
        tmp_path / "ours.jsonl",
        '{"user": 7, "title": "Lantern, The (1994)"}\n{"user": 7, "title": "harbour"}\n'
        '{"user": 7, "title": "No Such"}\n{"user": 7, "title": null}\n',
    )
    histories, report = load_histories(path, small)
    titles = [small.item(small.position_of[item]).title for item in histories.items_of("7")]
    assert titles == ["The Lantern", "Harbour"]
    assert all(map(math.isnan, histories.rating.tolist()))
    assert (report.read, report.joined, report.bad_lines) == (3, 2, 1)
    assert report.unknown == (("No Such", 1),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1,2\n", "there is no column for the user"),
        ("user,b\n1,2\n", "there is no column for the item"),
        ("user,item\n1,zzz\n", "none of 1 ratings is of an item"),
        ("user,item,rating\n1,x,9\n1,y,8\n", "rating 9 is not from 0.5 to 5; rescale"),
        ("user,item,time\n1,x,soon\n", "seconds or a date are needed"),
        ("", "is empty"),
    ],
)
def test_what_cannot_be_used_is_said(
    tmp_path: Path, small: Catalogue, text: str, problem: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_histories(put(tmp_path / "ours.csv", text), small)
    assert problem in str(refused.value)
    assert refused.value.remedy


def test_synthetic_by_name() -> None:
    films = load_films()
    histories, report = open_histories("synthetic", films)
    assert histories is load_synthetic()
    assert "made up" in report.remarks[0]
    assert report.share_in_catalogue == 1.0
    fewer, less = open_histories("synthetic:0", films.nested(5_000))
    assert set(fewer.items) <= set(films.nested(5_000).ids)
    assert fewer.synthetic
    assert 0 < less.share_in_catalogue < 1
    with pytest.raises(InputError, match="are of films, not of products of shop"):
        open_histories("synthetic", load_shop())
    with pytest.raises(InputError, match="seed 'x' is no number"):
        open_histories("synthetic:x", films)


def test_folders_and_files_by_what_they_hold(tmp_path: Path, small: Catalogue) -> None:
    one, two = small.ids[:2]
    own = put(tmp_path / "own.csv", f"user,item\nann,{one}\n")
    assert open_histories(str(own), small).histories.items == (one,)

    good = tmp_path / "goodbooks"
    good.mkdir()
    put(good / "books.csv", f'book_id,title,authors,isbn\n1,"Some, Book",A,{two}\n')
    put(good / "ratings.csv", "user_id,book_id,rating\n9,1,5\n")
    assert open_histories(str(good), small).histories.items == (two,)

    amazon = tmp_path / "amazon"
    amazon.mkdir()
    meta = f'{{"parent_asin": "{one}", "title": "T"}}\n'
    review = f'{{"user_id": "u", "parent_asin": "{one}", "rating": 4, "timestamp": 1}}\n'
    (amazon / "meta_Books.jsonl.gz").write_bytes(gzip.compress(meta.encode()))
    (amazon / "Books.jsonl.gz").write_bytes(gzip.compress(review.encode()))
    assert open_histories(str(amazon), small).histories.items == (one,)
    put(amazon / "more.json", "")
    with pytest.raises(InputError, match="Keep one file meta_"):
        open_histories(str(amazon), small)

    lens = tmp_path / "ml-1m"
    lens.mkdir()
    put(lens / "ratings.dat", "1::1::5::978300760\n")
    put(lens / "movies.dat", "1::Lantern, The (1994)::Drama\n")
    assert len(open_histories(str(lens), small).histories) == 1

    with pytest.raises(InputError, match="no such folder or file"):
        open_histories(str(tmp_path / "none"), small)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="is no MovieLens release"):
        open_histories(str(empty), small)
