"""`load_run`: a run as Arrow tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mystery_shopper.engine.lasting import needs
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.tabular.batches import Batches
from mystery_shopper.engine.tabular.reading import open_run, rows_of, run_names
from mystery_shopper.engine.tabular.schema import tables_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class RunTables:
    """A run as tables; docs/tables.md describes each column. A suite's `trials` has columns of its
    own. `plan.count` trials were planned: in an unfinished run `trials` has fewer rows."""

    name: str
    plan: RunPlan
    trials: pa.Table
    turns: pa.Table
    events: pa.Table


def load_run(path: str | Path) -> RunTables:
    """The Arrow tables `trials`, `turns` and `events` of a run's folder.

    The run is read as a stream, and the tables' buffers lie in temporary files that are mapped
    into memory, so that memory stays small however long the run is; the files go when the tables
    do. Raises InputError where pyarrow is not installed (the extra `arrow`), where the folder holds
    no run, and for records that cannot be read or are of another schema.
    """
    needs.pyarrow("load_run")
    from mystery_shopper.engine.tabular.arrow import MappedTable

    folder = RunFolder(Path(path))
    (name,) = run_names([folder])
    plan = open_run(folder)
    sinks: list[MappedTable] = []
    try:
        sinks.extend(map(MappedTable, tables_of(plan.suite)))
        batches = Batches(*sinks)
        batches.add(rows_of(name, plan, folder))
        batches.close()
        trials, turns, events = (sink.table() for sink in sinks)
    finally:
        for sink in sinks:
            sink.discard()
    return RunTables(name, plan, trials, turns, events)
