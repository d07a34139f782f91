"""Bundles verified: an honest one passes, and each forgery is named with its place."""

from __future__ import annotations

import socket
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import CallTools, Say, ToolCall
from mystery_shopper.engine.bundling import Verified, Wanted, bundle, verify
from mystery_shopper.engine.bundling.archive import Writer
from mystery_shopper.engine.replay import Replay
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError, digest
from mystery_shopper.testing import ScriptedAgent

from ..helpers import write_tasks
from .helpers import Change, edited, event_with, in_json, in_trial, played, set_at

TRIALS = "runs/run/trials.jsonl"


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("tasks"))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of nine trials over the shipped films and a task file."""
    place = tmp_path_factory.mktemp("honest")
    folder = played(place / "run", write_tasks(place))
    out = place / "honest.zip"
    bundle([folder], out)
    return out


def told(found: Verified) -> list[str]:
    return [str(problem) for problem in found.problems.found]


def test_an_honest_bundle_verifies(honest: Path) -> None:
    found = verify(honest)
    assert told(found) == []
    (run,) = found.runs
    assert (run.name, run.trials, run.exempt) == ("run", 9, {})
    assert run.events > 50
    assert found.manifest is not None
    assert {file.name for file in found.manifest.files} == {
        "lock.txt", "models.json", "licences/mystery-shopper.txt", "licences/films.md",
        found.manifest.task_sets[0].file, "runs/run/run.json", TRIALS, "runs/run/counts.csv",
    }  # fmt: skip


def _place(bundle_file: Path, name: str) -> int:
    """Where in the zip the packed bytes of a file lie: their middle."""
    with zipfile.ZipFile(bundle_file) as archive:
        info = archive.getinfo(name)
        return info.header_offset + 30 + len(name) + info.compress_size // 2


def _flipped(source: Path, out: Path, place: int) -> Path:
    data = bytearray(source.read_bytes())
    data[place] ^= 0xFF
    out.write_bytes(data)
    return out


@pytest.mark.parametrize("name", [TRIALS, "runs/run/run.json", "lock.txt", "runs/run/counts.csv"])
def test_a_flipped_byte_is_found_in_its_file(name: str, honest: Path, tmp_path: Path) -> None:
    found = verify(_flipped(honest, tmp_path / "x.zip", _place(honest, name)))
    assert any(problem.file == name for problem in found.problems.found)


def test_a_flipped_byte_anywhere_is_found(honest: Path, tmp_path: Path) -> None:
    """Headers, directory and contents: from every 997th byte on, and each of the last 200."""
    size = honest.stat().st_size
    places = [*range(0, size, 997), *range(size - 200, size)]
    for place in places:
        # The trials need not be played again to find it: any problem will do.
        found = verify(_flipped(honest, tmp_path / "x.zip", place))
        assert found.problems.count, place


def test_a_file_changed_without_its_hash_is_found(honest: Path, tmp_path: Path) -> None:
    change = {"licences/films.md": lambda data: data + b"\nMore.\n"}
    found = verify(edited(honest, tmp_path / "x.zip", change, rehash=False))
    assert [problem.file for problem in found.problems.found] == ["licences/films.md"]
    assert "has SHA-256" in found.problems.found[0].text


KEY = "f001-mixed#0"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (set_at("score", "success", to=False), "score.success"),
        (set_at("score", "turns", to=7), "score.turns"),
        (set_at("score", "checks", "formats_checked", to="failed"), "score.checks"),
        (set_at("score", "recommended", to=None), "score.recommended"),
        (event_with("verdict", accepted=False), "event"),
        (event_with("tool_returned", content="{}"), "event"),
        (event_with("user_said", text="Anything."), "event"),
        (event_with("ended", item_id="tt0000001"), "event"),
        (set_at("seed", to=1), "seed"),
        (set_at("agent", to="null"), "agent"),
        (set_at("condition", to="hidden"), "condition"),
        (set_at("satisfiable", to=False), "satisfiable"),
        (set_at("fault", to="user"), "fault"),
        (set_at("canary", to="x"), "canary"),
        (set_at("transcript", "events", to=[]), "event"),
        (set_at("number", to=5), ""),
    ],
)  # fmt: skip
def test_an_edited_trial_is_found_though_every_hash_fits(
    change: Any, field: str, honest: Path, tmp_path: Path
) -> None:
    found = verify(edited(honest, tmp_path / "x.zip", {TRIALS: in_trial(KEY, change)}))
    assert not any("SHA-256" in text for text in told(found))
    mine = [one for one in found.problems.found if one.file == TRIALS]
    assert mine[0].trial.startswith("f001-mixed#")
    assert any(one.field.startswith(field) for one in mine)


def test_an_edited_score_is_told_with_both_values(honest: Path, tmp_path: Path) -> None:
    change = in_trial(KEY, set_at("score", "success", to=False))
    found = verify(edited(honest, tmp_path / "x.zip", {TRIALS: change}))
    assert told(found)[0] == f"{TRIALS}, {KEY}, score.success: recorded False, recomputed True"
    # The counts followed from the score as it was.
    assert found.problems.count == 3
    assert any("counts.csv, f001-mixed, successes" in text for text in told(found))


def _drop(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def _double(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines, lines[0]])


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        (TRIALS, _drop, "1 of 9 planned trials are missing"),
        (TRIALS, _double, "stands twice"),
        (TRIALS, lambda data: data + b"{}\n", "line 10: not a trial record"),
        (TRIALS, lambda data: data[:-40], "line 9: not a trial record"),
        (TRIALS, lambda _: b"[" * 100_000, "not a trial record"),
        ("runs/run/counts.csv", lambda data: data.replace(b",1,1,0,0,1", b",1,1,0,0,0", 1),
         "successes: recorded 0, recomputed 1"),
        ("runs/run/counts.csv", lambda _: b"", "is no table of counts"),
        ("runs/run/run.json", lambda data: data.replace(b'"seed": 0', b'"seed": 9'),
         "digest: recorded"),
        ("runs/run/run.json", lambda data: data.replace(b'"trials": 1', b'"trials": 99999999'),
         "names no trials, too many"),
        ("runs/run/run.json", lambda _: b"[" * 100_000, "cannot be read"),
        ("models.json", lambda _: b"[]\n", "tells of the runs"),
        ("manifest.json", lambda _: b"{}", "cannot be read"),
        ("manifest.json", in_json(set_at("schema", to=2)), "checks schema 1"),
        ("manifest.json", in_json(set_at("runs", 0, "trials", "successes", to=1)),
         "trials.successes: recorded 1, recomputed"),
        ("manifest.json", in_json(set_at("runs", 0, "name", to="../run")), "is missing"),
        ("manifest.json", in_json(lambda m: m["files"].pop()), "not in the manifest"),
        ("manifest.json", in_json(lambda m: m["files"].append(
            {"name": "more", "size": 1, "sha256": ""})), "not in the zip"),
        ("manifest.json", in_json(set_at("runs", 0, "catalogue", to="0" * 64)), "does not list"),
        ("manifest.json", in_json(set_at("catalogues", 0, "name", to="books")), "recorded books"),
        ("manifest.json", in_json(set_at("catalogues", 0, "items", to=1)), "recomputed 16852"),
        ("manifest.json", in_json(set_at("task_sets", 0, "name", to="x")),
         "recorded x, recomputed"),
        ("manifest.json", in_json(set_at("catalogues", 0, "licences", to=["none"])), "is missing"),
        ("manifest.json", in_json(set_at("runs", 0, "exempt", to={KEY: ["replay", "score"]})),
         "nothing was taken out"),
    ],
)  # fmt: skip
def test_forgeries(name: str, change: Change, expected: str, honest: Path, tmp_path: Path) -> None:
    found = verify(edited(honest, tmp_path / "x.zip", {name: change}))
    assert any(expected in text for text in told(found)), told(found)


def test_another_task_set_is_found(honest: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(honest) as archive:
        (file,) = (name for name in archive.namelist() if name.startswith("tasks/"))
    change = {file: lambda data: data.replace(b"A tester.", b"Another.")}
    found = verify(edited(honest, tmp_path / "x.zip", change))
    assert any("the task set has digest" in text for text in told(found))


def test_nothing_that_a_bundle_names_is_run_or_opened(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan's own agent and user are names of modules, its catalogue a path."""
    (tmp_path / "trap_module.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    folder = played(tmp_path / "run", task_file, changes={"agent": "trap_module:Agent"})
    bundle([folder], tmp_path / "x.zip")

    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert told(verify(tmp_path / "x.zip")) == []
    for key, to in (("source", "/etc"), ("task_set", "/etc/passwd"), ("user", "trap_module:User")):
        forged = edited(
            tmp_path / "x.zip",
            tmp_path / "y.zip",
            {"runs/run/run.json": in_json(set_at("plan", key, to=to))},
        )
        assert told(verify(forged))
    assert "trap_module" not in sys.modules


def test_a_forged_plan_with_its_digests_is_found(honest: Path, tmp_path: Path) -> None:
    made: list[str] = []

    def plan(data: bytes) -> bytes:
        value: Any = msgspec.json.decode(data)
        value["plan"]["seed"] = 9
        value["digest"] = digest(value["plan"])
        made.append(value["digest"])
        return msgspec.json.encode(value)

    def manifest(value: Any) -> None:
        value["runs"][0]["plan_digest"] = made[0]

    changes = {"runs/run/run.json": plan, "manifest.json": in_json(manifest)}
    found = verify(edited(honest, tmp_path / "x.zip", changes))
    assert {problem.field for problem in found.problems.found} == {"seed"}
    assert found.problems.count == 9


# --- models -------------------------------------------------------------------------------------


def _of_model(path: Path, task_file: str, name: str, answered: dict[str, int]) -> Path:
    usage = {"agent": Usage(2, answered=answered)} if answered else {}
    folder = played(path / "run", task_file, usage=usage, changes={"agent": f"model:{name}"})
    bundle([folder], path / "x.zip")
    return path / "x.zip"


@pytest.mark.parametrize(
    ("name", "answered", "by"),
    [
        ("openai/gpt-5-mini-2025-08-07", {}, "its name: the date 2025-08-07"),
        ("openai/gpt-5-mini", {"gpt-5-mini-2025-08-07": 2}, "the id that answered"),
    ],
)
def test_a_pinned_model_verifies(
    name: str, answered: dict[str, int], by: str, task_file: str, tmp_path: Path
) -> None:
    found = verify(_of_model(tmp_path, task_file, name, answered))
    assert told(found) == []
    assert found.models[0].models[0].by == by


@pytest.mark.parametrize(
    ("name", "answered"),
    [
        ("openai/gpt-5-mini", {}),
        ("openai/gpt-5-mini", {"gpt-5-mini": 2}),
        ("anthropic/claude-sonnet-latest", {}),
        ("openai/gpt-5-mini", {"gpt-5-mini-2025-08-07": 1, "gpt-5-mini": 1}),
    ],
)
def test_a_floating_model_does_not(
    name: str, answered: dict[str, int], task_file: str, tmp_path: Path
) -> None:
    found = verify(_of_model(tmp_path, task_file, name, answered))
    (problem,) = found.problems.found
    assert problem.file == "models.json"
    assert problem.field == "runs.run.agent"
    assert f"'{name}'" in problem.text
    assert "is a floating name" in problem.text


def test_a_pin_that_nothing_bears_out_is_found(task_file: str, tmp_path: Path) -> None:
    source = _of_model(tmp_path, task_file, "openai/gpt-5-mini", {"gpt-5-mini": 2})

    def forge(value: Any) -> None:
        value[0]["models"][0] |= {"answered": {"gpt-5-mini-2025-08-07": 18}, "by": "the id"}

    found = verify(edited(source, tmp_path / "y.zip", {"models.json": in_json(forge)}))
    assert any("does not fit the plan and the timings" in text for text in told(found))
    assert any("floating" in text for text in told(found))


def test_weights_pin_a_local_model(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, changes={"agent": "model:openai-api/local/x"})
    weights = tmp_path / "x.gguf"
    weights.write_bytes(b"GGUF of a test")
    made = bundle([folder], tmp_path / "x.zip", Wanted(weights={"agent": weights}))
    assert made.floating == []
    found = verify(tmp_path / "x.zip")
    assert told(found) == []
    assert found.models[0].models[0].by.startswith("the weights, sha256:")


# --- redacted -----------------------------------------------------------------------------------

SECRETS = "Write to bob.smith@example.com or call +44 20 7946 0958. Which country?"


def test_a_redacted_bundle_verifies(task_file: str, tmp_path: Path) -> None:
    """Words of an agent that the user does not read otherwise replay as they are now."""
    acts = [Say(SECRETS), CallTools((ToolCall("recommend", {"item_id": None}),))]
    folder = played(tmp_path / "run", task_file, by=lambda *_: ScriptedAgent(acts))
    made = bundle([folder], tmp_path / "x.zip", Wanted(redact=True))
    assert made.manifest.redacted == {"email": 9, "phone": 9}
    assert b"bob.smith" not in _all(tmp_path / "x.zip")
    found = verify(tmp_path / "x.zip")
    assert told(found) == []
    assert found.runs[0].exempt == {}


CONDITIONS = ("volunteer", "mixed", "hidden")


def test_redacted_results_are_exempt_and_said_to_be(task_file: str, tmp_path: Path) -> None:
    """A tool repeats the beginning of what it was given, which is another one now."""
    acts = [
        Say("Which country?"),
        CallTools((ToolCall("search", {"genre": "bob.smith@example.com " + "x" * 70}),)),
        CallTools((ToolCall("recommend", {"item_id": None}),)),
    ]
    folder = played(tmp_path / "run", task_file, by=lambda *_: ScriptedAgent(acts))
    bundle([folder], tmp_path / "x.zip", Wanted(redact=True))
    assert b"bob.smith" not in _all(tmp_path / "x.zip")
    found = verify(tmp_path / "x.zip")
    assert told(found) == []
    assert found.manifest is not None
    exempt = found.manifest.runs[0].exempt
    assert exempt == {f"f00{f}-{c}#0": ("replay",) for f in (1, 2, 3) for c in CONDITIONS}
    assert found.notes == ("run: 9 redacted trials are exempt from replay",)
    change = in_trial(KEY, set_at("score", "success", to=True))
    forged = verify(edited(tmp_path / "x.zip", tmp_path / "y.zip", {TRIALS: change}))
    assert told(forged)[0] == f"{TRIALS}, {KEY}, score.success: recorded True, recomputed False"
    early = in_trial(KEY, event_with("user_said", disclosed=[]))
    forged = verify(edited(tmp_path / "x.zip", tmp_path / "z.zip", {TRIALS: early}))
    assert forged.problems.found[0].field == "event 1"


def _all(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


# --- what else ----------------------------------------------------------------------------------


def test_an_unfinished_run_is_said_to_be(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file)
    folder.trials_file.write_bytes(_drop(folder.trials_file.read_bytes()))
    with pytest.raises(InputError, match="1 of 9 planned trials are missing"):
        bundle([folder], tmp_path / "x.zip")
    assert not list(tmp_path.glob("*.zip*"))
    bundle([folder], tmp_path / "x.zip", Wanted(unfinished=True))
    found = verify(tmp_path / "x.zip")
    assert told(found) == []
    assert found.notes == ("run: 1 planned trials are missing (unfinished)",)


def test_there_is_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        verify(tmp_path / "none.zip")


def test_a_run_over_a_changed_task_set_is_not_bundled(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file)
    text = folder.run_file.read_text(encoding="utf-8")
    wrong = text.replace(Replay.of(folder.plan()).tasks.digest, "0" * 64)
    folder.run_file.write_text(wrong, encoding="utf-8")
    with pytest.raises(InputError, match="task set"):
        bundle([folder], tmp_path / "x.zip")


# --- what stands beside the trials ------------------------------------------


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with its timings."""
    place = tmp_path_factory.mktemp("timed")
    folder = played(place / "run", write_tasks(place))
    out = place / "timed.zip"
    bundle([folder], out, Wanted(timings=True))
    return out


def test_a_bundle_with_timings_verifies(timed: Path) -> None:
    assert told(verify(timed)) == []


def _first(change: Any) -> Change:
    def apply(data: bytes) -> bytes:
        first, rest = data.split(b"\n", 1)
        value = msgspec.json.decode(first)
        change(value)
        return msgspec.json.encode(value) + b"\n" + rest

    return apply


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data + data.splitlines(keepends=True)[0], "stands twice"),
        (_first(set_at("turns", to=[-0.5])), "less than no time"),
        (_first(set_at("wall", to=-1)), "less than no time"),
        (_first(set_at("statuses", to={"200": -1})), "less than no time"),
        (_first(set_at("usage", to={"\x1b[2Jx": {"calls": 1}})), "is no party"),
        (_first(set_at("usage", to={"agent": {"calls": -1}})), "counted from 0"),
        (_first(set_at("usage", to={"agent": {"input": 10**30}})), "counted from 0"),
        (lambda data: data.replace(b'"seconds":[', b'"seconds":[1e400,', 1), "out of range"),
        (lambda data: b"\xff" + data, "cannot be read"),
    ],
)
def test_timings_that_cannot_be_are_found(
    change: Change, words: str, timed: Path, tmp_path: Path
) -> None:
    name = "runs/run/timings.jsonl"
    found = verify(edited(timed, tmp_path / "x.zip", {name: change}))
    assert any(one.file == name and words in one.text for one in found.problems.found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data + b"-r https://example.org/more.txt\n", "is no name==version"),
        (lambda data: data + b"evil @ https://example.org/evil.whl\n", "is no name==version"),
        (lambda data: data + b"../evil\n", "is no name==version"),
        (lambda data: data + b"evil>=1\n", "is no name==version"),
        (lambda data: data + b"# \x1b[2J\n", "is no name==version"),
        (lambda data: data + b"numpy==0\n", "names numpy twice"),
        (lambda _: b"", "does not name mystery-shopper"),
        (lambda _: b"mystery-shopper==0.0.0\n", "the manifest says"),
        (lambda data: data + b"\xff\n", "cannot be read"),
    ],
)
def test_a_lock_file_holds_names_and_versions_alone(
    change: Change, words: str, honest: Path, tmp_path: Path
) -> None:
    found = verify(edited(honest, tmp_path / "x.zip", {"lock.txt": change}))
    assert [one.file for one in found.problems.found] == ["lock.txt"]
    assert words in found.problems.found[0].text


def test_a_file_of_no_run_is_found_though_the_manifest_lists_it(
    honest: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(honest) as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    manifest: Any = msgspec.json.decode(files["manifest.json"])
    out = tmp_path / "x.zip"
    with out.open("wb") as file:
        writer = Writer(file)
        for name, data in files.items():
            if name != "manifest.json":
                writer.add(name, [data])
        member = writer.add("runs/run/sitecustomize.py", [b"import os"])
        manifest["files"].append(member._asdict())
        writer.add("manifest.json", [msgspec.json.encode(manifest)])
        writer.close()
    assert told(verify(out)) == ["runs/run/sitecustomize.py: is no part of a bundle"]
