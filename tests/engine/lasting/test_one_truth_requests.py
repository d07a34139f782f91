"""One truth for two engines, of requests: each reference agent's trials on sixty shipped queries
are the same bytes through the sweep, with one worker and with two, and through Inspect."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.loading import load_book
from mystery_shopper.engine.replay import replay
from mystery_shopper.suites.recbench.query import CELLS, QuerySet
from mystery_shopper.suites.recbench.reference import AGENTS

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.stage import TrialCast

SHIPPED = "recbench/films@1"


@cache
def sixty() -> tuple[str, ...]:
    """Of every cell five or six, from all over the set."""
    book = load_book("recbench", SHIPPED)
    assert isinstance(book, QuerySet)
    names: list[str] = []
    for place, cell in enumerate(CELLS):
        of_cell = [query.id for query in book.queries if query.cell == cell]
        wanted = 6 if place < 5 else 5
        names += of_cell[:: len(of_cell) // wanted][:wanted]
    assert len(names) == len(set(names)) == 60
    return tuple(names)


@pytest.mark.parametrize(
    ("agent", "setting"),
    [
        *((name, {"history": True}) for name in AGENTS),
        ("graph", {"interface": "bare", "k": 5}),
        ("history", {}),
    ],
)
def test_both_engines_write_the_same(
    agent: str, setting: dict[str, object], tmp_path: Path
) -> None:
    plan = make_plan(Wishes(agent, "recbench", only=sixty(), seed=3, **setting))  # type: ignore[arg-type]
    assert plan.count == 60
    swept, lasted = RunFolder(tmp_path / "swept"), RunFolder(tmp_path / "lasted")
    sweep(plan, swept, workers=2 if agent in ("graph", "history") else 1)
    factory = cast(agent, "recbench")
    run_lasting(plan, lasted, lambda *_: TrialCast(factory), bounds=Bounds(max_samples=8))
    written = swept.trials_file.read_bytes()
    assert lasted.trials_file.read_bytes() == written
    assert written.count(b"\n") == 60
    assert replay(swept).difference is None


def test_two_runs_of_one_seed_and_any_number_of_workers_are_the_same(tmp_path: Path) -> None:
    plan = make_plan(Wishes("graph", "recbench", only=sixty(), trials=2, history=True, seed=4))
    folders = [RunFolder(tmp_path / name) for name in ("one", "again", "two")]
    for folder, workers in zip(folders, (1, 1, 2), strict=True):
        sweep(plan, folder, workers=workers)
    assert len({folder.trials_file.read_bytes() for folder in folders}) == 1
