"""Tables as Markdown: pipe tables, as GitHub and Pandoc read them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mystery_shopper.report.every import Kept
from mystery_shopper.report.tabular import Table

SIGNATURE = "<!-- mystery-shopper report -->"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$!&@])")


def markdown(tables: Sequence[Kept], written_by: str) -> str:
    """One document of all tables, each with its note and provenance."""
    parts = [SIGNATURE, "# Report", f"Written by {escaped(written_by)}."]
    for kept in tables:
        parts += _section(kept.table)
    return "\n\n".join(parts) + "\n"


def _section(table: Table) -> list[str]:
    under = "---:"
    rule = ["---" if place < table.names else under for place in range(len(table.head))]
    lines = [_line(map(escaped, table.head)), _line(rule)]
    lines += [_line(map(escaped, row)) for row in table.rows]
    found = [f"## {escaped(table.title)}", escaped(table.note), "\n".join(lines)]
    return found + ([f"*{escaped(table.caption)}*"] if table.caption else [])


def _line(cells: map[str] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """A text that Markdown takes as it stands: every mark that it would obey bears a backslash, and
    line ends are spaces."""
    text = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    # A line that a number or a dash begins would be a list.
    return re.sub(r"^(\d*)([.)+-])(?=\s|$)", r"\1\\\2", text)
