"""`mystery-shopper compare`, and the page about it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from .conftest import Shop

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def words(line: str, tmp_path: Path, panel: str = "panel") -> list[str]:
    """A command's words, its files under `tmp_path`, and these tasks instead of the panel's."""
    name, *rest = shlex.split(line)
    assert name == "mystery-shopper"
    files = ("runs/", "comment.md", "junit.xml", "compared.html")
    made = [str(tmp_path / word) if word.startswith(files) else word for word in rest]
    return [panel if word == "panel" else word for word in made]


@pytest.mark.slow
def test_the_page_is_true(shop: Shop, tmp_path: Path) -> None:
    first, check, twin = BLOCKS
    for line in first.strip().splitlines():
        found = shop(*words(line, tmp_path))
        assert found.code == 0, found.err
    assert "tasks lost:" in found.out
    found = shop(*words(check, tmp_path))
    assert found.code == 1
    assert re.search(r"FAILED: success@?\w* < -0\.\d+", found.out)
    assert "❌ failed" in (tmp_path / "comment.md").read_text(encoding="utf-8")
    root = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert root.get("tests") == "2"
    page = (tmp_path / "compared.html").read_text(encoding="utf-8")
    links = re.findall(r"compared\.html#trial/(\w+)/([\w-]+)%23(\d+)",
                       (tmp_path / "comment.md").read_text(encoding="utf-8"))  # fmt: skip
    assert links
    for _, task, number in links:
        assert f'"{task}#{number}"' in page
    found = shop(*words(twin, tmp_path, "reliability"))
    assert found.code == 0, found.err
    assert "No gap over all conditions beyond chance." in found.out


def test_what_the_page_says_of_measures_is_so() -> None:
    from mystery_shopper.report.comparing.measures import READINGS

    table = PAGE.split("| measure | what |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([a-z-]+)`", table))
    assert named == set(READINGS)


def test_what_the_page_says_of_recbenchs_measures_is_so() -> None:
    from mystery_shopper.report.comparing.plans import FACTORS
    from mystery_shopper.report.recbench.comparing import READINGS
    from mystery_shopper.suites.recbench.query import Kind

    table, after = PAGE.split("| of recbench | what |")[1].split("\n\n")[:2]
    assert set(re.findall(r"`([a-z-]+)`", table)) == set(READINGS)
    assert set(re.findall(r"`@(\w+)`", after)) >= {kind.value for kind in Kind}
    assert len(FACTORS["recbench"]) == 6


def test_the_page_holds_the_differences(command: Shop) -> None:
    for agent in ("oracle", "null"):
        run = ("run", "tau_rec", "--agent", agent, "--task", "f004-mixed", "--task", "f004-hidden")
        assert command(*run, "--out", agent).code == 0
    assert command("compare", "oracle", "null", "--page", "both.html").code == 0
    page = Path("both.html").read_text(encoding="utf-8")
    shown = page[page.index('id="differences"') :]
    row = shown[shown.index('<th scope="row">success</th>') :]
    assert "<td>1.000</td><td>0.000</td><td>-1.000" in row[: row.index("</tr>")]
    links = re.findall(r'href="#trial/(\w+)/([\w-]+)%23(\d+)"', shown)
    assert len(links) == 4
    assert all(f'"{task}#{number}"' in page for _, task, number in links)


def test_an_unknown_measure_is_told_before_its_sign(command: Shop) -> None:
    run = ("run", "tau_rec", "--agent", "oracle", "--task", "f004-mixed", "--out", "one")
    assert command(*run).code == 0
    found = command("compare", "one", "one", "--fail-if", "sucess < 1")
    assert found.code == 2
    assert "'sucess' is no measure; did you mean 'success'?" in found.err
    assert "pass^k" in found.err


def test_misuse_is_told_apart_from_a_loss(shop: Shop, tmp_path: Path) -> None:
    found = shop("compare", tmp_path / "no", tmp_path / "where")
    assert (found.code, found.out) == (2, "")
    assert "no run.json" in found.err
    found = shop("compare", tmp_path, tmp_path, "--fail-if", "success")
    assert found.code == 2
    assert "--fail-if" in found.err


def test_the_workflow_is_yaml_and_its_commands_are_ours(shop: Shop) -> None:
    text = (ROOT / "examples" / "compare.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["compare"]["steps"]
    lines = [step["run"] for step in steps if "mystery-shopper " in step.get("run", "")]
    assert len(lines) == 3
    for line in lines:
        name, command, *rest = shlex.split(line)
        assert name == "mystery-shopper"
        shown = shop(command, "--help").out
        for option in (word for word in rest if word.startswith("--")):
            assert option in shown, option
