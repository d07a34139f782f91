"""Two million products of 50,000 brands: from a CSV file to a report, by the commands a person
types, and the searches over what they made."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.timing import Row, row
from mystery_shopper.catalog import Catalogue, Filters, StructuredIndex, keyword_index
from mystery_shopper.catalog.folder import open_catalogue
from mystery_shopper.foundation import random_source
from mystery_shopper.sources.shop import COLUMNS, Recipe

C = TypeVar("C")
PRODUCTS = int(os.environ.get("MYSTERY_SHOPPER_BENCH_PRODUCTS", "2000000"))
BRANDS = 50_000
AGENTS = ("popularity", "eliminating")
QUERIES = 500


def two_million() -> list[Row]:
    """Every step's wall time, the greatest memory of all its processes together, and searches."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _write(place / "products.csv")
        catalogue = place / "shop"
        steps = _Steps()
        domain = resources.files("mystery_shopper") / "data" / "domains" / "shop.yaml"
        (place / "shop.yaml").write_bytes(domain.read_bytes())
        build = ("build", str(place / "products.csv"), "--domain", str(place / "shop.yaml"))
        steps.run("catalog build", "catalog", *build, "--out", str(catalogue))
        steps.run("generate", "generate", "tau_rec", "--catalog", str(catalogue), "--seed", "1")
        runs = [str(place / agent) for agent in AGENTS]
        for agent, out in zip(AGENTS, runs, strict=True):
            words = ("--catalog", str(catalogue), "--agent", agent, "--out", out)
            steps.run(f"run, {agent}, 450 tasks", "run", "tau_rec", *words, "--workers", "2")
        steps.run("report", "report", *runs, "--out", str(place / "report.html"))
        name = f"{PRODUCTS:,} products"
        rows = [row(f"{name}: {step}", taken, "s") for step, taken in steps.seconds.items()]
        rows.append(row(f"{name}: file to report", sum(steps.seconds.values()), "s"))
        rows.append(row(f"{name}: greatest memory, all processes", steps.peak / 2**30, "GB"))
        made = open_catalogue(catalogue)
        return [*rows, *_structured(made, name), *_keyword(made, name)]


def _write(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(Recipe(PRODUCTS, BRANDS).rows())


@dataclass
class _Steps:
    """Commands run one after another: their wall seconds, and the greatest memory in bytes."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    peak: int = 0

    def run(self, name: str, *words: str) -> None:
        """Run one command. Raises RuntimeError with what it said where it fails."""
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "mystery_shopper", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        with self._watched(process.pid):
            said, _ = process.communicate()
        self.seconds[name] = time.perf_counter() - start
        print(f"{name}: {self.seconds[name]:.1f} s", file=sys.stderr, flush=True)
        if process.returncode:
            raise RuntimeError(f"{name} failed:\n{said}")

    @contextmanager
    def _watched(self, root: int) -> Generator[None]:
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(0.25):
                self.peak = max(self.peak, sum(map(_memory, _family(root))))

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def _family(root: int) -> list[int]:
    """The process and all below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = [root]
    for process in found:
        found.extend(child for child, parent in parents.items() if parent == process)
    return found


def _memory(process: int) -> int:
    """Bytes that the process holds, its part of shared pages included (PSS)."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line[:4] == "Pss:")


def _structured(catalogue: Catalogue, name: str) -> list[Row]:
    """One to five conditions read off a random product, so that something is found."""
    rng = random_source("bench", "structured")
    index = StructuredIndex.build(catalogue)
    queries = [_filters(catalogue, rng.randrange(len(catalogue)), rng) for _ in range(QUERIES)]
    for filters in queries[: QUERIES // 10]:
        index.search(filters)
    first = _times(index.search, queries)
    again = [
        min(each) for each in zip(*(_times(index.search, queries) for _ in range(3)), strict=True)
    ]
    told = f"{name}: structured search, 1 to 5 conditions"
    return [
        *_percentiles(f"{told}, values asked for the first time", first),
        *_percentiles(f"{told}, again", again),
    ]


def _filters(catalogue: Catalogue, position: int, rng: random.Random) -> Filters:
    item = catalogue.item(position)
    labels: dict[str, tuple[str, ...]] = {}
    lower: dict[str, float] = {}
    upper: dict[str, float] = {}
    fields = list(catalogue.domain.requirement_fields)
    for field_name in rng.sample(fields, rng.randint(1, 5)):
        kind = catalogue.domain.fields[field_name].kind
        value = item[field_name]
        if kind.is_label and value:
            first = value[0] if isinstance(value, tuple) else value
            labels[field_name] = (str(first),)
        elif kind.is_ordered and isinstance(value, int | float):
            lower[field_name], upper[field_name] = float(value) * 0.8, float(value) * 1.2
    return Filters(labels=labels, lower=lower, upper=upper)


def _keyword(catalogue: Catalogue, name: str) -> list[Row]:
    """Two to four words of a random product's title, brand and category."""
    rng = random_source("bench", "keyword")
    start = time.perf_counter()
    index = keyword_index(catalogue)
    rows = [row(f"{name}: keyword index, built and kept", time.perf_counter() - start, "s")]
    queries: list[str] = []
    for _ in range(QUERIES):
        item = catalogue.item(rng.randrange(len(catalogue)))
        words = f"{item.title} {item['category']} {item['brand']}".split()
        queries.append(" ".join(rng.sample(words, rng.randint(2, 4))))
    for query in queries[: QUERIES // 10]:
        index.search(query, 20)

    def search(query: str) -> object:
        return index.search(query, 20)

    times = _times(search, queries)
    return rows + _percentiles(f"{name}: keyword search, 2 to 4 words", times)


def _times(call: Callable[[C], object], cases: Sequence[C]) -> list[float]:
    """Milliseconds of each call."""
    taken: list[float] = []
    for case in cases:
        start = time.perf_counter()
        call(case)
        taken.append((time.perf_counter() - start) * 1e3)
    return taken


def _percentiles(name: str, times: Sequence[float]) -> list[Row]:
    return [
        row(f"{name}, median", float(np.median(times)), "ms"),
        row(f"{name}, 95th percentile", float(np.percentile(times, 95)), "ms"),
    ]
