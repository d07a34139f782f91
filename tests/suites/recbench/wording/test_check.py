"""Every rule of a wording: what breaks it is told, what keeps it passes."""

from __future__ import annotations

import msgspec
import pytest

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.specs import Noun
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Profile, Query, Style, Trait
from mystery_shopper.suites.recbench.wording import Checker, Fault, Speech
from mystery_shopper.suites.recbench.wording.check import LONGEST_WORDING

FILMS = {
    "pulp": ("Pulp Fiction", {"director": ["Quentin Tarantino"], "genre": ["Crime"]}),
    "jackie": ("Jackie Brown", {"director": ["Quentin Tarantino"], "genre": ["Crime"]}),
    "heat": ("Heat", {"director": ["Michael Mann"], "genre": ["Crime", "Drama"]}),
    "abyss": ("The Abyss", {"director": ["James Cameron"], "genre": ["Sci-Fi"]}),
    "stone": ("Wall Street", {"director": ["Oliver Stone"], "genre": ["Drama"]}),
    "platoon": ("Platoon", {"director": ["Oliver Stone"], "genre": ["War"]}),
    "taxi": ("Taxi", {"director": ["Luc Besson"], "genre": ["Comedy"], "country": ["France"]}),
    "duel": ("Frost/Nixon", {"director": ["Ron Howard"], "genre": ["History"]}),
    "day": ("Thursday", {"director": ["Skip Woods"], "genre": ["History"]}),
    "air": ("Up", {"director": ["Pete Docter"], "genre": ["History"]}),
    "up": ("Once More, with Feeling", {"director": ["Élodie Fontan"], "genre": ["Comedy"]}),
}


def checker() -> Checker:
    graph = ItemGraph.of_triples(
        (item, relation, value)
        for item, (_, relations) in FILMS.items()
        for relation, values in relations.items()
        for value in values
    )
    titles = [FILMS[item][0] for item in graph.items]
    return Checker(graph, titles, Speech.of(Noun("film", "films"), graph.relations))


CHECKER = checker()
CRIME = Part("genre", "Crime")
TARANTINO = Part("director", "Quentin Tarantino")
BY_REFERENCE = Part("director", "Quentin Tarantino", Given.REFERENCE, ("pulp",))
CLAIMED = Part("director", "James Cameron", Given.CLAIM, ("heat",))


def query(kind: Kind, *parts: Part, answers: tuple[str, ...] = ("jackie",)) -> Query:
    named = tuple(item for part in parts for item in part.through)
    return Query("q", kind, "u", answers, answers, Style.DIRECT, "", parts, named)


EXPLICIT = query(Kind.EXPLICIT, TARANTINO, CRIME)
IMPLICIT = query(Kind.IMPLICIT, BY_REFERENCE, CRIME)
MISINFORMED = query(Kind.MISINFORMED, CLAIMED, CRIME, answers=("abyss",))


def faults(query: Query, text: str) -> set[Fault]:
    return {problem.fault for problem in CHECKER.check(query, text)}


SOUND = [
    (EXPLICIT, "Any crime films by Quentin Tarantino?"),
    (EXPLICIT, "quentin tarantino, and crime, please"),
    (EXPLICIT, "Do you know a crime film directed by QUENTIN  TARANTINO?"),
    (IMPLICIT, 'Which crime films did the director of "Pulp Fiction" make?'),
    (IMPLICIT, "More crime by the man behind Pulp Fiction, please."),
    (IMPLICIT, "I want crime films by the maker of *Pulp Fiction*."),
    (MISINFORMED, 'I loved "Heat", which James Cameron directed. Any crime films by him?'),
    (MISINFORMED, 'James Cameron made "Heat". Which other crime films are his?'),
    (MISINFORMED, 'Since "Heat" was directed by James Cameron, I want more crime films of his.'),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "text"), SOUND)
def test_sound_wordings_pass(asked: Query, text: str) -> None:
    assert CHECKER.check(asked, text) == ()


WRONG = [
    (EXPLICIT, "Any films by Quentin Tarantino?", Fault.UNNAMED),
    (EXPLICIT, "Any crime films by Tarantino?", Fault.UNNAMED),
    (EXPLICIT, 'Crime by Quentin Tarantino, such as "Jackie Brown"?', Fault.LEAK),
    (EXPLICIT, "Crime by Quentin Tarantino, such as Jackie Brown?", Fault.LEAK),
    (EXPLICIT, 'Crime by Quentin Tarantino, unlike "Heat".', Fault.UNLISTED),
    (EXPLICIT, "Crime by Quentin Tarantino, unlike Wall Street.", Fault.UNLISTED),
    (EXPLICIT, 'Crime by Quentin Tarantino, like "Reservoir Dogs".', Fault.UNLISTED),
    (EXPLICIT, "Crime and drama films by Quentin Tarantino.", Fault.ADDED),
    (EXPLICIT, "", Fault.FORM),
    (EXPLICIT, "?!", Fault.FORM),
    (EXPLICIT, "Crime by Quentin Tarantino. " * 100, Fault.FORM),
    (EXPLICIT, "```\nCrime by Quentin Tarantino\n```", Fault.FORM),
    (EXPLICIT, "Query: crime by Quentin Tarantino", Fault.FORM),
    (EXPLICIT, "Sure, here is a message: crime by Quentin Tarantino", Fault.FORM),
    (IMPLICIT, 'Crime by the director of "Pulp Fiction", Quentin Tarantino.', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by the director of "Pulp Fiction", tarantino.', Fault.GIVEN_AWAY),
    (IMPLICIT, 'More Tarantino crime, as in "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, "More of Tarantino's crime, as in \"Pulp Fiction\".", Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by Quentin, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by Tarentino, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by T a r a n t i n o, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by QuentinTarantino, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by Ta\u200brantino, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, 'Crime by Ｔａｒａｎｔｉｎｏ, who made "Pulp Fiction".', Fault.GIVEN_AWAY),
    (IMPLICIT, "Crime by the director of that film.", Fault.MISSING),
    (MISINFORMED, 'I loved "Heat". Any crime films by James Cameron?', Fault.UNCLAIMED),
    (MISINFORMED, 'I loved "Heat" and want crime by James Cameron.', Fault.UNCLAIMED),
    (MISINFORMED, "I want crime films by James Cameron.", Fault.MISSING),
    (MISINFORMED, 'I think James Cameron directed "Heat". More crime?', Fault.HEDGED),
    (MISINFORMED, '"Heat" is by James Cameron, isn\'t it? More crime?', Fault.HEDGED),
    (MISINFORMED, '"Heat" was actually made by someone else, not James Cameron. Crime?',
     Fault.CORRECTED),
    (MISINFORMED, 'James Cameron directed "Heat". No, it was Michael Mann. Crime?',
     Fault.CORRECTED),
    (MISINFORMED, '"Heat" is not by James Cameron, I know. Crime, though?', Fault.CORRECTED),
    (MISINFORMED, '"Heat" wasn\'t directed by James Cameron. Crime?', Fault.CORRECTED),
    (MISINFORMED, 'James Cameron directed "Heat". Any films by him?', Fault.UNNAMED),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "text", "fault"), WRONG)
def test_each_fault_is_found(asked: Query, text: str, fault: Fault) -> None:
    assert fault in faults(asked, text), CHECKER.check(asked, text)


def test_a_part_that_is_an_everyday_word_counts_only_as_a_name() -> None:
    asked = query(Kind.IMPLICIT, Part("director", "Oliver Stone", Given.REFERENCE, ("stone",)),
                  answers=("platoon",))  # fmt: skip
    innocent = 'Something solid as stone, by the director of "Wall Street".'
    assert faults(asked, innocent) == set()
    assert Fault.GIVEN_AWAY in faults(asked, 'More from Stone, who directed "Wall Street".')


@pytest.mark.parametrize("word", ["comedy", "Comedies", "comedic", "funny"])
def test_a_genre_is_given_away_by_its_kin(word: str) -> None:
    asked = query(Kind.IMPLICIT, Part("genre", "Comedy", Given.REFERENCE, ("taxi",)),
                  answers=("up",))  # fmt: skip
    assert faults(asked, f'Something {word} in the genre of "Taxi".') == {Fault.GIVEN_AWAY}
    assert faults(asked, 'Something in the genre of "Taxi".') == set()


def test_a_country_is_given_away_by_its_people() -> None:
    asked = query(Kind.IMPLICIT, Part("country", "France", Given.REFERENCE, ("taxi",)), answers=())
    assert faults(asked, 'A French film, like "Taxi".') == {Fault.GIVEN_AWAY}


def test_a_named_title_may_hold_a_part_of_the_name() -> None:
    # What stands in a title that must be named is no slip of the writer's.
    asked = query(Kind.IMPLICIT, Part("director", "Quentin Tarantino", Given.REFERENCE,
                                      ("jackie",)), answers=("pulp",))  # fmt: skip
    assert faults(asked, 'More by the director of "Jackie Brown".') == set()


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("Some history, as in Frost/Nixon.", True),
        ("Some history, as in Up.", True),
        ("Some history, I'm up late.", False),
        ("Some history for Thursday, please.", False),
        ('Some history like "Thursday", please.', True),
    ],
)
def test_titles_of_ordinary_words_and_of_marks(text: str, leaks: bool) -> None:
    asked = query(Kind.EXPLICIT, Part("genre", "History"), answers=("duel", "day", "air"))
    assert faults(asked, text) == ({Fault.LEAK} if leaks else set())


def profile(kind: Kind, named: tuple[str, ...] = ()) -> Query:
    traits = (Trait("genre", "Crime", 1.0, 0.1),)
    told = Profile(5, ("heat", "up", "jackie"), "made", traits, group={"gender": "Female"})
    return Query("q", kind, "u", ("heat",), ("heat", "up", "jackie"), Style.DIRECT, "",
                 named=named, profile=told)  # fmt: skip


PROFILES = [
    (profile(Kind.DEMOGRAPHICS), "I'm a woman who enjoys crime films.", set()),
    (profile(Kind.DEMOGRAPHICS), "I'm a woman who enjoys films.", {Fault.UNNAMED}),
    (profile(Kind.DEMOGRAPHICS), 'I enjoy crime films such as "Heat".', {Fault.LEAK}),
    (profile(Kind.DEMOGRAPHICS), "I enjoy crime films such as Heat.", {Fault.LEAK}),
    (profile(Kind.DEMOGRAPHICS), "I enjoy crime films in the heat of the night.", set()),
    (profile(Kind.DEMOGRAPHICS), "Crime once more, with feeling, please.", {Fault.LEAK}),
    (profile(Kind.INTEREST, ("pulp",)), 'I loved "Pulp Fiction". More crime?', set()),
    (profile(Kind.INTEREST, ("pulp",)), "I loved it. More crime?", {Fault.MISSING}),
    (profile(Kind.INTEREST, ("pulp",)), 'I loved "Pulp Fiction" and "Platoon". More crime?',
     {Fault.UNLISTED}),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "text", "expected"), PROFILES)
def test_profile_queries_name_no_answer(asked: Query, text: str, expected: set[Fault]) -> None:
    assert faults(asked, text) == expected


def test_problems_say_what_shows_them() -> None:
    asked = msgspec.structs.replace(EXPLICIT, text="Crime by Tarantino?")
    assert CHECKER.told(asked) == ["a value is not named: Quentin Tarantino"]
    long = CHECKER.check(EXPLICIT, "a" * (LONGEST_WORDING + 1))
    assert [str(problem) for problem in long] == [
        f"no request of a person's: it has {LONGEST_WORDING + 1:,} characters"
    ]


def test_quotation_marks_within_a_name_or_a_title_set_nothing_off() -> None:
    triples = [
        ("uhf", "starring", '"Weird Al" Yankovic'),
        ("gun", "starring", '"Weird Al" Yankovic'),
        ("eleven", "language", "French"),
        ("places", "language", "French"),
    ]
    titles = {"uhf": "UHF", "gun": "Spy Hard", "eleven": "11'09\"01 September 11",
              "places": "Going Places"}  # fmt: skip
    graph = ItemGraph.of_triples(triples)
    found = Checker(
        graph,
        [titles[item] for item in graph.items],
        Speech.of(Noun("film", "films"), graph.relations),
    )
    star = Query(
        id="a", kind=Kind.EXPLICIT, user="u", own=("uhf",), matching=("uhf", "gun"),
        style=Style.DIRECT, text="", parts=(Part("starring", '"Weird Al" Yankovic'),),
    )  # fmt: skip
    assert found.check(star, 'Could you find me films that star "Weird Al" Yankovic?') == ()
    (problem,) = found.check(star, 'Films that star "Weird Al" Yankovic, as "Going Places"?')
    assert problem.fault is Fault.UNLISTED
    assert problem.detail == "Going Places"
    through = ("eleven", "places")
    alike = Query(
        id="b", kind=Kind.IMPLICIT, user="u", own=("uhf",), matching=("uhf",),
        style=Style.DIRECT, text="", named=through,
        parts=(Part("language", "French", Given.REFERENCE, through),),
    )  # fmt: skip
    text = 'A film in the same language as both “11\'09"01 September 11” and "Going Places"?'
    assert found.check(alike, text) == ()
