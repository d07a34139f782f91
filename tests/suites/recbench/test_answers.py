"""Reading answers: the shapes that models write, refusals, and what nobody should send."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.suites.recbench.answers import Form, answer_of_titles, read_answer
from mystery_shopper.suites.recbench.answers.model import MOST_TITLES
from mystery_shopper.suites.recbench.answers.prose import mentioned

TWO = [("Heat", 1995), ("Alien", 1979)]


def titles(said: object) -> list[tuple[str, int | None]]:
    return [(item.title, item.year) for item in read_answer(said).items]


@pytest.mark.parametrize(
    "said",
    [
        "1. Heat (1995)\n2. Alien (1979)",
        "1) Heat (1995)\n2) Alien (1979)",
        "(1) Heat (1995)\n(2) Alien (1979)",
        "#1 Heat (1995)\n#2 Alien (1979)",
        "1. **Heat** (1995) - a heist\n2. **Alien** (1979) - in space",
        "1. **Heat (1995)**: a heist\n2. **Alien (1979)**: in space",
        "**1. Heat (1995)**\nA heist.\n\n**2. Alien (1979)**\nIn space.",
        "### 1. Heat (1995)\nA heist of Michael Mann.\n### 2. Alien (1979)\nIn space.",
        "- Heat (1995)\n- Alien (1979)",
        "* *Heat* (1995)\n* *Alien* (1979)",
        "• “Heat” (1995) – a heist\n• “Alien” (1979) – in space",
        '- "Heat" (1995, dir. Michael Mann)\n- "Alien" (1979, dir. Ridley Scott)',
        "- [Heat](https://a.b/c) (1995)\n- [Alien](https://a.b/d) (1979)",
        "🎬 Heat (1995)\n🎬 Alien (1979)",
        "Heat (1995)\nAlien (1979)",
        "Here you are:\n\nHeat (1995)\nAlien (1979)\n\nEnjoy these two films tonight!",
        "| Title | Year |\n|---|---|\n| Heat | 1995 |\n| Alien | 1979 |",
        "| # | Movie | Why |\n|:-:|:--|--|\n| 1 | **Heat** (1995) | heist |\n| 2 | Alien (1979) "
        "| fear |",
        "Title | Year\n--- | ---\nHeat | 1995\nAlien | 1979",
        "I recommend Heat (1995) and Alien (1979).",
        'You might enjoy "Heat" (1995). Another one is "Alien" (1979).',
        "Since you liked Speed (1994), try Heat (1995) or Alien (1979).",
        "- **Title:** Heat (1995)\n  - **Director:** Mann\n- **Title:** Alien (1979)\n  - Why: x",
        "Title: Heat\nYear: 1995\n\nTitle: Alien\nYear: 1979",
        "1. Heat (1995)\n   - Genre: Crime\n   - It is long.\n2. Alien (1979)\n   - Genre: Horror",
        "<think>Speed (1994)? No.</think>\n1. Heat (1995)\n2. Alien (1979)",
        "```\n1. Heat (1995)\n2. Alien (1979)\n```",
        '{"recommendations": [{"title": "Heat", "year": 1995}, {"title": "Alien", "year": "1979"}]'
        "}",
        '```json\n{"recommendations": [{"title": "Heat", "year": 1995},'
        ' {"title": "Alien", "year": 1979}]}\n```\nEnjoy!',
        'Sure: {"recommendations": ["Heat (1995)", "Alien (1979)"]} I hope these fit.',
        '["Heat (1995)", "Alien (1979)"]',
        '{"recommendations": [{"title": "Heat", "year": 1995},'
        ' {"title": "Alien", "year": 1979}, {"tit',
        '{"answer": {"movies": [{"name": "Heat", "year": 1995}, {"name": "Alien", "year": 1979}]}}',
        "Heat (1995), Alien (1979)",
        "**Recommendations**\n1. Heat (1995)\n2. Alien (1979)\n\n**Already seen**\n- Speed (1994)",
        "1. Heat (1995)\r\n2. Alien (1979)\r\n",
        "1. Heat (1995)\n2. Alien (1979)\n2. Alien (1979)",
        "1. Heat (1995) 2. Alien (1979)",
        "1. Title: Heat | Year: 1995 | Director: X\n2. Title: Alien | Year: 1979 | Director: Y",
        "<answer>Heat (1995), Alien (1979)</answer>",
        "Recommended Movies: Heat (1995); Alien (1979)",
        "Title,Year\nHeat,1995\nAlien,1979",
        "{'recommendations': [{'title': 'Heat', 'year': 1995}, {'title': 'Alien', 'year': 1979}]}",
        "The best matches are Heat (1995), which is long, and Alien (1979), which is cold.",
    ],
)
def test_two_films_are_read_from_every_shape(said: str) -> None:
    assert titles(said) == TWO


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "1. 12 Angry Men (1957)\n2. 2001: A Space Odyssey\n3. 8½",
            ["12 Angry Men", "2001: A Space Odyssey", "8½"],
        ),
        (
            "- Star Wars: Episode IV - A New Hope\n- Alien",
            ["Star Wars: Episode IV - A New Hope", "Alien"],
        ),
        (
            "- Heat - a crime saga of some length\n- Alien: they hear nothing of it in space",
            ["Heat", "Alien"],
        ),
        ("- The Good, the Bad and the Ugly (1966)", ["The Good, the Bad and the Ugly"]),
        ("The Matrix, Heat, Alien", ["The Matrix", "Heat", "Alien"]),
        ("I'd recommend Heat, The Matrix, and Alien.", ["Heat", "The Matrix", "Alien"]),
        ("Try *Alien* or *Heat*.", ["Alien", "Heat"]),
        ("Heat", ["Heat"]),
        ("Matrix, The (1999)", ["Matrix, The"]),
        ("My pick is **Heat**.", ["Heat"]),
        ("- Ocean's Eleven\n- ‘Schindler’s List’", ["Ocean's Eleven", "Schindler’s List"]),
    ],
)
def test_titles_end_where_they_end(said: str, expected: list[str]) -> None:
    assert [title for title, _ in titles(said)] == expected


def test_a_maker_behind_the_title_gives_a_second_reading() -> None:
    item = read_answer("1. 1984 - George Orwell\n2. Dune by Frank Herbert").items
    assert item[0].readings == ("1984 - George Orwell", "1984")
    assert item[1].readings == ("Dune by Frank Herbert", "Dune")


@pytest.mark.parametrize(
    "said",
    [
        "None",
        "none.",
        "**None**",
        "N/A",
        "- None",
        "Recommendations: None",
        "[]",
        '{"recommendations": []}',
        '{"recommendations": null}',
        '{"recommendations": "None"}',
        "No recommendations.",
        "No such films exist.",
        "There are no films that match all of your conditions.",
        "I'm sorry, I couldn't find any films by John Blick."
        " 'The Mirror Has Two Faces' was shot by Dante Spinotti.",
        "Unfortunately, I am unable to recommend any books for this request.",
    ],
)
def test_a_refusal_recommends_nothing_and_is_known_as_one(said: str) -> None:
    answer = read_answer(said)
    assert (answer.items, answer.refused, answer.form) == ((), True, Form.NONE)


@pytest.mark.parametrize("said", ["", "  \n ", None, 7, b"Heat", "<think>Heat (1995)"])
def test_nothing_said_is_no_refusal(said: object) -> None:
    answer = read_answer(said)
    assert (answer.items, answer.refused, answer.form) == ((), False, Form.EMPTY)


def test_concerns_are_read_from_json_and_from_headings() -> None:
    said = {
        "recommendations": [{"title": "Heat", "id": "tt1"}],
        "concerns": ["Not by Cameron.", "None"],
    }
    answer = read_answer(json.dumps(said))
    assert answer.concerns == ("Not by Cameron.",)
    assert answer.items[0].id == "tt1"
    assert read_answer(said).concerns == ("Not by Cameron.",)
    listed = read_answer(
        "1. Heat (1995)\n\n**Concerns:**\n- Aliens was not by X.\n\nNote: Y is wrong."
    )
    assert titles("1. Heat (1995)\n\n**Concerns:**\n- Aliens was not by X.") == [("Heat", 1995)]
    assert listed.concerns == ("Aliens was not by X.", "Y is wrong.")


def test_concerns_alone_are_a_refusal() -> None:
    answer = read_answer('{"recommendations": [], "concerns": ["The claim is false"]}')
    assert (answer.refused, answer.form, answer.concerns) == (
        True,
        Form.JSON,
        ("The claim is false",),
    )


def test_ready_titles_are_an_answer() -> None:
    answer = answer_of_titles(["Heat (1995)", "Alien", "Alien", ""])
    assert [(item.title, item.year) for item in answer.items] == [("Heat", 1995), ("Alien", None)]
    assert answer.form is Form.TITLES


def test_a_film_that_is_spoken_against_is_not_recommended() -> None:
    assert titles('"Speed" was not directed by John Woo. I suggest "Face/Off" (1997).') == [
        ("Face/Off", 1997)
    ]


def test_what_a_query_names_is_found_by_its_marks() -> None:
    text = "I watched Clockers (1995) and 'Bamboozled', and I liked \"Heat\" a lot."
    assert {item.title for item in mentioned(text)} == {"Clockers", "Bamboozled", "Heat"}


HOSTILE = [
    "(" * 5_000_000,
    "1. " + "A" * 5_000_000,
    "\n".join(f"{n}. Title {n} (1999)" for n in range(100_000)),
    "[" * 200_000,
    '{"a":' * 100_000,
    "*" * 200_000,
    '"' * 200_000,
    "A, " * 60_000,
    "A " * 100_000,
    "| " * 100_000,
    "The " * 50_000 + "(1999)",
    "| a\n" * 100_000,
    "**a" * 60_000,
    "I recommend " + "A and " * 30_000,
    "'A" * 80_000,
    " " * 200_000 + "x",
    "- " * 100_000,
    "\n" * 200_000,
    "since you " * 20_000 + '"A"',
    '"title": "' * 20_000,
    "<think>" * 30_000,
    "[{" * 100_000,
    "not " * 50_000,
    "A. " * 60_000,
    "a(1999" * 30_000,
    "“A” (" * 40_000,
    '{"recommendations": [' + '{"title": "x"},' * 20_000,
    "Note: " * 40_000,
    "_a_b" * 50_000,
    "A: " * 60_000,
]


@pytest.mark.parametrize("said", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_bounded(said: str) -> None:
    start = time.process_time()
    answer = read_answer(said)
    assert time.process_time() - start < 2
    assert len(answer.items) <= MOST_TITLES


@pytest.mark.parametrize(
    "said",
    [
        "\ud800 alone",
        "1. **\ud800** (1999)",
        '{"recommendations": ["\\ud800"]}',
        {1: 2},
        [[[[]]]],
        [None, 1, {}],
        {"recommendations": {"a": {"b": [1, None, {}]}}},
        {"recommendations": [{"title": 5}, {"title": None}]},
    ],
)
def test_odd_values_never_raise_and_can_be_written(said: object) -> None:
    for item in read_answer(said).items:
        json.dumps([item.title, item.year]).encode()
        item.title.encode("utf-8")


@given(
    st.text()
    | st.recursive(
        st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_nothing_raises(said: object) -> None:
    assert read_answer(said).form in Form


@pytest.mark.parametrize(
    ("said", "expected", "concerns"),
    [
        ("**Note:** X is not by Y.\n\n1. Heat\n2. Alien", ["Heat", "Alien"], ["X is not by Y."]),
        ("Note: X is not by Y.\nHere are some films that I believe may well be of that kind:\n"
         "- Heat\n- Alien", ["Heat", "Alien"], ["X is not by Y."]),
        ("1. Heat\nNote: an odd one.\n2. Alien", ["Heat", "Alien"], ["an odd one."]),
        ("- Heat\n- Alien\n\nNote: two things\n- X is not by Y.\n- Z was cut.", ["Heat", "Alien"],
         ["two things", "X is not by Y.", "Z was cut."]),
        ("1. Heat\n2. Alien\n\nNotes:\n- X is not by Y.", ["Heat", "Alien"], ["X is not by Y."]),
    ],
)  # fmt: skip
def test_an_objection_in_a_line_does_not_swallow_the_list(
    said: str, expected: list[str], concerns: list[str]
) -> None:
    answer = read_answer(said)
    assert [item.title for item in answer.items] == expected
    assert list(answer.concerns) == concerns


@pytest.mark.parametrize(
    "said",
    [
        "Heat (1995) [SEP] Alien (1979)",
        "Heat (1995)[SEP]Alien (1979)[SEP]",
        'Recommended movies (separated by [SEP]): "Heat (1995)" [SEP] "Alien (1979)"',
        "You asked for two.\n\nHeat (1995) [SEP] Alien (1979)\n\nEnjoy!",
        "I would recommend these for you: Heat (1995) [SEP]\nAlien (1979)",
    ],
)
def test_titles_with_the_papers_separator_are_read(said: str) -> None:
    assert titles(said) == TWO


@pytest.mark.parametrize(
    "said",
    [
        '{"recommendations": {"1": {"title": "Heat", "year": 1995},'
        ' "2": {"title": "Alien", "year": 1979}}}',
        '{"recommendations": "1. Heat (1995)\\n2. Alien (1979)"}',
        '{"movies": {"crime": ["Heat (1995)"], "horror": ["Alien (1979)"]}}',
        "{“recommendations”: [{“title”: “Heat”, “year”: 1995}, {“title”: “Alien”, “year”: 1979}]}",
        json.dumps('{"recommendations": ["Heat (1995)", "Alien (1979)"]}'),
        '{"name": "recommend", "arguments": {"recommendations":'
        ' [{"title": "Heat", "year": 1995}, {"title": "Alien", "year": 1979}]}}',
        '{"title": "Heat", "year": 1995}\n{"title": "Alien", "year": 1979}',
        'A first thought: {"recommendations": [{"title": "Speed"}]}. The final answer:'
        ' {"recommendations": [{"title": "Heat", "year": 1995}, {"title": "Alien", "year": 1979}]}',
        '{"concerns": ["Speed is of Jan de Bont"], "recommendations": ['
        '{"title": "Heat", "year": 1995}, {"title": "Alien", "year": 1979}, {"title": "Spe',
        "recommendations:\n  - title: Heat\n    year: 1995\n  - title: Alien\n    year: 1979\n"
        "concerns: []",
        "<item><title>Heat</title><year>1995</year></item>"
        "<item><title>Alien</title><year>1979</year></item>",
        "## Heat (1995)\nA heist, like *Thief*.\n\n## Alien (1979)\nA film of fear.",
        "**Heat** (1995)\nA heist, like *Thief*.\n\n**Alien** (1979)\nIt plays in space.",
        "## Recommendations\n\n### Heat (1995)\n\nA heist.\n\n### Alien (1979)\n\nIn space.",
        "I. Heat (1995)\nII. Alien (1979)",
        "i) Heat (1995)\nii) Alien (1979)",
        "1/ Heat (1995)\n2/ Alien (1979)",
        "First: Heat (1995)\nSecond: Alien (1979)",
        "1) Heat (1995), 2) Alien (1979)",
        "| Heat | 1995 |\n|---|---|\n| Alien | 1979 |",
        "You have already seen Speed (1994), so I would go with Heat (1995) and Alien (1979).",
        "I'd suggest Heat (1995) and Alien (1979) over Speed (1994).",
    ],
)
def test_more_ways_in_which_models_write_a_list(said: str) -> None:
    assert titles(said) == TWO


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ('{"recommendations": [{"title": 1917, "year": 2019}, {"title": 300}]}', ["1917", "300"]),
        ('{"recommendations": [1917, 300]}', ["1917", "300"]),
        (
            "Me, Myself & Irene; Monsters, Inc.; Heat",
            ["Me, Myself & Irene", "Monsters, Inc.", "Heat"],
        ),
        ("Since you loved Casino, try Goodfellas and Heat.", ["Goodfellas", "Heat"]),
        ("I suggest Heat over Casino.", ["Heat"]),
        ("Zero Effect", ["Zero Effect"]),
        ("One Flew Over the Cuckoo's Nest", ["One Flew Over the Cuckoo's Nest"]),
    ],
)
def test_titles_that_are_numbers_hold_commas_or_stand_beside_others(
    said: str, names: list[str]
) -> None:
    assert [title for title, _ in titles(said)] == names


@pytest.mark.parametrize(
    "said",
    [
        "I must decline.",
        "I don't know.",
        "There isn't one.",
        "There isn't a film that fits.",
        "No match",
        "Unfortunately, no.",
        "My apologies.",
        "Zero results",
        "Keine Empfehlung.",
        "Ninguna película.",
        "Recommendations:\n- None",
        "1. None",
        "**Recommendations:** None found.",
        "recommendations: []\nconcerns: []",
        "| Title | Year |\n|---|---|\n| None | |",
    ],
)
def test_short_words_of_having_nothing_are_no_title(said: str) -> None:
    answer = read_answer(said)
    assert (answer.items, answer.refused, answer.form) == ((), True, Form.NONE)


def test_a_table_of_headings_alone_and_an_empty_field_of_concerns_hold_nothing() -> None:
    assert read_answer("| Title | Year |\n|---|---|").items == ()
    assert read_answer("- Heat (1995)\n\nconcerns: []").concerns == ()


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Heat | Ronin | Casino", ["Heat", "Ronin", "Casino"]),
        ("Heat (1995) | Ronin (1998)", ["Heat", "Ronin"]),
        ("My picks: Heat | Ronin | The Godfather: Part II",
         ["Heat", "Ronin", "The Godfather: Part II"]),
        ("Here you go:\n**Heat** | **Ronin** | **Casino**", ["Heat", "Ronin", "Casino"]),
        ("Heat | 1995 | Michael Mann", ["Heat"]),
        ("Heat | Directed by Michael Mann | Crime", ["Heat"]),
        ("Heat | Genre: Crime | Rating: 8/10", ["Heat"]),
        ("Heat | Crime | 170 min", ["Heat"]),
        ("Heat | 1995\nRonin | 1998", ["Heat", "Ronin"]),
        ("Heat | a film of few words and many bullets", ["Heat"]),
    ],
)  # fmt: skip
def test_titles_with_bars_between_them_on_one_line(text: str, titles: list[str]) -> None:
    assert [item.title for item in read_answer(text).items] == titles


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Heat\nRonin\nCasino\n\nNote: Lorenzo's Oil is not by Spike Lee.",
         ["Heat", "Ronin", "Casino"]),
        ("Note: Lorenzo's Oil is not by Spike Lee.\n\nHeat\nRonin", ["Heat", "Ronin"]),
        ("Here are my picks:\nHeat\nMoulin Rouge!\nNote: the claim is wrong.",
         ["Heat", "Moulin Rouge!"]),
        ("Heat, Ronin, Casino\nNote: the claim is wrong.", ["Heat", "Ronin", "Casino"]),
        # What a note heads belongs to it, and talk is no title.
        ("Note:\nLorenzo's Oil is not his.\nMad Max\n\nNote: so it is.", []),
        ("Note: the claim is wrong.\nHeat\nRonin", ["Heat", "Ronin"]),
        ("Note: Heat is by Mann.\n\nI would skip this one.", []),
        ("That claim is not right.\nNote: Lorenzo's Oil is by George Miller.", []),
        ("Note: Heat is by Mann.\n\nPlease tell me more.", []),
        ("I found nothing that fits\nNote: Heat is by Mann.", []),
    ],
)  # fmt: skip
def test_plain_titles_beside_a_note_are_kept(text: str, titles: list[str]) -> None:
    answer = read_answer(text)
    assert [item.title for item in answer.items] == titles


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Sorry, I can't find more than one. Heat (1995) fits.", ["Heat"]),
        ("I could not find any others. Heat (1995) matches all of your conditions.", ["Heat"]),
        ("I can't find any. Heat (1995) fits.", []),
        ("Sorry, I can't find more. Heat (1995) does not fit.", []),
        ("Sorry, I can't find more than one. Heat (1995) fits only the first condition.", []),
        ("Sorry, I can't find another. Heat (1995) fits two of the three, but not the last.", []),
        ("I cannot find any more. There are no films like Heat (1995).", []),
        ("I can't recommend others. You liked Heat (1995), which fits.", []),
    ],
)
def test_a_refusal_of_more_is_none_of_what_fits(text: str, titles: list[str]) -> None:
    answer = read_answer(text)
    assert [item.title for item in answer.items] == titles
    assert answer.refused is not bool(titles)


def test_a_time_in_a_title_is_no_label() -> None:
    for text in ("1. **3:10 to Yuma (1957)** - x", "3:10 to Yuma (1957)"):
        assert [item.title for item in read_answer(text).items] == ["3:10 to Yuma"]
    assert [item.title for item in read_answer("1: Heat\n2: Ronin").items] == ["Heat", "Ronin"]


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        (
            "Pirates of the Caribbean: On Stranger Tides - a fine choice for what you asked.",
            ("Pirates of the Caribbean: On Stranger Tides",),
        ),
        (
            "Star Wars: Episode IV - A New Hope - the first of them.",
            ("Star Wars: Episode IV - A New Hope", "Star Wars: Episode IV"),
        ),
        ("Heat - Pacino against De Niro - a classic of its kind.", None),
        ("Heat: a gripping tale - and more of it than you would think.", ("Heat",)),
        ("Heat - a gripping tale: two men, one city.", ("Heat",)),
    ],
)
def test_a_subtitle_before_a_description_is_kept(
    line: str, readings: tuple[str, ...] | None
) -> None:
    (one, _) = read_answer(f"1. {line}\n2. Ronin").items
    if readings is None:
        assert one.readings[-1] == "Heat"
    else:
        assert one.readings == readings
