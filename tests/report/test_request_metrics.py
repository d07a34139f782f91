"""A person's own metrics over runs of recbench: they see the query, and users are resampled."""

from __future__ import annotations

import math
import statistics
from pathlib import Path

import pytest
from tests.engine.requested import asked, queries, shop

from mystery_shopper.engine import RunFolder, Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.ownmetrics import OwnMetrics
from mystery_shopper.report.recbench import tell
from mystery_shopper.report.recbench.grounds import grounds
from mystery_shopper.report.recbench.reading import query_sets_of, read_folders
from mystery_shopper.report.requestmetrics import means, measure, request_lines, request_tables
from mystery_shopper.suites.recbench.query import Query


class Found:
    """How many of the user's own items stand in the answer; nothing of profiles."""

    name = "own items found"

    def measure(self, trial: Trial, task: Query) -> float | None:
        assert task.id == trial.task
        if task.kind.is_profile:
            return None
        picked = {pick.item_id for pick in trial.requested.picks}
        return len(picked & set(task.own))


class Broken:
    """Fails on one query, and gives no number of another."""

    name = "broken"

    def measure(self, trial: Trial, task: Query) -> float | None:
        if trial.task == "explicit-1-001":
            raise ValueError("no such luck")
        return math.nan if task.id == "explicit-1-002" else 1.0


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("own")
    return asked(path / "graph", shop(path / "shop" / "few"), "graph", only=())


def test_a_metric_is_shown_the_query_and_averaged_by_type(run: RunFolder) -> None:
    sets = query_sets_of([run])
    own = measure(OwnMetrics([Found()]), [run], sets)
    (played,) = read_folders([run], sets)
    readings = own.found["graph", Found.name]
    found = {kind: (asked, mean) for kind, asked, mean in means(played, Found.name, readings)}
    assert list(found) == [
        "explicit", "implicit", "misinformed", "interest", "demographics", "all",
    ]  # fmt: skip
    by_hand: dict[str, float] = {
        trial.task: len(
            {pick.item_id for pick in trial.requested.picks} & set(queries().by_id[trial.task].own)
        )
        for trial in run.trials()
    }
    for kind in ("explicit", "implicit", "misinformed"):
        tasks = [one.id for one in queries().queries if one.kind.value == kind]
        asked_, mean = found[kind]
        assert [one.id for one in asked_] == tasks
        assert mean.mean.estimate == pytest.approx(statistics.fmean(by_hand[t] for t in tasks))
        assert mean.mean.clusters == len({queries().by_id[t].user for t in tasks})
    profiles = [one for one in queries().queries if one.kind.is_profile]
    assert found["all"][1].unscored == len(profiles)
    assert math.isnan(found["interest"][1].mean.estimate)
    assert request_lines(grounds([played]), own)[0].startswith("graph · own items found: explicit ")


def test_failures_are_counted_and_never_a_score(run: RunFolder) -> None:
    sets = query_sets_of([run])
    own = measure(OwnMetrics([Broken()]), [run], sets)
    (ground,) = grounds(read_folders([run], sets))
    (table,) = request_tables(ground, own)
    rows = {row[2]: dict(zip(table.head, row, strict=True)) for row in table.rows}
    assert (rows["explicit"]["mean"], rows["explicit"]["failed"]) == ("1.000", "2")
    assert rows["implicit"]["failed"] == "0"
    assert "broken of graph on explicit-1-001#0: ValueError: no such luck" in table.note
    assert "  failed on 2 trials, first on explicit-1-001#0" in request_lines([ground], own)[1]
    assert request_tables(ground, None) == request_tables(ground, OwnMetrics([])) == []


def test_the_report_takes_them_by_name(
    run: RunFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "my_requests.py").write_text(
        "class Asked:\n"
        "    name = 'conditions asked for'\n"
        "    def measure(self, trial, query):\n"
        "        return len(query.parts) or None\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    tell([run], tmp_path / "page.html", metrics=("my_requests:Asked",), resamples=100)
    assert "graph · conditions asked for: explicit " in capsys.readouterr().out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Own metrics" in page
    assert "conditions asked for" in page


def test_without_the_queries_nothing_is_measured(run: RunFolder) -> None:
    with pytest.raises(InputError, match="cannot be read or have changed"):
        measure(OwnMetrics([Found()]), [run], {})
