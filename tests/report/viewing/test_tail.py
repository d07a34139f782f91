"""Lines of a file that grows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.report.viewing.tail import Tail


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=8),
       st.lists(st.integers(1, 9), max_size=12), st.integers(1, 30))  # fmt: skip
def test_lines_come_once_however_the_file_grows_and_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cuts: list[int], budget: int
) -> None:
    path = tmp_path_factory.mktemp("tail") / "lines"
    whole = b"".join(line + b"\n" for line in lines)
    tail, found, at = Tail(path), [], 0
    for cut in [*cuts, len(whole)]:
        with path.open("ab") as file:
            file.write(whole[at : at + cut])
        at += cut
        found += [(place, line) for place, line in tail.lines(budget)]
    for _ in whole:
        found += [(place, line) for place, line in tail.lines(budget)]
    assert [line for _, line in found] == lines
    assert all(whole[place : place + len(line)] == line for place, line in found)
    assert not tail.replaced()


def test_a_torn_line_waits_and_one_too_long_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    tail = Tail(path, most=10)
    assert list(tail.lines(100)) == []
    path.write_bytes(b"one\n" + b"x" * 25)
    assert list(tail.lines(100)) == [(0, b"one")]
    assert list(tail.lines(100)) == []
    path.write_bytes(b"one\n" + b"x" * 25 + b"\ntwo\nthr")
    assert list(tail.lines(100)) == [(30, b"two")]
    assert tail.skipped == 1


def test_it_is_told_when_another_file_stands_there(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    tail = Tail(path)
    assert not tail.replaced()
    path.write_bytes(b"one\ntwo\n")
    assert len(list(tail.lines(100))) == 2
    path.write_bytes(b"one\n")
    assert tail.replaced()
    other = tmp_path / "other"
    other.write_bytes(b"one\ntwo\nthree\n")
    other.replace(path)
    assert tail.replaced()
    path.unlink()
    assert tail.replaced()


def test_what_is_no_plain_file_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    """A folder in its place, a pipe that nobody writes to, a link that leads nowhere."""
    path = tmp_path / "lines"
    path.write_bytes(b"one\n")
    tail = Tail(path)
    assert len(list(tail.lines(100))) == 1
    path.unlink()
    path.mkdir()
    assert (list(tail.lines(100)), tail.replaced(), tail.read(0, 3)) == ([], True, None)
    path.rmdir()
    path.symlink_to(tmp_path / "nowhere")
    assert (list(tail.lines(100)), tail.replaced(), tail.touched()) == ([], True, 0.0)
    path.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        assert (list(tail.lines(100)), tail.replaced()) == ([], True)


def test_a_file_that_comes_between_two_looks_waits(tmp_path: Path) -> None:
    path, other = tmp_path / "lines", tmp_path / "other"
    path.write_bytes(b"one\n")
    tail = Tail(path)
    assert len(list(tail.lines(100))) == 1
    other.write_bytes(b"1\n2\n3\n")
    other.replace(path)
    assert (list(tail.lines(100)), tail.replaced()) == ([], True)
