"""The command as a person types it: output, exit codes, and what is left on disk."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from mystery_shopper.cli import common, main
from mystery_shopper.cli.screen import Screen
from mystery_shopper.dialogue import Message
from mystery_shopper.engine import RunFolder, RunPlan, Trial, load_tasks
from mystery_shopper.engine.loading import load_book
from mystery_shopper.engine.planning import Wishes, make_plan

from .conftest import Shop

COMMAND = [sys.executable, "-m", "mystery_shopper"]
FEW = ("--task", "f001-mixed", "--task", "f002-mixed", "--task", "f003-hidden", "--workers", "1")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and times")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


# --- the command itself -------------------------------------------------------------------------

COMMANDS = [
    found.name or (found.callback.__name__ if found.callback else "")
    for found in main.app.registered_commands
] + [group.name or "" for group in main.app.registered_groups]


def test_no_command_is_lost() -> None:
    """What the pages name, so that none goes by a slip."""
    named = (
        "demo run runs report compare view export replay bundle verify cite play serve-mcp check"
    )
    more = ("generate", "import", "score", "answers", "measure", "catalog")
    assert [*named.split(), *more] == COMMANDS


def test_help_names_every_command(shop: Shop) -> None:
    found = shop("--help")
    assert found.code == 0
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", found.out)] == []


@pytest.mark.parametrize("command", [(name,) for name in COMMANDS] + [("measure", "asks")])
def test_every_command_has_help(shop: Shop, command: tuple[str, ...]) -> None:
    found = shop(*command, "-h")
    assert found.code == 0
    assert "Usage" in found.out


def test_the_version_is_the_packages(shop: Shop) -> None:
    from importlib.metadata import version

    assert shop("--version").out.strip() == version("mystery-shopper")


@posix
def test_help_is_quick() -> None:
    import resource

    spent: list[float] = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([*COMMAND, "--help"], check=True, capture_output=True, timeout=60)
        spent.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    assert min(spent) < (0.6 if "CI" in os.environ else 0.3)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; import mystery_shopper.cli.main; "
        "print(*{'numpy', 'scipy', 'duckdb', 'altair', 'jinja2', 'msgspec'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
    assert done.stdout.strip() == b""


# --- run ----------------------------------------------------------------------------------------


def test_a_run_writes_its_trials_and_a_summary(shop: Shop, tmp_path: Path) -> None:
    out = tmp_path / "run"
    found = shop("run", "tau_rec", "--agent", "oracle", *FEW, "--out", out)
    assert found.code == 0, found.err
    trials = list(RunFolder(out).trials())
    assert {trial.task for trial in trials} == {"f001-mixed", "f002-mixed", "f003-hidden"}
    assert all(trial.score.success for trial in trials)
    assert "oracle" in found.out
    assert f"mystery-shopper report {out}" in found.out.replace("\n", "")


def test_the_same_command_again_plays_nothing(shop: Shop, tmp_path: Path) -> None:
    arguments = ("run", "tau_rec", "--agent", "no-ask", *FEW, "--out", tmp_path)
    shop(*arguments)
    before = snapshot(tmp_path)
    assert shop(*arguments).code == 0
    assert snapshot(tmp_path) == before


def test_a_run_can_be_repeated_from_its_plan(shop: Shop, tmp_path: Path) -> None:
    for name in ("one", "other"):
        shop("run", "tau_rec", "--agent", "popularity", *FEW, "--out", tmp_path / name)
    one, other = snapshot(tmp_path / "one"), snapshot(tmp_path / "other")
    assert one["trials.jsonl"] == other["trials.jsonl"]
    assert one["run.json"] == other["run.json"]


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        (("--agent", "oracel"), ["--agent 'oracel'", "eliminating"]),
        (("--interface", "sql"), ["--interface 'sql'", "keyword"]),
        (("--condition", "shy"), ["--condition 'shy'", "volunteer"]),
        (("--prompt", "brief"), ["--prompt 'brief'", "protocol"]),
        (("--task", "f999-mixed"), ["'f999-mixed'", "f001-volunteer"]),
        (("--tasks", "few"), ["--tasks 'few'", "reliability"]),
        (("--catalog", "tea"), ["'tea'", "films"]),
        (("--catalog", "films:7"), ["7", "5000"]),
        (("--task-set", "none.json"), ["none.json"]),
        (("--trials", "0"), ["--trials 0"]),
        (("--agent", "human"), ["'human'", "play"]),
        (("--agent", "x", "--prompt", "y"), ["--agent 'x'", "--prompt 'y'", "2 problems"]),
    ],
)
def test_a_wrong_option_exits_2_and_writes_nothing(
    shop: Shop, tmp_path: Path, wrong: tuple[str, ...], names: list[str]
) -> None:
    out = tmp_path / "run"
    found = shop("run", "tau_rec", "--agent", "null", *wrong, "--out", out)
    assert (found.code, found.out) == (2, "")
    assert found.err.lstrip().startswith("error: ")
    assert [name for name in names if name not in found.err] == []
    assert not out.exists()


def test_an_unknown_suite_exits_2(shop: Shop, tmp_path: Path) -> None:
    found = shop("run", "tea", "--agent", "null", "--out", tmp_path / "run")
    assert found.code == 2
    assert "suite 'tea'" in found.err


@pytest.mark.parametrize("arguments", [("run",), ("walk",), ("run", "tau_rec", "--trials", "x")])
def test_a_malformed_command_exits_2(shop: Shop, arguments: tuple[str, ...]) -> None:
    assert shop(*arguments).code == 2


def test_a_malformed_task_file_is_told_with_its_places(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text('{"schema": 99, "families": []}', encoding="utf-8")
    out = tmp_path / "run"
    found = shop("run", "tau_rec", "--agent", "null", "--task-set", path, "--out", out)
    assert found.code == 2
    for part in (str(path), "schema", "families", "Mend the file"):
        assert part in found.err
    assert not out.exists()


def test_a_folder_of_another_run_is_left_alone(shop: Shop, tmp_path: Path) -> None:
    shop("run", "tau_rec", "--agent", "null", *FEW, "--out", tmp_path)
    before = snapshot(tmp_path)
    found = shop("run", "tau_rec", "--agent", "null", *FEW, "--seed", 9, "--out", tmp_path)
    assert found.code == 2
    assert "seed: the folder has 0, this command asks for 9" in found.err
    assert str(tmp_path) in found.err
    assert "--out" in found.err
    assert snapshot(tmp_path) == before


def test_a_foreign_folder_is_left_alone(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine", encoding="utf-8")
    found = shop("run", "tau_rec", "--agent", "null", *FEW, "--out", tmp_path)
    assert found.code == 2
    assert snapshot(tmp_path) == {"diary.txt": b"mine"}


def test_a_broken_record_is_named(shop: Shop, tmp_path: Path) -> None:
    arguments = ("run", "tau_rec", "--agent", "null", *FEW, "--out", tmp_path)
    shop(*arguments)
    with (tmp_path / "trials.jsonl").open("ab") as file:
        file.write(b"nonsense\n")
    found = shop(*arguments)
    assert found.code == 2
    assert "line 4" in found.err
    assert "trials.jsonl" in found.err


# --- Ctrl-C -------------------------------------------------------------------------------------

MANY = ("run", "tau_rec", "--agent", "no-ask", "--condition", "volunteer", "--trials", "8")


def test_an_interrupt_says_how_to_go_on(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mystery_shopper import engine

    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "sweep", stopped)
    found = shop("run", "tau_rec", "--agent", "null", *FEW, "--out", tmp_path)
    assert found.code == 130
    assert "The same command goes on" in found.err


def interrupted(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The run, stopped by Ctrl-C at the terminal once its first trials are on disk."""
    process = subprocess.Popen(
        [*COMMAND, *MANY, *more, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    trials = out / "trials.jsonl"
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if trials.exists() and trials.stat().st_size:
            break
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)
    out_text, err_text = process.communicate(timeout=60)
    return subprocess.CompletedProcess((), process.returncode, out_text, err_text)


@posix
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_a_run_that_the_same_command_continues(tmp_path: Path, workers: str) -> None:
    stopped = interrupted(tmp_path / "run", "--workers", workers)
    assert stopped.returncode == 130, stopped.stderr
    assert "The same command goes on" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    folder = RunFolder(tmp_path / "run")
    done = [trial.key for trial in folder.trials()]
    planned = [trial.key for trial in folder.plan().planned()]
    assert 0 < len(done) < len(planned)
    assert done == planned[: len(done)]
    before = folder.trials_file.read_bytes()
    again = [*COMMAND, *MANY, "--workers", "1", "--out", str(folder.path)]
    subprocess.run(again, check=True, capture_output=True, timeout=60)
    assert folder.trials_file.read_bytes().startswith(before)
    assert [trial.key for trial in folder.trials()] == planned


# --- the other commands -------------------------------------------------------------------------


def test_a_report_is_one_page(shop: Shop, tmp_path: Path) -> None:
    shop("run", "tau_rec", "--agent", "no-ask", *FEW, "--out", tmp_path / "run")
    found = shop("report", tmp_path / "run")
    assert found.code == 0, found.err
    assert "<html" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")[:500].lower()
    assert shop("report", tmp_path / "run", "--out", tmp_path / "page.html").code == 0
    assert (tmp_path / "page.html").exists()


def test_a_report_outlives_its_task_file(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "fresh.json"
    shop("generate", "tau_rec", "--families", 1, "--as-paper", "--out", path)
    run = ("run", "tau_rec", "--agent", "null", "--task-set", path, "--workers", 1)
    shop(*run, "--out", tmp_path / "run")
    load_book.cache_clear()
    path.unlink()
    assert shop("report", tmp_path / "run").code == 0


def test_a_report_of_no_run_exits_2(shop: Shop, tmp_path: Path) -> None:
    found = shop("report", tmp_path / "nowhere")
    assert found.code == 2
    assert str(tmp_path / "nowhere") in found.err


def test_a_demo_plays_the_agents_of_both_suites(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mystery_shopper import engine

    names = {
        "tau_rec": ("f001-mixed", "f002-hidden"),
        "recbench": ("explicit-1-001", "demographics-001"),
    }

    def few(wishes: Wishes) -> RunPlan:
        return make_plan(replace(wishes, only=names[wishes.suite]))

    monkeypatch.setattr(engine, "make_plan", few)
    found = shop("demo", "--out", tmp_path, "--workers", 1)
    assert found.code == 0, found.err
    for agent in ("oracle", "eliminating", "popularity", "no-ask", "null"):
        assert len(list(RunFolder(tmp_path / agent).trials())) == 2
    for agent in ("oracle", "graph", "keyword", "history", "popularity", "null"):
        assert len(list(RunFolder(tmp_path / "recbench" / agent).trials())) == 2
    for page in (tmp_path / "report.html", tmp_path / "recbench" / "report.html"):
        assert str(page) in found.out
        assert page.exists()


def test_fresh_tasks_are_drawn_and_proved(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "fresh.json"
    found = shop("generate", "tau_rec", "--families", 3, "--seed", 4, "--out", path)
    assert found.code == 0, found.err
    assert "3 families, 9 tasks" in found.out
    assert load_tasks(str(path)).name == "tau_rec/films-seed4@1"
    again = shop("generate", "tau_rec", "--out", path)
    assert again.code == 2
    assert "exists" in again.err


def test_generating_for_an_unknown_suite_exits_2(shop: Shop, tmp_path: Path) -> None:
    assert shop("generate", "tea", "--out", tmp_path / "x.json").code == 2


def test_a_broken_set_fails_its_check(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "fresh.json"
    shop("generate", "tau_rec", "--families", 3, "--out", path)
    text = path.read_text(encoding="utf-8")
    canary = load_tasks(str(path)).canary
    path.write_text(text.replace(canary, canary[::-1].replace("-", "")), encoding="utf-8")
    load_book.cache_clear()
    found = shop("check", path)
    assert found.code == 2
    assert "canary" in found.err
    other = f"{canary[:-1]}{'0' if canary[-1] != '0' else '1'}"
    path.write_text(text.replace(canary, other), encoding="utf-8")
    found = shop("check", path)
    assert found.code == 1
    assert "canary" in found.out


def test_the_shipped_set_holds(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    from mystery_shopper.suites.tau_rec import validate

    class Sound:
        ok = True

    monkeypatch.setattr(validate, "check_task_set", lambda *_: Sound())
    monkeypatch.setattr("mystery_shopper.report.proof.print_check", lambda *_: print("checked"))
    found = shop("check")
    assert (found.code, found.out.strip()) == (0, "checked")


def test_asks_are_measured(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text(
        '{"id": "a", "domain": "film", "text": "Which genre?", "asks": ["genre"], '
        '"generic": false, "proposes": [], "note": ""}\n',
        encoding="utf-8",
    )
    found = shop("measure", "asks", path)
    assert found.code == 0, found.err
    assert "precision" in found.out.lower()


def test_measuring_a_missing_file_exits_2(shop: Shop) -> None:
    found = shop("measure", "asks", "nowhere.jsonl")
    assert found.code == 2
    assert "nowhere.jsonl" in found.err


# --- playing ------------------------------------------------------------------------------------


def test_a_person_plays_and_sees_what_was_wanted(shop: Shop, tmp_path: Path) -> None:
    tasks = load_tasks("tau_rec/films@1").by_id.values()
    task = next(task for task in tasks if task.family.satisfiable and task.family.formats)
    found = shop(
        "play", "--task", task.id, "--out", tmp_path / "run",
        typed="Which genre, language, country, year and format?\n/search\n/get_history\n"
        "/search genre=nonsense\n/get_metadata Q1\n/recommend null",
    )  # fmt: skip
    assert found.code == 0, found.err
    for part in ("customer", "Hello!", "What the customer wanted", "Failed", "abstention"):
        assert part in found.out
    assert len(list(RunFolder(tmp_path / "run").trials())) == 1


def test_a_task_is_drawn_by_the_seed(shop: Shop) -> None:
    outs = [
        shop("play", "--condition", "hidden", "--seed", 3, typed="/recommend null").out
        for _ in range(2)
    ]
    told = [out.partition("This was task ")[2].split()[0].rstrip(".") for out in outs]
    assert told[0] == told[1]
    assert told[0].endswith("-hidden")
    # Its name tells what is withheld, so it comes after the customer's last word.
    assert "hidden" not in outs[0].partition("This was task ")[0]


def test_giving_up_exits_130(shop: Shop) -> None:
    found = shop("play", "--seed", 3, typed="/quit")
    assert found.code == 130
    assert "What the customer wanted" in found.out


def test_words_that_the_customer_cannot_read_end_a_game_unscored(shop: Shop) -> None:
    typed = "Könnten Sie mir bitte sagen, was Sie heute Abend gerne sehen möchten?"
    found = shop("play", "--seed", 3, typed=typed)
    assert "Not scored: the message is in a language" in found.out
    assert found.out.count("Hello! I'm looking for") == 1


@posix
def test_workers_end_with_the_process_that_writes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = subprocess.Popen(
        [*COMMAND, *MANY, "--workers", "2", "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not (out / "trials.jsonl").exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    raise AssertionError("workers outlived the process that writes")


def test_playing_an_unknown_task_exits_2(shop: Shop) -> None:
    assert shop("play", "--task", "f999-mixed").code == 2


def screen() -> tuple[Screen, Console]:
    console = Console(record=True, width=100, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    return Screen(console), console


def shown(message: Message) -> str:
    on, console = screen()
    on.show(message)
    text = console.export_text()
    console.file.close()
    return text


def test_words_and_results_are_shown_as_they_are() -> None:
    assert "I like [bold]REC[/bold]" in shown(Message("user", "I like [bold]REC[/bold]"))
    rows = '{"total": 1, "items": [{"[id]": "[/x]", "genre": ["A", "B"]}]}'
    text = shown(Message("tool", rows))
    for part in ("[id]", "[/x]", "A, B", "total: 1"):
        assert part in text


def test_an_empty_result_is_shown() -> None:
    assert "history" in shown(Message("tool", '{"history": []}'))


def test_a_long_result_is_cut() -> None:
    text = shown(Message("tool", msgspec.json.encode({"error": "x" * 9000}).decode()))
    assert text.rstrip().endswith("...")
    assert len(text) < 3000


@pytest.mark.parametrize(("success", "word"), [(True, "Success"), (None, "not scored")])
def test_the_verdict_says_how_it_went(
    success: bool | None, word: str, trial_of: Callable[[], tuple[RunPlan, Trial]]
) -> None:
    plan, trial = trial_of()
    score = msgspec.structs.replace(trial.score, success=success, failure=None)
    on, console = screen()
    on.verdict(plan, msgspec.structs.replace(trial, score=score))
    assert word in console.export_text()
    console.file.close()


@pytest.fixture
def trial_of(shop: Shop, tmp_path: Path) -> Callable[[], tuple[RunPlan, Trial]]:
    def play() -> tuple[RunPlan, Trial]:
        out = tmp_path / "run"
        shop("run", "tau_rec", "--agent", "oracle", "--task", "f001-mixed", "--out", out)
        folder = RunFolder(out)
        return folder.plan(), next(folder.trials())

    return play


# --- odds and ends ------------------------------------------------------------------------------


def test_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert common.worker_count(3) == 3
    assert common.worker_count(0) >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert common.worker_count(0) == (os.cpu_count() or 1)


def test_a_closed_pipe_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise BrokenPipeError

    closed: list[bool] = []

    class Stderr:
        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr(main, "app", broken)
    monkeypatch.setattr(sys, "stderr", Stderr())
    with pytest.raises(SystemExit) as stop:
        main.run()
    assert (stop.value.code, closed) == (0, [True])


def test_an_interrupt_outside_a_command_exits_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "app", stopped)
    with pytest.raises(SystemExit) as stop:
        main.run()
    assert stop.value.code == 130
    assert "interrupted" in capsys.readouterr().err


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, timeout=60, check=True)
    assert re.fullmatch(rb"\d+\.\d+\.\d+\S*\s*", done.stdout)
