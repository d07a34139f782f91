"""`import` and `answers` as a person types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Shop

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "tau-rec-v1"


def made_up(folder: Path, **changes: Any) -> Path:
    """Two films and one task."""
    (folder / "tasks").mkdir(parents=True)
    film = {
        "id": "x1", "title": "Kites", "release_date": "2024-03-01", "runtime": 95,
        "genres": ["Drama"], "overview": "A film.", "cast": ["Ada Low"], "director": "Bo Ray",
        "rating": 6.5, "vote_count": 90, "streaming_services": ["Tide"], "sponsored": False,
        "content_rating": "R",
    }  # fmt: skip
    films = [film, film | {"id": "x2", "title": "Ropes", "streaming_services": []}]
    (folder / "catalog.json").write_text(json.dumps(films), encoding="utf-8")
    where = {"field": "genres", "op": "contains", "value": "Drama"}
    task = {
        "id": "t1", "constraints": [{"constraint": where, "reveal": "volunteer"}], "persona": "P.",
        "soft_preferences": [], "policy_flags": ["recommend_tool", "age_restricted"],
        "no_valid_recommendation": False, "complexity": "simple",
        "reveal_difficulty": "volunteer", "user_id": "u",
        "user_history": {"u": {"watched": [], "ratings": {}}}, "user_services": ["Tide"],
    } | changes  # fmt: skip
    (folder / "tasks" / "t1.json").write_text(json.dumps(task), encoding="utf-8")
    return folder


def test_import_answer_and_run(shop: Shop, tmp_path: Path) -> None:
    out, run = tmp_path / "out", tmp_path / "run"
    code, told, _ = shop("import", "tau-rec-v1", made_up(tmp_path / "in"), "--out", out)
    assert code == 0
    assert "2 items" in told
    assert "1 tasks (1 volunteer; 0 without a valid recommendation)" in told
    code, told, _ = shop("answers", out, "--format", "json")
    assert code == 0
    assert json.loads(told) == {"t1": {"satisfying": ["x1", "x2"], "reachable": ["x1"]}}
    code, told, _ = shop("answers", out)
    assert told == "t1: 2 satisfying, 1 reachable\n  x1\n  x2  (not reachable)\n"
    code, told, _ = shop("answers", out, "--format", "json", "--out", tmp_path / "key.json")
    assert (code, told) == (0, "")
    assert json.loads((tmp_path / "key.json").read_text("utf-8"))["t1"]["reachable"] == ["x1"]
    code, told, _ = shop(
        "run", "tau_rec", "--catalog", out, "--agent", "oracle", "--out", run, "--workers", 1
    )
    assert code == 0
    assert "policies kept: age restricted 1/1, recommend tool 1/1" in told
    (trial,) = (run / "trials.jsonl").read_text("utf-8").splitlines()
    assert json.loads(trial)["score"]["policies"] == {
        "age_restricted": "passed",
        "recommend_tool": "passed",
    }


def test_what_is_not_understood_writes_nothing(shop: Shop, tmp_path: Path) -> None:
    source = made_up(tmp_path / "in", policy_flags=["be_kind"], complexity="hard")
    code, told, err = shop("import", "tau-rec-v1", source, "--out", tmp_path / "out")
    assert (code, told) == (2, "")
    assert "tasks/t1.json: policy_flags: 'be_kind' is unknown" in err
    assert "tasks/t1.json: complexity: 'hard' is none of" in err
    assert "nothing was written" in err
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_left_alone(shop: Shop, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    code, _, _ = shop("import", "tau-rec-v1", made_up(tmp_path / "in"), "--out", out)
    assert code == 2
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_other_kinds_and_folders_are_refused(shop: Shop, tmp_path: Path) -> None:
    code, _, err = shop("import", "trec", tmp_path, "--out", tmp_path / "out")
    assert code == 2
    assert "'trec' cannot be imported" in err
    code, _, err = shop("import", "tau-rec-v1", tmp_path / "none", "--out", tmp_path / "out")
    assert code == 2
    assert "there is no such folder" in err


def test_answers_of_another_catalogue_are_refused(shop: Shop, tmp_path: Path) -> None:
    shop("import", "tau-rec-v1", made_up(tmp_path / "in"), "--out", tmp_path / "out")
    tasks = tmp_path / "out" / "tasks.json"
    code, _, err = shop("answers", "films", "--task-set", tasks)
    assert code == 2
    assert "the tasks are of another catalogue" in err


@pytest.mark.skipif(
    not REAL.is_dir(), reason="the folder shared/data/tau-rec-v1 beside the project is missing"
)
def test_the_real_sixty(shop: Shop, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, told, _ = shop("import", "tau-rec-v1", REAL, "--out", out)
    assert code == 0
    assert "60 tasks (13 volunteer, 32 mixed, 15 hidden; 5 without a valid recommendation)" in told
    code, told, _ = shop("answers", out, "--format", "json")
    found = json.loads(told)
    assert len(found) == 60
    assert sum(not one["satisfying"] for one in found.values()) == 5
    code, told, _ = shop("check", out / "tasks.json")
    assert code == 0
