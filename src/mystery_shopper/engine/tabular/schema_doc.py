"""`docs/tables.md`: the tables' columns, written from the rows' types."""

from __future__ import annotations

from textwrap import fill

from mystery_shopper.engine.tabular.schema import SCHEMA_VERSION, TABLES, Table
from mystery_shopper.engine.usage import PARTIES

CLOCKS = (
    "agent_seconds",
    "wall_seconds",
    "seconds",
    *(
        f"{party}_{what}"
        for party in PARTIES
        for what in (
            "model_calls",
            "input_tokens",
            "cached_tokens",
            "output_tokens",
            "cost",
            "models",
        )
    ),
    "http_statuses",
)
"""The columns in which two equal runs may differ, beside `run`."""
_CLOCK_NAMES = fill(", ".join(f"`{name}`" for name in CLOCKS), 100)

_HEAD = f"""# Runs as tables

Schema version {SCHEMA_VERSION}. The tables are made from the types of
`mystery_shopper.engine.tabular`; do not edit them here.

`mystery_shopper.load_run(path)` gives a run's folder as three Arrow tables, `trials`, `turns` and
`events` (`pip install 'mystery-shopper[arrow]'`). Other libraries take them without a copy:

```python
import duckdb, pandas, polars
import mystery_shopper

run = mystery_shopper.load_run("runs/mine")
trials, turns, events = run.trials, run.turns, run.events

frame = trials.to_pandas(types_mapper=pandas.ArrowDtype)  # pandas, on Arrow's own buffers
frame = polars.from_arrow(trials, rechunk=False)  # Polars
duckdb.sql("SELECT condition, avg(success::INT) FROM trials GROUP BY ALL")  # DuckDB, by its name
```

The tables lie in temporary files that are mapped into memory and go when the tables do, so a long
run needs little memory. `run.plan.count` trials were planned; an unfinished run has fewer rows.
`pyarrow.concat_tables([one.trials, other.trials])` puts runs together; the column `run` tells them
apart. A suite's `trials` has columns of its own, so this takes runs of one suite; `turns` and
`events` are the same for all. Of a run of recbench, figures by the kind of query:

```python
run = mystery_shopper.load_run("runs/requests")
trials = run.trials
duckdb.sql("SELECT condition, avg(precision_own), avg(cmr_at_5) FROM trials GROUP BY ALL")
duckdb.sql("SELECT trial, unnest(picks) AS title, unnest(pick_kinds) AS kind FROM trials")
```

`mystery-shopper export RUN... --format csv|json|parquet|arrow --out DIR` writes the same tables, of
runs of one suite, as files, as CSV if no format is named. CSV and JSON lines need no extra: there
an empty cell, or `null`, is null, and a CSV cell holds a list as JSON. `tables.json` beside them
tells of the runs and the columns.

Null means unmeasured, never zero, and no column holds NaN: leave nulls out of a mean, do not fill
them. Excluded trials stand in the tables with `excluded` true and `success` null. The tables of
two runs with equal plans are equal but for the folder's name in `run` and the columns that a clock
or a model gives:
{_CLOCK_NAMES}.

The version stands in each table's schema metadata (`mystery_shopper.schema_version`). It counts up
whenever a column is added, taken away or renamed, or changes its type or meaning.
"""


def tables_markdown() -> str:
    """The page."""
    return "\n".join([_HEAD, *map(_section, TABLES)])


def _section(table: Table) -> str:
    lines = [f"## {table.title}", "", table.about, ""]
    lines += ["| column | type | unit | what |", "|---|---|---|---|"]
    for column in table.columns:
        kind = column.kind.value + (" or null" if column.nullable else "")
        about = column.about.replace("|", "\\|")
        lines.append(f"| `{column.name}` | {kind} | {column.unit} | {about} |")
    return "\n".join([*lines, ""])
