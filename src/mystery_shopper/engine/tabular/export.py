"""Runs as files: `trials`, `turns` and `events` in one format, and `tables.json` that tells of
them.

Files are written beside their place and moved there when all are whole, so a crash leaves the
earlier export or the new one's parts, never half a table under its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from mystery_shopper.engine.lasting import needs
from mystery_shopper.engine.plan import RunPlan, package_version
from mystery_shopper.engine.store import RunFolder, only_suite
from mystery_shopper.engine.tabular.batches import Batches
from mystery_shopper.engine.tabular.reading import open_run, rows_of, run_names
from mystery_shopper.engine.tabular.rows import Place
from mystery_shopper.engine.tabular.schema import SCHEMA_VERSION, Column, Table, tables_of
from mystery_shopper.engine.tabular.writers import Csv, JsonLines
from mystery_shopper.foundation import InputError, write_whole

FORMATS = {"parquet": "parquet", "csv": "csv", "json": "jsonl", "arrow": "arrow"}
"""Format -> how its files' names end."""
ABOUT = "tables.json"


class _File(Protocol):
    def write(self, rows: Sequence[Place]) -> None: ...

    def close(self) -> None: ...


_Opens: TypeAlias = Callable[[Table, Path], _File]


class ExportedRun(msgspec.Struct, frozen=True):
    """A run of an export: how many of its planned trials have ended."""

    run: str
    plan: str
    version: str
    planned: int
    trials: int


class ExportedTable(msgspec.Struct, frozen=True):
    """A table of an export; the columns stand here too, for formats that do not tell them."""

    file: str
    rows: int
    columns: tuple[Column, ...]


class Exported(msgspec.Struct, frozen=True):
    """The content of `tables.json`."""

    schema_version: int
    written_by: str
    format: str
    runs: tuple[ExportedRun, ...]
    tables: dict[str, ExportedTable]


@dataclass(frozen=True)
class _Places:
    """Where an export goes, and which tables it has."""

    folder: Path
    ending: str
    tables: tuple[Table, ...]

    def name(self, table: Table) -> str:
        return f"{table.name}.{self.ending}"

    def part(self, table: Table) -> Path:
        return self.folder / f"{self.name(table)}.part"


def export_runs(folders: Sequence[RunFolder], out: Path, format: str) -> Exported:
    """Write the three tables of all these runs to the folder `out`, which is made.

    Runs are told apart by the column `run`. Rows are streamed: memory does not grow with the runs.
    Raises InputError for runs of several suites, for a folder with anything but an earlier export,
    for one that is a run's, for a format that needs an extra, and where `load_run` would.
    """
    opens = _opener(format)
    names = run_names(folders)
    plans = [open_run(folder) for folder in folders]
    suite = only_suite(
        names,
        plans,
        where="one table holds the trials of one suite",
        remedy="Export the runs of each suite on their own.",
    )
    _check_place(out)
    places = _Places(out, FORMATS[format], tables_of(suite))
    try:
        out.mkdir(parents=True, exist_ok=True)
        ended, written = _write(names, plans, folders, places, opens)
        told = Exported(
            SCHEMA_VERSION,
            f"mystery-shopper {package_version()}",
            format,
            tuple(
                ExportedRun(name, plan.digest, plan.version, plan.count, count)
                for name, plan, count in zip(names, plans, ended, strict=True)
            ),
            {
                table.name: ExportedTable(places.name(table), written[table.name], table.columns)
                for table in places.tables
            },
        )
        _settle(places, told)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(error.filename or out),
            remedy="Make room there, or choose another --out.",
        ) from None
    finally:
        for table in places.tables:
            with suppress(OSError):
                places.part(table).unlink(missing_ok=True)
    return told


def _opener(format: str) -> _Opens:
    if format not in FORMATS:
        raise InputError(
            f"there is no format {format!r}",
            where="--format",
            remedy=f"Use one of: {', '.join(FORMATS)}.",
        )
    if format in ("csv", "json"):
        return Csv if format == "csv" else JsonLines
    needs.pyarrow(f"--format {format}")
    from mystery_shopper.engine.tabular.arrowfiles import ArrowFile, Parquet

    return Parquet if format == "parquet" else ArrowFile


def _check_place(out: Path) -> None:
    problem = ""
    if out.exists() and not out.is_dir():
        problem = "is a file"
    elif (out / "run.json").exists():
        problem = "is a run's own folder"
    elif out.is_dir() and not (out / ABOUT).is_file() and any(out.iterdir()):
        problem = "is not empty and holds no earlier export"
    if problem:
        raise InputError(problem, where=str(out), remedy="Choose another --out.")


def _write(
    names: Sequence[str],
    plans: Sequence[RunPlan],
    folders: Sequence[RunFolder],
    places: _Places,
    opens: _Opens,
) -> tuple[list[int], dict[str, int]]:
    """Write the parts; gives the trials of each run, and the rows of each table."""
    with ExitStack() as held:
        files: list[_File] = []
        for table in places.tables:
            file = opens(table, places.part(table))
            held.callback(file.close)
            files.append(file)
        batches = Batches(*files)
        ended = [
            batches.add(rows_of(name, plan, folder))
            for name, plan, folder in zip(names, plans, folders, strict=True)
        ]
        return ended, batches.close()


def _settle(places: _Places, told: Exported) -> None:
    """Put the new files in their place, and take away an earlier export's of another format."""
    for table in places.tables:
        places.part(table).replace(places.folder / places.name(table))
    text = msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"
    write_whole(places.folder / ABOUT, text)
    for table in places.tables:
        for ending in FORMATS.values():
            if ending != places.ending:
                (places.folder / f"{table.name}.{ending}").unlink(missing_ok=True)
