"""The twin of a run of requests: the same recipe on queries of fresh users, or why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.engine.loading import load_book
from mystery_shopper.engine.twin import twin_folder, twin_plan
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films
from mystery_shopper.sources.histories import open_histories
from mystery_shopper.suites.recbench.draw import DrawOptions
from mystery_shopper.suites.recbench.generating import generate_queries
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import Kind, QuerySet
from mystery_shopper.suites.recbench.queryfile import save_query_set
from mystery_shopper.suites.recbench.shelf import Shelf

OPTIONS = DrawOptions(
    seed=2,
    queries=60,
    kinds=(Kind.INTEREST, Kind.DEMOGRAPHICS),
    sequence_users=4,
    group_users=8,
)


@pytest.fixture(scope="module")
def drawn() -> QuerySet:
    """Sixty profile queries of made-up users of the films, by a recipe of its own."""
    films = load_films()
    loaded = open_histories("synthetic:1", films)
    return generate_queries("recbench/mine@3", Ground(Shelf(films)), loaded, OPTIONS).query_set


def write(drawn: QuerySet, folder: Path, **changes: Any) -> str:
    path = folder / "queries.json"
    save_query_set(msgspec.structs.replace(drawn, **changes), path)
    return str(path)


def plan_of(path: str, **wishes: Any) -> Any:
    return make_plan(Wishes("popularity", "recbench", task_set=path, **wishes))


def test_a_twin_is_drawn_by_the_same_recipe(drawn: QuerySet, tmp_path: Path) -> None:
    plan = plan_of(write(drawn, tmp_path), history=True, k=4, trials=2, block="panel")
    twin = twin_plan(plan, 5, tmp_path / "runs" / "mine")
    book = load_book("recbench", twin.task_set)
    assert isinstance(book, QuerySet)
    assert twin.task_set == str(tmp_path / "runs" / "mine-twin-5.tasks.json")
    same = {"task_set", "task_set_digest", "canary", "tasks"}
    for name in plan.__struct_fields__:
        assert (getattr(plan, name) == getattr(twin, name)) == (name not in same - {"tasks"})
    assert (twin.task_set_digest, twin.canary) == (book.digest, book.canary)
    assert book.name == "recbench/mine-twin5@3"
    origin = msgspec.structs.replace(drawn.origin, seed=5, rejected={})
    assert msgspec.structs.replace(book.origin, rejected={}) == origin
    assert book.histories.source != drawn.histories.source
    assert [q.cell for q in book.queries] == [q.cell for q in drawn.queries]
    assert not {q.text for q in book.queries} & {q.text for q in drawn.queries}
    heard: list[tuple[str, int, int]] = []
    again = twin_plan(plan, 5, tmp_path / "runs" / "mine", lambda *told: heard.append(told))
    assert again == twin
    assert {"Making up users", "Drawing queries"} <= {what for what, _, _ in heard}
    assert all(0 <= done <= of for _, done, of in heard)
    played = RunFolder(twin_folder(tmp_path / "runs" / "mine", 5))
    sweep(twin, played)
    assert len(list(played.trials())) == twin.count == plan.count


@pytest.mark.parametrize(
    ("changes", "seed", "reason"),
    [
        ({"source": "elsewhere"}, 5, "was imported from elsewhere"),
        ({"histories": {"synthetic": False}}, 5, "rests on histories that were lived"),
        ({"origin": {"writer": "mockllm/model"}}, 5, "was worded by mockllm/model"),
        ({}, 2, "came from the seed 2 themselves"),
        ({}, 1, "were made up from the seed 1 themselves"),
    ],
)
def test_what_has_no_recipe_has_no_twin(
    changes: dict[str, Any], seed: int, reason: str, drawn: QuerySet, tmp_path: Path
) -> None:
    made = {
        name: msgspec.structs.replace(getattr(drawn, name), **new) if name != "source" else new
        for name, new in changes.items()
    }
    plan = plan_of(write(drawn, tmp_path, **made))
    with pytest.raises(InputError, match=reason) as told:
        twin_plan(plan, seed, tmp_path / "run")
    assert told.value.remedy
    assert not list(tmp_path.glob("*twin*"))


def test_single_queries_and_another_files_place_are_refused(
    drawn: QuerySet, tmp_path: Path
) -> None:
    path = write(drawn, tmp_path)
    with pytest.raises(InputError, match="single tasks have no twin"):
        twin_plan(plan_of(path, only=(drawn.queries[0].id,)), 5, tmp_path / "run")
    (tmp_path / "run-twin-5.tasks.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="holds other tasks"):
        twin_plan(plan_of(path), 5, tmp_path / "run")
