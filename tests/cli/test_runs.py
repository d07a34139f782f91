"""`mystery-shopper runs` as a person types it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Shop

PLAY = ("run", "tau_rec", "--agent", "oracle", "--task", "f004-mixed", "--task", "f004-hidden")


def test_runs_are_listed(command: Shop) -> None:
    assert command(*PLAY, "--out", "runs/one")[0] == 0
    assert command(*PLAY, "--trials", 2, "--estimate", 3, "--out", "runs/two")[0] == 0
    (Path("runs") / "two" / "trials.jsonl").write_bytes(b"changed since")
    code, out, err = command("runs")
    assert (code, err) == (0, "")
    one = next(line for line in out.splitlines() if line.split()[:1] == ["one"])
    assert one.split()[1:3] == ["oracle", "films@1"]
    assert one.split()[3] == "all"
    assert "2/2" in one
    assert "1.000" in one
    two = next(line for line in out.splitlines() if line.split()[:1] == ["two"])
    assert "unfinished" in two
    heads = "run agent tasks cond. done excl. pass^1 started"
    assert out.splitlines()[0].split() == heads.split()


def test_a_sample_is_unfinished_too(command: Shop) -> None:
    command(*PLAY, "--trials", 2, "--estimate", 3, "--out", "mine/two")
    _, out, _ = command("runs", "mine")
    assert "3/4" in out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")
def test_a_terminal_of_80_columns_takes_them(command: Shop) -> None:
    """The widest of what there is: names of 40 letters, all counts of a thousand."""
    import fcntl
    import pty
    import struct
    import termios

    for number, name in enumerate(("short", "an-agent-with-a-rather-long-name-of-40-ch", "human")):
        place = Path("runs") / name
        assert command(*PLAY, "--seed", number, "--out", place)[0] == 0
        run = json.loads((place / "run.json").read_bytes())
        run["plan"]["conditions"] = ["mixed", "hidden"]
        if name == "human":
            run["plan"]["agent"] = "human"
            (place / "trials.jsonl").unlink()
        elif number:
            run["plan"]["agent"] = "model:openai-api/local/my-model-of-a-long-name"
            run["plan"]["user"] = "model:openai/gpt-5-mini"
        (place / "run.json").write_bytes(json.dumps(run).encode())
    shown, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    subprocess.run(
        [sys.executable, "-m", "mystery_shopper", "runs"],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env={**environment, "TERM": "xterm"},
        check=True,
    )
    os.close(inner)
    told = os.read(shown, 100_000).decode()
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in told.splitlines()]
    assert max(map(len, lines)) <= 80
    joined = " ".join(lines)
    for word in ("2/2", "1.000", "given up", "films@1", "mix hid", "pass^1", "started"):
        assert word in joined
    assert "…" not in joined


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (None, "Left out to fit 80 columns: tasks"),
        ("80", "Left out to fit 80 columns: tasks"),
        ("120", ""),
    ],
)
def test_without_a_terminal_80_columns_hold_them(
    command: Shop, columns: str | None, told: str
) -> None:
    for name in ("one", "a-folder-of-a-long-name-and-more"):
        assert command(*PLAY, "--out", Path("runs") / name)[0] == 0
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    done = subprocess.run(
        [sys.executable, "-m", "mystery_shopper", "runs"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment | ({"COLUMNS": columns} if columns else {}),
        text=True,
        check=True,
        start_new_session=True,
    )
    first, *rows = done.stdout.splitlines()
    assert max(map(len, [first, *rows])) <= int(columns or 80)
    assert ("tasks" in first.split()) is not bool(told)
    assert [row for row in rows if row.startswith("Left out")] == ([told] if told else [])
    assert any(row.startswith("a-folder-of-a-long-name-and-more") for row in rows)


def test_columns_that_tell_least_go_first_where_a_terminal_is_narrow() -> None:
    from mystery_shopper.cli.runs import COLUMNS, fitting

    row = ("a-run", "graph", "recbench/films@1", "all", "301/301", "0", "0.751", "11-30 07:54")
    line = len(" ".join(row[:5])) + len(" excl. pass^1 11-30 07:54") + len("cond.") - len("all")
    assert fitting([row], line) == COLUMNS
    assert fitting([row], line - 1) == tuple(name for name in COLUMNS if name != "tasks")
    assert fitting([row], 40) == ("run", "agent", "cond.", "done", "excl.", "pass^1")
    assert fitting([row], 20) == ()
    assert fitting([("a" * 90, *row[1:])], 80) == ()


def test_where_there_are_none(command: Shop) -> None:
    code, _, err = command("runs")
    assert code == 2
    assert "there is no such folder" in err
    Path("runs").mkdir()
    code, out, _ = command("runs")
    assert code == 0
    assert "There are no runs in runs" in out


def test_a_server_that_is_away_ends_the_run_which_says_so(
    command: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")
    from mystery_shopper.engine.lasting import lines

    monkeypatch.setattr(lines, "PATIENCE", lines.Patience(tries=1))
    run = ("run", "tau_rec", "--agent", "http://127.0.0.1:9/act", "--task", "f004-mixed")
    code, out, err = command(*run, "--trials", 8, "--out", "runs/away")
    assert (code, out) == (3, "")
    assert "cannot be reached" in err
    assert "0 of 8 trials are done. The same command goes on." in err
    _, out, _ = command("runs")
    assert "0/8" in out
