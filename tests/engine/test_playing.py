from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.dialogue import Message
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.playing import draw_task, play_by_hand
from mystery_shopper.foundation import InputError

from .helpers import few_films, plan_of


class Typist:
    """A terminal at which somebody types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.told: list[str] = []

    def show(self, message: Message) -> None:
        self.told.append(message.text)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def ask(self) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def test_the_task_is_drawn_by_the_seed(task_file: str) -> None:
    drawn = [draw_task(plan_of(task_file, agent="human", seed=seed)) for seed in range(60)]
    assert drawn[3] == draw_task(plan_of(task_file, agent="human", seed=3))
    assert {plan.tasks[0] for plan in drawn} == set(few_films().by_id)
    assert all(plan.count == 1 for plan in drawn)
    assert all(plan.conditions == (plan.tasks[0].split("-")[1],) for plan in drawn)


def test_a_persons_trial_is_a_trial(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="human", only=["f003-mixed"])
    typist = Typist("Which genre?", "/search genre=horror", "/recommend null")
    trial = play_by_hand(plan, typist, tmp_path / "run")
    assert (trial.agent, trial.score.success) == ("human", True)
    assert (trial.score.questions, trial.score.calls) == (1, 2)
    assert list(RunFolder(tmp_path / "run").trials()) == [trial]
    assert RunFolder(tmp_path / "run").timings_file.exists()


def test_without_a_folder_nothing_is_kept(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play_by_hand(plan_of(task_file, agent="human"), Typist("/recommend null"))
    assert list(tmp_path.iterdir()) == []


def test_a_trial_that_is_there_is_not_played_over(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="human")
    play_by_hand(plan, Typist("/recommend null"), tmp_path)
    before = RunFolder(tmp_path).trials_file.read_bytes()
    with pytest.raises(InputError, match="already holds"):
        play_by_hand(plan, Typist("/recommend null"), tmp_path)
    assert RunFolder(tmp_path).trials_file.read_bytes() == before


def test_giving_up_keeps_no_trial(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="human")
    with pytest.raises(KeyboardInterrupt):
        play_by_hand(plan, Typist("Hello", "/quit"), tmp_path)
    assert list(RunFolder(tmp_path).trials()) == []
    play_by_hand(plan, Typist("/recommend null"), tmp_path)
    assert len(list(RunFolder(tmp_path).trials())) == 1
