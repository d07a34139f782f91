"""A person's own table, and histories by one name."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mystery_shopper.catalog import Catalogue, build_catalogue
from mystery_shopper.catalog.domain import parse_domain
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


@pytest.fixture
def twins() -> Catalogue:
    """Two books of one title, told apart by the year, and one that is alone."""
    domain = parse_domain(
        b"{name: n, noun: {singular: book, plural: books}, title: t, id: isbn, recency: year,"
        b" fields: {t: {kind: text, source: {column: Label}},"
        b" year: {kind: integer}}}",
        "n",
    )
    columns = {"t": ["Twin", "Twin", "Alone"], "year": [1990, 2000, 1995]}
    return build_catalogue("n", domain, ["c", "d", "x"], columns)


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
        ("", "a row for each interaction"),
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


def test_equal_faults_are_told_once(tmp_path: Path, small: Catalogue) -> None:
    one = small.ids[0]
    rows = "".join(f"u{n},{one},{rating}\n" for n, rating in enumerate([9, 8, 7, 10, 6, 8]))
    path = put(tmp_path / "ours.csv", f"user,item,rating\n{rows}")
    with pytest.raises(InputError) as refused:
        load_histories(path, small)
    first, count = refused.value.problems
    assert first.startswith("ours.csv:2: rating 9 is not from 0.5 to 5; rescale")
    assert first.endswith("(likewise lines 3, 4, 5 and 2 more)")
    assert count == "6 of 6 ratings are not from 0.5 to 5"
    assert "halve those of ten points" in str(refused.value)

    wrong = "".join(f"u{n},{one},soon{n}\n" for n in range(3)) + f",{one},9\n" + f"u,{one},9\n" * 9
    _, report = load_histories(put(tmp_path / "times.csv", f"user,item,time\n{wrong}"), small)
    assert report.bad_lines == 4
    likewise, alone = report.problems
    assert likewise.startswith("times.csv:2: user 'u0'")
    assert likewise.endswith("(likewise lines 3 and 4)")
    assert alone.startswith("times.csv:5: user ''")
    assert "likewise" not in alone


def test_ratings_of_ten_points_are_refused_even_if_most_would_pass(
    tmp_path: Path, small: Catalogue
) -> None:
    one = small.ids[0]
    rows = "".join(f"u{n},{one},{n % 10 + 1}\n" for n in range(100))
    with pytest.raises(InputError, match="50 of 100 ratings are not from"):
        load_histories(put(tmp_path / "ten.csv", f"user,item,rating\n{rows}"), small)
    few = "".join(f"u{n},{one},{9 if n == 7 else 4}\n" for n in range(100))
    _, report = load_histories(put(tmp_path / "few.csv", f"user,item,rating\n{few}"), small)
    assert report.out_of_range == 1


def test_a_title_that_several_items_bear_is_ambiguous(tmp_path: Path, twins: Catalogue) -> None:
    rows = "a,Twin\na,Twin (1990)\na,twin\na,Nobody Knows\na,Alone\n"
    histories, report = load_histories(put(tmp_path / "t.csv", f"user,title\n{rows}"), twins)
    assert histories.items_of("a") == ("c", "x")
    assert report.unknown == (("Nobody Knows", 1),)
    assert report.ambiguous == (("Twin", 1), ("twin", 1))
    lines = report.lines()
    (told,) = (line for line in lines if line.startswith("ambiguous "))
    assert told.startswith("ambiguous       2 (several items bear each title")
    assert "       1  Twin" in lines
    with pytest.raises(InputError) as refused:
        load_histories(put(tmp_path / "only.csv", "user,title\na,Twin\n"), twins)
    assert "several items bear: Twin" in refused.value.problems
    assert "name them by id" in str(refused.value)


def test_the_catalogues_own_columns_are_known(tmp_path: Path, twins: Catalogue) -> None:
    for head in ("user,ISBN", "user,isbn,id", "user,Label"):
        row = {"user,ISBN": "a,x", "user,isbn,id": "a,x,7", "user,Label": "a,Alone"}[head]
        histories, _ = load_histories(put(tmp_path / "own.csv", f"{head}\n{row}\n"), twins)
        assert histories.items == ("x",)
    histories, _ = load_histories(put(tmp_path / "two.csv", "user,isbn,item\na,x,c\n"), twins)
    assert histories.items == ("c",), "item says it outright"
    with pytest.raises(InputError) as refused:
        load_histories(put(tmp_path / "no.csv", "reader,what\na,x\n"), twins)
    user, item = refused.value.problems
    assert user.startswith("there is no column for the user (user, user_id")
    assert "(item, isbn, item_id" in item
    assert "(title, t, label, " in item
    assert "It has reader, what" in str(refused.value)
