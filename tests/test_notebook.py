"""The example notebook runs from top to bottom in a kernel of its own, and holds no outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "analysis.ipynb"


@pytest.fixture(scope="module")
def notebook() -> Any:
    found = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(found)
    return found


def test_it_holds_no_outputs_and_no_place_of_ours(notebook: Any) -> None:
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert not any(place in text for place in ("/home/", "/work/", "/tmp/", "/Users/", "C:\\"))


@pytest.mark.slow
def test_every_cell_runs(notebook: Any) -> None:
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert all(output.output_type != "error" for output in outputs)
    streams = [output for output in outputs if output.output_type == "stream"]
    assert [output.name for output in streams] == ["stdout"]
    assert streams[0].text.startswith("54 of 54 planned trials, ")
    shown = [output.data for output in outputs if output.output_type == "execute_result"]
    table, figure, rejections, tools = shown
    assert "volunteer     18" in table["text/plain"]
    assert figure["image/svg+xml"].startswith("<svg")
    assert "known_by_then" in rejections["text/plain"]
    assert "hidden" in rejections["text/plain"]
    assert "check_formats" in tools["text/plain"]
