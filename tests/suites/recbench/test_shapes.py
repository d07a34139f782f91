"""Published files in whichever shape they come: the records are the same, and what is bad is told
by record and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.released import read_release
from mystery_shopper.suites.recbench.released.shapes import read_shape

from .releases import BOOKS, FILMS, Records, explicit, user, write_files

Shape = Callable[[Records], str | bytes]


def lines(records: Records) -> str:
    return "\n".join(json.dumps(record) for record in records)


SHAPES: dict[str, Shape] = {
    "an array": json.dumps,
    "an indented array": lambda r: json.dumps(r, indent=2),
    "lines": lines,
    "lines with blank ones and returns": lambda r: lines(r).replace("\n", "\r\n\r\n") + "\r\n",
    "a dict of lists": lambda r: json.dumps({"queries of this file": r}),
    "by number of conditions": lambda r: json.dumps(
        {str(n): [one for one in r if one.get("condition_num", 0) == n] for n in range(5)}
    ),
    "by number in a name": lambda r: json.dumps({"explicit": {"1": r[:1], "2": r[1:]}}),
    "a dict of records": lambda r: json.dumps({str(n): one for n, one in enumerate(r)}),
    "a list of lists": lambda r: json.dumps([r[:1], r[1:]]),
    "a dict with more than records in it": lambda r: json.dumps(
        {"version": "1.0", "count": len(r), "queries": r, "tags": ["a"], "by": {"name": "b"}}
    ),
    "indented objects one behind the other": lambda r: "\n".join(
        json.dumps(one, indent=2) for one in r
    ),
    "a byte order mark": lambda r: b"\xef\xbb\xbf" + json.dumps(r).encode(),
    "utf-16": lambda r: json.dumps(r).encode("utf-16"),
    "latin-1": lambda r: json.dumps(r, ensure_ascii=False).encode("latin-1"),
    "NaN for a key that is not needed": lambda r: json.dumps(
        [one | {"movieCount": float("nan"), "score": float("inf")} for one in r]
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_the_same_queries(tmp_path: Path, name: str) -> None:
    plain = read_release(write_files(tmp_path / "plain", {"ExplicitQuery": explicit()}))
    other = read_release(
        write_files(tmp_path / "other", {"ExplicitQuery": SHAPES[name](explicit())})
    )

    def told(release: Any) -> Any:
        return sorted((q.user, q.text, q.titles, q.ids, q.conditions) for q in release.queries)

    assert told(other) == told(plain)
    assert len(plain.queries) == 3
    assert bool(other.notes) == (name == "latin-1")


@pytest.mark.parametrize("files", [FILMS, BOOKS])
def test_all_five_kinds_of_either_domain_are_read(tmp_path: Path, files: dict[str, Any]) -> None:
    release = read_release(write_files(tmp_path, files))
    assert release.domains == (("movie",) if files is FILMS else ("book",))
    assert {query.kind.value for query in release.queries} == {
        "explicit", "implicit", "misinformed", "interest", "demographics",
    }  # fmt: skip
    assert all(query.titles and query.text and query.number for query in release.queries)


def test_the_keys_tell_the_domain_before_the_path_does(tmp_path: Path) -> None:
    write_files(tmp_path, {f"movies_and_books/{name}": value for name, value in FILMS.items()})
    assert read_release(tmp_path).domains == ("movie",)
    write_files(tmp_path, {"x/movie/ExplicitQuery": BOOKS["ExplicitQuery"]})
    assert read_release(tmp_path).domains == ("movie", "book")


def test_other_names_of_files_are_known(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "DemographicsBasedQuery": FILMS["UserBasedQuery"],
            "book-ItemBasedQuery": BOOKS["InterestBasedQuery"],
            "explicit_queries.jsonl": lines(FILMS["ExplicitQuery"]),
        },
    )
    kinds = {query.kind.value for query in read_release(tmp_path).queries}
    assert kinds == {"demographics", "interest", "explicit"}


@pytest.mark.parametrize(
    ("subset", "titles", "ids"),
    [
        ([3, 9], ("", ""), ("3", "9")),
        ([3.0, 9.0], ("", ""), ("3", "9")),
        (["3", "9"], ("", ""), ("3", "9")),
        (["1984"], ("1984",), ()),
        ({"3": "Malcolm X (1992)"}, ("Malcolm X (1992)",), ("3",)),
        ([{"id": 3, "title": "Malcolm X (1992)"}], ("Malcolm X (1992)",), ("3",)),
        ("Malcolm X (1992)", ("Malcolm X (1992)",), ()),
        (["Dune", "Dune"], ("Dune",), ()),
    ],
)
def test_answers_may_be_titles_or_ids(
    tmp_path: Path, subset: object, titles: tuple[str, ...], ids: tuple[str, ...]
) -> None:
    record = {key: value for key, value in explicit()[1].items() if key != "movieCount"}
    release = read_release(
        write_files(tmp_path, {"ExplicitQuery": [record | {"movieSubset": subset}]})
    )
    assert (release.queries[0].titles, release.queries[0].ids) == (titles, ids)


def test_numbers_that_stand_beside_ids_are_titles(tmp_path: Path) -> None:
    record = explicit()[0] | {"movieSubset": ["1984", "300"]}
    release = read_release(write_files(tmp_path, {"ExplicitQuery": [record]}))
    assert (release.queries[0].titles, release.queries[0].ids) == (("1984", "300"), ("3", "9"))


def test_a_record_is_told_by_number_and_line(tmp_path: Path) -> None:
    records = [*explicit(), {"source_user": "1"}]
    write_files(tmp_path, {"ExplicitQuery": json.dumps(records, indent=1)})
    line = json.dumps(records, indent=1).split("\n").index('  "source_user": "1"')
    with pytest.raises(InputError) as raised:
        read_release(tmp_path)
    assert f"ExplicitQuery.json: record 3, line {line}: movieSubset: is missing" in str(
        raised.value
    )
    assert "--on-bad skip" in str(raised.value)


def test_a_nested_record_is_told_by_what_it_stands_under(tmp_path: Path) -> None:
    write_files(tmp_path, {"ExplicitQuery": {"1": explicit(), "2": [7]}})
    with pytest.raises(InputError, match=r"record 3 \(2\): is no object"):
        read_release(tmp_path)


@pytest.mark.parametrize(
    ("text", "told", "left"),
    [
        ("", "line 1: the file is empty", 0),
        ("[", "line 1: the file ends within the list", 0),
        ('[{"a": 1} {"a": 2}]', "line 1: not JSON (a comma is missing)", 1),
        ('[\n{"a": 1},\n{"a": ]', "line 3: not JSON (Expecting value", 1),
        ('[{"a": 1}]\n[]', "line 2: something follows the list", 1),
        ('{"a": 1}\n{"a"\n{"a": 3}', "line 2: not JSON", 2),
        ('{"a": 1} x\n{"a": 2}', "line 1: not JSON (something follows the record)", 1),
        ("nonsense", "line 1: not JSON", 0),
        ('{"a": [1, 2}', "line 1: not JSON", 0),
        ("[" * 100_000, "nested too deeply", 0),
    ],
)
def test_what_is_not_json_is_told_by_its_line(text: str, told: str, left: int) -> None:
    read = read_shape(text.encode())
    assert told in read.broken[0]
    assert len(read.entries) == left


@given(st.binary(max_size=80))
def test_no_file_is_too_strange(raw: bytes) -> None:
    read = read_shape(raw)
    assert read.entries or read.broken or raw.strip()


def test_what_is_bad_can_be_left_out_and_is_told(tmp_path: Path) -> None:
    twice = '{"source_user": 1, "source_user": 2}'
    text = "\n".join([lines(explicit()), "{broken", twice, '{"source_user": 3}'])
    write_files(tmp_path, {"ExplicitQuery": text, "UserBasedQuery": user()})
    release = read_release(tmp_path, skip=True)
    assert len(release.queries) == 5
    assert [line.partition(": ")[2] for line in release.bad] == [
        "line 3: not JSON (Expecting property name enclosed in double quotes, column 2)",
        "record 3, line 4: 'source_user' occurs twice; leave it there once",
        "record 4, line 5: movieSubset: is missing",
        "record 4, line 5: sharedRelationships: is missing",
        "record 4, line 5: direct_description_query: is missing",
    ]
    write_files(tmp_path / "all", {"ExplicitQuery": "{broken"})
    with pytest.raises(InputError, match="the files hold no query"):
        read_release(tmp_path / "all", skip=True)


def test_pairs_may_be_written_as_objects(tmp_path: Path) -> None:
    one = explicit()[0]
    spelled = {"Directed_by": "Spike Lee", "Starring": ["Denzel Washington"]}
    objects = [{"relation": "Directed_by", "value": "Spike Lee"}, ["Starring", "Denzel Washington"]]
    for number, pairs in enumerate((spelled, objects)):
        folder = write_files(
            tmp_path / str(number), {"ExplicitQuery": [one | {"sharedRelationships": pairs}]}
        )
        assert read_release(folder).queries[0].conditions == (
            ("Directed_by", "Spike Lee"),
            ("Starring", "Denzel Washington"),
        )


def test_an_empty_query_of_a_group_is_passed_over_and_noted(tmp_path: Path) -> None:
    release = read_release(
        write_files(tmp_path, {"InterestBasedQuery": FILMS["InterestBasedQuery"]})
    )
    assert len(release.queries) == 1
    assert release.queries[0].listed[0] == "Trancers (1985)"
    assert release.notes == (
        "InterestBasedQuery.json: record 1, line 1, query 2: is empty and was passed over",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:ab\n", "is a pointer of Git LFS"),
        ("<!DOCTYPE html><html>404</html>", "is a web page and not JSON"),
        ('{"a": {\n"source_user": 1}}\n{"b": {\n', "line 4: not JSON"),
    ],
)
def test_what_is_no_file_of_records_is_told_as_what_it_is(text: str, told: str) -> None:
    assert any(told in broken for broken in read_shape(text.encode()).broken)


def test_an_answer_in_a_line_is_not_taken_apart() -> None:
    line = {"id": "q", "recommendations": [{"title": "Heat", "reason": "x", "group": "y"}]}
    (found,) = read_shape(json.dumps(line).encode()).entries
    assert found.value == line


@pytest.mark.parametrize("name", [*FILMS])
@pytest.mark.parametrize("form", ["an array", "an indented array", "lines", "a dict of records"])
def test_a_file_cut_off_anywhere_is_told_with_its_line(
    tmp_path: Path, name: str, form: str
) -> None:
    made = SHAPES[form](FILMS[name])
    assert isinstance(made, str)
    raw = made.encode()
    for part in range(50):
        folder = write_files(tmp_path / str(part), {name: raw[: len(raw) * part // 50]})
        with pytest.raises(InputError, match=rf"{name}\.json: line \d+: ") as raised:
            read_release(folder)
        assert "nothing was written" in str(raised.value)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("movieSubsetId", "x", "movieSubsetId: is no list"),
        ("movieSubsetId", {"a": 1}, "movieSubsetId: is no list"),
        ("condition_num", "many", "condition_num: 'many', and there are 2"),
        ("movieCount", [], "movieCount: [], and there are 2"),
    ],
)
def test_what_is_passed_over_is_noted(tmp_path: Path, key: str, value: object, told: str) -> None:
    record = explicit()[0] | {key: value}
    release = read_release(write_files(tmp_path, {"ExplicitQuery": [record]}))
    assert len(release.queries) == 2
    assert any(told in note for note in release.notes)


def test_a_number_is_no_query_and_a_book_has_books(tmp_path: Path) -> None:
    record = explicit()[0] | {"direct_description_query": 5}
    with pytest.raises(InputError, match="direct_description_query: is no text"):
        read_release(write_files(tmp_path / "a", {"ExplicitQuery": [record]}))
    with pytest.raises(InputError, match="bookSubset: is missing"):
        read_release(write_files(tmp_path / "b", {"book/ExplicitQuery": [{"query": "x"}]}))
