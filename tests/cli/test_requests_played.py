"""The command on requests: a person answers one, what a run will take is told, runs are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engine.requested import asked, catalogue, plan_over, queries
from tests.engine.requested import shop as make_shop

from mystery_shopper.engine import RunFolder

from .conftest import Shop

TASK = "misinformed-1-001"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_shop(tmp_path_factory.mktemp("requests") / "shop")


def title(item: str) -> str:
    return str(catalogue().find(item).title)  # type: ignore[union-attr]


def test_a_person_answers_and_sees_how_each_title_was_read(
    shop: Shop, folder: Path, tmp_path: Path
) -> None:
    query = queries().by_id[TASK]
    own, named = title(query.own[0]), title(query.named[0])
    other = next(
        item for item in catalogue().ids if item not in query.matching and item not in query.named
    )
    typed = f"/search War\n\n/help\n{own}\n{title(other)}\nThe Film That Nobody Made\n{named}\n\n"
    found = shop(
        "play", "recbench", "--catalog", folder, "--task", TASK, "--out", tmp_path / "run",
        typed=typed,
    )  # fmt: skip
    assert found.code == 0
    for told in (
        query.parts[0].value, "wrongly claimed of", own, "yes, the user's own",
        "nothing in the catalogue", "Failed: unknown title", "CMR 0.33", "1 tool calls",
        f"In all {len(query.matching)} films count",
    ):  # fmt: skip
        assert told in " ".join(found.out.split()), told
    assert "[[candidate_id" not in found.out
    (trial,) = RunFolder(tmp_path / "run").trials()
    assert [pick.found for pick in trial.requested.picks] == ["known", "known", "unknown", "known"]
    assert [pick.named for pick in trial.requested.picks] == [False, False, False, True]
    assert shop("replay", tmp_path / "run").code == 0


def test_a_profile_tells_its_reason_and_success(shop: Shop, folder: Path) -> None:
    query = queries().by_id["interest-001"]
    typed = "\n".join(title(item) for item in query.own)
    arguments = ("play", "recbench", "--catalog", folder, "--interface", "bare")
    found = shop(*arguments, "--task", query.id, "--history", "--k", 2, typed=typed)
    assert found.code == 0
    assert query.profile is not None
    told = " ".join(found.out.split())
    assert "Please name exactly 2 films." in told
    assert " ".join(query.profile.reason.split()) in told
    assert "Success: all that you recommend fits." in told
    assert "(there is no tool)" in told


def test_who_gives_up_is_told_what_was_asked(shop: Shop, folder: Path) -> None:
    found = shop(
        "play", "recbench", "--catalog", folder, "--condition", "implicit", typed="Heat\n/quit"
    )
    assert found.code == 130
    assert "what is common to" in " ".join(found.out.split())


def test_a_kind_is_drawn_where_none_is_named(shop: Shop, folder: Path) -> None:
    drawn = {
        shop("play", "recbench", "--catalog", folder, "--seed", seed, typed="None")
        .out.partition("This was task ")[2]
        .split()[0]
        for seed in range(12)
    }
    assert len({task.partition("-")[0] for task in drawn}) > 2
    wrong = shop("play", "recbench", "--catalog", folder, "--condition", "mixed")
    assert wrong.code == 2
    assert "'mixed'" in wrong.err


def test_runs_tell_their_kinds_in_short(shop: Shop, folder: Path, tmp_path: Path) -> None:
    asked(tmp_path / "runs" / "all", folder, only=())
    asked(tmp_path / "runs" / "some", folder, "graph", only=(), conditions=("explicit", "interest"))
    found = shop("runs", tmp_path / "runs")
    lines = {line.split()[0]: line for line in found.out.splitlines()[1:]}
    assert " all " in lines["all"].removeprefix("all")
    assert " exp int " in lines["some"]
    assert " 60/60 " in lines["all"]


def test_what_a_run_will_take_is_told(shop: Shop, folder: Path, tmp_path: Path) -> None:
    plan = plan_over(folder, only=(), trials=4)
    arguments = ("run", "recbench", "--catalog", folder, "--trials", 4, "--agent", "graph")
    found = shop(*arguments, "--estimate", 22, "--out", tmp_path / "run")
    assert found.code == 0, found.err
    assert f"{plan.count:,}" in found.out
    played = {trial.key: trial for trial in RunFolder(tmp_path / "run").trials()}
    assert len(played) == 22
    assert len({(t.condition, t.tier) for t in played.values()}) == 11


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Which genre would you like?", "you asked back, and nobody replies"),
        ("None", "you said that there is nothing to recommend"),
    ],
)
def test_who_recommends_nothing_is_told_why(typed: str, why: str, shop: Shop, folder: Path) -> None:
    found = shop("play", "recbench", "--catalog", folder, "--task", TASK, typed=typed)
    assert found.code == 0, found.err
    assert f"Nothing was recommended: {why}" in " ".join(found.out.split())
