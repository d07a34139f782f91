"""Filters and the search for words, against a plain look through every trial."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import AgentSaid, Ended, Ending, Transcript, UserSaid
from mystery_shopper.report.browse import haystack, record
from mystery_shopper.report.steps import Results
from mystery_shopper.report.viewing.index import RunIndex
from mystery_shopper.report.viewing.search import Searches, Wanted, fitting

from ..factory import make_folder, make_plan, make_task_set, make_trial, make_trials

TASKS = make_task_set(12)
PLAN = make_plan(TASKS, agent="Popularity")
ALL = 10**9


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> RunIndex:
    trials = make_trials(TASKS, PLAN, faults=0.1)
    odd = Transcript(
        (UserSaid('Ein "Übermaß" an\nC:\\Filmen'), AgentSaid("ÉTÉ"), Ended(Ending.TURN_CAP))
    )
    trials[4] = make_trial(TASKS.by_id[trials[4].task], PLAN, transcript=odd)
    made = RunIndex(make_folder(tmp_path_factory.mktemp("s") / "run", PLAN, trials))
    made.refresh(ALL)
    return made


def plainly(index: RunIndex, wanted: Wanted) -> list[int]:
    """The same by reading every trial."""
    found: list[int] = []
    for number in range(index.count):
        line = index.entry(number)
        trial, _ = index.read(number)
        text = haystack(line, "Popularity", record(trial, None, Results()))
        if (
            wanted.task.strip().lower() in trial.task.lower()
            and wanted.condition in ("", line.condition)
            and wanted.outcome in ("", line.outcome)
            and wanted.failure in ("", line.failure)
            and all(word in text for word in wanted.text.lower().split())
        ):
            found.append(number)
    return found


WORDS = ["tt1", "playtime", "1980", "POPULARITY", "samouraï", '"Übermaß"', "été", "c:\\filmen",
         '"genre":"drama"', "#0", "turn", "cap", "nowhere", "n't", "genre +", "f00"]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.builds(
        Wanted,
        task=st.sampled_from(["", "f001", "F00", "mixed", " f002-hidden ", "zzz"]),
        condition=st.sampled_from(["", "hidden", "mixed", "nowhere"]),
        outcome=st.sampled_from(["", "success", "failure", "excluded", "nothing"]),
        failure=st.sampled_from(["", "asked nothing", "missed a field"]),
        text=st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join),
    ),
    st.integers(1, 30_000),
)
def test_filters_give_what_reading_every_trial_gives(
    index: RunIndex, wanted: Wanted, budget: int
) -> None:
    searches = Searches()
    got = searches.matches(index, "Popularity", wanted, budget)
    while got.searched is not None and got.searched < got.within:
        before = got.searched
        got = searches.matches(index, "Popularity", wanted, budget)
        assert got.searched > before
    assert got.rows.tolist() == plainly(index, wanted)


def test_words_are_found_as_they_are_shown(index: RunIndex) -> None:
    searches = Searches()
    for text in ('"übermaß" ÉTÉ', "c:\\filmen", "popularity tt1", "recommended"):
        assert len(searches.matches(index, "Popularity", Wanted(text=text)).rows) > 0, text


def test_a_search_reads_a_bounded_number_of_bytes_and_goes_on(index: RunIndex) -> None:
    searches, wanted = Searches(), Wanted(text="playtime")
    length = int(index.rows["length"].max())
    first = searches.matches(index, "Popularity", wanted, budget=3 * length)
    assert 3 <= first.searched < first.within == index.count
    second = searches.matches(index, "Popularity", wanted, budget=3 * length)
    assert second.searched > first.searched
    assert second.rows[: len(first.rows)].tolist() == first.rows.tolist()
    done = searches.matches(index, "Popularity", wanted)
    assert done.searched == done.within


def test_a_search_takes_in_trials_that_come_later(tmp_path: Path) -> None:
    trials = make_trials(TASKS, PLAN)
    folder = make_folder(tmp_path / "run", PLAN, trials[:5])
    index, searches, wanted = RunIndex(folder), Searches(), Wanted(text="drama")
    index.refresh(ALL)
    assert len(searches.matches(index, "", wanted).rows) == 5
    folder.append(trials[5:9], [])
    index.refresh(ALL)
    again = searches.matches(index, "", wanted)
    assert (len(again.rows), again.searched, again.within) == (9, 9, 9)


def test_old_searches_are_let_go(index: RunIndex) -> None:
    searches = Searches()
    for number in range(30):
        searches.matches(index, "", Wanted(text=f"word{number}"), budget=1)
    assert len(searches.kept) == 8


def test_an_empty_run(tmp_path: Path) -> None:
    empty = RunIndex(make_folder(tmp_path / "run", PLAN, []))
    assert empty.refresh(ALL)
    assert fitting(empty, Wanted("a", "b", "success", "d")).tolist() == []
    got = Searches().matches(empty, "", Wanted(text="x"))
    assert (len(got.rows), got.searched, got.within) == (0, 0, 0)
    assert got.rows.dtype == np.int64
