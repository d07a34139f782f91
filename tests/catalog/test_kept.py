from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import SMALL_DOMAIN, SMALL_ROWS, make_small

from mystery_shopper.catalog import (
    Catalogue,
    KeywordIndex,
    keyword_index,
    open_catalogue,
    save_catalogue,
)
from mystery_shopper.catalog import kept as module
from mystery_shopper.foundation import sole_writer

QUERIES = ("lantern", "drama lantern", "OBRIEN'S lantern english", "nothing", "the ferry")


class Built:
    """How often an index was built."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.times = 0
        build = KeywordIndex.build

        def counted(catalogue: Catalogue) -> KeywordIndex:
            self.times += 1
            return build(catalogue)

        patch.setattr(KeywordIndex, "build", counted)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Built:
    monkeypatch.setattr(module, "SMALL", 0)
    return Built(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "small"
    save_catalogue(make_small(sizes=[3]), place, domain_text=SMALL_DOMAIN.decode())
    return place


def same(index: KeywordIndex, catalogue: Catalogue) -> bool:
    peer = KeywordIndex.build(catalogue)
    return all(index.search(query, k) == peer.search(query, k) for query in QUERIES for k in (1, 9))


def test_an_index_is_built_once_and_then_opened(folder: Path, built: Built) -> None:
    catalogue = open_catalogue(folder)
    first, second = keyword_index(catalogue), keyword_index(open_catalogue(folder))
    assert built.times == 1
    assert same(first, catalogue)
    assert same(second, catalogue)
    assert second.search("lantern")
    nested = catalogue.nested(3)
    assert same(keyword_index(nested), nested)
    assert sorted(path.name for path in (folder / "keyword").iterdir()) == ["3", "6", "lock"]


def test_a_small_catalogue_and_one_without_a_folder_keep_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyword_index(open_catalogue(folder))
    monkeypatch.setattr(module, "SMALL", 0)
    keyword_index(make_small())
    assert not (folder / "keyword").exists()


def test_a_damaged_or_stale_index_is_built_again(
    folder: Path, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = open_catalogue(folder)
    keyword_index(catalogue)
    for path in sorted((folder / "keyword" / "6").iterdir()):
        whole = path.read_bytes()
        for spoiled in (whole[:-2], b"", whole[: len(whole) // 2]):
            path.write_bytes(spoiled)
            before = built.times
            assert same(keyword_index(catalogue), catalogue)
            assert built.times == before + 2, path
            assert path.read_bytes() == whole
    path = folder / "keyword" / "6" / "documents.npy"
    array = np.load(path)
    array[0] = 6
    np.save(path, array)
    before = built.times
    assert same(keyword_index(catalogue), catalogue)
    monkeypatch.setattr(module, "VERSION", module.VERSION + 1)
    assert same(keyword_index(catalogue), catalogue)
    assert built.times == before + 4
    save_catalogue(
        make_small(SMALL_ROWS[::-1][:6]), folder, domain_text=SMALL_DOMAIN.decode(), replace=True
    )
    other = open_catalogue(folder)
    assert same(keyword_index(other), other)


def test_a_folder_that_takes_no_index_leaves_it_in_memory(folder: Path, built: Built) -> None:
    (folder / "keyword").write_bytes(b"")
    catalogue = open_catalogue(folder)
    assert same(keyword_index(catalogue), catalogue)
    assert built.times == 2


def test_an_index_that_cannot_be_written_is_used_all_the_same(
    folder: Path, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_arrays", full)
    catalogue = open_catalogue(folder)
    assert same(keyword_index(catalogue), catalogue)
    assert built.times == 2
    assert [path.name for path in (folder / "keyword").iterdir()] == ["lock"]


def test_who_comes_while_another_builds_waits_and_opens(
    folder: Path, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.01)
    catalogue = open_catalogue(folder)
    (folder / "keyword").mkdir()
    lock = folder / "keyword" / "lock"
    lock.touch()
    found: list[KeywordIndex] = []
    waiting = threading.Thread(target=lambda: found.append(keyword_index(catalogue)))
    with sole_writer(lock):
        waiting.start()
        waiting.join(0.1)
        assert not found
        assert built.times == 0
    waiting.join(30)
    assert built.times == 1
    assert same(found[0], catalogue)


def test_processes_that_ask_at_once_build_once(folder: Path, built: Built) -> None:
    pytest.importorskip("fcntl")
    catalogue = open_catalogue(folder)
    found: list[KeywordIndex] = []
    asking = [
        threading.Thread(target=lambda: found.append(keyword_index(catalogue))) for _ in range(6)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(30)
    assert len(found) == 6
    assert built.times == 1
