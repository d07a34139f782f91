"""CSV: separators, encodings, newlines and quotes read back what was written."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables import Broken, Table, open_table

SEPARATORS = (",", ";", "\t", "|")
COLUMNS = ("id", "title", "price")


def rows_of(table: Table) -> list[list[object]]:
    found: list[list[object]] = []
    for entry in table.rows():
        assert not isinstance(entry, Broken), entry
        found.append(list(entry[1]))
    return found


def written(rows: Sequence[Sequence[str]], separator: str, newline: str = "\r\n") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=newline).writerows(rows)
    return text.getvalue()


def place(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables") / "products.csv"


CELLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=12
) | st.sampled_from(['"', '""', ",", "a\nb", "a\r\nb", "a\rb", 'x"y', ";|\t", " ", "ø€", "\u2028"])


@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8),
    separator=st.sampled_from(SEPARATORS),
    newline=st.sampled_from(["\r\n", "\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32"]),
    packed=st.booleans(),
)
def test_every_table_of_cells_reads_back(
    file: Path,
    rows: list[tuple[str, str, str]],
    separator: str,
    newline: str,
    encoding: str,
    packed: bool,
) -> None:
    if newline == "\n":
        # csv.writer leaves a lone carriage return without quotes then: no reader can tell it.
        rows = [tuple(cell.replace("\r", "") for cell in row) for row in rows]  # pyright: ignore
    text = written([COLUMNS, *rows], separator, newline)
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    data = mark + text.encode(encoding)
    table = open_table(place(file, gzip.compress(data) if packed else data))
    assert table.columns == COLUMNS
    assert rows_of(table) == [list(row) for row in rows]
    assert rows_of(table) == [list(row) for row in rows], "the second pass differs"


@given(
    rows=st.lists(
        st.lists(st.text("aéèü ,;'\"", max_size=6), min_size=2, max_size=2),
        min_size=1,
        max_size=6,
    ),
    separator=st.sampled_from(SEPARATORS),
)
def test_cp1252_reads_back(file: Path, rows: list[list[str]], separator: str) -> None:
    # The first row is such that the file is no valid UTF-8.
    table = open_table(
        place(file, written([["id", "né"], ["1", "é–"], *rows], separator).encode("cp1252"))
    )
    assert table.columns == ("id", "né")
    assert rows_of(table) == [["1", "é–"], *rows]
    assert "cp1252 (" in table.form
    assert "not UTF-8)" in table.form


def test_bytes_that_cp1252_lacks_make_it_latin_1(file: Path) -> None:
    table = open_table(place(file, b"id,title\n1,caf\xe9\n2,a\x81b\xe9\n"))
    assert rows_of(table) == [["1", "café"], ["2", "a\x81bé"]]
    assert table.form == (
        "CSV, separated by ',', latin-1 (2 lines are not UTF-8 and some bytes mean nothing in"
        " cp1252)"
    )


def test_an_accent_in_the_last_of_many_lines_decides_the_encoding(file: Path) -> None:
    lines = b"".join(b"%d,plain title of some length\n" % n for n in range(100_000))
    table = open_table(place(file, b"id,title\n" + lines + b"x,caf\xe9"))
    assert table.form == "CSV, separated by ',', cp1252 (1 line is not UTF-8)"
    assert list(table.rows())[-1] == (100_002, ["x", "café"])


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("ending", ["", "{n}", "{n}{n}{n}", "{n} {n}"])
def test_newlines_of_every_kind(file: Path, newline: str, ending: str) -> None:
    text = newline.join(["id,title", "1,a", '2,"b,c"', "", "3,d"]) + ending.format(n=newline)
    assert list(open_table(place(file, text)).rows()) == [
        (2, ["1", "a"]), (3, ["2", "b,c"]), (5, ["3", "d"]),
    ]  # fmt: skip


def test_a_record_of_several_lines_bears_the_number_of_its_first(file: Path) -> None:
    text = 'id,title\n1,"a\nb\n\nc"\n2,"d"\n3,"e\n"\n4,f\n'
    assert list(open_table(place(file, text)).rows()) == [
        (2, ["1", "a\nb\n\nc"]), (6, ["2", "d"]), (7, ["3", "e\n"]), (9, ["4", "f"]),
    ]  # fmt: skip


def test_a_header_of_several_lines_and_lines_before_it(file: Path) -> None:
    table = open_table(place(file, '\n\nid,"the\ntitle",x\n1,2,3\n'))
    assert table.columns == ("id", "the\ntitle", "x")
    assert list(table.rows()) == [(5, ["1", "2", "3"])]


@pytest.mark.parametrize(("named", "separator"), [("sep=;", ";"), ("sep=\t", "\t"), ("SEP=|", "|")])
def test_a_spreadsheets_separator_line(file: Path, named: str, separator: str) -> None:
    text = f"{named}\nid{separator}a,b,c,d\n1{separator}x,y,z,w\n"
    table = open_table(place(file, text))
    assert table.columns == ("id", "a,b,c,d")
    assert list(table.rows()) == [(3, ["1", "x,y,z,w"])]


def test_the_separator_is_the_one_that_the_rows_agree_on(file: Path) -> None:
    text = "id;name, long;price\n1;Lamp, red, big;1,50\n2;Desk;2,00\n"
    table = open_table(place(file, text))
    assert table.form == "CSV, separated by ';', UTF-8"
    assert table.columns == ("id", "name, long", "price")


def test_one_column_alone(file: Path) -> None:
    table = open_table(place(file, 'id\na\n""\n  \nb\n'))
    assert list(table.rows()) == [(2, ["a"]), (3, [""]), (4, ["  "]), (5, ["b"])]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,title,id\n1,2,3\n", ["line 1: 2 columns are called 'id' (1, 3)"]),
        ("id,,x,\n1,2,3,4\n", ["line 1: column 2 of 4 has no name",
                               "line 1: column 4 of 4 has no name"]),
        ("id,title\n", ["holds a header and no rows"]),
        ("id,title\n\n\n", ["holds a header and no rows"]),
        ('id,"title\n1,2\n', ["line 1: the header cannot be read (unexpected end of data)"]),
        (b"id,caf\xe9,\xc3\xa9\n1,\xc3\xa9,\xc3\xa8\n2,\xc3\xa9,\xc3\xa8\n",
         ["line 1: the name of column 2: bytes that are not UTF-8"]),
    ],
)  # fmt: skip
def test_headers_that_cannot_be_used(file: Path, text: str | bytes, said: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        open_table(place(file, text))
    assert caught.value.problems == said
    assert caught.value.where == str(file)
    assert caught.value.remedy


def test_memory_is_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mystery_shopper.sources.tables.stream.BLOCK", 1 << 15)

    def peak(count: int) -> int:
        path = tmp_path / f"{count}.csv"
        with path.open("w", encoding="utf-8") as out:
            out.write("id,title,price\n")
            out.writelines(f'{n},"Lamp, no. {n}",{n % 97}.50\n' for n in range(count))
        table = open_table(path)
        tracemalloc.start()
        seen = sum(1 for _ in table.rows())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert seen == count
        return most

    small, large = peak(10_000), peak(100_000)
    assert large < 1.15 * small
    assert large < 4e6


def test_rows_are_read_lazily(file: Path) -> None:
    table = open_table(place(file, "id,title\n1,a\n2,b\n"))
    rows: Iterator[object] = table.rows()
    assert list(itertools.islice(rows, 1)) == [(2, ["1", "a"])]
    assert len(list(table.rows())) == 2
