"""Files that are written whole, and what is said of those that cannot be read or written."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from mystery_shopper.foundation import InputError, files, read_whole, sole_writer, write_whole


def test_what_is_written_is_read_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "new" / "file"
    write_whole(place, b"one")
    write_whole(place, b"two")
    assert read_whole(place, "") == b"two"
    assert list(place.parent.iterdir()) == [place]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    write_whole(place, b"old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match="No space left on device"):
        write_whole(place, b"new")
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        write_whole(tmp_path, b"x")
    with pytest.raises(InputError, match="cannot be read") as caught:
        read_whole(tmp_path, "Name a file.")
    assert caught.value.remedy == "Name a file."


@pytest.mark.skipif(find_spec("fcntl") is None, reason="this system has no such locks")
def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"x")
    with (
        sole_writer(place),
        pytest.raises(InputError, match="another process is writing here"),
        sole_writer(place),
    ):
        pass
    with sole_writer(place):
        assert place.read_bytes() == b"x"


def test_without_locks_nothing_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_spec", lambda _: None)
    place = tmp_path / "file"
    place.write_bytes(b"x")
    with sole_writer(place), sole_writer(place):
        assert place.read_bytes() == b"x"


def test_what_is_no_plain_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is no plain file"):
        write_whole(pipe, b"x")
    assert pipe.is_fifo()
