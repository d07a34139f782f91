"""The shipped set: its bytes are pinned, drawn again it is the same, and every query is proven."""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections import Counter
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import load_synthetic
from mystery_shopper.suites.recbench import queryfile
from mystery_shopper.suites.recbench.draw import DrawOptions, planned
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import canary_for
from mystery_shopper.suites.recbench.queryfile import (
    DEFAULT_SET,
    query_set_bytes,
    shipped_file,
    shipped_names,
    shipped_query_set,
)
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.validate import prove_queries
from mystery_shopper.suites.recbench.wording import Openings

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "src/mystery_shopper/data/tasks"
HASHES: dict[str, str] = json.loads(
    (ROOT / "tests/data/query_set_hashes.json").read_text(encoding="utf-8")
)
MOST_BYTES = 1_500_000


def script() -> ModuleType:
    """`scripts/make_queries.py`, as a module."""
    spec = spec_from_file_location("make_queries", ROOT / "scripts/make_queries.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_shipped_files_are_those_that_were_published() -> None:
    assert set(shipped_names()) == set(HASHES) == set(script().SETS)
    for name, published in HASHES.items():
        packed = (FOLDER / shipped_file(name)).read_bytes()
        assert len(packed) < MOST_BYTES
        assert hashlib.sha256(gzip.decompress(packed)).hexdigest() == published
        # No name and no time of whoever packed it.
        assert packed[3:8] == b"\0\0\0\0\0"


def test_the_default_set_is_whole_labelled_and_marked() -> None:
    queries = shipped_query_set()
    assert queries.name == DEFAULT_SET
    assert Counter(query.cell for query in queries.queries) == planned(3_000)
    assert queries.origin.short == {}
    assert queries.histories.synthetic
    assert queries.canary == canary_for(DEFAULT_SET, queries.origin.seed)
    assert query_set_bytes(queries).count(queries.canary.encode()) == 1


def test_it_is_read_in_a_moment() -> None:
    times: list[float] = []
    for _ in range(3):
        begun = time.process_time()
        shipped_query_set()
        times.append(time.process_time() - begun)
    assert min(times) < 0.5


@pytest.mark.slow
def test_drawn_again_it_is_the_same_and_every_query_is_proven() -> None:
    module = script()
    made = module.make(DEFAULT_SET, *module.SETS[DEFAULT_SET])
    assert hashlib.sha256(query_set_bytes(made.query_set)).hexdigest() == HASHES[DEFAULT_SET]
    ground = Ground(Shelf(load_films()))
    found = prove_queries(
        made.query_set, ground.graph, ground.titles, load_synthetic(), ground.checker.told
    )
    assert found.problems == ()
    assert found.failed == {}
    assert found.untried == 0
    assert found.proven["form"] == found.proven["history"] == found.proven["wording"] == 3_000
    # Of each 1,000 no more than ten open alike.
    assert Openings.of(made.query_set.queries, ground.title_of).most <= 10


def test_the_script_writes_and_tells_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = script()
    few = partial(DrawOptions, queries=11, most_users=20)
    monkeypatch.setattr(module, "DrawOptions", few)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    assert module.main(["--check"]) == 1
    assert module.main([]) == 0
    assert module.main(["--check"]) == 0
    (file,) = tmp_path.iterdir()
    file.write_bytes(gzip.compress(b"{}"))
    assert module.main(["--check"]) == 1
    assert module.main(["--what"]) == 2
    told = capsys.readouterr()
    assert told.err.count("differs") == 2
    assert "The histories are synthetic: nobody lived them." in told.out


def test_an_unknown_set_and_one_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="no shipped query set 'recbench/films@9'") as caught:
        shipped_query_set("recbench/films@9")
    assert DEFAULT_SET in str(caught.value)
    renamed = tmp_path / shipped_file("recbench/tea@1")
    renamed.write_bytes((FOLDER / shipped_file(DEFAULT_SET)).read_bytes())
    monkeypatch.setattr(queryfile, "_folder", lambda: tmp_path)
    assert shipped_names() == ["recbench/tea@1"]
    with pytest.raises(InputError, match="calls itself 'recbench/films@1'"):
        shipped_query_set("recbench/tea@1")
    monkeypatch.setattr(queryfile, "_folder", lambda: tmp_path / "none")
    assert shipped_names() == []
