"""Answers that were made elsewhere: what a line may look like, and how a bad one is told."""

from __future__ import annotations

import gzip
import json

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.answers import Answer, Form, Named, read_answer
from mystery_shopper.suites.recbench.foreign import Foreign, first_items, read_answers
from mystery_shopper.suites.recbench.score import Pick

KNOWN = ("q1", "q2", "7")


def read(*lines: object, skip: bool = False) -> Foreign:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return read_answers(text.encode(), "a.jsonl", KNOWN, example="q1", skip=skip)


@pytest.mark.parametrize(
    "line",
    [
        {"query": "q1", "text": "1. Heat (1995)\n2. Ronin (1998)"},
        {"id": "q1", "answer": "- Heat (1995)\n- Ronin (1998)"},
        {"query_id": "q1", "response": "Heat (1995) [SEP] Ronin (1998)"},
        {"query": "what was asked", "id": "q1", "titles": ["Heat (1995)", "Ronin (1998)"]},
        {"id": "q1", "titles": [{"title": "Heat", "year": 1995}, {"title": "Ronin", "year": 1998}]},
        {"id": "q1", "recommendations": [{"title": "Heat", "year": "1995"}, "Ronin (1998)"]},
        {"id": "q1", "answer": {"recommendations": ["Heat (1995)", "Ronin (1998)"]}},
        {"id": "q1", "text": '{"recommendations": ["Heat (1995)", "Ronin (1998)"]}'},
        {"id": "q1", "titles": [], "text": "1. Heat (1995)\n2. Ronin (1998)"},
    ],
)
def test_a_line_gives_its_titles_in_any_of_these_forms(line: dict[str, object]) -> None:
    answer = read(line).answers["q1"]
    assert [(item.title, item.year) for item in answer.items] == [("Heat", 1995), ("Ronin", 1998)]


def test_a_text_is_read_as_the_answer_of_a_run_is() -> None:
    text = "**Note:** Lorenzo's Oil is not by Spike Lee.\n\n1. Heat\n2. Ronin"
    answer = read({"id": "q1", "text": text}).answers["q1"]
    assert answer == read_answer(text)
    assert answer.concerns == ("Lorenzo's Oil is not by Spike Lee.",)


def test_an_empty_answer_is_one_and_a_missing_line_is_none() -> None:
    answers = read({"id": "q1", "text": ""}, {"id": "q2", "titles": []}).answers
    assert set(answers) == {"q1", "q2"}
    assert all(answer.items == () for answer in answers.values())
    assert answers["q1"].form is Form.EMPTY


def test_concerns_go_with_titles() -> None:
    line = {"id": "q1", "titles": ["Heat"], "concerns": ["Not by him."]}
    assert read(line).answers["q1"].concerns == ("Not by him.",)
    line = {"id": "q1", "titles": [{"title": "Heat"}], "concerns": "Not by him."}
    assert read(line).answers["q1"].concerns == ("Not by him.",)


def test_ids_may_be_numbers() -> None:
    assert list(read({"id": 7, "text": "Heat"}).answers) == ["7"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{broken", "line 2: not JSON"),
        ("[1]", "line 2: is no object"),
        ({"text": "Heat"}, "line 2: has no query id ('query_id' or 'id' or 'query')"),
        ({"id": True, "text": "Heat"}, "line 2: has no query id"),
        ({"id": "q2"}, "line 2: has no answer ('text', 'answer', 'response'"),
        ({"id": "q2", "text": None}, "line 2: 'text' is no text (for an answer that says nothing"),
        ({"id": "q2", "titles": "Heat"}, "line 2: 'titles' is no list of titles"),
        ({"id": "q2", "titles": ["Heat", 7]}, "line 2: title 2 is no text"),
        ('{"id": "q2", "id": "q2", "text": ""}', "line 2: 'id' occurs twice"),
        ({"id": "q9", "text": "Heat"}, "line 2: there is no query 'q9'"),
        ({"id": "q1", "text": "Heat"}, "line 2: q1 is answered on line 1 already; keep one"),
    ],
)
def test_a_bad_line_is_told_by_its_number_or_left_out(line: object, told: str) -> None:
    good = {"id": "q1", "text": "Heat"}
    with pytest.raises(InputError) as raised:
        read(good, line)
    assert told in str(raised.value)
    assert "a.jsonl" in str(raised.value)
    assert "--on-bad skip" in str(raised.value)
    left = read(good, line, {"id": "7", "text": "Ronin"}, skip=True)
    assert list(left.answers) == ["q1", "7"]
    assert told in left.bad[0]


def test_unknown_ids_come_with_an_example_of_a_known_one() -> None:
    with pytest.raises(InputError, match="ids such as q1"):
        read({"id": "q9", "text": "Heat"})


def test_all_bad_lines_are_told_and_not_more_than_twenty() -> None:
    with pytest.raises(InputError) as raised:
        read(*[{"id": f"x{n}", "text": ""} for n in range(30)])
    assert len(raised.value.problems) == 21
    assert raised.value.problems[-1] == "and 10 more"


def test_packed_files_arrays_and_byte_order_marks_are_read() -> None:
    lines = [{"id": "q1", "text": "Heat"}, {"id": "q2", "text": "Ronin"}]
    text = "\n".join(map(json.dumps, lines)).encode()
    for raw in (gzip.compress(text), b"\xef\xbb\xbf" + text, json.dumps(lines).encode()):
        assert list(read_answers(raw, "a", KNOWN).answers) == ["q1", "q2"]
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_answers(gzip.compress(text)[:20], "a", KNOWN)


def test_latin_1_is_read_and_told() -> None:
    raw = json.dumps({"id": "q1", "titles": ["Amélie"]}, ensure_ascii=False).encode("latin-1")
    found = read_answers(raw, "a", KNOWN)
    assert found.answers["q1"].items[0].title == "Amélie"
    assert found.notes == ("line 1: is not UTF-8; the file was read as latin-1",)


def test_the_first_items_are_those_that_count() -> None:
    answer = Answer(tuple(Named(title) for title in "abcde"), Form.TITLES)
    picks = [Pick("a", "1", named=True), Pick("b", "2"), Pick("c", None, "unknown"), Pick("e", "3")]
    assert [item.title for item in first_items(answer, picks, 2).items] == ["b", "c"]
