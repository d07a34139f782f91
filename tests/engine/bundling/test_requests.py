"""Bundles of recbench's runs: over shipped films, over a folder, over one with its own graph."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.engine.requested import answered, asked, few, plan_over, queries, shop

from mystery_shopper.dialogue import CallTools, Say, ToolCall
from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.engine.bundling import Verified, Wanted, bundle, verify
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.query import Person, QuerySet
from mystery_shopper.suites.recbench.queryfile import parse_query_set
from mystery_shopper.testing import ScriptedAgent

from .helpers import Change, edited, event_with, in_json, in_trial, set_at

TRIALS = "runs/run/trials.jsonl"
WHOLE = Wanted(with_catalogue=True)


def told(found: Verified) -> list[str]:
    return [str(problem) for problem in found.problems.found]


def names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def _all(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


@pytest.fixture(scope="module", params=[False, True], ids=["fields", "own-graph"])
def own(request: pytest.FixtureRequest) -> bool:
    """Whether the catalogue's folder brings a graph of its own."""
    return request.param


@pytest.fixture(scope="module")
def place(own: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = shop(tmp_path_factory.mktemp("shop") / "few", own)
    (made / "LICENSE").write_text("Made up; do as you like.\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def run(place: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("runs") / "run"
    return asked(path, place, "graph", history=True, k=4)


@pytest.fixture(scope="module")
def honest(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run with its catalogue."""
    out = tmp_path_factory.mktemp("honest") / "honest.zip"
    bundle([run], out, WHOLE)
    return out


def test_an_honest_bundle_verifies_by_itself(honest: Path, own: bool) -> None:
    found = verify(honest)
    assert told(found) == []
    (checked,) = found.runs
    assert (checked.name, checked.trials, checked.exempt) == ("run", 10, {})
    assert found.manifest is not None
    (entry,) = found.manifest.catalogues
    assert bool(entry.graph) is bool(found.manifest.runs[0].graph) is own
    assert (f"{entry.folder}/graph.tsv" in names(honest)) is own
    assert len(entry.licences) == 1
    assert b"Made up; do as you like." in _all(honest)


def test_equal_runs_give_equal_bundles(place: Path, honest: Path, tmp_path: Path) -> None:
    again = asked(tmp_path / "run", place, "graph", history=True, k=4)
    bundle([again], tmp_path / "x.zip", WHOLE)
    assert (tmp_path / "x.zip").read_bytes() == honest.read_bytes()


def test_without_the_catalogue_its_folder_is_named(
    run: RunFolder, place: Path, own: bool, tmp_path: Path
) -> None:
    out = tmp_path / "x.zip"
    bundle([run], out)
    assert not any(name.endswith(("graph.tsv", ".npy")) for name in names(out))
    with pytest.raises(InputError, match=r"which is not in the bundle[\s\S]*--catalog DIR"):
        verify(out)
    assert told(verify(out, [place])) == []
    if not own:
        return
    for change in (Path.unlink, lambda path: path.write_text(_swapped(path), encoding="utf-8")):
        other = tmp_path / "other"
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(place, other)
        change(other / "graph.tsv")
        with pytest.raises(InputError, match="the folder given has another graph"):
            verify(out, [other])
        # A second folder may be the right one.
        assert told(verify(out, [other, place])) == []


def _swapped(path: Path) -> str:
    """A graph in which one item has another mood."""
    text = path.read_text(encoding="utf-8")
    return text.replace("Bleak Tender", "Wry Bright", 1)


KEY = "explicit-1-001#0"
with_own_graph = pytest.mark.parametrize("own", [True], ids=["own-graph"], indirect=True)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (set_at("score", "success", to=False), "score.success"),
        (set_at("score", "figures", "precision_own", to=1.0), "score.figures"),
        (set_at("score", "at_five", "cmr", to=0.5), "score.at_five"),
        (set_at("score", "picks", 0, "item_id", to="f001"), "score.picks"),
        (set_at("score", "refused", to=True), "score.refused"),
        (event_with("user_said", text="Anything at all?"), "event 1"),
        (event_with("agent_said", text='{"recommendations":[]}'), "score."),
        (set_at("family", to="u99"), "family"),
        (set_at("condition", to="implicit"), "condition"),
        (set_at("tier", to="2"), "tier"),
        (set_at("seed", to=1), "seed"),
        (set_at("agent", to="oracle"), "agent"),
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
    assert mine[0].trial.startswith("explicit-1-001#")
    assert any(one.field.startswith(field) for one in mine), told(found)


def test_another_suites_score_is_found(honest: Path, tmp_path: Path) -> None:
    def change(value: Any) -> None:
        value["score"] = {
            "type": "tau_rec", "success": True, "ending": "recommended", "failure": None,
            "checks": dict.fromkeys(
                ("one_recommendation", "not_from_history", "formats_checked",
                 "abstains_without_match", "recommends_with_match"), "passed"),
            "meets": True, "elicited": "all", "askable": 0, "elicited_facts": 0, "questions": 0,
            "not_understood": 0, "turns": 1, "calls": 0, "tool_errors": 0, "proposals": 0,
            "rejections": 0, "accepted": False, "untested": None, "before_proposals": None,
            "after_decline": None, "unsearched": None, "untagged": 0, "recommended": None,
            "rank": None,
        }  # fmt: skip

    found = verify(edited(honest, tmp_path / "x.zip", {TRIALS: in_trial(KEY, change)}))
    assert any(one.trial == KEY and one.file == TRIALS for one in found.problems.found)


@pytest.mark.parametrize("wanted", ["tasks/", "graph.tsv", ".npy", TRIALS])
def test_a_flipped_byte_is_found_in_its_file(wanted: str, honest: Path, tmp_path: Path) -> None:
    found_names = [name for name in sorted(names(honest)) if wanted in name]
    if not found_names:
        assert wanted == "graph.tsv"
        return
    name = found_names[0]
    with zipfile.ZipFile(honest) as archive:
        info = archive.getinfo(name)
        at = info.header_offset + 30 + len(name) + info.compress_size // 2
    data = bytearray(honest.read_bytes())
    data[at] ^= 0xFF
    (tmp_path / "x.zip").write_bytes(data)
    assert any(one.file == name for one in verify(tmp_path / "x.zip").problems.found)


def _forged(honest: Path, out: Path, name: str, change: Change, *more: Any) -> list[str]:
    """With every hash of the zip's files as a forger would write it."""
    return told(verify(edited(honest, out, {name: change, **dict(more)})))


def test_a_changed_query_is_found(honest: Path, tmp_path: Path) -> None:
    (file,) = (name for name in names(honest) if name.startswith("tasks/"))

    def change(value: Any) -> None:
        value["queries"][0]["text"] += " Please."

    found = _forged(honest, tmp_path / "x.zip", file, in_json(change))
    assert any("the task set has digest" in text for text in found)

    # Even where the manifest goes along, the run was planned with another set.
    data = in_json(change)(zipfile.ZipFile(honest).read(file))
    digest = parse_query_set(data, "forged").digest

    def manifest(value: Any) -> None:
        value["task_sets"][0]["digest"] = value["runs"][0]["task_set"] = digest

    found = _forged(
        honest, tmp_path / "y.zip", file, lambda _: data, ("manifest.json", in_json(manifest))
    )
    assert any("plan.task_set_digest: recorded" in text for text in found)


def test_an_answer_made_right_is_found(honest: Path, tmp_path: Path) -> None:
    """A query that fewer items answer than before, in a set that is said to be redacted."""
    (file,) = (name for name in names(honest) if name.startswith("tasks/"))

    def change(value: Any) -> None:
        query = next(one for one in value["queries"] if one["id"] == "explicit-1-001")
        query["matching"] = query["own"]

    manifest = in_json(set_at("task_sets", 0, "redacted", to=1))
    found = _forged(honest, tmp_path / "x.zip", file, in_json(change), ("manifest.json", manifest))
    assert any(f"{KEY}, score.figures" in text for text in found)


@with_own_graph
def test_a_changed_graph_is_found(honest: Path, tmp_path: Path) -> None:
    (file,) = (name for name in names(honest) if name.endswith("graph.tsv"))

    def change(data: bytes) -> bytes:
        return data.replace(b"Bleak Tender", b"Wry Bright", 1)

    found = _forged(honest, tmp_path / "x.zip", file, change)
    assert any("graph.tsv is not the one that the manifest names" in text for text in found)

    digest = hashlib.sha256(change(zipfile.ZipFile(honest).read(file))).hexdigest()

    def manifest(value: Any) -> None:
        value["catalogues"][0]["graph"] = value["runs"][0]["graph"] = digest

    found = _forged(honest, tmp_path / "y.zip", file, change, ("manifest.json", in_json(manifest)))
    assert any("the task set's catalogue: recorded" in text for text in found)


@with_own_graph
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda _: gzip.compress(b"item\trelation\tvalue\nf001\tmood\tx\n"), "is packed"),
        (lambda _: b"", "there are no triples"),
        (lambda _: b"\xff\xfe\x00", "graph.tsv"),
        (lambda data: data + b"f001\tmood\n", "2 parts, where there must be 3"),
        (lambda _: b"item\trelation\tvalue\nx\ty\tz\n", "the catalogue has no item"),
    ],
)
def test_a_graph_that_is_none_is_found(
    change: Change, expected: str, honest: Path, tmp_path: Path
) -> None:
    (file,) = (name for name in names(honest) if name.endswith("graph.tsv"))
    digest = hashlib.sha256(change(zipfile.ZipFile(honest).read(file))).hexdigest()

    def manifest(value: Any) -> None:
        value["catalogues"][0]["graph"] = value["runs"][0]["graph"] = digest

    found = _forged(honest, tmp_path / "x.zip", file, change, ("manifest.json", in_json(manifest)))
    assert found
    assert any(expected in text for text in found) or expected == "graph.tsv", found


def test_a_graph_that_the_manifest_hides_or_makes_up_is_found(
    honest: Path, own: bool, tmp_path: Path
) -> None:
    def manifest(value: Any) -> None:
        for entry in (value["catalogues"][0], value["runs"][0]):
            if own:
                del entry["graph"]
            else:
                entry["graph"] = "0" * 64

    found = told(verify(edited(honest, tmp_path / "x.zip", {"manifest.json": in_json(manifest)})))
    expected = "no part of a catalogue" if own else "is not the one that the manifest names"
    assert any(expected in text for text in found), found


def test_packed_tasks_are_refused(honest: Path, tmp_path: Path) -> None:
    (file,) = (name for name in names(honest) if name.startswith("tasks/"))
    found = _forged(honest, tmp_path / "x.zip", file, lambda data: gzip.compress(data, mtime=0))
    assert any("is packed" in text for text in found)


@with_own_graph
def test_a_graph_changed_since_the_run_is_not_bundled(own: bool, tmp_path: Path) -> None:
    folder = shop(tmp_path / "few", own)
    run = asked(tmp_path / "run", folder)
    # Another path, since a graph that was read is kept.
    moved = folder.rename(tmp_path / "moved")
    (moved / "graph.tsv").write_text(_swapped(moved / "graph.tsv"), encoding="utf-8")
    text = run.run_file.read_text(encoding="utf-8")
    value = json.loads(text)
    value["plan"]["source"] = str(moved)
    value["plan"]["task_set"] = str(moved / "queries.json")
    run.run_file.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(InputError, match="another graph"):
        bundle([run], tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_runs_with_and_without_a_graph_stand_in_one_bundle(tmp_path: Path) -> None:
    """The same catalogue twice, since what is true of its items differs."""
    runs = [
        asked(tmp_path / name, shop(tmp_path / f"shop-{name}", own), "graph")
        for name, own in (("one", False), ("two", True))
    ]
    out = tmp_path / "x.zip"
    bundle(runs, out, WHOLE)
    found = verify(out)
    assert told(found) == []
    assert found.manifest is not None
    assert len(found.manifest.catalogues) == 2
    assert len({entry.digest for entry in found.manifest.catalogues}) == 1


def test_shipped_films_need_nothing_beside(tmp_path: Path) -> None:
    tasks = ("explicit-1-001", "misinformed-2-001", "interest-001")
    run = RunFolder(tmp_path / "run")
    sweep(make_plan(Wishes(agent="graph", suite="recbench", only=tasks)), run)
    bundle([run], tmp_path / "x.zip")
    found = verify(tmp_path / "x.zip")
    assert told(found) == []
    assert names(tmp_path / "x.zip") == {
        "manifest.json", "lock.txt", "models.json", "licences/mystery-shopper.txt",
        "licences/films.md", "runs/run/run.json", TRIALS, "runs/run/counts.csv",
    }  # fmt: skip
    forged = edited(
        tmp_path / "x.zip",
        tmp_path / "y.zip",
        {TRIALS: in_trial(KEY, set_at("score", "figures", "cmr", to=0.25))},
    )
    assert any(f"{KEY}, score.figures" in text for text in told(verify(forged)))


def test_what_cannot_be_told_to_fit_counts_all_the_same(tmp_path: Path) -> None:
    """A query that rests on a value that the graph lacks: some figures are scored, success is
    not."""
    plain = queries()
    first = plain.queries[0]
    part = msgspec.structs.replace(first.parts[0], value="Nobody At All")
    changed = (msgspec.structs.replace(first, parts=(part,)), *plain.queries[1:])
    folder = shop(tmp_path / "few", tasks=msgspec.structs.replace(plain, queries=changed))
    run = asked(tmp_path / "run", folder, only=(first.id,))
    (trial,) = run.trials()
    assert trial.score.success is None
    assert not trial.excluded
    made = bundle([run], tmp_path / "x.zip")
    counts = made.manifest.runs[0].trials
    assert (counts.valid, counts.excluded, counts.successes) == (1, 0, 0)
    assert told(verify(tmp_path / "x.zip", [folder])) == []


# --- redacted -----------------------------------------------------------------------------------


def named_people() -> QuerySet:
    """The queries, asked by people whose names are e-mail addresses, one of a tell-tale trade."""
    plain = queries()
    users = sorted({*plain.people, *(one.user for one in plain.queries)})
    mails = {user: f"{user}.smith@example.com" for user in users}
    people = {mails[name]: one for name, one in plain.people.items()}
    first = next(iter(people))
    people[first] = msgspec.structs.replace(people[first], occupation="call +44 20 7946 0958")
    asked_by = tuple(msgspec.structs.replace(one, user=mails[one.user]) for one in plain.queries)
    return msgspec.structs.replace(plain, people=people, queries=asked_by)


@pytest.mark.parametrize("history", [False, True])
def test_names_of_people_go_and_stay_apart(history: bool, tmp_path: Path) -> None:
    tasks = named_people()
    folder = shop(tmp_path / "few", tasks=tasks)
    run = asked(tmp_path / "run", folder, "graph", history=history)
    assert b"@example.com" in run.trials_file.read_bytes()
    made = bundle([run], tmp_path / "x.zip", Wanted(redact=True))
    assert made.manifest.redacted
    text = _all(tmp_path / "x.zip")
    assert b"@example.com" not in text
    assert b"7946" not in text
    found = verify(tmp_path / "x.zip", [folder])
    assert told(found) == []
    assert found.runs[0].exempt == {}
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        (file,) = (name for name in archive.namelist() if name.startswith("tasks/"))
        left = parse_query_set(archive.read(file), file)
        lines = [json.loads(line) for line in archive.read(TRIALS).splitlines()]
    assert len(left.people) == len(tasks.people)
    users: dict[str, set[str]] = {}
    for before, after in zip(tasks.queries, left.queries, strict=True):
        users.setdefault(before.user, set()).add(after.user)
    assert all(len(found) == 1 for found in users.values())
    assert len(set.union(*users.values())) == len(users)
    assert [line["family"] for line in lines] == [left.by_id[line["task"]].user for line in lines]


def test_a_secret_in_a_request_and_in_an_answer_goes(tmp_path: Path) -> None:
    plain = queries()
    secret = "Write to bob.smith@example.com."
    changed = tuple(
        msgspec.structs.replace(one, text=f"{one.text} {secret}") for one in plain.queries
    )
    folder = shop(tmp_path / "few", tasks=msgspec.structs.replace(plain, queries=changed))
    acts = [
        CallTools((ToolCall("search", {"keywords": "bob.smith@example.com"}),)),
        Say(f"None. {secret}"),
    ]
    run = answered(
        tmp_path / "run", plan_over(folder, only=few(plain, 1)), lambda *_: ScriptedAgent(acts)
    )
    bundle([run], tmp_path / "x.zip", Wanted(redact=True))
    assert b"bob.smith" not in _all(tmp_path / "x.zip")
    found = verify(tmp_path / "x.zip", [folder])
    assert told(found) == []
    assert found.manifest is not None
    assert any("redacted, so its digest cannot be checked" in note for note in found.notes)
    change: Callable[[Any], None] = set_at("score", "failure", to="off_condition")
    forged = edited(tmp_path / "x.zip", tmp_path / "y.zip", {TRIALS: in_trial(KEY, change)})
    assert any(f"{KEY}, score.failure" in text for text in told(verify(forged, [folder])))


def test_a_set_without_secrets_stays_as_it_is() -> None:
    from mystery_shopper.engine.bundling.redacting import Redactor

    counts: dict[str, int] = {}
    assert Redactor(counts=counts).tasks("recbench", queries()) is queries()
    assert counts == {}


def test_people_of_one_name_afterwards_are_numbered() -> None:
    from mystery_shopper.suites.recbench.people import redacted

    plain = queries()
    people = {"a": Person(("f001",)), "b": Person(("f002",)), "x": Person(())}
    made = msgspec.structs.replace(plain, people=people, queries=())
    left = redacted(made, lambda text: "x" if text in "ab" else text)
    assert list(left.people) == ["x-1", "x-2", "x"]
