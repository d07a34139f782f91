"""A broken line is named with its line and column, and costs that line and no other."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.sources.tables import Broken, open_table

HEADER = b"id,title,price\n"


def entries(path: Path, data: bytes) -> tuple[list[tuple[int, list[object]]], list[Broken]]:
    path.write_bytes(data)
    rows: list[tuple[int, list[object]]] = []
    broken: list[Broken] = []
    for entry in open_table(path).rows():
        if isinstance(entry, Broken):
            broken.append(entry)
        else:
            rows.append((entry[0], list(entry[1])))
    return rows, broken


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("broken") / "products.csv"


@pytest.mark.parametrize(
    ("line", "column", "reason", "more"),
    [
        (b"2,b", "price", "too few cells", "2, where the header has 3"),
        (b"2", "title", "too few cells", "1, where the header has 3"),
        (b"2,b,3,4", None, "too many cells",
         "4, where the header has 3: ',' within a text needs quotes"),
        (b'2,"b,3', "title", "a quote is opened and not closed", ""),
        (b'"2,b,3', "id", "a quote is opened and not closed", ""),
        (b'2,b,"3', "price", "a quote is opened and not closed", ""),
        (b'2,"b"c,3', "title", "text after a closing quote", ""),
        (b'2,"b ""x"" c"d,3', "title", "text after a closing quote", ""),
        (b"2,caf\xe9,3", "title", "bytes that are not UTF-8", "E9"),
        (b"2,b,\xff\xfe", "price", "bytes that are not UTF-8", "FF FE"),
        (b"2,b\x00c,3", "title", "holds a NUL byte", ""),
        (b"2,b\rc,3", None, "a carriage return outside quotes", ""),
        (b"2," + b"x" * 200_000 + b",3", "title", "a cell is too long", "over 131,072 characters"),
        (b"2,b," + b"x" * 200_000, "price", "a cell is too long", "over 131,072 characters"),
        (b'2,"' + b"x" * 200_000 + b'",3', "title", "a cell is too long",
         "over 131,072 characters"),
        (b'2,"' + b"x" * 200_000 + b",3", "title", "a quote is opened and not closed",
         "within 131,072 characters"),
        (b'2,"caf\xe9,3', "title", "bytes that are not UTF-8", "E9"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("last", ["\n", "", "\r\n"])
def test_the_line_and_the_column_are_named(
    file: Path, line: bytes, column: str | None, reason: str, more: str, last: str
) -> None:
    good = b'1,"caf\xc3\xa9, no. 1",2\n'
    after = [b"3,\xc3\xa9\xc3\xa9,4", b'4,"d ""q""",5', b"5,e,6"]
    data = HEADER + good + line + b"\n" + b"\n".join(after) + last.encode()
    rows, broken = entries(file, data)
    assert broken == [Broken(3, column, reason, more)]
    assert rows == [
        (2, ["1", "café, no. 1", "2"]), (4, ["3", "éé", "4"]), (5, ["4", 'd "q"', "5"]),
        (6, ["5", "e", "6"]),
    ]  # fmt: skip
    rows, broken = entries(file, HEADER + good + line + last.encode())
    assert [(one.line, one.column, one.reason) for one in broken] == [(3, column, reason)]
    assert len(rows) == 1


@pytest.mark.parametrize("quote", [b"", b'"'])
@pytest.mark.parametrize("accent", [b"\xc3\xa9", b"\xe9"])
def test_a_line_without_end_is_cut(file: Path, quote: bytes, accent: bytes) -> None:
    long = b"2," + quote + b"x" * 20_000_000 + quote + b",3\n"
    rows, broken = entries(file, HEADER + b"1," + accent + b",2\n" + long + b"3,b,4\n")
    assert broken == [Broken(3, None, "the line is too long", "over 16 MB")]
    assert rows == [(2, ["1", "é", "2"]), (4, ["3", "b", "4"])]


def test_what_a_broken_line_says() -> None:
    assert str(Broken(7, "price", "too few cells", "2, where the header has 3")) == (
        "line 7, column 'price': too few cells (2, where the header has 3)"
    )
    assert str(Broken(7, None, "is not JSON")) == "line 7: is not JSON"


PLAIN = st.text("ab é|;'", min_size=1, max_size=5).map(lambda text: text.strip() or "a")
CORRUPTIONS = {
    "few": (lambda line: line.rpartition(b",")[0], "too few cells"),
    "many": (lambda line: line + b",x", "too many cells"),
    "open": (lambda line: line.replace(b",", b',"', 1), "a quote is opened and not closed"),
    "bytes": (lambda line: line + b"\xe9", "bytes that are not UTF-8"),
    "nul": (lambda line: line + b"\x00", "holds a NUL byte"),
}


@given(
    rows=st.lists(st.tuples(PLAIN, PLAIN | st.just("x, y"), PLAIN), min_size=2, max_size=12),
    data=st.data(),
    kind=st.sampled_from(sorted(CORRUPTIONS)),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_one_corrupted_line_loses_that_line_only(
    file: Path, rows: list[tuple[str, str, str]], data: st.DataObject, kind: str, newline: str
) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=newline).writerows([("id", "été", "ü"), *rows])
    lines = text.getvalue().encode().split(newline.encode())
    spoil, reason = CORRUPTIONS[kind]
    lines[at + 1] = spoil(lines[at + 1].replace(b'"', b"").replace(b"x, y", b"x y"))
    found, broken = entries(file, newline.encode().join(lines))
    assert [(one.line, one.reason) for one in broken] == [(at + 2, reason)]
    assert found == [(n + 2, list(row)) for n, row in enumerate(rows) if n != at]


def test_an_open_quote_costs_its_line_whatever_follows(file: Path) -> None:
    lines = [b'%d,"text no. %d",5' % (n, n) for n in range(1, 30_001)]
    lines[9_999] = b'10000,"text,5'
    rows, broken = entries(file, HEADER + b"\n".join(lines) + b"\n")
    assert broken == [Broken(10_001, "title", "a quote is opened and not closed")]
    assert [line for line, _ in rows] == [n for n in range(2, 30_002) if n != 10_001]


def test_lines_after_an_open_quote_that_are_no_records_go_with_it(file: Path) -> None:
    rows, broken = entries(file, HEADER + b'1,"a,2\n2,b\n3,"c",4\n')
    assert broken == [Broken(2, "title", "a quote is opened and not closed", "line 3 goes with it")]
    assert rows == [(4, ["3", "c", "4"])]


def test_an_open_quote_over_more_lines_than_a_record_may_have(file: Path) -> None:
    lines = [b"%d,text,5" % n for n in range(1, 5_001)]
    lines[99] = b'100,"text,5'
    rows, broken = entries(file, HEADER + b"\n".join(lines))
    assert broken == [Broken(101, "title", "a quote is opened and not closed")]
    assert len(rows) == 4_999


def test_many_open_quotes_take_no_long_time(file: Path) -> None:
    lines = [b'%d,"text,5' % n if n % 50 == 0 else b"%d,text,5" % n for n in range(1, 20_001)]
    start = time.process_time()
    rows, broken = entries(file, HEADER + b"\n".join(lines))
    assert time.process_time() - start < 10
    assert len(broken) == 400
    assert len(rows) == 19_600


def test_a_record_of_several_lines_that_has_too_many_cells_is_lost_whole(file: Path) -> None:
    data = HEADER + b'1,"a\nb\nc",2,3\n2,"d\ne",5\n'
    rows, broken = entries(file, data)
    more = "4, where the header has 3: ',' within a text needs quotes; lines 3 to 4 go with it"
    assert broken == [Broken(2, None, "too many cells", more)]
    assert rows == [(5, ["2", "d\ne", "5"])]


def test_bytes_in_a_later_line_of_a_record_bear_that_line(file: Path) -> None:
    data = HEADER + b'0,\xc3\xa9,1\n1,"a\nb\n\xe9",2\n2,d,5\n'
    rows, broken = entries(file, data)
    assert broken == [Broken(5, "title", "bytes that are not UTF-8", "E9")]
    assert [line for line, _ in rows] == [2, 6]


def test_quotes_within_an_unquoted_cell_are_text(file: Path) -> None:
    rows, broken = entries(file, HEADER + b'1,12" vinyl,5\n2,the "best",6\n')
    assert broken == []
    assert rows == [(2, ["1", '12" vinyl', "5"]), (3, ["2", 'the "best"', "6"])]


def test_utf_8_lines_in_a_cp1252_file_are_named(file: Path) -> None:
    data = HEADER + b"1,caf\xe9,2\n2,caf\xc3\xa9,3\n3,\xe9\xe9,4\n"
    rows, broken = entries(file, data)
    assert broken == [Broken(3, "title", "UTF-8 in a file in cp1252", "C3 A9")]
    assert [row[1] for _, row in rows] == ["café", "éé"]


def test_utf_16_that_breaks_off_or_holds_half_a_pair(file: Path) -> None:
    text = "id,title,price\n1,a,2\n"
    data = b"\xff\xfe" + text.encode("utf-16-le") + "2,".encode("utf-16-le") + b"\x00\xd8" + (
        ",3\n3,x,4\n4,y,5".encode("utf-16-le") + b"\x41"
    )  # fmt: skip
    rows, broken = entries(file, data)
    assert [(one.line, one.column, one.reason) for one in broken] == [
        (3, "title", "bytes that are not UTF-16-LE"), (5, "price", "bytes that are not UTF-16-LE"),
    ]  # fmt: skip
    assert [line for line, _ in rows] == [2, 4]


def test_a_record_runs_over_the_blocks_in_which_the_file_is_read(file: Path) -> None:
    # Blocks of 1 MB end within records of several lines.
    lines = [b'%d,"first line of it\nsecond, and last",%d\n' % (n, n) for n in range(60_000)]
    rows, broken = entries(file, HEADER + b"".join(lines))
    assert broken == []
    assert rows[-1] == (120_000, ["59999", "first line of it\nsecond, and last", "59999"])
    assert [line for line, _ in rows] == list(range(2, 120_002, 2))


@pytest.mark.parametrize("unclosed", [b'%d,"b', b'%d,b,"c'])
@pytest.mark.parametrize("wide", [20, 190, 2_000])
def test_the_one_unclosed_quote_of_a_big_file_is_named(
    file: Path, unclosed: bytes, wide: int
) -> None:
    """No quote closes it in the rest of the file, which is longer than a cell or a record may be,
    in characters or in lines."""
    count = 400_000 // wide
    lines = [b"%d,%b,3" % (number, b"t" * wide) for number in range(count)]
    lines[70] = unclosed % 70 + b"t" * wide
    rows, broken = entries(file, HEADER + b"\n".join(lines) + b"\n")
    column = "title" if unclosed.endswith(b'"b') else "price"
    assert [(one.line, one.column, one.reason) for one in broken] == [
        (72, column, "a quote is opened and not closed")
    ]
    assert [line for line, _ in rows] == [n for n in range(2, count + 2) if n != 72]
