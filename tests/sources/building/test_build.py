"""A catalogue built from a file is what its rows say; the account says what was read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, Domain, FieldSpec, Kind, load_domain, parse_domain
from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_shop
from mystery_shopper.sources.building import Account, build_from_table
from mystery_shopper.sources.building.builders import Labels
from mystery_shopper.sources.shop import COLUMNS, Recipe
from mystery_shopper.sources.tables import open_table

DOMAIN = b"""
name: wares
noun: {singular: ware, plural: wares}
id: sku
title: name
popularity: sold
sizes: [2]
fields:
  name: {kind: text}
  brand: {kind: category, requirement: true, words: {also: [brand]}}
  colours: {kind: categories, source: {column: colour, separator: "|", missing: ["-"]}}
  price: {kind: number, source: {decimal: ","}}
  made: {kind: integer, source: {column: date, part: year}}
  used: {kind: flag}
  place: {kind: point}
  sold: {kind: integer, source: {decimal: ","}}
"""
ROWS = b'''sku;name;brand;colour;price;date;used;place;sold;note
a/1;Lamp;Klaver;Red| Blue;"1.234,50 \xe2\x82\xac";2004-05-17;yes;52.5, 13.4;5;x
../../etc/passwd;"Desk ""big""; wide";klaver;-;7;May 1999;no;;1.200;x
"c,""3""";;Brin;;;;;;;x
'''


def wares() -> Domain:
    return parse_domain(DOMAIN, "wares")


def build(
    path: Path, data: bytes, domain: Domain | None = None, on_error: str = "stop"
) -> tuple[Catalogue, Account]:
    path.write_bytes(data)
    return build_from_table(
        open_table(path), domain or wares(), name="wares", on_error=on_error  # pyright: ignore
    )  # fmt: skip


def values_of(catalogue: Catalogue, item_id: str) -> dict[str, object]:
    item = catalogue.find(item_id)
    assert item is not None
    return {field: item[field] for field in catalogue.domain.fields}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "wares.csv"


def test_every_kind_of_field_is_read(file: Path) -> None:
    catalogue, account = build(file, ROWS)
    assert tuple(catalogue.ids) == ("../../etc/passwd", "a/1", 'c,"3"')
    assert catalogue.sizes == (2, 3)
    assert values_of(catalogue, "a/1") == {
        "name": "Lamp", "brand": "Klaver", "colours": ("Red", "Blue"), "price": 1234.5,
        "made": 2004, "used": True, "place": (52.5, 13.4), "sold": 5,
    }  # fmt: skip
    assert values_of(catalogue, "../../etc/passwd") == {
        "name": 'Desk "big"; wide', "brand": "Klaver", "colours": (), "price": 7.0, "made": 1999,
        "used": False, "place": None, "sold": 1200,
    }  # fmt: skip
    assert values_of(catalogue, 'c,"3"') == {
        "name": None, "brand": "Brin", "colours": (), "price": None, "made": None, "used": None,
        "place": None, "sold": None,
    }  # fmt: skip
    assert (account.file, account.form) == (str(file), "CSV, separated by ';', UTF-8")
    assert (account.read, account.kept, account.dropped) == (3, 3, ())
    assert [(one.field, one.column, one.kind, one.known, one.missing, one.labels)
            for one in account.fields] == [
        ("name", "name", "text", 2, 1, None), ("brand", "brand", "category", 3, 0, 2),
        ("colours", "colour", "categories", 1, 2, 2), ("price", "price", "number", 2, 1, None),
        ("made", "date", "integer", 2, 1, None), ("used", "used", "flag", 2, 1, None),
        ("place", "place", "point", 1, 2, None), ("sold", "sold", "integer", 2, 1, None),
    ]  # fmt: skip
    assert account.fields[1].warnings == (
        "1 spelling merged, as case and spaces do not count; the most frequent stands:"
        " 'Klaver' (1) for 'klaver' (1)",
    )
    assert account.warnings == ("1 id holds quotes or control characters (kept): 'c,\"3\"'",)
    assert msgspec.json.decode(msgspec.json.encode(account), type=Account) == account


def test_the_seeded_shop_built_from_a_file_is_the_shop(file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        writer.writerows(Recipe().rows())
    heard: list[int] = []
    shop, account = build_from_table(
        open_table(file), load_domain("shop"), name="shop", progress=heard.append
    )
    assert shop.digest == load_shop().digest
    assert shop.sizes == load_shop().sizes
    assert heard == [5_000]
    assert (account.read, account.kept) == (5_000, 5_000)
    assert [one.field for one in account.fields if one.dropped or one.warnings] == []


def test_the_same_rows_in_every_format_give_the_same_catalogue(tmp_path: Path) -> None:
    rows = list(Recipe(500).rows())
    several = {"colours", "material", "stock"}
    typed: Mapping[str, Callable[[str], object]] = {
        "size_cm": int, "price": float, "sold": float, "second_hand": lambda cell: cell == "yes",
        **dict.fromkeys(several, lambda cell: cell.split("|")),
    }  # fmt: skip
    lines = [
        {name: typed.get(name, str)(cell) for name, cell in zip(COLUMNS, row, strict=True)}
        for row in rows
    ]
    texts = tmp_path / "shop.jsonl"
    texts.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    parquet = tmp_path / "shop.parquet"
    duckdb.sql(f"select * from read_json('{texts}')").write_parquet(str(parquet))
    cells = tmp_path / "shop.csv"
    with cells.open("w", encoding="utf-16", newline="") as out:
        csv.writer(out, delimiter=";").writerows([COLUMNS, *rows])
    digests = {
        build_from_table(open_table(path), load_domain("shop"), name="shop")[0].digest
        for path in (texts, parquet, cells)
    }
    assert digests == {build_shop(rows).digest}


def build_shop(rows: Sequence[tuple[str, ...]]) -> Catalogue:
    """As `load_shop` builds it, from values and not from a file."""
    from mystery_shopper.catalog import build_catalogue

    domain = load_domain("shop")
    cells = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
    values: dict[str, Sequence[object]] = {
        field: cells[spec.source.column or field] for field, spec in domain.fields.items()
    }
    for field in ("colours", "material", "stock"):
        values[field] = [str(cell).split("|") for cell in values[field]]
    for field in ("size", "sold", "price"):
        values[field] = [float(str(cell)) for cell in values[field]]
    values["second_hand"] = [cell == "yes" for cell in values["second_hand"]]
    return build_catalogue("shop", domain, list(cells["sku"]), values, domain.sizes)


@given(
    st.lists(
        st.lists(st.text("aAbßſ éÉ", min_size=1, max_size=3).filter(str.strip), max_size=4),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 5),
)
def test_labels_are_the_column_that_the_catalogue_would_build(
    rows: list[list[str]], batch: int
) -> None:
    labels = Labels(FieldSpec(kind=Kind.CATEGORIES))
    for start in range(0, len(rows), batch):
        assert labels.add(rows[start : start + batch]) == []
    found, wanted = labels.finish(), LabelColumn.build(
        [[label.strip() for label in row] for row in rows], single=False
    )  # fmt: skip
    assert found.labels == wanted.labels
    assert np.array_equal(found.codes, wanted.codes)
    assert np.array_equal(found.offsets, wanted.offsets)
    assert found.digest() == wanted.digest()


def test_the_most_frequent_spelling_stands_and_the_note_says_so(file: Path) -> None:
    cells = ["GARHAMMER"] * 2 + ["Garhammer"] * 30 + ["Klaver Co"] * 9 + ["Klaver  Co"] * 3
    cells += ["Klaver\u00a0Co"] + ["Löwe"] * 5 + ["Lo\u0308we"]
    lines = "".join(f"{n};n;{cell};;1;;;;1;\n" for n, cell in enumerate(cells))
    catalogue, account = build(file, ROWS.splitlines()[0] + b"\n" + lines.encode())
    assert catalogue.columns["brand"].labels == ("Garhammer", "Klaver Co", "Löwe")  # pyright: ignore
    brand = next(field for field in account.fields if field.field == "brand")
    assert brand.warnings[-1:] == (
        "4 spellings merged, as case and spaces do not count; the most frequent stands:"
        " 'Garhammer' (30) for 'GARHAMMER' (2); 'Klaver␣Co' (9) for 'Klaver␣␣Co' (3),"
        " 'Klaver\\xa0Co' (1); 'L\\xf6we' (5) for 'Lo\\u0308we' (1)",
    )


def test_missing_columns_are_all_named_with_near_spellings(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        build(file, b"SKU,Name,brand,color,price,date,used,place,units_sold\n1,2,3,4,5,6,7,8,9\n")
    assert caught.value.problems == [
        "there is no column 'sku' (the id): did you mean 'SKU'?",
        "there is no column 'name' (field name): did you mean 'Name'?",
        "there is no column 'colour' (field colours): did you mean 'color'?",
        "there is no column 'sold' (field sold): did you mean 'units_sold'?",
    ]
    assert caught.value.where == str(file)
    assert str(caught.value.remedy).endswith(
        "The file has: SKU, Name, brand, color, price, date, used, place, units_sold."
    )


def test_progress_counts_rows(file: Path) -> None:
    lines = b"".join(b"%d;n;b;;1;;;;1;\n" % n for n in range(20_000))
    file.write_bytes(ROWS.splitlines()[0] + b"\n" + lines)
    heard: list[int] = []
    catalogue, _ = build_from_table(open_table(file), wares(), name="w", progress=heard.append)
    assert heard == [8_192, 16_384, 20_000]
    assert len(catalogue) == 20_000
