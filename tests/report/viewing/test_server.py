"""The server: whom it answers, what it refuses, and that nothing is reached by path."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from mystery_shopper.dialogue import Ended, Ending, ToolCalled, ToolReturned, Transcript, UserSaid
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.trial import encode_trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import record
from mystery_shopper.report.steps import Results
from mystery_shopper.report.viewing import Viewer, house, open_viewer, server
from mystery_shopper.report.viewing.answers import bounded_record, bounded_results
from mystery_shopper.report.viewing.house import PAGE
from mystery_shopper.report.viewing.search import Wanted
from mystery_shopper.report.viewing.server import loopback_host

from ..factory import make_folder, make_plan, make_task_set, make_trial, make_trials
from .serving import ask, serving

TASKS = make_task_set(12)
EVIL = "</title><script>alert(1)</script>"


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    path = tmp_path_factory.mktemp("runs")
    (path / "secret.txt").write_text("secret", encoding="utf-8")
    first = make_plan(TASKS, agent=EVIL, trials=4)
    trials = make_trials(TASKS, first, faults=0.1)
    folder = make_folder(path / "a", first, trials)
    used = {"agent": Usage(3, 1200, 0, 80, None)}
    folder.append([], [Timing(trials[0].key, (0.5, 1.5), used, {"200": 3}, (2.0,))])
    second = make_plan(TASKS)
    make_folder(path / "deep" / "er" / "<b>", second, make_trials(TASKS, second, 2)[:5])
    (path / "broken").mkdir()
    (path / "broken" / "run.json").write_text("{", encoding="utf-8")
    with serving(path) as made:
        yield made


def test_the_runs_below_a_folder_with_their_counts(viewer: Viewer) -> None:
    runs = ask(viewer, "/api/runs").json["runs"]
    assert [run["name"] for run in runs] == ["a", "broken", "deep/er/<b>"]
    whole, broken, part = runs
    assert (whole["planned"], whole["done"]) == (144, 144)
    assert whole["success"] + whole["failure"] + whole["excluded"] == 144
    assert whole["conditions"] == ["volunteer", "mixed", "hidden"]
    assert whole["ready"]
    assert "live" not in whole
    assert "cannot be read as a run" in broken["problem"]
    assert (part["planned"], part["done"], part["live"], part["recent"]) == (36, 5, True, True)
    assert ask(viewer, "/api/runs/2").json == part


def test_trials_come_in_pages_and_filtered(viewer: Viewer) -> None:
    first, second = (ask(viewer, f"/api/runs/0/trials?page={n}").json for n in (0, 1))
    assert (first["total"], first["matching"], first["pages"]) == (144, 144, 2)
    assert (len(first["entries"]), len(second["entries"])) == (PAGE, 44)
    keys = [one["key"] for one in (*first["entries"], *second["entries"])]
    assert len(set(keys)) == 144
    assert ask(viewer, "/api/runs/0/trials?page=99").json["page"] == 1
    hidden = ask(viewer, "/api/runs/0/trials?condition=hidden&outcome=success&task=f001").json
    assert hidden["matching"] == len(hidden["entries"]) > 0
    assert {(e["condition"], e["outcome"]) for e in hidden["entries"]} == {("hidden", "success")}
    words = ask(viewer, "/api/runs/0/trials?text=playtime+f001-mixed%230").json
    assert [one["key"] for one in words["entries"]] == ["f001-mixed#0"]
    assert words["searched"] == words["within"] == 144
    assert ["hidden", "hidden"] in words["choices"]["condition"]


def test_a_trial_with_its_time_tokens_and_neighbours(viewer: Viewer) -> None:
    got = ask(viewer, "/api/runs/0/trial?key=" + quote("f000-volunteer#0")).json
    assert got["entry"]["key"] == "f000-volunteer#0"
    assert got["trial"]["clock"] == {
        "seconds": 2.0,
        "acts": 2,
        "slowest": 1.5,
        "turns": [2.0],
        "usage": {"agent": {"calls": 3, "input": 1200, "output": 80, "cost": None}},
        "statuses": {"200": 3},
    }
    assert "before" not in got
    assert got["after"]["key"] == "f000-volunteer#1"
    hashes = {step["result"] for step in got["trial"]["steps"] if step["kind"] == "call"}
    assert hashes == set(got["results"])
    asked = ask(viewer, "/api/runs/0/trial?condition=mixed&key=" + quote("f001-mixed#0")).json
    assert asked["before"]["key"] == "f000-mixed#3"
    missing = ask(viewer, "/api/runs/0/trial?key=nobody")
    assert (missing.status, missing.json["error"]) == (404, "there is no such trial in this run")


@pytest.mark.parametrize("target", [
    "/secret.txt", "/../secret.txt", "/assets/../secret.txt", "/assets/..%2fsecret.txt",
    "/assets/page.html.j2", "/assets/", "/assets/browse.js/", "/runs/../api/runs",
    "/runs/7", "/runs/-1", "/runs/a", "/runs/0/run.json", "/api/runs/9999999", "/api/runs/٣",
    "/api/runs/99/trials", "/%00", "/runs/0%00", "*",
])  # fmt: skip
def test_nothing_else_is_there(viewer: Viewer, target: str) -> None:
    got = ask(viewer, target.replace("٣", "%D9%A3"))
    assert got.status == 404
    assert b"secret" not in got.body.replace(target.encode(), b"")


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}",
    "127.0.0.1:{port}.evil", "", "0.0.0.0:{port}", None,
])  # fmt: skip
def test_only_loopback_names_are_answered(viewer: Viewer, host: str | None) -> None:
    named = host.format(port=viewer.server_port) if host is not None else None
    for target in ("/", "/api/runs", "/assets/browse.js"):
        got = ask(viewer, target, Host=named)
        assert got.status == 403
        assert b"runs" not in got.body


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "[::1]", "127.0.0.1"])
def test_every_loopback_name_is_answered(viewer: Viewer, host: str) -> None:
    assert ask(viewer, "/", Host=f"{host}:{viewer.server_port}").status == 200
    assert loopback_host(host, 80)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_only_reading_is_allowed(viewer: Viewer, method: str) -> None:
    got = ask(viewer, "/api/runs", method)
    assert (got.status, got.headers["Allow"]) == (405, "GET, HEAD")


def test_head_gives_the_headers_alone(viewer: Viewer) -> None:
    for target in ("/", "/runs/0", "/assets/view.js", "/api/runs"):
        whole, head = ask(viewer, target), ask(viewer, target, "HEAD")
        assert head.body == b""
        assert head.headers["Content-Length"] == str(len(whole.body)) != "0"


def test_every_answer_is_held_to_its_origin_and_to_no_network(viewer: Viewer) -> None:
    for target, method in (("/", "GET"), ("/api/runs", "GET"), ("/no", "GET"), ("/", "POST")):
        headers = ask(viewer, target, method).headers
        policy = headers["Content-Security-Policy"].split("; ")
        assert policy[0] == "default-src 'none'"
        assert "script-src 'self'" in policy
        assert not any("unsafe" in part or "http" in part or "*" in part for part in policy)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in headers


def test_what_a_run_is_called_is_escaped(viewer: Viewer) -> None:
    page = ask(viewer, "/runs/2").body.decode()
    assert "<b>" not in page
    assert "deep/er/&lt;b&gt;" in page
    assert "alert(1)</script>" not in ask(viewer, "/runs/0").body.decode()
    assert ask(viewer, "/api/runs").headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(("query", "status"), [
    ("page=-1", 400), ("page=x", 400), ("page=1e9", 400), ("page=9999999999", 400),
    ("&".join("a=1" for _ in range(50)), 400), ("text=" + "x" * 3_000, 414),
    ("text=%FF%00%F0", 200), ("condition=%27%22", 200),
])  # fmt: skip
def test_odd_queries(viewer: Viewer, query: str, status: int) -> None:
    assert ask(viewer, f"/api/runs/0/trials?{query}").status == status


def test_a_target_with_an_address_in_it(viewer: Viewer) -> None:
    assert ask(viewer, "http://evil.example/api/runs").status == 200
    assert ask(viewer, "http://[").status == 400


def test_bytes_that_are_no_request_do_not_stop_it(
    viewer: Viewer, capfd: pytest.CaptureFixture[str]
) -> None:
    for sent in (b"\x00\xff\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b""):
        with socket.create_connection(("127.0.0.1", viewer.server_port), timeout=5) as raw:
            raw.sendall(sent)
            raw.shutdown(socket.SHUT_WR)
            raw.recv(1_000)
    assert ask(viewer, "/").status == 200
    assert capfd.readouterr().err == ""


def test_it_listens_on_loopback_alone(viewer: Viewer) -> None:
    assert viewer.socket.getsockname()[0] == "127.0.0.1"
    assert viewer.url == f"http://127.0.0.1:{viewer.server_port}/"


def test_many_readers_at_once_get_one_answer(viewer: Viewer) -> None:
    found: list[bytes] = []
    target = "/api/runs/0/trials?text=drama+playtime"

    def read() -> None:
        found.append(ask(viewer, target).body)

    threads = [threading.Thread(target=read) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert len(set(found)) == 1


def test_a_run_that_comes_later_and_grows_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "SCAN_SECONDS", 0)
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    folder = make_folder(tmp_path / "z", plan, trials[:3])
    with serving(tmp_path) as viewer:
        before = ask(viewer, "/api/runs").json["runs"]
        assert [(run["name"], run["done"]) for run in before] == [("z", 3)]
        for trial in trials[3:]:
            folder.journal(trial, Timing(trial.key, (1.0,)))
        now = ask(viewer, "/api/runs/0").json
        assert (now["done"], now.get("live", False)) == (36, False)
        assert now["mark"] != before[0]["mark"]
        folder.settle(plan)
        assert ask(viewer, "/api/runs/0").json["done"] == 36
        opened = ask(viewer, "/api/runs/0/trial?key=" + quote(trials[20].key)).json
        assert opened["trial"]["clock"]["seconds"] == 1.0
        make_folder(tmp_path / "a", plan, trials)
        after = ask(viewer, "/api/runs").json["runs"]
        # A run keeps its number, whatever comes beside it.
        assert [(run["name"], run["number"]) for run in after] == [("z", 0), ("a", 1)]


def test_a_large_trial_is_cut_and_says_so() -> None:
    events: list[Any] = [UserSaid("Hello.")]
    for n in range(400):
        events += [
            ToolCalled(f"c{n}", "search", {"n": n}),
            ToolReturned(f"c{n}", "search", f"{n} " + "y" * 1_900),
        ]
    words = Transcript((*events, Ended(Ending.TOOL_BUDGET)))
    trial = make_trial(TASKS.by_id["f000-mixed"], make_plan(TASKS), transcript=words)
    results = Results()
    whole = record(trial, None, results)
    assert bounded_record(whole) is whole
    assert len(bounded_results(whole.steps, results)) == 400
    found = bounded_record(whole, step_bytes=20_000)
    *steps, last = found.steps
    assert steps == list(whole.steps[: len(steps)])
    assert 50 < len(steps) < 400
    assert sum(len(msgspec.json.encode(step)) for step in steps) <= 20_000
    assert (last.kind, last.turn) == ("left_off", 1)
    assert last.text.startswith(f"{402 - len(steps)} more events")
    kept = bounded_results(found.steps, results, most=100_000)
    assert list(kept) == [step.result for step in steps if step.result][: len(kept)]
    assert 90_000 < sum(len(msgspec.json.encode(one)) for one in kept.values()) <= 100_000


def test_places_without_a_run_and_ports_that_are_taken(tmp_path: Path, viewer: Viewer) -> None:
    with pytest.raises(InputError, match="no run here or below"):
        open_viewer([tmp_path])
    with pytest.raises(InputError, match="is no folder"):
        open_viewer([tmp_path / "nowhere"])
    run = make_folder(tmp_path / "run", make_plan(TASKS), [])
    with pytest.raises(InputError, match=f"port {viewer.server_port} cannot be had"):
        open_viewer([run.path], viewer.server_port)


def test_links_and_hidden_folders_are_not_followed(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    make_folder(tmp_path / "out" / "run", plan, [])
    make_folder(tmp_path / "in" / ".hidden" / "run", plan, [])
    make_folder(tmp_path / "in" / "run", plan, [])
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    with serving(tmp_path / "in", tmp_path / "in" / "run", tmp_path / "out") as viewer:
        names = [run["name"] for run in ask(viewer, "/api/runs").json["runs"]]
    assert names == ["in/run", "out/run"]


def test_a_trial_is_found_though_its_files_are_replaced_while_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    folder = make_folder(tmp_path / "run", plan, trials)
    shown = house.House([folder.path])
    shown.run(0)
    looks = iter((False, True))
    refresh = house.Index.refresh
    monkeypatch.setattr(house.Index, "refresh", lambda self, n: next(looks) and refresh(self, n))
    folder.trials_file.rename(folder.path / "old")
    folder.append(trials[::-1], [])
    assert shown.trial(0, trials[3].key, Wanted()).entry.key == trials[3].key
    assert list(looks) == []
    looks = iter((False, False))
    folder.trials_file.unlink()
    with pytest.raises(LookupError, match="files have changed"):
        shown.trial(0, trials[3].key, Wanted())


def test_what_cannot_be_read_or_sent_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(TASKS)
    [trial] = make_trials(TASKS, plan)[:1]
    folder = make_folder(tmp_path / "run", plan, [])
    folder.trials_file.write_bytes(encode_trial(trial)[:-1] + b',"more":1}\n')
    with serving(folder.path) as viewer:
        assert ask(viewer, "/api/runs/0/trials?text=drama").json["matching"] == 0
        got = ask(viewer, "/api/runs/0/trial?key=" + quote(trial.key))
        assert got.status == 422
        assert "cannot be read" in got.json["error"]
        monkeypatch.setattr(server, "MOST_BYTES", 10)
        got = ask(viewer, "/api/runs")
        assert (got.status, got.json["error"]) == (507, "this is too large to be shown")


def test_a_run_whose_files_are_spoilt_hides_no_other(tmp_path: Path) -> None:
    task_set = make_task_set(2)
    plan = make_plan(task_set)
    trials = make_trials(task_set, plan)
    spoilt, whole = (make_folder(tmp_path / name, plan, trials) for name in ("a", "b"))
    with serving(tmp_path) as viewer:
        assert ask(viewer, "/api/runs/0/trials").json["total"] == len(trials)
        spoilt.trials_file.unlink()
        spoilt.trials_file.mkdir()
        assert ask(viewer, "/api/runs/0/trials").json["total"] == 0
        done = [run.get("done", 0) for run in ask(viewer, "/api/runs").json["runs"]]
        assert done == [0, len(trials)]
    assert whole.trials_file.is_file()


def test_a_file_written_over_in_its_place_is_read_anew(tmp_path: Path) -> None:
    task_set = make_task_set(2)
    plan = make_plan(task_set)
    trials = make_trials(task_set, plan)
    folder = make_folder(tmp_path / "run", plan, trials)
    key = quote(trials[0].key)
    with serving(tmp_path) as viewer:
        before = ask(viewer, f"/api/runs/0/trial?key={key}").json
        lines = folder.trials_file.read_bytes().splitlines(keepends=True)
        with folder.trials_file.open("r+b") as file:  # The same file, of the same size.
            file.writelines(reversed(lines))
        assert ask(viewer, f"/api/runs/0/trial?key={key}").json["trial"] == before["trial"]
