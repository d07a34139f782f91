"""A catalogue's folder changed after its build, and trials changed after their run, are found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.engine.requested import asked, shop

from mystery_shopper.dialogue import AgentSaid, Transcript, UserSaid
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bundling import bundle, verify
from mystery_shopper.engine.replay import replay
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("shop") / "few")


@pytest.fixture(scope="module")
def run(place: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return asked(tmp_path_factory.mktemp("runs") / "run", place, "graph", history=True)


def _damage(folder: Path) -> None:
    """The last letter of the labels of a field: no length and no range tells of it, and the
    manifest and its digest stay as they were."""
    path = sorted((folder / "arrays").glob("*.labels.blob.npy"))[-1]
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_a_damaged_catalogue_does_not_verify(run: RunFolder, place: Path, tmp_path: Path) -> None:
    bundle([run], tmp_path / "x.zip")
    assert not verify(tmp_path / "x.zip", [place]).problems.found
    shutil.copytree(place, tmp_path / "few")
    _damage(tmp_path / "few")
    with pytest.raises(InputError, match="arrays"):
        verify(tmp_path / "x.zip", [tmp_path / "few"])


def test_a_run_over_a_damaged_catalogue_is_not_bundled(tmp_path: Path) -> None:
    folder = shop(tmp_path / "few")
    done = asked(tmp_path / "run", folder)
    _damage(folder)
    with pytest.raises(InputError, match="has another hash than is listed"):
        bundle([done], tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_a_run_over_a_damaged_catalogue_is_not_replayed(tmp_path: Path) -> None:
    folder = shop(tmp_path / "few")
    done = asked(tmp_path / "run", folder)
    assert replay(done).difference is None
    _damage(folder)
    with pytest.raises(InputError, match="arrays"):
        replay(done)


def _with_events(trial: Trial, kind: type, change: Callable[[str], str]) -> Trial:
    events = tuple(
        msgspec.structs.replace(one, text=change(one.text))
        if isinstance(one, kind) and isinstance(one, UserSaid | AgentSaid)
        else one
        for one in trial.transcript.events
    )
    return msgspec.structs.replace(trial, transcript=Transcript(events))


def _score(trial: Trial, **changes: object) -> Trial:
    return msgspec.structs.replace(trial, score=msgspec.structs.replace(trial.requested, **changes))


def _figure(trial: Trial) -> Trial:
    figures = msgspec.structs.replace(trial.requested.at_five, novelty=1.0)
    return _score(trial, at_five=figures)


CHANGES: dict[str, Callable[[Trial], Trial]] = {
    "the request": lambda one: _with_events(one, UserSaid, lambda text: f"{text} Please."),
    "the answer": lambda one: _with_events(one, AgentSaid, lambda _: "1. No Such Film At All"),
    "a figure": _figure,
    "the success": lambda one: _score(one, success=not one.requested.success),
    "the picks": lambda one: _score(one, picks=()),
    "an ending lost": lambda one: msgspec.structs.replace(
        one, transcript=Transcript(one.transcript.events[:-1])
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_trial_is_the_first_difference(name: str, run: RunFolder, tmp_path: Path) -> None:
    assert replay(run).difference is None
    copy, trials = _copied(run, tmp_path), list(run.trials())
    place = next(at for at, one in enumerate(trials) if one.score.success is not None)
    trials[place] = CHANGES[name](trials[place])
    _write(copy, trials)
    found = replay(copy).difference
    assert found is not None
    assert found.trial == trials[place].key


def test_trials_that_changed_places_are_found(run: RunFolder, tmp_path: Path) -> None:
    copy, trials = _copied(run, tmp_path), list(run.trials())
    one, other = trials[0], trials[1]
    trials[:2] = [
        msgspec.structs.replace(one, task=other.task),
        msgspec.structs.replace(other, task=one.task),
    ]
    _write(copy, trials)
    found = replay(copy).difference
    assert found is not None
    assert (found.trial, found.place) == (other.key, 1)


def _copied(run: RunFolder, tmp_path: Path) -> RunFolder:
    return RunFolder(Path(shutil.copytree(run.path, tmp_path / "copy")))


def _write(run: RunFolder, trials: list[Trial]) -> None:
    run.trials_file.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in trials))
