"""What `check` prints of a set of queries: the statistics, the proofs, where it comes from."""

from __future__ import annotations

import re
from io import StringIO

import msgspec
from rich.console import Console

from mystery_shopper.report.query_proof import SHOWN, origin_lines, print_query_proofs
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.queryfile import shipped_query_set
from mystery_shopper.suites.recbench.table import statistics_table
from mystery_shopper.suites.recbench.validate import Proofs


def printed(queries: QuerySet, found: Proofs) -> list[str]:
    out = StringIO()
    print_query_proofs(queries, found, Console(file=out, width=80))
    return out.getvalue().splitlines()


def test_the_statistics_stand_by_type_and_number_of_conditions() -> None:
    queries = shipped_query_set()
    lines = printed(queries, Proofs((), {"form": 3_000, "width": 2_250}, 0))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    for row in statistics_table(queries):
        assert row.own is not None
        assert row.history is not None
        pattern = rf"^{row.type} +{row.conditions} *{row.queries:,} +{row.users:,} +{row.own:.1f} "
        (line,) = re.findall(pattern + ".*", text, re.M)
        assert f" {row.history:.1f} " in line
    assert "synthetic histories" in lines[0]
    assert "The histories are synthetic: nobody lived them." in lines
    assert lines[-1] == "Every property holds."
    assert re.search(r"^form +3,000 +0", text, re.M)


def test_what_does_not_hold_is_told_and_not_without_end() -> None:
    queries = shipped_query_set()
    problems = tuple(f"q{n}: own: lacks x{n}" for n in range(SHOWN + 5))
    lines = printed(queries, Proofs(problems, {"form": 3_000}, 0, {"own": SHOWN + 5}))
    assert sum(line.startswith("BROKEN ") for line in lines) == SHOWN
    assert "... and 5 more" in lines
    assert lines[-1] == "The set is not valid."
    assert re.search(rf"^own +0 +{SHOWN + 5}", "\n".join(lines), re.M)


def test_what_could_not_be_tried_is_told() -> None:
    lines = printed(shipped_query_set(), Proofs((), {"form": 3_000}, 750))
    assert any(line.startswith("NOT TRIED: what 750 profile queries count") for line in lines)
    assert lines[-1] == "Every property that was tried holds."


def test_an_empty_cell_has_no_means() -> None:
    queries = shipped_query_set()
    one = msgspec.structs.replace(
        queries,
        queries=queries.queries[:1],
        origin=msgspec.structs.replace(queries.origin, short={"interest": 374}),
    )
    text = "\n".join(printed(one, Proofs((), {}, 0)))
    assert re.search(r"^interest +0 +0 +– +– +– +– +– +374$", text, re.M)


def test_where_a_set_comes_from() -> None:
    queries = shipped_query_set()
    assert "worded by templates" in origin_lines(queries)
    by_model = msgspec.structs.replace(
        queries,
        origin=msgspec.structs.replace(
            queries.origin, writer="some/model", stood_in={"explicit": 3, "interest": 1},
            widest=0, irreducible=False,
        ),
    )  # fmt: skip
    told = list(origin_lines(by_model))
    assert "worded by some/model (templates stood in 4 times)" in told
    assert any("any number of items fits, conditions may be left out" in line for line in told)
    imported = msgspec.structs.replace(queries, source="RecBench+ (movie)")
    told = list(origin_lines(imported))
    assert told[-2] == "imported from: RecBench+ (movie)"
    assert told[-1].endswith("all else is as released.")
