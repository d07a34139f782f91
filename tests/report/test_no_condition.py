"""A run whose plan names no condition, and so no task: every part of the report is there."""

from __future__ import annotations

from pathlib import Path

from mystery_shopper.report import write_report

from .factory import make_folder, make_plan, make_task_set


def test_a_run_without_a_condition_has_a_report(tmp_path: Path) -> None:
    plan = make_plan(make_task_set(6), conditions=(), tasks=())
    folder = make_folder(tmp_path / "run", plan, [])
    page = write_report([folder], tmp_path / "page.html").read_text(encoding="utf-8")
    assert "The customer was asked under no condition." in page
    assert "0 planned trials" in page
