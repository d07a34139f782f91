"""Each kind of bad input: line and column are named, the rest is kept or refused as asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.building import Account, Dropped, Example, OnError, build_from_table
from mystery_shopper.sources.tables import open_table

DOMAIN = b"""
name: wares
noun: {singular: ware, plural: wares}
id: sku
title: name
popularity: sold
fields:
  name: {kind: text}
  brand: {kind: category, requirement: true, words: {also: [brand]}}
  price: {kind: number, source: {column: cost}}
  year: {kind: integer}
  sold: {kind: integer}
"""
HEADER = "sku,name,brand,cost,year,sold"


def build(path: Path, text: str | bytes, on_error: OnError) -> tuple[Catalogue, Account]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    domain = parse_domain(DOMAIN, "wares")
    return build_from_table(open_table(path), domain, name="wares", on_error=on_error)


def problems_of(path: Path, text: str | bytes, on_error: OnError = "stop") -> list[str]:
    return refusal_of(path, text, on_error).problems


def refusal_of(path: Path, text: str | bytes, on_error: OnError = "stop") -> InputError:
    with pytest.raises(InputError) as caught:
        build(path, text, on_error)
    assert caught.value.where == str(path)
    assert caught.value.remedy
    return caught.value


def lines(*spoilt: tuple[int, str], count: int = 9) -> str:
    """A file whose product n stands on line n + 1, but for the lines that are given."""
    rows = [HEADER, *(f"s{n},Ware {n},B{n % 2},{n}.50,2004,{n}" for n in range(1, count + 1))]
    for line, text in spoilt:
        rows[line - 1] = text
    return "\n".join(rows) + "\n"


def dropped(account: Account, field: str) -> tuple[Dropped, ...]:
    return next(one.dropped for one in account.fields if one.field == field)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bad") / "wares.csv"


VALUES = [
    ("s3,W,B,£5%,2004,1", "price", 'cost', "'£5%'", "holds a percent sign",
     "export it as a plain number without the sign"),
    ('s3,W,B,"1.234,50",2004,1', "price", "cost", "'1.234,50'",
     "is not a number with the decimal mark '.'", '`source: {decimal: ","}` reads it'),
    ("s3,W,B,5,2004-05-17,1", "year", "year", "'2004-05-17'", "is a date",
     "`source: {part: year}` takes the year"),
    ("s3,W,B,5,2004.5,1", "year", "year", "'2004.5'", "is not a whole number",
     "make the field `kind: number`"),
    ("s3,W,B,nan,2004,1", "price", "cost", "'nan'", "is not a finite number",
     "leave the cell empty, or name the word in `missing`"),
    ("s3,W,B,5,2004,many", "sold", "sold", "'many'", "is not a number",
     "leave the cell empty, or name the word in `missing`"),
    ("s3,W,B,5,2004," + "x" * 90, "sold", "sold", "'" + "x" * 58 + "…", "is not a number",
     "leave the cell empty, or name the word in `missing`"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "field", "column", "value", "reason", "remedy"), VALUES)
def test_a_value_that_its_field_cannot_take(
    file: Path, row: str, field: str, column: str, value: str, reason: str, remedy: str
) -> None:
    role = f" (field {field})" if field != column else ""
    assert problems_of(file, lines((4, row))) == [
        f"line 4, column {column!r}: {value} {reason}{role}; {remedy}"
    ]
    catalogue, account = build(file, lines((4, row)), "skip")
    assert len(catalogue) == account.kept == account.read == 9
    item = catalogue.find("s3")
    assert item is not None
    assert item[field] is None
    assert dropped(account, field) == (
        Dropped(reason, 1, (Example(4, column, value, reason + role),), remedy),
    )
    assert account.dropped == ()
    told = next(one for one in account.fields if one.field == field)
    assert (told.known, told.missing) == (8, 1)


ROWS = [
    ("s4,W,B", "line 4, column 'cost': too few cells (3, where the header has 6)",
     "too few cells"),
    ("s4,W,B,1,2004,1,7", "line 4: too many cells (7, where the header has 6: ',' within a text"
     " needs quotes)", "too many cells"),
    ('s4,"W,B,1,2004,1', "line 4, column 'name': a quote is opened and not closed",
     "a quote is opened and not closed"),
    (",W,B,1,2004,1", "line 4, column 'sku': has no id", "has no id"),
    ("s1,W,B,1,2004,1", "line 4, column 'sku': 's1' is an id that occurs twice (first on line 2);"
     " keep one of the two", "is an id that occurs twice"),
    ("s[4],W,B,1,2004,1", "line 4, column 'sku': 's[4]' is an id with a bracket or a newline;"
     " export another key as the id", "is an id with a bracket or a newline"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "problem", "reason"), ROWS)
def test_a_row_that_cannot_be_kept(file: Path, row: str, problem: str, reason: str) -> None:
    assert problems_of(file, lines((4, row))) == [problem]
    catalogue, account = build(file, lines((4, row)), "skip")
    assert sorted(catalogue.ids) == [f"s{n}" for n in range(1, 10) if n != 3]
    assert (account.read, account.kept) == (9, 8)
    (one,) = account.dropped
    assert (one.reason, one.count, one.examples[0].line) == (reason, 1, 4)


def test_an_id_with_a_newline(file: Path) -> None:
    text = lines((4, '"s\n4",W,B,1,2004,1'))
    assert problems_of(file, text)[0].startswith(
        "line 4, column 'sku': 's\\n4' is an id with a bracket or a newline"
    )
    assert len(build(file, text, "skip")[0]) == 8


def test_mixed_encodings(file: Path) -> None:
    text = lines((3, "s2,Café,B,1,2004,1"), (5, "s4,Crème,B,1,2004,1")).encode()
    text = text.replace(b"Ware 5", b"Caf\xe9")
    assert problems_of(file, text) == ["line 6, column 'name': bytes that are not UTF-8 (E9)"]
    catalogue, account = build(file, text, "skip")
    assert "s5" not in catalogue.ids
    assert len(catalogue) == 8
    assert account.form == "CSV, separated by ',', UTF-8 (but for 1 line)"


def test_all_problems_are_named_at_once_in_the_files_order(file: Path) -> None:
    text = lines((9, "s8,W"), (3, "s2,W,B,x,y,1"), (6, "s1,W,B,1,2004,1"))
    assert [problem.split(":")[0] for problem in problems_of(file, text)] == [
        "line 3, column 'cost'", "line 3, column 'year'", "line 6, column 'sku'",
        "line 9, column 'brand'",
    ]  # fmt: skip


def test_no_more_than_twenty_problems(file: Path) -> None:
    text = lines(*((n, f"s{n},W,B,x,2004,1") for n in range(2, 50)), count=60)
    found = refusal_of(file, text)
    assert [one.split(",")[0] for one in found.problems] == [f"line {n}" for n in range(2, 22)]
    assert (found.remedy or "").startswith("There may be more. Column 'cost' changes")
    assert ": 20 problems\n" in str(found)
    few = refusal_of(file, lines((3, "s2,W,B,x,2004,1"), (4, "s3,W,B,x,2004,1")))
    assert ": 2 problems\n" in str(few)
    assert (few.remedy or "").startswith("Mend the file")


def test_a_column_that_changes_type_half_way(file: Path) -> None:
    text = lines(*((n, f"s{n},W,B,cheap,2004,1") for n in range(51, 101)), count=99)
    found = refusal_of(file, text)
    assert found.problems[0].startswith("line 51, column 'cost': 'cheap' is not a number")
    change = (
        "changes from numbers to other text at line 51"
        " (49 known values before it, 50 from there on)"
    )
    assert f"There may be more. Column 'cost' {change}. Mend" in (found.remedy or "")
    catalogue, account = build(file, text, "skip")
    price = next(one for one in account.fields if one.field == "price")
    assert len(catalogue) == 99
    assert (price.known, price.missing) == (49, 50)
    assert price.dropped[0].count == 50
    assert [one.line for one in price.dropped[0].examples] == [51, 52, 53, 54, 55]
    assert price.warnings == (change,)


@pytest.mark.parametrize("column", ["name", "brand"])
@pytest.mark.parametrize("numbers_first", [True, False])
def test_a_text_that_changes_type_half_way(file: Path, column: str, numbers_first: bool) -> None:
    def row(n: int) -> str:
        told = str(n % 7) if (n < 40) == numbers_first else f"word {n % 7}"
        name, brand = (told, "B") if column == "name" else ("W", told)
        return f"s{n},{name},{brand},1,2004,1"

    _, account = build(file, lines(*((n, row(n)) for n in range(2, 91)), count=89), "stop")
    warned = next(one.warnings for one in account.fields if one.field == column)
    sorts = ("numbers", "other text") if numbers_first else ("other text", "numbers")
    assert warned == (
        f"changes from {sorts[0]} to {sorts[1]} at line 40"
        " (38 known values before it, 51 from there on)",
    )


def test_titles_that_are_numbers_now_and_then_are_no_change(file: Path) -> None:
    text = lines(*((n, f"s{n},{n if n % 9 < 5 else 'W'},B,1,2004,1") for n in range(2, 91)),
                 count=89)  # fmt: skip
    _, account = build(file, text, "stop")
    assert all(not one.warnings for one in account.fields)


def test_empty_popularity(file: Path) -> None:
    text = "\n".join([HEADER, *(f"s{n},W,B,1,2004," for n in (3, 1, 2))])
    catalogue, account = build(file, text, "stop")
    assert tuple(catalogue.ids) == ("s1", "s2", "s3")
    assert account.fields[-1].warnings == (
        "popularity is empty: no row has a value of sold, so the order is by id",
    )


def test_as_many_labels_as_rows(file: Path) -> None:
    text = lines(*((n, f"s{n},W,Brand {n},1,2004,1") for n in range(2, 61)), count=59)
    _, account = build(file, text, "stop")
    brand = account.fields[1]
    assert brand.labels == 59
    assert brand.warnings == (
        "59 distinct labels in 59 rows: few items share one"
        " (should it be `kind: text`, or have a separator?)",
    )


def test_a_separator_that_the_domain_does_not_name(file: Path) -> None:
    text = lines(*((n, f"s{n},W,{'a;b' if n % 3 == 0 else 'c'},1,2004,1") for n in range(2, 32)),
                 count=30)  # fmt: skip
    _, account = build(file, text, "stop")
    assert account.fields[1].warnings == (
        "33% of the labels hold ';': if it stands between several labels, set"
        ' `kind: categories` and `source: {separator: ";"}`',
    )


def test_ids_with_control_characters_and_ids_that_a_spreadsheet_cut(file: Path) -> None:
    catalogue, account = build(
        file,
        lines((2, "a\tb,W,B,1,2004,1"), (3, "it's,W,B,1,2004,1"), (4, "9.78E+12,W,B,1,2004,1")),
        "stop",
    )  # fmt: skip
    assert {"a\tb", "it's", "9.78E+12"} <= set(catalogue.ids)
    assert account.warnings == (
        "2 ids hold quotes or control characters (kept): 'a\\tb', \"it's\"",
        "1 id looks like a number that a spreadsheet has shortened (4.39E+08): export ids as text",
    )


def test_more_than_half_dropped_is_refused(file: Path) -> None:
    text = lines(*((n, "same,W,B,1,2004,1") for n in range(2, 8)), (8, "short"))
    assert problems_of(file, text, "skip") == [
        "only 3 of 9 rows could be kept",
        "5 rows: is an id that occurs twice (line 3, 4, 5, 6, 7)",
        "1 row: too few cells (line 8)",
    ]
    text = lines(*((n, ",W,B,1,2004,1") for n in range(2, 11)))
    assert problems_of(file, text, "skip") == [
        "none of 9 rows could be kept", "9 rows: has no id (line 2, 3, 4, 5, 6 …)",
    ]  # fmt: skip


def test_json_that_is_nested_and_keys_that_come_late(file: Path) -> None:
    rows = [
        '{"sku": 439023483, "name": "W", "brand": {"x": 1}, "cost": 1, "year": 1, "sold": 1}',
        '{"sku": 2.0, "name": {"en": "W"}, "brand": "B", "cost": "£1", "year": 2, "sold": 2}',
    ]
    text = "\n".join([*rows, *(f'{{"sku": "x{n}"}}' for n in range(5_000)), '{"sku": 3, "z": 1}'])
    found = problems_of(file, text)
    assert found == [
        "line 1, column 'brand': is an object within the object;"
        " export its parts as columns of their own",
        "line 2, column 'name': is an object within the object;"
        " export its parts as columns of their own",
    ]
    catalogue, account = build(file, text, "skip")
    assert {"439023483", "2", "3"} <= set(catalogue.ids)
    assert account.warnings == (
        "line 5003, column 'z': a key that the first lines do not have; it is left aside",
    )


def test_parquet_problems_name_the_row(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "wares.parquet"
    duckdb.sql(
        "select 's' || range as sku, 'W' as name, ['B'] as brand, case when range = 3 then 'x' else"
        " '1' end as cost, 2004.0 as year, 'nan'::double as sold from range(9)"
    ).write_parquet(str(path))
    with pytest.raises(InputError) as caught:
        build_from_table(open_table(path), parse_domain(DOMAIN, "wares"), name="w", on_error="stop")
    assert caught.value.problems == [
        "row 4, column 'cost': 'x' is not a number (field price); leave the cell empty, or name"
        " the word in `missing`"
    ]


@given(
    spoilt=st.dictionaries(
        st.integers(1, 20).map(lambda n: 2 * n),
        st.sampled_from(["few", "many", "quote", "id", "twice"]),
        max_size=15,
    )
)
def test_skipping_loses_the_spoilt_lines_and_no_other(file: Path, spoilt: dict[int, str]) -> None:
    rows = {"few": "s,W", "many": "s,W,B,1,2004,1,1", "quote": 's,"W,B,1,2004,1',
            "id": ",W,B,1,2004,1", "twice": "s50,W,B,1,2004,1"}  # fmt: skip
    # The row that the duplicates repeat stands last, so the first of them is the one that is kept.
    texts = lines(*((line, rows[kind]) for line, kind in spoilt.items()), count=59)
    catalogue, account = build(file, texts, "skip")
    twice = min((line for line, kind in spoilt.items() if kind == "twice"), default=None)
    wanted = {f"s{n}" for n in range(1, 60) if n + 1 not in spoilt}
    assert set(catalogue.ids) == wanted
    lost = sum(one.count for one in account.dropped)
    assert account.read == account.kept + lost == 59
    assert lost == len(spoilt)
    if spoilt:
        named = [problem for problem in problems_of(file, texts) if problem.startswith("line ")]
        expected = set(spoilt) - {twice} | ({51} if twice else set())
        assert {int(problem[5:].split(",")[0].split(":")[0]) for problem in named} == expected


def test_ids_that_are_no_texts(file: Path) -> None:
    ids = ["null", "1.5", "true", '["a"]', '{"x": 1}', '"a[1]"', *map(str, range(9))]
    text = "\n".join(f'{{"sku": {one}, "name": "W", "brand": "B", "cost": 1, "year": 1, "sold": 1}}'
                     for one in ids)  # fmt: skip
    assert [one.split(";")[0] for one in problems_of(file, text)] == [
        "line 1, column 'sku': has no id", "line 2, column 'sku': 1.5 is no id",
        "line 3, column 'sku': True is no id", "line 4, column 'sku': ['a'] is no id",
        "line 5, column 'sku': is an object within the object",
        "line 6, column 'sku': 'a[1]' is an id with a bracket or a newline",
    ]  # fmt: skip
    assert len(build(file, text, "skip")[0]) == 9


def test_cells_that_hold_no_value_in_any_kind_of_field(file: Path) -> None:
    domain = parse_domain(
        DOMAIN + b"  flag: {kind: flag, source: {missing: [none]}}\n"
        b"  place: {kind: point, source: {missing: [none]}}\n", "wares"
    )  # fmt: skip
    file.write_text(f"{HEADER},flag,place\ns1,W,B,1,2004,1, None,NONE \ns2,,,,,,no,\"1,2\"\n",
                    encoding="utf-8")  # fmt: skip
    catalogue, account = build_from_table(open_table(file), domain, name="w", on_error="stop")
    items = [catalogue.find("s1"), catalogue.find("s2")]
    assert [item and (item["flag"], item["place"]) for item in items] == [
        (None, None), (False, (1.0, 2.0)),
    ]  # fmt: skip
    assert [(one.known, one.missing) for one in account.fields] == [(1, 1)] * 7


def test_one_broken_line_of_a_large_file(file: Path) -> None:
    rows = [f"s{n},Ware {n},B{n % 9},{n % 50}.50,2004,{n}" for n in range(1, 30_001)]
    rows[20_000] = 's20001,"Ware,B,1,2004,1'
    text = "\n".join([HEADER, *rows])
    assert problems_of(file, text) == [
        "line 20002, column 'name': a quote is opened and not closed"
    ]
    catalogue, account = build(file, text, "skip")
    assert len(catalogue) == 29_999
    assert [(one.reason, one.count) for one in account.dropped] == [
        ("a quote is opened and not closed", 1)
    ]


def test_more_lost_than_kept_is_told_at_the_end_with_the_cure(file: Path) -> None:
    good = [f"x{n},W,B,5,200{n},1" for n in range(3)]
    bad = [f"t{n},W,B,5,200{n}-01-02,1" for n in range(4)]
    _, account = build(file, lines(*enumerate([*good, *bad], 2)), "skip")
    assert account.warnings == ()
    bad += [f"u{n},W,B,5,200{n}-01-02,1" for n in range(3)]
    spoilt = enumerate([*good[:2], *bad], 2)
    _, account = build(file, lines(*spoilt), "skip")
    assert account.warnings == (
        "7 of 9 values of year were dropped. Most: a value is a date, and the field is of kind"
        " integer; `source: {part: year}` takes the year",
    )


def test_a_separator_that_occurs_in_no_value_is_told(file: Path) -> None:
    spec = DOMAIN.replace(
        b"{kind: category, requirement: true, words: {also: [brand]}}",
        b"{kind: categories, source: {separator: ;}}",
    )
    told = "the separator ';' occurs in no value: is it another?"
    for text, warned in ((lines(), True), (lines((4, "s3,W,B;C,5,2004,1")), False)):
        file.write_text(text, encoding="utf-8")
        _, account = build_from_table(open_table(file), parse_domain(spec, "wares"), name="wares")
        assert (told in account.fields[1].warnings) == warned


@pytest.mark.parametrize("gone", ["Out of stock", "nicht lieferbar", "Ausverkauft", "épuisé"])
def test_a_format_that_says_no_is_told_with_the_cure(file: Path, gone: str) -> None:
    spec = DOMAIN + b"formats: brand\n"
    rows = lines((4, f"s3,W,{gone},5,2004,1"))
    file.write_text(rows, encoding="utf-8")
    _, account = build_from_table(open_table(file), parse_domain(spec, "wares"), name="wares")
    (told,) = account.fields[1].warnings
    assert told == (
        f"1 item can be had {gone!r}, as if that were a way to have one: set `source: {{missing:"
        f" [{gone!r}]}}`, or make the field `kind: flag` with these as `false_words`"
    )


def test_where_the_build_stops_the_remedy_names_skipping(file: Path) -> None:
    with pytest.raises(InputError) as caught:
        build(file, lines((4, "s3,W,B,x,2004,1")), "stop")
    assert "--on-error skip" in str(caught.value.remedy)


def test_a_label_that_has_a_shipped_block_is_told(file: Path) -> None:
    spec = DOMAIN.replace(b", words: {also: [brand]}", b"")
    file.write_text(lines(), encoding="utf-8")
    _, account = build_from_table(open_table(file), parse_domain(spec, "wares"), name="wares")
    assert account.fields[1].warnings == (
        "the label 'brand' has a shipped block: add `words: {also: [brand]}`",
    )


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_whole_prices_with_a_mark_before_thousands_are_warned_of(
    file: Path, on_error: OnError
) -> None:
    prices = [842, 17, 999, 3987, 1250, 5, 12_345, 310]
    shown = [f"{price:,} €".replace(",", ".") for price in prices]
    rows = [f"s{n},Ware {n},B,{price},2004,{99 - n}" for n, price in enumerate(shown)]
    catalogue, account = build(file, "\n".join([HEADER, *rows]), on_error)
    assert catalogue.numbers("price").numbers.tolist()[3:6] == [3.987, 1.25, 5]
    price = next(one for one in account.fields if one.field == "price")
    assert price.warnings == (
        "three digits follow every '.', as in '3.987 €', beside numbers up to 999: it was read as"
        ' the decimal mark; if thousands are meant, set `source: {decimal: ","}`',
    )
    mended = parse_domain(DOMAIN.replace(b"{column: cost}", b"{column: cost, decimal: ','}"), "w")
    catalogue, account = build_from_table(open_table(file), mended, name="w", on_error=on_error)
    assert catalogue.numbers("price").numbers.tolist() == prices
    assert not next(one for one in account.fields if one.field == "price").warnings
