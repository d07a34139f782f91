from __future__ import annotations

import multiprocessing
import pickle
import shutil
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import SMALL_DOMAIN, SMALL_ROWS, make_small

from mystery_shopper.catalog import (
    Catalogue,
    Filters,
    KeywordIndex,
    Kind,
    Operator,
    Predicate,
    StructuredIndex,
    open_catalogue,
    save_catalogue,
)
from mystery_shopper.catalog import folder as module
from mystery_shopper.catalog.folder import Manifest
from mystery_shopper.catalog.texts import Texts
from mystery_shopper.foundation import InputError, canonical_json

TEXT = SMALL_DOMAIN.decode()
Change = Callable[[bytes], bytes]


def save(catalogue: Catalogue, folder: Path, **options: Any) -> Path:
    save_catalogue(catalogue, folder, domain_text=TEXT, **options)
    return folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six items with a nested subset of three, saved; not to be written to."""
    return save(make_small(sizes=[3]), tmp_path_factory.mktemp("catalogues") / "small")


@pytest.fixture
def small(kept: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(kept, tmp_path / "small"))


def everything(catalogue: Catalogue) -> list[list[Any]]:
    """All values; NaN never stands in one, so equal catalogues give equal lists."""
    return [
        [item.id, item.title, *(item[name] for name in catalogue.domain.fields)]
        for item in map(catalogue.item, range(len(catalogue)))
    ]


LABEL = st.sampled_from(["Drama", "drama", "Crime", "É", "a\nb", "[x]"])
NUMBER = st.integers(-5, 5) | st.none()
ROW = st.fixed_dictionaries(
    {
        "title": st.sampled_from(["The Lantern", "", "Ünder\ud800", "lantern ferry"]) | st.none(),
        "genre": st.lists(LABEL, max_size=3),
        "language": st.sampled_from(["Mandarin", "Nynorsk", "x"]) | st.none(),
        "year": NUMBER,
        "rating": st.sampled_from([0.5, -2.25, 7.0]) | st.none(),
        "blurb": st.sampled_from(["ferry", "the ferry's lantern"]) | st.none(),
        "family": st.booleans() | st.none(),
        "place": st.sampled_from([(1.5, 2.5), (-90.0, 180.0)]) | st.none(),
        "popularity": NUMBER,
    }
)
PREDICATES = (
    Predicate("genre", Operator.CONTAINS, "drama"),
    Predicate("language", Operator.WITHIN, "Chinese"),
    Predicate("year", Operator.AT_LEAST, 2),
    Predicate("family", Operator.EQUAL, True),
    Predicate("place", Operator.WITHIN, (1.0, 2.0, 100.0)),
    Predicate("title", Operator.NOT_CONTAINS, "lantern"),
)


@settings(max_examples=60)
@given(rows=st.lists(ROW, min_size=1, max_size=12), size=st.integers(0, 12))
def test_what_is_opened_is_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], size: int
) -> None:
    catalogue = make_small(rows, [size])
    folder = save(catalogue, tmp_path_factory.mktemp("any") / "c", notes={"rows": len(rows)})
    opened = open_catalogue(folder, verify=True)
    assert opened.digest == opened.computed_digest() == catalogue.digest
    assert everything(opened) == everything(catalogue)
    assert (opened.name, opened.sizes, opened.domain) == (
        catalogue.name, catalogue.sizes, catalogue.domain,
    )  # fmt: skip
    for nested in catalogue.sizes:
        one, other = opened.nested(nested), catalogue.nested(nested)
        assert one.digest == other.digest
        assert one.ids == other.ids
        assert pickle.loads(pickle.dumps(one)).digest == other.digest
    for predicate in PREDICATES:
        assert predicate.mask(opened).tolist() == predicate.mask(catalogue).tolist()
    filters = Filters(lower={"year": -1}, flags={"family": True}, formats=("DVD",))
    for order in ("popularity", "recency"):
        found = StructuredIndex.build(opened).search(filters, order=order)  # type: ignore[arg-type]
        assert found == StructuredIndex.build(catalogue).search(filters, order=order)  # type: ignore[arg-type]
    found = KeywordIndex.build(opened).search("the lantern drama")
    assert found == KeywordIndex.build(catalogue).search("the lantern drama")


def test_two_saves_give_the_same_bytes(kept: Path, tmp_path: Path) -> None:
    again = save(open_catalogue(kept), tmp_path / "again")
    names = sorted(path.relative_to(kept) for path in kept.rglob("*") if path.is_file())
    assert names == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    assert all((kept / name).read_bytes() == (again / name).read_bytes() for name in names)
    assert (kept / "domain.yaml").read_bytes() == SMALL_DOMAIN


def test_an_item_is_found_by_its_id(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mystery_shopper.catalog.catalogue.MANY_IDS", 0)
    catalogue = open_catalogue(kept)
    for here in (catalogue, catalogue.nested(3), make_small()):
        assert not isinstance(here.position_of, dict)
        assert dict(here.position_of) == {item_id: i for i, item_id in enumerate(here.ids)}
        assert here.find("nothing") is None
        assert here.find(here.ids[2]) is not None


def test_the_arrays_are_mapped_and_cannot_be_written(kept: Path) -> None:
    catalogue = open_catalogue(kept)
    assert isinstance(catalogue.ids, Texts)
    with pytest.raises(ValueError, match="read-only"):
        catalogue.numbers("year").numbers[0] = 5


@pytest.mark.parametrize("size", [3, 6])
def test_a_worker_gets_the_folder_and_not_the_content(kept: Path, size: int) -> None:
    catalogue = open_catalogue(kept).nested(size)
    sent = pickle.dumps(catalogue)
    assert len(sent) < 1000
    assert b"Lantern" not in sent
    assert str(kept).encode() in sent
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(attrgetter("digest", "sizes"), (catalogue,))
    assert there == (catalogue.digest, catalogue.sizes)


def test_a_catalogue_that_has_no_folder_is_sent_whole() -> None:
    catalogue = make_small(sizes=[3])
    assert everything(pickle.loads(pickle.dumps(catalogue))) == everything(catalogue)


def test_a_folder_that_now_holds_another_catalogue_is_refused(small: Path) -> None:
    sent = pickle.dumps(open_catalogue(small))
    save(make_small(SMALL_ROWS[:3]), small, replace=True)
    with pytest.raises(InputError, match="holds another catalogue than it did"):
        pickle.loads(sent)


def test_a_folder_that_is_in_use_is_refused(small: Path, tmp_path: Path) -> None:
    before = (small / "catalog.json").read_bytes()
    with pytest.raises(InputError, match="holds a catalogue already"):
        save(make_small(), small)
    assert (small / "catalog.json").read_bytes() == before
    other = tmp_path / "other"
    other.mkdir()
    save(make_small(), other)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine", encoding="utf-8")
    for replace in (False, True):
        with pytest.raises(InputError, match="not empty and holds no catalogue"):
            save(make_small(), foreign, replace=replace)
    assert [path.name for path in foreign.iterdir()] == ["thesis.txt"]
    with pytest.raises(InputError, match="is a file"):
        save(make_small(), foreign / "thesis.txt")
    with pytest.raises(InputError, match="cannot be written"):
        save(make_small(), foreign / "thesis.txt" / "deeper")


def test_replacing_keeps_what_is_not_the_catalogue(small: Path) -> None:
    (small / "tasks.json").write_text("{}", encoding="utf-8")
    (small / "keyword").mkdir()
    save(make_small(SMALL_ROWS[:2]), small, replace=True)
    assert len(open_catalogue(small, verify=True)) == 2
    assert sorted(path.name for path in small.iterdir()) == [
        "arrays", "catalog.json", "domain.yaml", "tasks.json",
    ]  # fmt: skip
    assert [path.name for path in small.parent.iterdir()] == [small.name]


def test_a_save_that_fails_leaves_the_old_catalogue(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = open_catalogue(small).digest

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_arrays", full)
    for folder in (small, tmp_path / "new"):
        with pytest.raises(InputError, match="No space left on device"):
            save(make_small(SMALL_ROWS[:2]), folder, replace=True)
    assert [path.name for path in tmp_path.iterdir()] == [small.name]
    assert open_catalogue(small, verify=True).digest == digest


def test_the_text_must_be_the_catalogues_domain(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the catalogue's domain"):
        save_catalogue(make_small(), tmp_path / "c", domain_text=TEXT.replace("films", "tapes"))
    assert not list(tmp_path.iterdir())


def test_no_catalogue_is_named_with_a_remedy(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match=r"catalog\.json: cannot be read.*\n.*catalog build"):
            open_catalogue(folder)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_missing_cut_or_lengthened_file_is_named(small: Path) -> None:
    for path in files(small):
        whole = path.read_bytes()
        changes: list[Change] = [
            lambda data: data[: len(data) // 2], lambda _: b"", lambda data: data + b"x",
            lambda data: data[:-2], lambda data: b"x" + data,
        ]  # fmt: skip
        for change in changes:
            path.write_bytes(change(whole))
            with pytest.raises(InputError) as caught:
                open_catalogue(small)
            assert path.name in str(caught.value.where)
            assert caught.value.remedy
        path.unlink()
        with pytest.raises(InputError) as caught:
            open_catalogue(small)
        assert path.name in str(caught.value.where)
        path.write_bytes(whole)
    assert open_catalogue(small, verify=True).digest == make_small().digest


def test_a_changed_byte_is_found_or_harms_nothing(small: Path) -> None:
    """Whatever byte is changed: an InputError or a catalogue that can be read; with `verify` an
    InputError or the same catalogue."""
    expected, rng = everything(make_small()), np.random.default_rng(1)
    for path in files(small):
        whole = path.read_bytes()
        for place in rng.integers(len(whole), size=60 if path.name == "catalog.json" else 10):
            spoiled = bytearray(whole)
            spoiled[place] ^= int(rng.integers(1, 256))
            path.write_bytes(bytes(spoiled))
            with suppress(InputError):
                found = open_catalogue(small)
                everything(found)
                KeywordIndex.build(found).search("lantern")
                StructuredIndex.build(found).search(Filters(lower={"year": 1990}))
                list(found.position_of)
            with suppress(InputError):
                assert everything(open_catalogue(small, verify=True)) == expected
        path.write_bytes(whole)


def resealed(folder: Path, **changes: Any) -> None:
    path = folder / "catalog.json"
    manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    changed = msgspec.structs.replace(manifest, **changes).sealed()
    path.write_bytes(canonical_json(changed))


def manifest_of(folder: Path) -> Manifest:
    return msgspec.json.decode((folder / "catalog.json").read_bytes(), type=Manifest)


def test_a_false_manifest_is_found_even_if_its_check_fits(small: Path) -> None:
    right = manifest_of(small)
    year = right.columns["year"]
    arrays = right.arrays
    ids = arrays["ids.offsets"]
    replace = msgspec.structs.replace
    for changes, problem in (
        ({"schema": 2}, "has schema 2; this version reads schema 1"),
        ({"sizes": (7,)}, "do not end with the 6 items"),
        ({"sizes": ()}, "do not end with the 6 items"),
        ({"sizes": (3, 3, 6)}, "do not end with the 6 items"),
        ({"items": 5, "sizes": (5,)}, "is listed as"),
        ({"domain_sha256": ""}, "was changed since"),
        ({"columns": {"year": year}}, "lists other fields"),
        ({"columns": right.columns | {"year": replace(year, kind=Kind.NUMBER)}}, "other fields"),
        ({"columns": right.columns | {"year": replace(year, arrays="../x")}}, "not in the folder"),
        ({"columns": right.columns | {"genre": replace(right.columns["genre"], labels=1)}},
         "is listed as"),
        ({"arrays": {}}, "is not in the folder's list"),
        ({"arrays": arrays | {"ids.offsets": replace(ids, dtype="|O")}}, "is listed as"),
        ({"arrays": arrays | {"ids.offsets": replace(ids, shape=(-7,))}}, "is listed as"),
        ({"arrays": arrays | {"ids.blob": replace(arrays["ids.blob"], shape=(10**30,))}},
         "is no array of"),
    ):  # fmt: skip
        resealed(small, **changes)
        with pytest.raises(InputError, match=problem) as caught:
            open_catalogue(small)
        assert caught.value.where
        assert caught.value.remedy
        resealed(small, **{name: getattr(right, name) for name in changes})
    resealed(small, digest="0" * 64)
    assert open_catalogue(small).digest == "0" * 64
    with pytest.raises(InputError, match="another digest than is recorded"):
        open_catalogue(small, verify=True)


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"schema": "1"}', "[" * 100_000])
def test_what_is_no_manifest_is_said(small: Path, text: str) -> None:
    (small / "catalog.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is no manifest"):
        open_catalogue(small)


def test_false_values_are_named_by_their_file(small: Path) -> None:
    columns = manifest_of(small).columns
    genre, language, year = (columns[name].arrays for name in ("genre", "language", "year"))
    labels, none = len(make_small().labels("genre").labels), np.iinfo(np.int64)
    for name, place, value, problem in (
        ("ids.offsets", 1, 10**6, "do not ascend"),
        ("ids.offsets", 1, none.min, "do not ascend"),
        ("ids.offsets", 0, 1, "do not ascend"),
        ("ids.offsets", -1, 5, "do not ascend"),
        ("ids.blob", 0, 0xFF, "in no text"),
        ("nesting", 0, 6, "not from 0 to below 6"),
        ("nesting", 0, -1, "not from 0 to below 6"),
        ("places", 0, 6, "not from 0 to below 6"),
        ("hashes", 0, 2**64 - 1, "does not ascend"),
        (f"{genre}.codes", 0, labels, f"not from 0 to below {labels}"),
        (f"{genre}.offsets", 2, 99, "do not ascend"),
        (f"{genre}.labels.blob", 0, ord("z"), "out of order"),
        (f"{language}.offsets", 1, 2, "two labels"),
        (f"{year}.numbers", 0, np.inf, "an infinite number"),
        (f"{columns['family'].arrays}.flags", 0, 2, "not from -1 to below 2"),
    ):
        path = small / "arrays" / f"{name}.npy"
        whole = path.read_bytes()
        array = np.load(path)
        array[place] = value
        np.save(path, array)
        with pytest.raises(InputError, match=problem) as caught:
            open_catalogue(small)
        assert name in str(caught.value.where)
        path.write_bytes(whole)


def test_a_pickle_is_never_loaded(small: Path) -> None:
    path = small / "arrays" / "nesting.npy"
    np.save(path, np.array([{"a": 1}] * 6, object), allow_pickle=True)
    with pytest.raises(InputError, match="is no array of <i8"):
        open_catalogue(small)
    path.write_bytes(pickle.dumps("x"))
    with pytest.raises(InputError, match="is no array of <i8"):
        open_catalogue(small)
