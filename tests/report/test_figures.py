"""Figures beyond success, against counts by brute force."""

from __future__ import annotations

from statistics import fmean, median

import pytest

from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.cells import Answers
from mystery_shopper.report.figures import Share, figures
from mystery_shopper.report.labels import Labels
from mystery_shopper.report.rows import read_run
from mystery_shopper.report.words import FAILURES, FailureClass, failure_class
from mystery_shopper.suites.tau_rec.score import Elicited, Failure

from .factory import make_plan, make_task_set, make_trials

TASKS = make_task_set(40)
PLAN = make_plan(TASKS, trials=2)
TRIALS = make_trials(TASKS, PLAN, faults=0.05)
FIGURES = figures(read_run("run", PLAN, TRIALS, task_set=TASKS))


def valid(condition: str, *, satisfiable: bool | None = True) -> list[Trial]:
    return [
        trial
        for trial in TRIALS
        if trial.condition == condition
        and trial.score.success is not None
        and (satisfiable is None or trial.satisfiable is satisfiable)
    ]


def test_elicitation() -> None:
    assert [found.condition for found in FIGURES.elicitation] == ["mixed", "hidden"]
    for found in FIGURES.elicitation:
        trials = valid(found.condition, satisfiable=None)
        for kind in Elicited:
            given = [trial for trial in trials if trial.score.elicited is kind]
            assert found.shares[kind] == Share(len(given), len(trials))
            assert found.success[kind] == Share(
                sum(bool(t.score.success) for t in given), len(given)
            )
        assert found.questions == pytest.approx(fmean(t.score.questions for t in trials))


@pytest.mark.parametrize("satisfiable", [True, False])
def test_endings_and_failures(satisfiable: bool) -> None:
    answers = Answers.SATISFIABLE if satisfiable else Answers.NVR
    for tally in FIGURES.endings:
        if tally.answers is answers:
            endings = [t.score.ending for t in valid(tally.condition, satisfiable=satisfiable)]
            assert tally.of == len(endings) == sum(tally.kinds.values())
            assert tally.kinds == {kind: endings.count(kind) for kind in set(endings)}
    for tally in FIGURES.failures:
        if tally.answers is answers:
            kinds = [t.score.failure for t in valid(tally.condition, satisfiable=satisfiable)]
            assert tally.kinds == {kind: kinds.count(kind) for kind in set(kinds) if kind}
            assert list(tally.kinds) == [kind for kind in FAILURES if kind in tally.kinds]


def test_proposals() -> None:
    for found in FIGURES.proposals:
        trials = valid(found.condition)
        won = [trial for trial in trials if trial.score.success]
        assert found.per_success == median(trial.score.proposals for trial in won)
        assert found.rejections_per_success == median(trial.score.rejections for trial in won)
        assert found.per_trial == pytest.approx(fmean(trial.score.proposals for trial in trials))


def test_commitments() -> None:
    for found in FIGURES.commitments:
        trials = valid(found.condition)
        committed = [trial.score for trial in trials if trial.score.recommended is not None]
        untested = [score for score in committed if score.untested]
        failed = [trial.score for trial in trials if not trial.score.success]
        assert found.untested == Share(len(untested), len(committed))
        assert found.before == Share(sum(bool(s.before_proposals) for s in untested), len(untested))
        assert found.after_decline.hits == sum(bool(score.after_decline) for score in untested)
        assert found.failed_untested == Share(sum(bool(s.untested) for s in failed), len(failed))
        assert found.unsearched.hits == sum(bool(score.unsearched) for score in committed)
        assert found.untagged == Share(sum(t.score.untagged > 0 for t in trials), len(trials))


def test_exposure() -> None:
    for found in FIGURES.exposure:
        ranks = [t.score.rank for t in valid(found.condition, satisfiable=None) if t.score.rank]
        assert found.median_rank == median(ranks)
        assert found.top[100] == Share(sum(rank <= 100 for rank in ranks), len(ranks))
        assert found.top[1000] == Share(sum(rank <= 1000 for rank in ranks), len(ranks))


def test_no_trials_no_figures() -> None:
    found = figures(read_run("run", PLAN, [], task_set=TASKS, labels=Labels()))
    assert found.matching is None
    assert all(part.shares[Elicited.ALL].value is None for part in found.elicitation)
    assert all(part.per_success is None and part.per_trial is None for part in found.proposals)
    assert all(part.untested.value is None for part in found.commitments)
    assert all(part.median_rank is None for part in found.exposure)
    assert all(not tally.kinds and not tally.of for tally in (*found.endings, *found.failures))


def test_every_failure_has_words_and_a_class() -> None:
    assert set(Failure) <= set(FAILURES)
    assert all(failure_class(kind) in FailureClass for kind in FAILURES)
    assert failure_class(Failure.TIME_CAP) is FailureClass.CUT_OFF
