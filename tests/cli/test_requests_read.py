"""Commands that read finished runs, over runs of recbench and of both suites."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.engine.requested import asked
from tests.engine.requested import shop as folder_of

from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep

from .conftest import Shop


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs `graph` and `null` over a folder, and `disclosed` of the other suite."""
    path = tmp_path_factory.mktemp("read")
    few = folder_of(path / "few", own=True)
    asked(path / "graph", few, "graph", only=())
    asked(path / "null", few, "null", only=())
    sweep(make_plan(Wishes(agent="null", only=("f001-mixed",))), RunFolder(path / "disclosed"))
    return path


def test_compare(shop: Shop, place: Path, tmp_path: Path) -> None:
    found = shop(
        "compare", place / "graph", place / "null", "--fail-if", "ftr > 0.1", "--fail-if",
        "success@explicit < -0.1", "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "c.md",
        "--page", tmp_path / "p.html", "--resamples", "200",
    )  # fmt: skip
    assert found.code == 1, found.err
    assert "FAILED: ftr > 0.1: +1.000 [+1.000, +1.000]" in found.out
    root = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("2", "2")
    assert "queries lost" in (tmp_path / "c.md").read_text(encoding="utf-8")
    assert "graph" in (tmp_path / "p.html").read_text(encoding="utf-8")
    same = shop("compare", place / "graph", place / "null", "--fail-if", "hallucinated > 0.1",
                "--resamples", "200")  # fmt: skip
    assert same.code == 1  # The null agent recommends nothing, so there is nothing to tell.
    assert "too few users to tell" in " ".join(same.out.split())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--fail-if", "elicited < -0.1"), "'elicited' is no measure of recbench"),
        (("--fail-if", "success > -1"), "holds where the two are equal"),
    ],
)
def test_misuse_of_compare(shop: Shop, place: Path, more: tuple[str, ...], told: str) -> None:
    found = shop("compare", place / "graph", place / "null", *more)
    assert (found.code, found.out) == (2, "")
    assert told in found.err


def test_two_suites_are_refused_or_told_apart(shop: Shop, place: Path, tmp_path: Path) -> None:
    for command, *more in (("compare",), ("export", "--out", tmp_path / "out")):
        found = shop(command, place / "graph", place / "disclosed", *more)
        assert found.code == 2, command
        assert "disclosed is a run of tau_rec" in found.err
    found = shop("cite", place / "graph", place / "disclosed")
    assert found.code == 0, found.err
    assert "@misc{recbench," in found.out
    assert "@misc{tau_rec," in found.out
    assert "suite recbench [recbench]" in found.out
    assert "suite tau_rec [tau_rec]" in found.out
    out = tmp_path / "both.zip"
    assert shop("bundle", place / "graph", place / "disclosed", "--out", out).code == 0
    found = shop("verify", out, "--catalog", place / "few")
    assert found.code == 0, found.out
    assert "verifies" in found.out


def test_export_and_bundle(shop: Shop, place: Path, tmp_path: Path) -> None:
    found = shop("export", place / "graph", "--out", tmp_path / "out", "--format", "json")
    assert found.code == 0, found.err
    assert "trials.jsonl: 60 rows" in found.out
    row = json.loads((tmp_path / "out" / "trials.jsonl").read_bytes().splitlines()[0])
    assert row["pick_items"]
    assert "precision_own_at_5" in row
    out = tmp_path / "x.zip"
    assert shop("bundle", place / "graph", "--out", out, "--with-catalogue").code == 0
    found = shop("verify", out)
    assert found.code == 0, found.out
    assert "graph: 60 trials" in found.out


def test_a_bundle_without_its_catalogue_asks_for_the_folder(
    shop: Shop, place: Path, tmp_path: Path
) -> None:
    out = tmp_path / "x.zip"
    assert shop("bundle", place / "graph", "--out", out).code == 0
    found = shop("verify", out)
    assert found.code == 2
    assert "with a graph of its own (graph.tsv, SHA-256" in " ".join(found.err.split())
    assert "--catalog DIR" in found.err
