"""Where a report's tables go, and that they come there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from mystery_shopper.engine.plan import package_version
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError, write_whole
from mystery_shopper.report.every import RUNS, Kept
from mystery_shopper.report.formats import latex, markdown, rows

HTML = "html"
FILES = {"md": "md", "json": "json", "latex": "tex"}
"""Formats of one file -> how its name ends."""
FOLDERS = ("csv", "parquet")
"""Formats of a file a table, in a folder."""
FORMATS = (HTML, *FILES, *FOLDERS)


def check_format(name: str) -> None:
    """Raise InputError where there is no such format."""
    if name not in FORMATS:
        raise InputError(
            f"there is no format {name!r}",
            where="--format",
            remedy=f"Use one of: {', '.join(FORMATS)}.",
        )


def usual_place(run: Path, format: str) -> Path:
    """Where a report goes that no place was named for: into the first run's folder."""
    if format in FOLDERS:
        return run / f"report-{format}"
    return run / f"report.{FILES.get(format, HTML)}"


def check_target(out: Path, format: str, folders: Sequence[RunFolder] = ()) -> None:
    """Raise InputError where anything but an earlier report of this format would be written
    over."""
    problem = _folder_problem(out) if format in FOLDERS else _file_problem(out, format)
    if out.resolve() in [file.resolve() for folder in folders for file in _own(folder)]:
        problem = "this is a file of the run itself"
    if problem:
        raise InputError(
            f"{problem}, and nothing was written",
            where=str(out),
            remedy="Choose another --out, or one that an earlier report wrote.",
        )


def _own(folder: RunFolder) -> tuple[Path, ...]:
    return (folder.path, folder.run_file, folder.timings_file, *folder.counted_files)


def _file_problem(out: Path, format: str) -> str:
    if out.is_dir():
        return "this is a folder"
    if not out.exists():
        return ""
    try:
        data = out.read_bytes() if out.is_file() else b""
    except OSError:
        data = b""
    marks = {"md": markdown.SIGNATURE, "latex": latex.SIGNATURE}
    ours = rows.is_ours(data) if format == "json" else data.startswith(marks[format].encode())
    return "" if ours else f"this is there already, and it is no {format} report of ours"


def _folder_problem(out: Path) -> str:
    if not out.exists() and not out.is_symlink():
        return ""
    if out.is_symlink() or not out.is_dir():
        return "this is no folder"
    there = {entry.name for entry in out.iterdir()}
    own = rows.listed(out)
    if own is None:
        return "this folder is not empty and holds no earlier report" if there else ""
    return f"this folder holds other files too ({min(there - own)})" if there - own else ""


def write_tables(tables: Sequence[Kept], out: Path, format: str) -> Path:
    """Write the tables to `out`: a file, or a folder for a file a table. Equal tables give equal
    bytes. Raises InputError where the place holds anything but an earlier report, or cannot be
    written to; then nothing there has changed."""
    check_format(format)
    check_target(out, format)
    by = f"mystery-shopper {package_version()}"
    if format in FOLDERS:
        typed = [kept.typed() for kept in tables]
        _replace(out, lambda folder: rows.write_files(typed, folder, format, by))
        return out
    if format == "json":
        data = rows.as_json([kept.typed() for kept in tables], by)
    else:
        made = markdown.markdown if format == "md" else latex.latex
        read = [kept for kept in tables if kept.id != RUNS]  # Captions tell of the runs.
        data = made(read, by).encode("utf-8", "replace")
    write_whole(out, data)
    return out


def _replace(out: Path, write: Callable[[Path], None]) -> None:
    """Have a folder written beside its place, then put it there."""
    made, old = (out.with_name(f"{out.name}.{os.getpid()}.{what}") for what in ("part", "old"))
    try:
        try:
            made.mkdir(parents=True)
            write(made)
            if out.exists():
                out.rename(old)
            try:
                made.rename(out)
            except OSError:
                with suppress(OSError):
                    old.rename(out)
                raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(out),
            remedy="Make room there, or choose another --out.",
        ) from None
