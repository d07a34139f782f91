"""The methods paragraph of runs of recbench tells the runs' own numbers."""

from __future__ import annotations

import statistics
from pathlib import Path

import msgspec
import pytest
import yaml
from tests.engine.requested import asked, catalogue, queries, shop

from mystery_shopper.engine import RunFolder
from mystery_shopper.report.bibtex import bibtex_of, citation
from mystery_shopper.report.citing_requests import read_requests, request_methods
from mystery_shopper.report.recbench.reading import query_sets_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    path = tmp_path_factory.mktemp("cited")
    place = shop(path / "shop" / "few")
    return [
        asked(path / agent, place, agent, only=(), history=True, k=5, seed=7, trials=2)
        for agent in ("oracle", "popularity")
    ]


def test_every_number_is_the_runs_own(folders: list[RunFolder]) -> None:
    text = request_methods(read_requests(folders, query_sets_of(folders)))
    plan, tasks = folders[0].plan(), queries()
    users = len({one.user for one in tasks.queries})
    kinds = [one.kind.value for one in tasks.queries]
    for part in (
        f"We evaluated 2 agent runs (oracle and popularity) with Mystery Shopper {plan.version} ",
        "its suite recbench [recbench]",
        f"those of {tasks.name} (SHA-256 {tasks.digest[:12]}; 60 queries: "
        f"{kinds.count('explicit')} explicit, ",
        f"{kinds.count('demographics')} demographics, asked by {users} users)",
        f"over the catalogue few of 240 items (SHA-256 {catalogue().digest[:12]})",
        "are synthetic: nobody lived them",
        "The agents oracle and popularity are scripted and ask no model.",
        "by the interface tools (prompts version ",
        "with history, K = 5. Each query was asked 2 times, with the seed 7.",
        "oracle 120 planned, 120 valid, 0 excluded; popularity 120 planned, 120 valid, 0 excluded",
        "10,000 bootstrap resamples of users",
        "Python 3.",
    ):
        assert part in text, part
    for folder in folders:
        found = [
            trial.requested.figures.precision_own
            for trial in folder.trials()
            if trial.condition == "implicit" and trial.requested.figures.precision_own is not None
        ]
        told = text.split(f"{folder.plan().agent}: explicit")[1].split("implicit precision ")[1]
        assert told.startswith(f"{statistics.fmean(found):.3f} [")
    assert "\n" not in text


def test_what_is_not_at_hand_is_said_to_be_unknown(
    folders: list[RunFolder], tmp_path: Path
) -> None:
    begun = RunFolder(tmp_path / "begun")
    begun.begin(msgspec.structs.replace(folders[0].plan(), agent="my_shop.agents:Helper"))
    first = next(iter(folders[0].trials()))
    begun.append([msgspec.structs.replace(first, agent="my_shop.agents:Helper")], [])
    text = request_methods(read_requests([begun], {}))
    assert "Where the users' histories come from is unknown." in text
    assert "which model stands behind it, if any, is unknown" in text
    assert "Each query was to be asked 2 times" in text
    assert "120 planned, 1 valid, 0 excluded, 119 not played" in text
    assert "60 queries)" in text
    assert "nan" not in text.lower()


def test_each_suite_has_its_paper(folders: list[RunFolder]) -> None:
    plan = folders[0].plan()
    both = bibtex_of([plan, msgspec.structs.replace(plan, suite="tau_rec")])
    assert "@misc{recbench," in both
    assert "@misc{tau_rec," in both
    alone = bibtex_of([plan])
    assert "tau_rec" not in alone
    assert "2503.09382" in alone
    assert "Huang, Jiani and Wang, Shijie and Ning, Liang-bo" in alone
    assert {paper.suite for paper in citation().references} >= {"tau_rec", "recbench"}
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"][1]
