"""JSON lines and JSON arrays."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables import Broken, Nested, open_table


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("json") / "products.txt"


def place(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


VALUES = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
    | st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=3)
)


@given(
    rows=st.lists(
        st.tuples(VALUES, VALUES).map(lambda pair: {"id": pair[0], "ä b": pair[1]}),
        min_size=1,
        max_size=6,
    ),
    ascii_only=st.booleans(),
    packed=st.booleans(),
    array=st.booleans(),
    indent=st.sampled_from([None, 2]),
)
def test_every_object_reads_back(
    file: Path,
    rows: list[dict[str, object]],
    ascii_only: bool,
    packed: bool,
    array: bool,
    indent: int | None,
) -> None:
    if array:
        text = json.dumps(rows, ensure_ascii=ascii_only, indent=indent)
    else:
        text = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
    data = text.encode()
    table = open_table(place(file, gzip.compress(data) if packed else data))
    assert table.columns == ("id", "ä b")
    for _ in range(2):
        found = [entry[1] for entry in table.rows() if not isinstance(entry, Broken)]
        assert [list(cells) for cells in found] == [list(row.values()) for row in rows]


def test_lines_are_numbered_and_u_2028_ends_none(file: Path) -> None:
    text = '{"id": "a\u2028b\u2029c\x85d"}\r\n\r\n{"id": 2}\n   \n{"id": 3}'
    assert list(open_table(place(file, text)).rows()) == [
        (1, ["a\u2028b\u2029c\x85d"]), (3, [2]), (5, [3]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "column", "reason", "more"),
    [
        (b'{"id": 2, "title": "b"', None, "is not JSON", None),
        (b'{"id": 2, "price": NaN}', None, "is not JSON",
         "NaN and Infinity are no JSON; write null"),
        (b'[2, "b"]', None, "is not a JSON object", "it is a list"),
        (b'"text"', None, "is not a JSON object", "it is a text"),
        (b"7", None, "is not a JSON object", "it is a number"),
        (b'{"id": 2, "title": "caf\xe9 b"}', "title", "bytes that are not UTF-8", "E9"),
        (b'{"id": 2, "title": "b\x00"}', None, "holds a NUL byte", ""),
    ],
)  # fmt: skip
def test_a_broken_line_is_named(
    file: Path, line: bytes, column: str | None, reason: str, more: str | None
) -> None:
    data = b'{"id": 1, "title": "\xc3\xa9"}\n' + line + b'\n{"id": 3, "title": "c"}\n'
    broken = [one for one in open_table(place(file, data)).rows() if isinstance(one, Broken)]
    assert [(one.line, one.column, one.reason) for one in broken] == [(2, column, reason)]
    assert more is None or broken[0].more == more
    assert len(list(open_table(file).rows())) == 3


def test_the_columns_are_the_keys_of_the_first_lines(file: Path) -> None:
    text = '{"b": 1}\n{"a": 2, "b": 3}\n' + '{"a": 4}\n' * 6_000
    late = '{"z": 1, "a": 5}\n' * 2 + '{"y": 1}\n'
    table = open_table(place(file, text + late))
    assert table.columns == ("b", "a")
    heard: list[Broken] = []
    rows = list(table.rows(heard.append))
    assert rows[:2] == [(1, [1, None]), (2, [3, 2])]
    assert rows[-2:] == [(6_004, [None, 5]), (6_005, [None, None])]
    assert [(one.line, one.column) for one in heard] == [(6_003, "z"), (6_005, "y")]


def test_nested_values_are_marked(file: Path) -> None:
    text = '{"id": 1, "a": {"x": 1}, "b": [{"x": 1}], "c": [[1]], "d": ["p", null, 2, true]}\n'
    (row,) = open_table(place(file, text)).rows()
    assert not isinstance(row, Broken)
    assert list(row[1]) == [
        1, Nested("an object within the object"), Nested("a list of objects or lists"),
        Nested("a list of objects or lists"), ["p", 2, True],
    ]  # fmt: skip


def test_objects_of_an_array_bear_the_line_on_which_they_begin(file: Path) -> None:
    text = '[\n {"id": 1},\n {"id":\n  2}, {"id": 3},\n\n 4,\n {"id": 1}\n]\n'
    entries = list(open_table(place(file, text)).rows())
    assert entries == [
        (2, [1]), (3, [2]), (4, [3]), Broken(6, None, "is not a JSON object", "it is a number"),
        (7, [1]),
    ]  # fmt: skip


def test_json_lines_in_cp1252_and_utf_16(file: Path) -> None:
    text = '{"id": "é"}\n{"id": "–"}\n'
    for data in (text.encode("cp1252"), text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        assert list(open_table(place(file, data)).rows()) == [(1, ["é"]), (2, ["–"])]


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        ('[{"id": 1},\n {"id": 2},\n', "line 3: is not JSON", "one object a line"),
        ('[{"id": 1},\n {"id": nope}]', "line 2: is not JSON", "one object a line"),
        ('{"products": [\n {"id": 1}\n ]}\n', "is one JSON object", "jq -c '.products[]'"),
        ('{"id": 1,\n "b" \n', "line 1: is not JSON", "one object a line"),
        ("{}\n{}\n", "holds no object with a key", "one object a line"),
        ("[]", "holds no object with a key", "one object a line"),
        ('{"": 1, "id": 2}', "a key is empty", "name"),
    ],
)
def test_files_that_cannot_be_read(file: Path, text: str, problem: str, remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        open_table(place(file, text))
    assert caught.value.problems[0].startswith(problem)
    assert remedy in str(caught.value.remedy)


def test_a_large_array_is_refused_with_the_way_out(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mystery_shopper.sources.tables.jsonrows.MOST_ARRAY", 1 << 20)
    place(file, "[" + ",".join(['{"id": "0123456789"}'] * 100_000) + "]")
    with pytest.raises(InputError, match=r"one JSON array of more than 1 MB\n.*jq -c '\.\[\]'"):
        open_table(file)


def test_utf_8_lines_among_cp1252_ones_are_read_as_what_they_are(file: Path) -> None:
    data = b'{"id": "\xe9"}\n{"id": "\xc3\xa9"}\n{"id": "\xe9\xe9"}\n{"id": "x"}\n'
    assert [entry[1] for entry in open_table(place(file, data)).rows()  # pyright: ignore
            ] == [["é"], ["é"], ["éé"], ["x"]]  # fmt: skip


def test_a_line_without_end_is_cut(file: Path) -> None:
    long = b'{"id": "' + b"x" * 20_000_000 + b'"}\n'
    assert list(open_table(place(file, b'{"id": 1}\n' + long + b'{"id": 3}\n')).rows()) == [
        (1, [1]), Broken(2, None, "the line is too long", "over 16 MB"), (3, [3]),
    ]  # fmt: skip
