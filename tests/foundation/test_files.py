"""Files that are written whole, and what is said of those that cannot be read or written."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.foundation import InputError, read_whole, write_whole


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
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path, b"x")
    with pytest.raises(InputError, match="cannot be read") as caught:
        read_whole(tmp_path, "Name a file.")
    assert caught.value.remedy == "Name a file."
