"""What stands in a bundle: equal bytes for equal runs, flat memory, own catalogues, versions."""

from __future__ import annotations

import csv
import io
import re
import tracemalloc
import zipfile
from importlib import metadata, resources
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.catalog.folder import save_catalogue
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine import RunFolder, sweep
from mystery_shopper.engine.bundling import Wanted, bundle, verify
from mystery_shopper.engine.bundling.locking import licences_in, lock, own_licence
from mystery_shopper.engine.bundling.manifest import Manifest
from mystery_shopper.engine.plan import RunFile
from mystery_shopper.engine.suites import Scene
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films

from ..helpers import plan_of, player, write_tasks
from .helpers import edited, played


def NULL(scene: Scene, task: str) -> Agent:  # noqa: N802
    return scene.shipped("null", task)


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_equal_runs_give_equal_bundles(task_file: str, tmp_path: Path) -> None:
    """Timings apart: those of the two runs differ."""
    made: list[bytes] = []
    for place in ("one", "two"):
        folder = RunFolder(tmp_path / place / "run")
        sweep(plan_of(task_file, agent="popularity"), folder)
        bundle([folder], tmp_path / f"{place}.zip")
        made.append((tmp_path / f"{place}.zip").read_bytes())
        assert folder.timings_file.stat().st_size > 0
    assert made[0] == made[1]
    bundle([RunFolder(tmp_path / "one" / "run")], tmp_path / "t.zip", Wanted(timings=True))
    assert (
        contents(tmp_path / "t.zip")["runs/run/timings.jsonl"]
        == (tmp_path / "one" / "run" / "timings.jsonl").read_bytes()
    )


def test_the_transcripts_are_the_runs_own(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, by=NULL)
    bundle([folder], tmp_path / "x.zip")
    found = contents(tmp_path / "x.zip")
    assert found["runs/run/trials.jsonl"] == folder.trials_file.read_bytes()
    assert found["runs/run/run.json"] == folder.run_file.read_bytes()
    assert "runs/run/timings.jsonl" not in found


def test_counts_are_those_of_the_trials(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, by=NULL, trials=2)
    bundle([folder], tmp_path / "x.zip")
    text = contents(tmp_path / "x.zip")["runs/run/counts.csv"].decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    trials = list(folder.trials())
    assert [row["task"] for row in rows] == list(folder.plan().tasks)
    for row in rows:
        mine = [trial for trial in trials if trial.task == row["task"]]
        assert int(row["planned"]) == int(row["valid"]) == len(mine) == 2
        assert int(row["successes"]) == sum(trial.score.success is True for trial in mine)
        assert row["satisfiable"] == ("no" if row["family"] == "f003" else "yes")
    assert sum(int(row["successes"]) for row in rows) == 6  # The null agent on what nothing meets.


def test_excluded_trials_are_counted_apart(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file)
    lines = folder.trials_file.read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"fault":null', b'"fault":"user"')
    folder.trials_file.write_bytes(b"".join(lines))
    made = bundle([folder], tmp_path / "x.zip")
    counted = made.manifest.runs[0].trials
    assert (counted.planned, counted.valid, counted.excluded, counted.missing) == (9, 8, 1, 0)


def test_usage_and_the_ids_that_answered_are_kept_without_the_clock(
    task_file: str, tmp_path: Path
) -> None:
    used = Usage(3, 10, 0, 5, 0.25, {"gpt-5-2025-08-07": 3})
    folder = played(
        tmp_path / "run", task_file, usage={"agent": used}, changes={"agent": "model:openai/gpt-5"}
    )
    made = bundle([folder], tmp_path / "x.zip")
    lines = contents(tmp_path / "x.zip")["runs/run/timings.jsonl"].splitlines()
    assert len(lines) == 9
    assert msgspec.json.decode(lines[0]) == {
        "trial": "f001-volunteer#0",
        "seconds": [],
        "usage": {"agent": msgspec.to_builtins(used)},
    }
    (pinned,) = made.models[0].models
    assert pinned.answered == {"gpt-5-2025-08-07": 27}
    assert b"openai==" in contents(tmp_path / "x.zip")["lock.txt"] or not _installed("openai")


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def test_memory_stays_flat_over_10_000_trials(task_file: str, tmp_path: Path) -> None:
    """Trials of one task under many numbers: 400 of them, then 10,000."""
    peaks: list[int] = []
    for place, trials in (("few", 400), ("many", 10_000)):
        plan = plan_of(task_file, agent="oracle", trials=trials, only=["f001-mixed"])
        folder = RunFolder(tmp_path / place)
        folder.begin(plan)
        trial, timing = player(plan).play(next(plan.planned()))
        with folder.trials_file.open("wb") as file:
            for number in range(trials):
                one = msgspec.structs.replace(trial, number=number)
                file.write(msgspec.json.encode(one) + b"\n")
        assert timing.trial == "f001-mixed#0"
        tracemalloc.start()
        bundle([folder], tmp_path / f"{place}.zip")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The keys of the trials are held, which takes about a hundred bytes each.
    assert peaks[1] - peaks[0] < 3_000_000
    assert folder.trials_file.stat().st_size > 15_000_000


def test_two_runs_of_one_name_stay_apart(task_file: str, tmp_path: Path) -> None:
    folders = [played(tmp_path / place / "My Run", task_file, by=NULL) for place in ("a", "b")]
    made = bundle(folders, tmp_path / "x.zip")
    assert [run.name for run in made.manifest.runs] == ["my-run", "my-run-2"]
    assert len(made.manifest.task_sets) == len(made.manifest.catalogues) == 1
    assert verify(tmp_path / "x.zip").problems.count == 0


def test_misuse_is_told(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, by=NULL)
    for folders, wanted, expected in (
        ([], Wanted(), "no run"),
        ([folder, folder], Wanted(), "named twice"),
        ([RunFolder(tmp_path)], Wanted(), "no run.json"),
        ([folder], Wanted(redact=True, with_catalogue=True), "not redacted"),
        ([folder], Wanted(weights={"judge": tmp_path}), "no run has a model as its judge"),
    ):
        with pytest.raises(InputError, match=expected):
            bundle(folders, tmp_path / "x.zip", wanted)
    with pytest.raises(InputError, match="is a folder"):
        bundle([folder], tmp_path)
    assert not list(tmp_path.glob("x.zip*"))


def test_the_lock_is_exact_and_names_no_path(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, by=NULL)
    file = msgspec.json.decode(folder.run_file.read_bytes(), type=RunFile)
    text = lock([("run", file)]).decode()
    pins = [line for line in text.splitlines() if not line.startswith("#")]
    found = dict(line.split("==") for line in pins)
    assert list(found) == sorted(found)
    for name in ("mystery-shopper", "numpy", "msgspec", "duckdb", "pyyaml"):
        assert found[name] == metadata.version(name)
    assert not re.search(r"[/\\]|file:", text.replace("run:", ""))
    assert f"# run run: mystery-shopper {file.plan.version}, Python " in text


def test_the_licence_is_ours() -> None:
    assert b"MIT License" in own_licence()


# --- a person's own catalogue -------------------------------------------------------------------


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run over the films as somebody's own folder, with a licence and a builder's notes."""
    place = tmp_path_factory.mktemp("own") / "my films"
    domain = resources.files("mystery_shopper") / "data" / "domains" / "films.yaml"
    save_catalogue(
        load_films(),
        place,
        domain_text=domain.read_text(encoding="utf-8"),
        notes={"file": "/home/alice/films.csv"},
    )
    tasks = write_tasks(place)
    (place / "LICENSE.md").write_text("Ours alone.\n", encoding="utf-8")
    return played(place.parent / "run", tasks, by=NULL, catalog=str(place))


def test_an_own_catalogue_is_described_and_not_given_away(own: RunFolder, tmp_path: Path) -> None:
    made = bundle([own], tmp_path / "x.zip")
    found = contents(tmp_path / "x.zip")
    (entry,) = made.manifest.catalogues
    assert (entry.items, entry.whole, len(entry.licences)) == (16_852, False, 1)
    assert found[entry.licences[0]] == b"Ours alone.\n"
    assert f"{entry.folder}/domain.yaml" in found
    assert b"alice" not in found[f"{entry.folder}/catalog.json"]
    assert not any("/arrays/" in name for name in found)
    with pytest.raises(InputError, match="--catalog DIR"):
        verify(tmp_path / "x.zip")
    checked = verify(tmp_path / "x.zip", [Path(own.plan().source)])
    assert [str(one) for one in checked.problems.found] == []
    assert checked.runs[0].trials == 9


def test_an_own_catalogue_can_come_along(own: RunFolder, tmp_path: Path) -> None:
    made = bundle([own], tmp_path / "x.zip", Wanted(with_catalogue=True))
    checked = verify(tmp_path / "x.zip")
    assert [str(one) for one in checked.problems.found] == []
    (entry,) = made.manifest.catalogues
    array = f"{entry.folder}/arrays/c000.texts.blob.npy"
    assert array in contents(tmp_path / "x.zip")

    def spoil(data: bytes) -> bytes:
        return data[:-1] + bytes([data[-1] ^ 1])

    forged = verify(edited(tmp_path / "x.zip", tmp_path / "y.zip", {array: spoil}))
    assert any(one.file == entry.folder for one in forged.problems.found)
    bomb = b"a: &a [1]\nb: [*a, *a]\n"
    domain = f"{entry.folder}/domain.yaml"
    forged = verify(edited(tmp_path / "x.zip", tmp_path / "z.zip", {domain: lambda _: bomb}))
    assert any("uses aliases" in one.text for one in forged.problems.found)


def test_a_redacted_run_over_an_own_catalogue_verifies(own: RunFolder, tmp_path: Path) -> None:
    source = own.plan().source
    bundle([own], tmp_path / "x.zip", Wanted(redact=True))
    manifest = msgspec.json.decode(contents(tmp_path / "x.zip")["manifest.json"], type=Manifest)
    assert manifest.redacted == {}
    checked = verify(tmp_path / "x.zip", [Path(source)])
    assert [str(one) for one in checked.problems.found] == []


def test_licences_that_are_too_large_are_no_licences(tmp_path: Path) -> None:
    (tmp_path / "LICENCE").write_bytes(b"x" * (2 << 20))
    with pytest.raises(InputError, match="too large"):
        licences_in(tmp_path)
