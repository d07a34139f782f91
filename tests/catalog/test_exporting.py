"""A catalogue's items as a file that a person's own search can read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.exporting import export_items, item_records
from mystery_shopper.engine import load_catalogue
from mystery_shopper.foundation import InputError


def test_json_lines_hold_every_item_and_shown_field(tmp_path: Path) -> None:
    films = load_catalogue("films", 5_000)
    place = tmp_path / "films.jsonl"
    assert export_items(films, place) == 5_000
    lines = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    assert [line["item_id"] for line in lines] == list(films.ids)
    shown = {name for name, spec in films.domain.fields.items() if spec.shown} | {"item_id"}
    for position, line in enumerate(lines):
        item = films.item(position)
        assert set(line) == shown
        for name in shown - {"item_id"}:
            value = item[name]
            assert line[name] == (list(value) if isinstance(value, tuple) else value)


def cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "|".join(map(str, value))
    return "" if value is None else str(value)


def test_a_table_holds_the_same_and_labels_between_bars(tmp_path: Path) -> None:
    shop = load_catalogue("shop")
    place = tmp_path / "shop.csv"
    export_items(shop, place)
    with place.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(shop) == 5_000
    for row, record in zip(rows, item_records(shop), strict=True):
        for name, value in record.items():
            kept = "|".join(value) if isinstance(value, tuple) else value
            told = (
                ""
                if kept is None
                else str(kept).lower()
                if kept is True or kept is False
                else str(kept)
            )
            assert row[name] == told


@pytest.mark.parametrize("name", ["films.xlsx", "films"])
def test_another_ending_is_refused_with_a_remedy(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must end in \.csv or \.jsonl"):
        export_items(load_catalogue("shop", 2_500), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_every_kind_of_field_has_its_cell(
    small_catalogue: Callable[..., Catalogue], tmp_path: Path
) -> None:
    place = tmp_path / "small.csv"
    export_items(small_catalogue(), place)
    head, first, *more = place.read_text(encoding="utf-8").splitlines()
    assert head == "item_id,title,genre,language,year,rating,blurb,family,place,popularity"
    assert first == (
        "i0,The Lantern,Drama|Crime,Mandarin,1994,7.5,A lantern maker's last job.,false,"
        "52.5|13.4,90"
    )
    assert "i3,Fjord,Documentary,Nynorsk,,8.25,The fjord in winter,true,60.4|5.3," in more


def test_a_label_with_a_bar_goes_into_json_lines_only(
    small_catalogue: Callable[..., Catalogue], tmp_path: Path
) -> None:
    odd = small_catalogue([{"title": "Odd", "genre": ["Drama|Crime", "War"]}])
    with pytest.raises(InputError) as refused:
        export_items(odd, tmp_path / "odd.csv")
    assert "Write odd.jsonl, where labels are lists." in str(refused.value)
    assert not list(tmp_path.iterdir())
    export_items(odd, tmp_path / "odd.jsonl")
    assert json.loads((tmp_path / "odd.jsonl").read_bytes())["genre"] == ["Drama|Crime", "War"]
