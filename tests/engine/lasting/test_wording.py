"""A model as the writer of queries, over a scripted provider of Inspect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.cli.generating_queries import (
    QueryWishes,
    generate_recbench,
    print_generated,
)
from mystery_shopper.foundation import InfrastructureFault, InputError, RunStopped
from mystery_shopper.report.query_proof import origin_lines
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.sources.histories import load_synthetic
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.queryfile import load_query_set
from mystery_shopper.suites.recbench.shelf import Shelf

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ChatMessage, ModelOutput

from mystery_shopper.engine.lasting.wording import InspectWriter

from .provider import POLICIES, said

CALLS: Counter[str] = Counter()


@lru_cache(maxsize=1)
def drawn() -> tuple[Ground, QuerySet]:
    """The films, and 33 queries about them without texts."""
    ground = Ground(Shelf(load_films()))

    def no_text(query: Query, seed: int) -> str:
        del query, seed
        return ""

    options = DrawOptions(queries=33, most_users=20)
    return ground, draw_queries(
        "recbench/films@1", ground.graph, ground.titles, load_synthetic(), no_text, options
    )


def facts_only(messages: Sequence[ChatMessage], _: object, __: object) -> ModelOutput:
    """The facts that it is told, nearly word for word."""
    CALLS["facts"] += 1
    lines = [line[2:] for line in messages[1].text.splitlines() if line.startswith("- ")]
    text = " ".join(lines).replace("The person knows: ", "").replace("Wanted:", "Any")
    return said(text.replace("The person is", "I am").replace("The person has", "I have"))


def silent(messages: Sequence[ChatMessage], _: object, __: object) -> ModelOutput:
    CALLS["silent"] += 1
    return said("Sure, here is your request:" if len(messages) % 4 else "")


def away(messages: Sequence[ChatMessage], _: object, __: object) -> ModelOutput:
    CALLS["away"] += 1
    if CALLS["away"] > 5:
        raise InfrastructureFault("nobody answers")
    return facts_only(messages, _, __)


@pytest.fixture(autouse=True)
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    CALLS.clear()
    POLICIES.update({"facts": facts_only, "silent": silent, "away": away})
    yield
    for name in ("facts", "silent", "away"):
        del POLICIES[name]


def test_a_model_words_a_set_the_same_whatever_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground, plain = drawn()
    heard: list[tuple[int, int]] = []
    writer = InspectWriter.open("scripted/facts", at_once=1)
    found, account = writer.rewrite(plain, ground.templates, lambda *told: heard.append(told))
    assert heard == [(number, 33) for number in range(1, 34)]
    by_model = sum(n for (_, who), n in account.writers.items() if who == "model")
    assert by_model >= 28
    assert by_model + sum(account.stood_in.values()) == 33
    assert found.origin.writer == "scripted/facts"
    assert found.origin.stood_in == account.stood_in
    assert not any(ground.checker.check(query) for query in found.queries)
    plain_again = msgspec.structs.replace(found, queries=plain.queries, origin=plain.origin)
    assert plain_again == plain
    calls = CALLS["facts"]
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "other"))
    one = InspectWriter.open("scripted/facts", at_once=8).rewrite(plain, ground.templates)
    assert one == (found, account)
    assert CALLS["facts"] == 2 * calls


def test_what_was_written_is_kept_for_the_next_time() -> None:
    ground, plain = drawn()
    first = InspectWriter.open("scripted/facts").rewrite(plain, ground.templates)
    calls = CALLS["facts"]
    assert calls >= 33
    assert InspectWriter.open("scripted/facts").rewrite(plain, ground.templates) == first
    assert CALLS["facts"] == calls


def test_templates_stand_in_for_a_model_that_gives_nothing() -> None:
    ground, plain = drawn()
    found, account = InspectWriter.open("scripted/silent").rewrite(plain, ground.templates)
    assert sum(account.stood_in.values()) == 33
    assert sum(account.rejected.values()) >= 99
    assert any("stood in for the model" in line for line in account.lines())
    assert not any(ground.checker.check(query) for query in found.queries)


def test_a_provider_out_of_reach_stops_the_writing_and_says_how_far_it_came() -> None:
    ground, plain = drawn()
    writer = InspectWriter.open("scripted/away", at_once=2)
    with pytest.raises(RunStopped, match=r"given up after \d+ of 33 queries: nobody answers"):
        writer.rewrite(plain, ground.templates)


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    ground, plain = drawn()

    def broken(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(type(ground.checker), "check", broken)
    with pytest.raises(ZeroDivisionError):
        InspectWriter.open("scripted/facts").rewrite(plain, ground.templates)


def generate(tmp_path: Path, writer: str) -> Path:
    """Twelve queries of customers of the shop, who are fond of two brands each."""
    ids = load_shop().ids
    brands = load_shop().labels("brand")
    lines = ["user,item"]
    for user in range(40):
        for brand in (user, user + 11):
            lines += [f"u{user},{ids[item]}" for item in brands.bearers(brand)[:9].tolist()]
    table, place = tmp_path / "own.csv", tmp_path / "q.json"
    table.write_text("\n".join(lines), encoding="utf-8")
    wishes = QueryWishes(
        str(table), queries=12, kinds=("explicit",), writer=writer, max_connections=2
    )
    print_generated(generate_recbench("shop", place, None, 3, wishes), place)
    return place


def test_the_command_asks_the_model_and_counts_its_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = load_query_set(generate(tmp_path, "model:scripted/facts"))
    assert made.origin.writer == "scripted/facts"
    told = capsys.readouterr().out
    by_model = len(made.queries) - sum(made.origin.stood_in.values())
    assert re.search(rf"^wording, explicit: .*\b{by_model} by model", told, re.M)
    assert "worded by scripted/facts" in "\n".join(origin_lines(made))


def test_the_command_writes_nothing_where_the_model_is_away_and_goes_on_later(
    tmp_path: Path,
) -> None:
    said: list[str] = []
    while not (tmp_path / "q.json").exists() and len(said) < 5:
        CALLS.clear()
        try:
            generate(tmp_path, "model:scripted/away")
        except RunStopped as stopped:
            said.append(str(stopped))
    # What it had was kept each time, so that a few replies at a time are enough.
    assert len(load_query_set(tmp_path / "q.json").queries) > 5
    assert 1 <= len(said) < 5
    assert all("Nothing was written." in text for text in said)


def test_an_unknown_provider_is_told_with_the_option() -> None:
    with pytest.raises(InputError, match="--writer model:nobody/x: the model cannot be opened"):
        InspectWriter.open("nobody/x")
