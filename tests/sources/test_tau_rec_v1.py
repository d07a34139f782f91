"""The catalogue of τ-Rec v1: the real file, and every fault of a made-up one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import formats_of, load_domain, parse_domain
from mystery_shopper.sources.tau_rec_v1 import NAME, domain_text, read_catalogue
from mystery_shopper.suites.tau_rec.wording import Wording

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "tau-rec-v1"
needs_real = pytest.mark.skipif(
    not REAL.is_dir(), reason="the folder shared/data/tau-rec-v1 beside the project is missing"
)


def film(**changes: Any) -> dict[str, Any]:
    found = {
        "id": "x1", "title": "Kites", "release_date": "2024-03-01", "runtime": 95,
        "genres": ["Drama"], "overview": "A film.", "cast": ["Ada Low"], "director": "Bo Ray",
        "rating": 6.5, "vote_count": 90, "streaming_services": ["Tide"], "sponsored": False,
        "content_rating": "R",
    }  # fmt: skip
    return found | changes


def read(folder: Path, content: object) -> tuple[Any, list[str]]:
    (folder / "catalog.json").write_text(json.dumps(content), encoding="utf-8")
    return read_catalogue(folder)


def test_a_film_as_it_is_kept(tmp_path: Path) -> None:
    catalogue, problems = read(tmp_path, [film(), film(id="x2", vote_count=99, title="Ropes")])
    assert problems == []
    assert catalogue.name == NAME
    assert list(catalogue.ids) == ["x2", "x1"]
    kept = catalogue.find("x1")
    assert (kept.title, kept["year"], kept["release_date"]) == ("Kites", 2024, "2024-03-01")
    assert (kept["director"], kept["sponsored"], kept["runtime"]) == ("Bo Ray", False, 95)
    assert (kept["genres"], kept["content_rating"]) == (("Drama",), "R")
    assert formats_of(kept) == ("Tide",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({}, "catalog.json: must hold one JSON array of films"),
        ([], "catalog.json: the catalogue is empty"),
        (["x"], "catalog.json: [0]: Expected `object`"),
        ([film(runtime="95")], "catalog.json: [0] (x1).runtime: Expected `int`"),
        ([film(sponsored=0)], "catalog.json: [0] (x1).sponsored: Expected `bool`"),
        ([film(mood="dark")], "catalog.json: [0] (x1).mood: unknown key"),
        ([{k: v for k, v in film().items() if k != "cast"}], "[0] (x1).cast: is missing"),
        ([film(release_date="2024")], "release_date: '2024' is no date"),
        ([film(release_date="2024-13-01")], "release_date: '2024-13-01' is no date"),
        ([film(id="a]b")], "id: 'a]b' is empty or holds a bracket"),
        ([film(genres=["Drama", " "])], "genres: a label is empty"),
        ([film(content_rating="")], "content_rating: is empty"),
        ([film(), film()], "catalog.json: id 'x1' occurs more than once"),
        ([film(), film(id="x2", genres=["drama"])], "genres: 'Drama' is also written 'drama'"),
    ],
)
def test_a_fault_is_named_with_its_place(content: object, told: str, tmp_path: Path) -> None:
    catalogue, (problem,) = read(tmp_path, content)
    assert catalogue is None
    assert told in problem


def test_the_shipped_domain_is_the_catalogues() -> None:
    domain = load_domain(NAME)
    assert parse_domain(domain_text(), NAME) == domain
    assert Wording(domain)
    assert domain.policies is not None
    assert domain.policies.restricted_labels == ("R", "NC-17")


@needs_real
def test_the_real_catalogue() -> None:
    catalogue, problems = read_catalogue(REAL)
    assert problems == []
    assert catalogue is not None
    raw = {row["id"]: row for row in json.loads((REAL / "catalog.json").read_text("utf-8"))}
    assert len(catalogue) == len(raw) == 153
    votes = [raw[item_id]["vote_count"] for item_id in catalogue.ids]
    assert votes == sorted(votes, reverse=True)
    for item_id, row in raw.items():
        item = catalogue.find(item_id)
        assert item is not None
        for name, value in row.items():
            if name != "id":
                assert item[name] == (tuple(value) if isinstance(value, list) else value)
