"""A comparison as Markdown, as JUnit XML, and on a terminal."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from rich.console import Console

from mystery_shopper.report.comparing import compare, demand, junit, markdown
from mystery_shopper.report.comparing.shown import print_comparison
from mystery_shopper.report.rows import Run

from ..factory import make_task_set
from .test_compare import run_of

SET = make_task_set(30)
MIXED = [name for name in SET.by_id if name.endswith("-mixed")]


def pair(name: str = "candidate") -> tuple[Run, Run]:
    """All succeed before; of thirty families twelve are lost after, eleven of the 27 that anything
    fits."""
    before = {task: [True] for task in MIXED}
    after = {task: [place >= 12] for place, task in enumerate(MIXED)}
    return run_of(before, SET), run_of(after, SET, name)


DEMANDS = [demand("success < -0.05"), demand("turns > 1"), demand("pass^2 < -0.1")]


def test_markdown_says_what_failed_and_links_to_both_trials() -> None:
    text = markdown(compare(*pair(), DEMANDS), "https://ci.example/page.html")
    assert "❌ failed: success \\< -0.05: -0.407" in text
    assert "✅ held: turns \\> 1: +0.00" in text
    assert "⚪ not told: pass^2 \\< -0.1" in text
    assert "<summary>12 tasks lost</summary>" in text
    first = MIXED[0]
    assert (
        f"| {first} | [1.00](https://ci.example/page.html#trial/base/{first}%230) | "
        f"[0.00](https://ci.example/page.html#trial/candidate/{first}%230) | asked nothing |"
    ) in text
    assert "30 tasks paired by id" in text
    assert "(" not in markdown(compare(*pair()), None).split("<summary>")[1].split("</details>")[0]


def test_names_cannot_write_markdown_or_xml_of_their_own() -> None:
    found = compare(*pair("<img src=x> | `a` [b](c)\n# d]]>"), DEMANDS)
    text = markdown(found, None)
    head = text.splitlines()[0]
    assert "\\<img src=x\\> \\| \\`a\\` \\[b\\](c) \\# d" in head
    ElementTree.fromstring(junit(found, "page.html"))


def test_a_table_in_markdown_has_as_many_cells_in_every_row() -> None:
    rows = [
        line
        for line in markdown(compare(*pair(), DEMANDS), None).split("<details>")[0].splitlines()
        if line.startswith("|")
    ]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    assert len(rows) == 2 + 2 + 2  # Head, rule; success and success@mixed; turns and pass^2.


def test_junit_has_a_case_a_condition() -> None:
    root = ElementTree.fromstring(junit(compare(*pair(), DEMANDS), "page.html"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "1")
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert [*cases] == ["success < -0.05", "turns > 1", "pass^2 < -0.1"]
    failure = cases["success < -0.05"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert f"{MIXED[0]}: 1.00 to 0.00 page.html#trial/candidate/{MIXED[0]}%230" in failure.text
    assert len(cases["turns > 1"]) == 0
    assert cases["pass^2 < -0.1"].find("error") is not None
    bare = ElementTree.fromstring(junit(compare(*pair()), None))
    assert (bare.get("tests"), bare.get("failures")) == ("1", "0")


def test_the_terminal_shows_it_in_eighty_columns() -> None:
    out = io.StringIO()
    print_comparison(compare(*pair(), DEMANDS), Console(file=out, width=80))
    text = out.getvalue()
    assert "FAILED: success < -0.05: -0.407" in text
    assert "12 tasks lost:" in text
    assert "… and 2 more" in text
    assert max(map(len, text.splitlines())) <= 80
    table = [line for line in text.splitlines() if line.startswith("success")]
    assert len(table[0].split()) == 9  # The interval is two words.
