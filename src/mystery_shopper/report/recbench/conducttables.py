"""What stands beside the figures: the runs, how trials end, exclusions, waits, tokens, and the set
beside the paper's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.clocks import Clocks
from mystery_shopper.report.latency import SHARES
from mystery_shopper.report.recbench.amiss import message, names_of
from mystery_shopper.report.recbench.grounds import Ground, Member, asked_for, handed
from mystery_shopper.report.recbench.played import Answered
from mystery_shopper.report.recbench.published import ATTRIBUTES_OF_FILMS, MARK, SETS
from mystery_shopper.report.recbench.tables import COUNTED, counted
from mystery_shopper.report.recbench.words import FAILURES, KINDS
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import DASH, duration, money, plain, plural, whole
from mystery_shopper.suites.recbench.query import Kind

_LATENCY = (
    "Valid trials. A turn is the wait for the agent's answer, and may take several requests to "
    "a server. p50 and p95: what half, and 95 in "
    "100, of the turns did not exceed. Clock readings, from timings.jsonl: another run of the same "
    "plan has others. Tokens and cost are over every metered trial, excluded ones and repeated "
    "attempts included; cached tokens were read from the provider's cache. A cost is unknown where "
    "the price of any call is."
)


def tables(ground: Ground) -> list[Table]:
    """Every one of them that has a row."""
    made = [
        endings(ground), nothing_recommended(ground), exclusions(ground), latency(ground),
        beside_the_paper(ground),
    ]  # fmt: skip
    return [table for table in made if table.rows]


def runs_table(grounds: Sequence[Ground]) -> Table:
    """What each run is, and on which ground it stands where there are several."""
    several = len(grounds) > 1
    head = (
        "agent", "folder", "interface", "prompt", "history", "K", "user", "task set", "canary",
        "catalogue", "histories", "seed", "version", "plan digest",
        *(("ground",) if several else ()), "trials a query", *COUNTED,
    )  # fmt: skip
    rows = tuple(
        (
            *_run_words(one), *((str(place),) if several else ()), whole(one.plan.trials),
            *counted(one.played.counts),
        )
        for place, ground in enumerate(grounds, 1)
        for one in ground.members
    )  # fmt: skip
    note = (
        "The runs: the settings of each, what its queries were drawn from, and the canary GUID "
        "that marks copies of the set."
    )
    caption = "" if several else grounds[0].caption
    return Table("Runs", note, caption, head, rows, 15 if several else 14)


def _run_words(one: Member) -> tuple[str, ...]:
    plan = one.plan
    return (
        one.label, plain(one.played.name), plan.interface, plan.prompt, handed(plan.history),
        asked_for(plan.k), plain(plan.user), f"{plain(plan.task_set)} {plan.task_set_digest[:12]}",
        plan.canary, f"{plain(plan.source)} {plan.size} {plan.catalogue_digest[:12]}",
        histories(one), str(plan.seed), plan.version, plan.digest[:12],
    )  # fmt: skip


def histories(one: Member) -> str:
    """Where the users' histories come from; a synthetic one is called so."""
    found = one.played.query_set
    if found is None:
        return "not at hand"
    made = "synthetic: " if found.histories.synthetic else ""
    return f"{made}{plain(found.histories.source)}"


def endings(ground: Ground) -> Table:
    """How valid trials ended that did not succeed, by type."""
    counts = {
        (one.label, kind): Counter(
            answer.score.failure for answer in _valid(one, kind) if answer.score.failure is not None
        )
        for one in ground.members
        for kind in KINDS[:5]
    }
    there = [name for name in FAILURES if any(found[name] for found in counts.values())]
    rows: list[tuple[str, ...]] = []
    for one in ground.members:
        for kind in KINDS[:5]:
            valid = _valid(one, kind)
            asked = [q for q in one.played.asked if q.kind == kind]
            if not asked:
                continue
            success = sum(answer.score.success is True for answer in valid)
            unscored = sum(answer.score.success is None for answer in valid)
            found = counts[one.label, kind]
            rows.append(
                (
                    one.label, kind, whole(success), whole(unscored),
                    *(whole(found[name]) for name in there),
                    *counted(one.played.counts_of(asked)),
                )
            )  # fmt: skip
    note = (
        "Trials by the first thing that went wrong. Unscored: the graph lacks what the query asks "
        "for, so nobody can say."
    )
    head = ("agent", "type", "success", "unscored", *(FAILURES[name] for name in there), *COUNTED)
    return Table("How trials end", note, ground.caption, head, tuple(rows), 2)


def _valid(one: Member, kind: str) -> list[Answered]:
    return [answer for answer in one.played.valid if answer.asked.kind == kind]


def nothing_recommended(ground: Ground) -> Table:
    """Why valid trials recommend nothing, and what they called that is not there."""
    rows: list[tuple[str, ...]] = []
    for one in ground.members:
        silent = [answer for answer in one.played.valid if answer.amiss.silent]
        told = Counter(
            (answer.amiss.silent, names_of(answer.amiss) or DASH) for answer in silent
        ).most_common()
        counts = counted(one.played.counts)
        rows += [(one.label, *why, whole(often), *counts) for why, often in told]
    note = (
        "Valid trials without a recommendation, which is what FTR counts. A request is answered "
        "once: words that ask back are the answer."
    )
    head = ("agent", "they", "called, and not there", "trials", *COUNTED)
    return Table("Answers that recommend nothing", note, ground.caption, head, tuple(rows), 3)


def exclusions(ground: Ground) -> Table:
    """Faults: those that count against the agent, those that excluded a trial, and what was not
    played."""
    rows: list[tuple[str, ...]] = []
    for one in ground.members:
        told = Counter(
            (answer.fault.value, plain(message(answer), 200), answer.valid)
            for answer in one.played.answers
            if answer.fault is not None
        )
        for (fault, trouble, valid), often in sorted(told.items()):
            what = "counts against it" if valid else "excluded"
            rows.append((one.label, f"{fault}'s", what, trouble, whole(often)))
        left = one.played.counts.unplayed
        if left:
            rows.append((one.label, DASH, "not played", "planned, and no record", whole(left)))
    note = (
        "A fault of the agent's counts against it. One of the user's or of the infrastructure's "
        "does not: the trial is tried again, then excluded from every figure."
    )
    head = ("agent", "whose fault", "so it is", "message", "trials")
    return Table("Faults and exclusions", note, ground.caption, head, tuple(rows), 4)


def latency(ground: Ground) -> Table:
    """A row a run: waits, tokens and money of the agent; none where nothing was kept."""
    members = [one for one in ground.members if one.played.clocks.metered]
    rows = tuple(
        (
            one.label,
            *(duration(one.played.clocks.turn(share)) for share in SHARES),
            whole(len(one.played.clocks.turns)),
            *_spent(one.played.clocks),
            *counted(one.played.counts),
        )
        for one in members
    )
    head = (
        "agent", "p50", "p95", "turns", "calls", "input", "cached", "output", "cost",
        *COUNTED,
    )  # fmt: skip
    return Table("Waits, tokens and money", _LATENCY, ground.caption, head, rows, 1)


def _spent(clocks: Clocks) -> tuple[str, ...]:
    found = clocks.spent.get("agent")
    if found is None:
        return (DASH,) * 5
    used: Usage = found.total
    return (*map(whole, (used.calls, used.input, used.cached, used.output)), money(used.cost))


def latency_line(one: Member) -> str:
    """The same for a terminal; empty where nothing was kept."""
    clocks = one.played.clocks
    if not clocks.turns and not clocks.spent:
        return ""
    half, most = (duration(clocks.turn(share)) for share in SHARES)
    told = f"agent's turn: p50 {half}, p95 {most} ({plural(len(clocks.turns), 'turn')})"
    found = clocks.spent.get("agent")
    if found is None:
        return told
    used = found.total
    cost = "cost unknown" if used.cost is None else money(used.cost)
    return f"{told}; tokens: {used.input:,} in, {used.output:,} out, {cost}"


def beside_the_paper(ground: Ground) -> Table:
    """The set that was played, and the paper's two."""
    found = next((one.played.query_set for one in ground.members if one.played.query_set), None)
    if found is None:
        return Table("The set beside the paper's", "", ground.caption, ("set",), (), 1)
    interest = sum(one.kind is Kind.INTEREST for one in found.queries)
    ours = (
        plain(found.name), "synthetic" if found.histories.synthetic else "lived",
        *map(whole, (len(found.queries), interest, found.histories.users, found.graph.items,
                     found.histories.interactions, len(found.graph.relations))),
    )  # fmt: skip
    paper = [
        (
            f"{MARK}: {name}", "lived",
            *map(whole, (one.queries, one.interest, one.users, one.items, one.interactions,
                         ATTRIBUTES_OF_FILMS if name == "Movie" else None)),
        )
        for name, one in SETS.items()
    ]  # fmt: skip
    head = (
        "set", "histories", "queries", "interest queries", "users", "items", "interactions",
        "relations",
    )  # fmt: skip
    note = (
        "The whole set, of which a run may play a part. The paper's numbers are those of its §5.1."
    )
    rows = (ours, *paper)
    return Table("The set beside the paper's", note, ground.caption, head, rows, 2)
