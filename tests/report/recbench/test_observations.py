"""Each of the paper's eight observations has a place, and its verdict is computed."""

from __future__ import annotations

import pytest

from mystery_shopper.report.recbench.claims import Verdict
from mystery_shopper.report.recbench.observations import Observation, observations, other_tables
from mystery_shopper.report.recbench.page import part_of
from mystery_shopper.report.recbench.played import Played, read_played
from mystery_shopper.report.recbench.published import OBSERVED
from mystery_shopper.report.recbench.study import study
from mystery_shopper.report.recbench.tables import failing, glance
from mystery_shopper.suites.recbench.query import Kind, Query

from .made import even, graded, ground_of, make_plan, make_run, make_set, make_trials

SET = make_set(30)


def found(*runs: Played) -> dict[int, Observation]:
    made = observations(study(ground_of(*runs), resamples=400))
    return {one.number: one for one in made}


GRADED = make_run(SET, "graded", graded)


def test_every_observation_stands_there_whatever_was_run() -> None:
    alone = found(GRADED)
    assert list(alone) == list(range(1, 9))
    for number, one in alone.items():
        assert one.claims
        assert one.shows
        assert (one.name, one.saw) == OBSERVED[number]
        assert one.tables[0].rows
    nothing = found(read_played("none", make_plan(SET), [], query_set=SET))
    assert {one.verdict for one in nothing.values()} == {Verdict.UNTOLD}
    assert all(not one.charts for one in nothing.values())


def test_what_is_missing_is_said() -> None:
    alone = found(GRADED)
    assert alone[1].verdict is Verdict.UNTOLD
    assert {one.why for one in alone[1].claims} == {"needs two agents under one setting"}
    assert {one.why for one in alone[4].claims} == {
        "needs one agent's runs with and without the history"
    }
    bare = found(read_played("bare", make_plan(SET), make_trials(SET, make_plan(SET))))
    assert {one.why for one in bare[7].claims} == {"needs the query set"}
    assert {one.why for one in bare[8].claims} == {"needs the query set"}


def test_equally_popular_interests_are_not_compared() -> None:
    interests = [one for one in SET.queries if one.kind is Kind.INTEREST]
    alike = interests[0].profile.users if interests[0].profile else 0
    same = tuple(
        one.id for one in interests if one.profile is not None and one.profile.users == alike
    )
    assert len(same) > 1
    one = found(make_run(SET, "same", even, tasks=same))[7]
    assert {claim.why for claim in one.claims} == {"needs interests of several popularities"}


def by_group(query: Query) -> float:
    """Good for what observations 7 and 8 name, and bad for everything else."""
    profile = query.profile
    if profile is None:
        return 0.5
    if query.kind is Kind.INTEREST:
        return 0.95 if profile.users > 16 else 0.05
    return 0.95 if profile.group["gender"] == "Female" else 0.05


def test_an_agent_made_as_the_paper_saw_is_seen_and_its_opposite_is_not() -> None:
    seen = found(make_run(SET, "seen", by_group))
    unseen = found(make_run(SET, "unseen", lambda one: 1 - by_group(one)))
    assert seen[7].verdict is Verdict.SEEN
    assert unseen[7].verdict is Verdict.NOT_SEEN
    women = {"seen": seen[8].claims[0], "unseen": unseen[8].claims[0]}
    assert women["seen"].what == "recall: Female above Male"
    assert women["seen"].verdict is Verdict.SEEN
    assert women["unseen"].verdict is Verdict.NOT_SEEN
    assert found(GRADED)[2].verdict in (Verdict.SEEN, Verdict.IN_PART)


def test_two_agents_differ_where_they_do() -> None:
    both = found(GRADED, make_run(SET, "bad", lambda _: 0.05, agent="null"))
    differ = [one for one in both[1].claims if one.what == "CMR: the agents differ"]
    assert [one.verdict for one in differ] == [Verdict.SEEN]
    assert differ[0].run == "graph − null"
    twins = found(GRADED, make_run(SET, "twin", graded, agent="null"))
    same = next(one for one in twins[1].claims if one.what == "CMR: the agents differ")
    assert same.difference is not None
    assert same.difference.estimate == 0
    assert same.verdict is Verdict.NOT_SEEN


def test_agents_under_other_settings_are_not_compared() -> None:
    apart = found(GRADED, make_run(SET, "bare", agent="null", interface="bare"))
    assert {one.why for one in apart[1].claims} == {"needs two agents under one setting"}


def test_the_paper_s_one_figure_stands_beside_ours() -> None:
    one = study(ground_of(GRADED), resamples=200)
    (paper,) = [row for row in failing(one).rows if row[0].startswith("paper: ")]
    assert paper[:4] == ("paper: GPT-4o, films", "misinformed", "any", "0.270")
    assert set(paper[4:]) == {"–"}
    assert "0.270" in observations(one)[1].more


@pytest.mark.parametrize(("faults", "silent"), [(0.0, 1.0), (1.0, 0.0), (0.5, 1.0), (0.0, 0.05)])
def test_every_row_of_every_table_is_as_wide_as_its_head(faults: float, silent: float) -> None:
    plan = make_plan(SET)
    trials = make_trials(SET, plan, faults=faults, silent=silent)
    run = read_played("run", plan, trials, query_set=SET)
    one = study(ground_of(run), resamples=100)
    part = part_of(one, observations(one))
    told = [table for seen in part.observations for table in seen.every_table]
    for table in (part.glance, *part.tables, *told):
        assert {len(row) for row in table.rows} <= {len(table.head)}, table.title


def test_figures_and_their_tables() -> None:
    given = make_run(SET, "given", graded, 2, history=True)
    made = found(GRADED, given)
    drawn = {number: [chart.title for chart in one.charts] for number, one in made.items()}
    assert drawn[1] == ["Precision by type", "Recall by type", "CMR by type"]
    assert drawn[2] == ["FTR by type"]
    assert len(drawn[3]) == 4
    assert drawn[4] == ["Precision with and without history", "CMR with and without history"]
    fives = {number: [chart.title for chart in one.fives] for number, one in made.items()}
    assert fives[4] == [f"{title}, K = 5" for title in drawn[4]]
    assert [f"{title}, K = 5" for title in drawn[3]] == fives[3]
    assert drawn[7] == ["Interest popularity"]
    assert drawn[8] == ["Recall by group"]
    tables = [table for one in made.values() for table in one.every_table]
    assert len({table.title for table in tables}) == len(tables)
    assert all(table.rows and table.caption for table in tables)


@pytest.mark.parametrize("runs", [1, 3])
def test_no_table_stands_twice(runs: int) -> None:
    several = [make_run(SET, f"run{n}", even, n, agent=f"agent{n}") for n in range(runs)]
    one = study(ground_of(*several), resamples=100)
    shown = observations(one)
    titles = [table.title for o in shown for table in o.every_table]
    titles += [table.title for table in other_tables(one, shown)]
    assert len(set(titles)) == len(titles)
    assert any(title.startswith("Interest popularity") for title in titles)


def test_the_glance_has_the_rows_of_the_terminal() -> None:
    one = glance(study(ground_of(GRADED), resamples=100))
    kinds = [kind.value for kind in Kind]
    assert [row[1] for row in one.rows] == [*kinds, "conditions", "all"]
    runs = [make_run(SET, f"run{n}", even, n, agent=f"agent{n}") for n in range(3)]
    many = glance(study(ground_of(*runs), resamples=100))
    assert [(row[0], row[1]) for row in many.rows] == [(f"agent{n}", "all") for n in range(3)]
    assert "Conditions: explicit" not in many.note
