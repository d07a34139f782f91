"""How long customers waited: p50 and p95 of the agent's turn, and what a server answered.

The only figures of the report that hold clock readings; they are read from `timings.jsonl`, so a
folder always gives the same ones, and two runs of one plan do not.
"""

from __future__ import annotations

from mystery_shopper.report.clocks import Clocks
from mystery_shopper.report.summary import Group, RunSummary, Summary
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, duration, plain, plural, whole

SHARES = (0.5, 0.95)
_NOTE = (
    "All families, valid trials. A turn is the wait for the agent's words (or for its last act) "
    "after the customer's last word: the agent's own steps of that turn added up. It may take "
    "several requests to a server, so there may be more HTTP answers than turns. Tools that run "
    "here, waiting for a free connection and pauses between tries are not in it. p50 and p95: what "
    "half, and 95 in 100, of the turns did not exceed. HTTP statuses: every answer, those of "
    "repeated tries and of excluded trials included. These are clock readings, from timings.jsonl: "
    "another run of the same plan has others."
)


def latency(group: Group) -> list[Table]:
    """The table, a row a run. A run of which nothing was timed has dashes and a remark why."""
    remarks = [remark(run) for run in group.runs]
    rows = tuple(
        (
            run.label,
            *readings(run.run.clocks),
            whole(len(run.run.clocks.turns)),
            whole(run.run.clocks.timed),
            statuses(run.run.clocks),
            *([why or ""] if any(remarks) else []),
            *counted(run.counts),
        )
        for run, why in zip(group.runs, remarks, strict=True)
    )
    head = ("agent", "p50", "p95", "turns", "timed trials", "HTTP statuses")
    head += (("remark",) if any(remarks) else ()) + COUNTED
    return [Table("Latency", _NOTE, str(group.provenance), head, rows, 1)]


def readings(clocks: Clocks) -> tuple[str, ...]:
    """p50 and p95 in words."""
    return tuple(duration(clocks.turn(share)) for share in SHARES)


def read_bytes(summary: Summary) -> int:
    """How many bytes of a page are clock readings."""
    every = (text for run in summary.runs for text in readings(run.run.clocks))
    return sum(len(text.encode("utf-8")) for text in every)


def statuses(clocks: Clocks) -> str:
    """`200: 58, 503: 2`; a dash for an agent that is no server."""
    told = (f"{plain(status, 20)}: {whole(often)}" for status, often in clocks.statuses.items())
    return ", ".join(told) or DASH


def remark(run: RunSummary) -> str | None:
    """Why there is no latency, or what is odd about the readings; None where all is well."""
    clocks = run.run.clocks
    if clocks.timed:
        odd = clocks.strangers
        return f"{plural(odd, 'reading')} of no trial here left out" if odd else None
    if not run.counts.valid:
        return "no valid trial"
    if clocks.acts_only:
        return "timed by act, not by turn"
    return "no clock readings"


def latency_line(run: RunSummary) -> str:
    """The same for a terminal."""
    clocks = run.run.clocks
    half, most = readings(clocks)
    why = remark(run)
    if clocks.timed:
        turns = plural(len(clocks.turns), "turn")
        told = f"p50 {half}, p95 {most} ({turns} of {plural(clocks.timed, 'trial')})"
    else:
        told = f"{DASH} ({why})"
    served = f"; HTTP {statuses(clocks)}" if clocks.statuses else ""
    return f"agent's turn: {told}{served}"
