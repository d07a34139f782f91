"""`python -m benchmarks [NAMES...]`: run all or some, print a table, write `build/bench.json`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.timing import Row

# Name -> module, and its function that returns rows.
BENCHMARKS: dict[str, tuple[str, str]] = {
    "keyword": ("benchmarks.search", "keyword"),
    "keyword-million": ("benchmarks.search", "keyword_million"),
    "structured": ("benchmarks.search", "structured"),
    "structured-million": ("benchmarks.search", "structured_million"),
    "scale": ("benchmarks.scale", "two_million"),
    "sweep": ("benchmarks.trials", "sweep_rate"),
    "eliminating": ("benchmarks.trials", "eliminating_cost"),
    "fixed-trial": ("benchmarks.trials", "fixed_trial"),
    "command": ("benchmarks.trials", "command_line"),
    "engine": ("benchmarks.engine", "overhead"),
    "in-flight": ("benchmarks.engine", "in_flight"),
    "report": ("benchmarks.engine", "report_of_many"),
    "report-settings": ("benchmarks.settings", "report_of_settings"),
    "statistics": ("benchmarks.statistics", "twelve_tests"),
    "recbench-relations": ("benchmarks.recbench", "graph_and_relations"),
    "recbench-answers": ("benchmarks.recbench", "titles_and_scores"),
}
OUT = Path(__file__).parents[1] / "build" / "bench.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every benchmark ran; 2 for a name that is none."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of: {', '.join(BENCHMARKS)}; default: all")
    names: list[str] = parser.parse_args(arguments).names or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}",
              file=sys.stderr)  # fmt: skip
        return 2
    rows: list[Row] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        module, function = BENCHMARKS[name]
        rows.extend(getattr(importlib.import_module(module), function)())
    OUT.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps([asdict(entry) for entry in rows], indent=2, ensure_ascii=False) + "\n"
    OUT.write_text(text, encoding="utf-8", newline="\n")
    Console().print(table(rows))
    print(f"written: {OUT}", file=sys.stderr)
    return 0


def table(rows: Sequence[Row]) -> Table:
    """The rows for a terminal."""
    grid = Table("what", "unit", "peer", box=None, pad_edge=False)
    for title in ("ours", "peer's", "ratio"):
        grid.add_column(title, justify="right")
    for entry in rows:
        grid.add_row(
            entry.name,
            entry.unit,
            entry.peer or "",
            f"{entry.figure:,.4g}",
            "" if entry.peer_figure is None else f"{entry.peer_figure:,.4g}",
            "" if entry.ratio is None else f"{entry.ratio:,.3g} x",
        )
    return grid


if __name__ == "__main__":
    sys.exit(main())
