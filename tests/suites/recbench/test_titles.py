"""Title resolution: what models write comes to the item they mean, and to no other."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.suites.recbench.titles import Entry, Resolution, TitleIndex, TitleMatch

from .title_set import slips, strangers, tried

DATA = Path(__file__).parents[4] / "shared" / "data" / "recbench-plus"
needs_data = pytest.mark.skipif(
    not (DATA / "movies.dat").exists(), reason=f"needs movies.dat in {DATA}"
)


def films_of(*titles: str) -> TitleIndex:
    """An index whose ids are the titles."""
    return TitleIndex(Entry(title, title) for title in titles)


FILMS = films_of(
    "Boat, The (Das Boot) (1981)",
    "Hunt for Red October, The (1990)",
    "Sabrina (1954)",
    "Sabrina (1995)",
    "Rocky (1976)",
    "Rocky III (1982)",
    "Godfather, The (1972)",
    "Godfather: Part II, The (1974)",
    "Professional, The (a.k.a. Leon: The Professional) (1994)",
    "Star Wars: Episode IV - A New Hope (1977)",
    "Star Wars: Episode V - The Empire Strikes Back (1980)",
    "Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb (1963)",
    "Seven (Se7en) (1995)",
    "Alien (1979)",
    "Aliens (1986)",
    "Heat (1995)",
    "City of Lost Children, The (1995)",
    "Postino, Il (The Postman) (1994)",
    "Mis�rables, Les (1995)",
    "101 Dalmatians (1961)",
    "Forrest Gump (1994)",
    "Shawshank Redemption, The (1994)",
    "Usual Suspects, The (1995)",
    "2001: A Space Odyssey (1968)",
    "Spider-Man (2002)",
    "Twelve Monkeys (1995)",
    "Man on the Moon (1999)",
    "E.T. the Extra-Terrestrial (1982)",
    "Nineteen Eighty-Four (1984)",
    "Killer: A Journal of Murder (1995)",
    "Killer (Bulletproof Heart) (1994)",
    "Batman & Robin (1997)",
    "Schindler's List (1993)",
    "Friday the 13th (1980)",
    "Monsieur Hire (1989)",
    "Bridge on the River Kwai, The (1957)",
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Das Boot (1981)", "Boat, The (Das Boot) (1981)"),
        ("The Boat", "Boat, The (Das Boot) (1981)"),
        ("Hunt for Red October (1990)", "Hunt for Red October, The (1990)"),
        ("THE HUNT FOR RED OCTOBER", "Hunt for Red October, The (1990)"),
        ("Sabrina (1954)", "Sabrina (1954)"),
        ("Rocky 3", "Rocky III (1982)"),
        ("The Godfather Part 2", "Godfather: Part II, The (1974)"),
        ("Godfather II (1974)", "Godfather: Part II, The (1974)"),
        ("The Godfather", "Godfather, The (1972)"),
        ("Léon: The Professional", "Professional, The (a.k.a. Leon: The Professional) (1994)"),
        ("Star Wars (1977)", "Star Wars: Episode IV - A New Hope (1977)"),
        ("The Empire Strikes Back", "Star Wars: Episode V - The Empire Strikes Back (1980)"),
        ("Se7en", "Seven (Se7en) (1995)"),
        ("The Postman (Il Postino) (1994)", "Postino, Il (The Postman) (1994)"),
        ("Les Misérables (1995)", "Mis�rables, Les (1995)"),
        ("One Hundred and One Dalmatians", "101 Dalmatians (1961)"),
        ("Forest Gump", "Forrest Gump (1994)"),
        ("The Shawshank Redemtion", "Shawshank Redemption, The (1994)"),
        ("Usual Suspect (1995)", "Usual Suspects, The (1995)"),
        ("“2001: A Space Odyssey”", "2001: A Space Odyssey (1968)"),
        ("Spiderman", "Spider-Man (2002)"),
        ("12 Monkeys", "Twelve Monkeys (1995)"),
        ("Heat (1995, Michael Mann)", "Heat (1995)"),
        ("**Heat** (1995)", "Heat (1995)"),
        ("Heat - 1995", "Heat (1995)"),
        ("Heat (1996)", "Heat (1995)"),
        ("Heat (Director's Cut)", "Heat (1995)"),
        ("E.T. (1982)", "E.T. the Extra-Terrestrial (1982)"),
        ("1984", "Nineteen Eighty-Four (1984)"),
        ("Killer (1995)", "Killer: A Journal of Murder (1995)"),
        ("Killer", "Killer (Bulletproof Heart) (1994)"),
        ("Batman and Robin", "Batman & Robin (1997)"),
        ("Schindlers List", "Schindler's List (1993)"),
        ("Schindlerâ€™s List", "Schindler's List (1993)"),
        ("Friday the Thirteenth", "Friday the 13th (1980)"),
        ("Dr Strangelove", FILMS.resolve("Dr. Strangelove (1963)").item_id),
        ("Bridge Over the River Kwai", "Bridge on the River Kwai, The (1957)"),
        ("City of Lost Children", "City of Lost Children, The (1995)"),
    ],
)
def test_what_models_write_comes_to_the_film_it_means(said: str, meant: str) -> None:
    assert FILMS.resolve(said).item_id == meant


def test_1984_is_a_title_and_no_year() -> None:
    assert films_of("1984 (1956)").resolve("1984").item_id == "1984 (1956)"


@pytest.mark.parametrize(
    "said",
    [
        "Rocky II",
        "Rocky 2",
        "Rocky II (1979)",
        "Rocky Balboa",
        "Rocky: The Next Fight",
        "Sabrina (1970)",
        "Heat (1986)",
        "City Heat",
        "Heat and Dust",
        "Alien (1986)",
        "Alien 3",
        "The Lost Children",
        "Man in the Moon",
        "The Hunt",
        "Red October",
        "Love Boat",
        "Godfather III",
        "Boots",
        "Moon",
        "Star Wars: The Force Awakens",
        "101",
        "",
        "   ",
        "()",
        "(1995)",
        "?!",
        "the",
    ],
)
def test_what_is_another_film_comes_to_none(said: str) -> None:
    assert FILMS.resolve(said).item_id is None


def test_ambiguous_and_unknown_are_told_apart() -> None:
    two = FILMS.resolve("Sabrina")
    assert (two.kind, set(two.candidates)) == (
        TitleMatch.AMBIGUOUS,
        {"Sabrina (1954)", "Sabrina (1995)"},
    )
    assert FILMS.resolve("Star Wars").kind is TitleMatch.AMBIGUOUS
    other = FILMS.resolve("Heat (1986)")
    assert other == Resolution(TitleMatch.UNKNOWN, None, ("Heat (1995)",))
    assert FILMS.resolve("No Such Film") == Resolution(TitleMatch.UNKNOWN, None)


def test_exact_and_near_are_told_apart() -> None:
    assert FILMS.resolve("The Hunt for Red October").kind is TitleMatch.EXACT
    assert FILMS.resolve("The Hunt for Red Octobr").kind is TitleMatch.NEAR
    assert FILMS.resolve("Heat (1994)").kind is TitleMatch.NEAR


def test_an_id_decides_between_what_a_title_fits_and_no_more() -> None:
    assert FILMS.resolve("Sabrina", item_id="Sabrina (1995)").item_id == "Sabrina (1995)"
    assert FILMS.resolve("", item_id="Heat (1995)").item_id == "Heat (1995)"
    assert FILMS.resolve("Rocky", item_id="Heat (1995)").item_id == "Rocky (1976)"
    assert FILMS.resolve("No Such Film", item_id="Heat (1995)").item_id is None
    assert FILMS.resolve("Sabrina", item_id="nobody").item_id is None


def test_a_year_beside_the_title_counts() -> None:
    assert FILMS.resolve("Sabrina", 1954).item_id == "Sabrina (1954)"
    assert FILMS.resolve("Sabrina", 3).kind is TitleMatch.AMBIGUOUS


def test_the_first_reading_that_comes_to_an_item_is_taken() -> None:
    assert FILMS.resolve_first(["Heat - Michael Mann", "Heat"]).item_id == "Heat (1995)"
    assert FILMS.resolve_first(["Sabrina", "No Such"]).kind is TitleMatch.AMBIGUOUS
    assert FILMS.resolve_first([]).kind is TitleMatch.UNKNOWN


BOOKS = TitleIndex(
    [
        Entry("dune", "Dune (Dune Chronicles, #1)", 1965),
        Entry("dune2", "Dune Messiah (Dune Chronicles, #2)", 1969),
        Entry("emma", "Emma (Penguin Classics)", 1815),
        Entry(
            "potter",
            "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)",
            1997,
            ("Harry Potter and the Philosopher's Stone",),
        ),
        Entry("prince", "Le Petit Prince", 1943, ("The Little Prince",)),
        Entry("room", "Room: A Novel", 2010),
        Entry("1984", "1984", 1949),
        Entry("hobbit", "The Hobbit: 75th Anniversary Edition", 2012),
    ],
    editions=True,
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Dune", "dune"),
        ("Dune by Frank Herbert", "dune"),
        ("Dune (Paperback)", "dune"),
        ("Dune, Deluxe Edition", "dune"),
        ("Dune (2005)", "dune"),
        ("Emma", "emma"),
        ("Emma: A Novel", "emma"),
        ("Room", "room"),
        ("Harry Potter and the Philosopher’s Stone", "potter"),
        ("The Little Prince", "prince"),
        ("Petit Prince", "prince"),
        ("1984", "1984"),
        ("1984 by George Orwell", "1984"),
        ("The Hobbit", "hobbit"),
        ("Dune Messiah", "dune2"),
        ("Dune [Unabridged]", "dune"),
    ],
)
def test_words_of_an_edition_make_no_other_book(said: str, meant: str) -> None:
    assert BOOKS.resolve(said).item_id == meant


@pytest.mark.parametrize(
    "said", ["Children of Dune", "Harry Potter", "The Little Princess", "Paperback"]
)
def test_another_book_stays_another(said: str) -> None:
    assert BOOKS.resolve(said).item_id is None


def test_an_index_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no title"):
        TitleIndex([])


@given(st.text(max_size=60), st.none() | st.integers())
def test_no_text_raises(text: str, year: int | None) -> None:
    assert FILMS.resolve(text, year).kind in TitleMatch


@given(st.text(max_size=40), st.text(min_size=1, max_size=40))
def test_any_title_resolves_to_itself(title: str, other: str) -> None:
    index = TitleIndex([Entry("a", title), Entry("b", other)])
    found = index.resolve(title)
    assert found.item_id in ("a", None) or title.split("(")[0].strip() != title


@pytest.mark.parametrize(
    "text", ["\ud800 Hats", "A" * 5_000_000, "(" * 100_000, "- " * 100_000, "a " * 100_000]
)
def test_hostile_titles_are_bounded(text: str) -> None:
    assert FILMS.resolve(text).item_id is None


@lru_cache(maxsize=1)
def catalogue_entries() -> list[Entry]:
    films = load_films()
    years = films.columns[films.domain.recency or "year"]
    entries: list[Entry] = []
    for place, item_id in enumerate(films.ids):
        year = years.value(place)
        entries.append(
            Entry(
                item_id,
                films.item(place).title,
                int(year) if isinstance(year, int | float) else None,
            )
        )
    return entries


def test_the_hard_set_of_our_films() -> None:
    """1,380 perturbed titles: at least 99.5 % of what resolves is right, 97 % of all resolve."""
    outcome = tried(TitleIndex(catalogue_entries()), slips(catalogue_entries(), 1, 60))
    assert outcome.precision >= 0.995, outcome.wrong
    assert outcome.recall >= 0.97, outcome.missed


def test_strangers_to_our_films_stay_strangers() -> None:
    """Titles taken out, sequels, other years, subtitles: at most 0.5 % come to an item."""
    left, cases = strangers(catalogue_entries(), 2, 60)
    outcome = tried(TitleIndex(left), cases)
    assert len(cases) > 3_000
    assert outcome.refused / len(cases) >= 0.995, outcome.wrong


def test_a_catalogue_gives_its_titles_and_years() -> None:
    films = load_films().nested(5_000)
    index = TitleIndex.of_catalogue(films)
    assert len(index) == 5_000
    first = films.item(0)
    assert index.resolve(f"{first.title} ({first['year']})").item_id == first.id


def movielens() -> list[Entry]:
    text = (DATA / "movies.dat").read_bytes().decode("utf-8", "replace")
    rows = [line.rstrip("\r").split("::") for line in text.split("\n") if line]
    return [Entry(row[0], row[1]) for row in rows]


@needs_data
def test_every_answer_title_of_the_release_resolves() -> None:
    records = json.loads((DATA / "UserBasedQuery.json").read_text(encoding="utf-8"))
    titles = [
        title
        for record in records
        for query in record["query & ground true"]
        for title in query["movie subset"]
    ]
    index = TitleIndex(movielens())
    found = [index.resolve(title) for title in titles]
    assert len(titles) == 440
    assert {one.kind for one in found} == {TitleMatch.EXACT}
    assert index.resolve("Das Boot (1981)").item_id == "1233"
    assert index.resolve("Hunt for Red October (1990)").item_id == "1610"


@needs_data
def test_the_hard_set_of_movielens() -> None:
    outcome = tried(TitleIndex(movielens()), slips(movielens(), 1, 60))
    assert (outcome.precision >= 0.995, outcome.recall >= 0.97) == (True, True)
    left, cases = strangers(movielens(), 2, 60)
    others = tried(TitleIndex(left), cases)
    assert others.refused / len(cases) >= 0.995, others.wrong


def test_of_titles_with_the_same_key_the_one_written_so_is_meant() -> None:
    index = films_of(
        "Moulin Rouge! (2001)", "Moulin Rouge (1952)", "Ocean's Eleven (2001)", "Ocean's 11 (1960)"
    )
    for said in ("Moulin Rouge!", "moulin rouge", "Ocean's Eleven", "Ocean's 11"):
        found = index.resolve(said)
        assert found.item_id is not None
        assert found.item_id.casefold().startswith(f"{said.casefold()} (")
    assert index.resolve("Oceans 11").kind is TitleMatch.AMBIGUOUS
    assert index.resolve("Ocean's 11 (2001)").item_id == "Ocean's Eleven (2001)"
    twins = films_of("Heat (1995)", "Heat (1972)")
    assert twins.resolve("Heat").kind is TitleMatch.AMBIGUOUS


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("Parasyte: Part 1 (2014)", "The Hunger Games: Mockingjay - Part 1 (2014)"),
        ("Part 1 (2014)", "The Hunger Games: Mockingjay - Part 1 (2014)"),
        ("Undisputed II: Last Man Standing", "Last Man Standing (1996)"),
        ("Best of the Best 3: No Turning Back", "No Turning Back (2001)"),
    ],
)
def test_a_part_of_another_series_is_no_film_of_its_subtitle(said: str, known: str) -> None:
    assert films_of(known).resolve(said).kind is TitleMatch.UNKNOWN


def test_the_cut_of_a_film_is_that_film() -> None:
    index = films_of("Blade Runner (1982)", "The Final Cut (2004)")
    assert index.resolve("Blade Runner: The Final Cut").item_id == "Blade Runner (1982)"
    assert index.resolve("The Final Cut").item_id == "The Final Cut (2004)"


MORE = TitleIndex(
    [
        Entry("panda", "Kung Fu Panda", 2008),
        Entry("pool", "Dead Pool, The", 1988),
        Entry("busters", "Ghost Busters", 1984),
        Entry("spider", "Spider-Man", 2002),
        Entry("godfather", "Godfather, The", 1972),
        Entry("hawk", "Black Hawk Down", 2001),
        Entry("wars", "Star Wars", 1977, ("A New Hope",)),
        Entry("dune", "Dune", 1984),
    ]
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        # With the year, a subtitle that the catalogue lacks is taken for the film's own: of the
        # 39 such titles of MovieLens's, 33 are. Without it, nothing says so.
        ("Kung Fu Panda: The Legend Begins (2008)", "panda"),
        ("Kung Fu Panda: Secrets of the Furious Five", None),
        ("The Godfather: Part II (1972)", None),
        # The same film by another of its names, or with words that name nothing.
        ("Star Wars: A New Hope (1977)", "wars"),
        ("Dune: The Movie (1984)", "dune"),
        ("The Godfather: Part I (1972)", "godfather"),
        # A space more or less within a word needs the year, or another word.
        ("Deadpool", None),
        ("The Deadpool", None),
        ("Deadpool (2016)", None),
        ("Ghostbusters", None),
        ("Deadpool (1988)", "pool"),
        ("Ghostbusters (1984)", "busters"),
        ("Blackhawk Down", "hawk"),
        ("Spiderman", "spider"),
        ("The Dead Pool", "pool"),
    ],
)
def test_another_film_of_like_name_is_none(said: str, meant: str | None) -> None:
    assert MORE.resolve(said).item_id == meant
