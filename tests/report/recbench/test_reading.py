"""Reading runs: what is kept, what is refused, and which runs stand on one ground."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.dialogue import Fault
from mystery_shopper.foundation import InputError
from mystery_shopper.report.recbench.grounds import grounds
from mystery_shopper.report.recbench.played import Counts, read_played
from mystery_shopper.report.recbench.reading import read_folders, titles_by_run
from mystery_shopper.sources import load_films

from ..factory import make_plan as tau_plan
from ..factory import make_score as tau_score
from ..factory import make_task_set
from .made import make_folder, make_plan, make_run, make_set, make_trial, make_trials

SET = make_set(6)
PLAN = make_plan(SET)


def test_only_faults_of_others_exclude_a_trial() -> None:
    first, second, third, *_ = SET.queries
    trials = [
        make_trial(first, PLAN, fault=Fault.INFRASTRUCTURE),
        make_trial(second, PLAN, fault=Fault.AGENT),
        make_trial(third, PLAN, items=third.own),
    ]
    run = read_played("run", PLAN, trials, query_set=SET)
    assert run.counts == Counts(len(SET.queries), 2, 1)
    assert run.counts.unplayed == len(SET.queries) - 3
    assert [one.outcome for one in run.answers] == ["excluded", "failure", "success"]
    assert [one.trouble for one in run.answers] == ["503 Overloaded"] * 2 + [""]
    assert run.planned["explicit/1"] == 6


def test_without_its_query_set_a_run_tells_what_its_trials_hold() -> None:
    trials = make_trials(SET, PLAN)
    run = read_played("run", PLAN, trials[:5])
    assert [one.id for one in run.asked] == [one.id for one in SET.queries[:5]]
    assert {one.kind for one in run.asked} == {"explicit"}
    assert run.asked[0].user == SET.queries[0].user
    assert run.synthetic is None
    other = make_set(6, seed=3)
    assert read_played("run", PLAN, trials, query_set=other).query_set is None


def test_a_stranger_s_trial_is_refused() -> None:
    query = SET.queries[0]
    for changed, words in (
        ({"agent": "somebody"}, "is by 'somebody', not 'graph'"),
        ({"user": "model:x"}, "has the user 'model:x'"),
        ({"number": 3}, "was not planned"),
        ({"score": tau_score(success=True)}, "the score of another suite"),
    ):
        trial = msgspec.structs.replace(make_trial(query, PLAN), **changed)
        with pytest.raises(InputError, match=words):
            read_played("run", PLAN, [trial])


def test_runs_over_other_queries_catalogues_or_users_stand_apart() -> None:
    other = make_set(6, seed=3)
    lived = make_set(6, synthetic=False)
    runs = [
        make_run(SET, "first"),
        make_run(SET, "second", history=True),
        make_run(SET, "bigger", size=500, catalogue_digest="f" * 64),
        make_run(other, "other"),
        make_run(lived, "lived"),
        make_run(SET, "spoken", user="model:x"),
        make_run(SET, "part", tasks=tuple(one.id for one in SET.queries[:10])),
        make_run(SET, "next part", tasks=tuple(one.id for one in SET.queries[10:20])),
    ]
    found = grounds(runs)
    assert [[one.played.name for one in ground.members] for ground in found] == [
        ["first", "second"], ["bigger"], ["other"], ["lived"], ["spoken"], ["part"], ["next part"],
    ]  # fmt: skip
    assert "synthetic" in found[0].caption
    assert "synthetic" not in found[3].caption
    labels = [one.full for ground in found for one in ground.members]
    assert len(set(labels)) == len(labels)
    assert [one.label for one in found[0].members] == [
        "graph · without history", "graph · with history",
    ]  # fmt: skip


def test_equal_runs_are_told_apart_by_their_folders() -> None:
    (ground,) = grounds([make_run(SET, "monday"), make_run(SET, "tuesday", seed=1)])
    assert [one.label for one in ground.members] == ["graph · monday", "graph · tuesday"]


def test_folders_are_read_whole(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "run", PLAN, make_trials(SET, PLAN))
    (run,) = read_folders([folder], {SET.name: SET})
    assert run.counts == Counts(len(SET.queries), len(SET.queries), 0)
    assert run.clocks.metered == len(SET.queries)
    assert run.query_set is SET
    with pytest.raises(InputError, match="named 2 times"):
        read_folders([folder, folder])
    with pytest.raises(InputError, match="no run to report"):
        read_folders([])


def test_runs_of_two_suites_are_refused(tmp_path: Path) -> None:
    ours = make_folder(tmp_path / "ours", PLAN, [])
    theirs = make_folder(tmp_path / "theirs", tau_plan(make_task_set(3)), [])
    with pytest.raises(InputError, match="theirs is a run of tau_rec") as caught:
        read_folders([ours, theirs])
    assert "on their own" in str(caught.value)


def test_titles_bear_their_year(tmp_path: Path) -> None:
    films = load_films()
    plan = make_plan(SET, source="films", size=len(films), catalogue_digest=films.digest)
    folder = make_folder(tmp_path / "run", plan, [])
    (titles,) = titles_by_run([folder]).values()
    assert titles["tt0113277"] == "Heat (1995)"
    plain = Counter(title.rpartition(" (")[0] for title in titles.values())
    twice = [name for name, often in plain.items() if often > 1]
    assert len(twice) > 50
    assert len(set(titles.values())) > len(titles) - 5
