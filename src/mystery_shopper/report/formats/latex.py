"""Tables as LaTeX: `booktabs`, with captions and labels, to be taken in by `\\input`.

They compile with pdfLaTeX, which has no fonts for other scripts than Latin and shows the numbers of
their letters, and with XeLaTeX and LuaLaTeX.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mystery_shopper.report.every import Kept
from mystery_shopper.report.tabular import Table

SIGNATURE = "% mystery-shopper report"
LONG = 40
"""Rows past which a table may break over pages."""
WIDE = 90
"""Characters of a line past which a table is shrunk to the text's width."""
_HEAD = r"""%
% In the preamble: \usepackage{booktabs,longtable,graphicx}
% Then \input{this file}, or copy this line and the tables that you want; each has a label.
\providecommand{\otherscript}[2]{\ifdefined\Umathcode #1\else{[}U+#2{]}\fi}
"""
_MARKS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedblright{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "-": "{-}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "·": r"\textperiodcentered{}",
    "§": r"\S{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "‹": r"$\langle$",
    "›": r"$\rangle$",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "τ": r"$\tau$",
    "α": r"$\alpha$",
    "→": r"$\to$",
}


def latex(tables: Sequence[Kept], written_by: str) -> str:
    """One file of all tables."""
    parts = [f"{SIGNATURE}\n% Written by {_comment(written_by)}.\n{_HEAD}"]
    parts += [_long(kept) if len(kept.table.rows) > LONG else _float(kept) for kept in tables]
    return "\n".join(parts)


def _float(kept: Kept) -> str:
    table = kept.table
    body = [
        rf"\begin{{tabular}}{{{_layout(table)}}}",
        r"\toprule",
        _line(table.head),
        r"\midrule",
        *map(_line, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if _width(table) > WIDE:
        body = [r"\resizebox{\linewidth}{!}{%", *body[:-1], rf"{body[-1]}}}"]
    return "\n".join(
        [
            r"\begin{table}[tbp]",
            r"\centering\small",
            rf"\caption{{{escaped(table.title)}}}",
            rf"\label{{tab:{kept.id}}}",
            *body,
            rf"\par\smallskip\footnotesize\raggedright {_note(table)}",
            r"\end{table}",
            "",
        ]
    )


def _long(kept: Kept) -> str:
    """A table over several pages; it cannot be shrunk, so its letters are small."""
    table = kept.table
    width = len(table.head)
    head = _line(table.head)
    return "\n".join(
        [
            r"\begingroup\tiny\setlength{\tabcolsep}{2pt}",
            rf"\begin{{longtable}}{{{_layout(table)}}}",
            rf"\caption{{{escaped(table.title)}}}\label{{tab:{kept.id}}}\\",
            r"\toprule",
            head,
            r"\midrule",
            r"\endfirsthead",
            r"\toprule",
            head,
            r"\midrule",
            r"\endhead",
            rf"\midrule\multicolumn{{{width}}}{{r}}{{continued}}\\",
            r"\endfoot",
            r"\bottomrule",
            r"\endlastfoot",
            *map(_line, table.rows),
            r"\end{longtable}",
            rf"\noindent\footnotesize {_note(table)}\par",
            r"\endgroup",
            "",
        ]
    )


def _note(table: Table) -> str:
    """What the figures are and where they come from, below the table."""
    told = (escaped(table.note), f"{escaped(table.caption)}." if table.caption else "")
    return " ".join(filter(None, told))


def _layout(table: Table) -> str:
    return "".join("l" if place < table.names else "r" for place in range(len(table.head)))


def _width(table: Table) -> int:
    columns = zip(table.head, *table.rows, strict=True)
    return sum(2 + max(map(len, column)) for column in columns)


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def escaped(text: str) -> str:
    """A text that LaTeX sets as it stands; `pass^k` gets its exponent."""
    parts = re.split(r"\bpass\^(\w+)", " ".join(text.split()))
    made = [
        f"pass$^{{{_plain(part)}}}$" if place % 2 else _plain(part)
        for place, part in enumerate(parts)
    ]
    return "".join(made)


def _plain(text: str) -> str:
    kept = (mark for mark in text if unicodedata.category(mark)[0] != "C")
    return "".join(_MARKS.get(mark) or _letter(mark) for mark in kept)


def _letter(mark: str) -> str:
    latin = ord(mark) < 0x80 or (mark.isalpha() and ord(mark) < 0x180)
    return mark if latin else rf"\otherscript{{{mark}}}{{{ord(mark):04X}}}"


def _comment(text: str) -> str:
    return " ".join(text.split())
