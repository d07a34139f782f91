"""Numbers, years, flags, points, labels and ids as owners write them."""

from __future__ import annotations

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import FieldSource
from mystery_shopper.sources.building.cells import (
    flag_reader,
    label_reader,
    plain_text,
    read_id,
    read_point,
)
from mystery_shopper.sources.building.numbers import (
    read_integer,
    read_number,
    shows_thousands,
    thousands_warning,
)
from mystery_shopper.sources.building.unfit import Unfit
from mystery_shopper.sources.building.years import read_year
from mystery_shopper.sources.tables import Nested


@pytest.mark.parametrize(
    ("text", "decimal", "number"),
    [
        ("5", ".", 5), ("-5.25", ".", -5.25), ("+5", ".", 5), (".5", ".", 0.5), ("5.", ".", 5),
        ("−5", ".", -5), ("9.78043902348e+12", ".", 9780439023480), ("007", ".", 7),
        ("269,435", ".", 269435), ("1,234,567.89", ".", 1234567.89), ("12,34,567", ".", 1234567),
        ("1.234,50", ",", 1234.5), ("1.234", ",", 1234), ("1,5", ",", 1.5), ("1.234", ".", 1.234),
        ("1 234,50", ",", 1234.5), ("1\u00a0234\u00a0567", ".", 1234567),
        ("1\u202f234,5", ",", 1234.5), ("1'234.50", ".", 1234.5), ("1’234’567.5", ".", 1234567.5),
        ("£5", ".", 5), ("£ 1,234.50", ".", 1234.5), ("5 €", ",", 5), ("1.234,50 €", ",", 1234.5),
        ("-£5", ".", -5), ("£-5", ".", -5), ("₹12,34,567.00", ".", 1234567), ("¥500", ".", 500),
        ("GBP 5.99", ".", 5.99), ("5.99 USD", ".", 5.99), ("EUR5", ".", 5), ("5,99EUR", ",", 5.99),
        ("US$1,000", ".", 1000), ("R$ 1.000,50", ",", 1000.5), ("99 kr", ",", 99),
        ("12 zł", ",", 12),
        ("CHF 1'234.50", ".", 1234.5), ("kr. 99", ",", 99), ("Rs. 500", ".", 500),
        ("$5.00 USD", ".", 5),
    ],
)  # fmt: skip
def test_numbers(text: str, decimal: str, number: float) -> None:
    assert read_number(text, decimal) == number
    assert read_number(f"  {text} ", decimal) == number


@pytest.mark.parametrize(
    ("text", "decimal", "reason", "remedy"),
    [
        ("1.234,50", ".", "is not a number with the decimal mark '.'",
         '`source: {decimal: ","}` reads it'),
        ("1,50", ".", "is not a number with the decimal mark '.'",
         '`source: {decimal: ","}` reads it'),
        ("£1.234.567", ".", "is not a number with the decimal mark '.'",
         '`source: {decimal: ","}` reads it'),
        ("1,234.50", ",", "is not a number with the decimal mark ','",
         '`source: {decimal: "."}` reads it'),
        ("5%", ".", "holds a percent sign", "export it as a plain number without the sign"),
        ("nan", ".", "is not a finite number", None), ("-Inf", ".", "is not a finite number", None),
        ("1e999", ".", "is not a finite number", None),
        ("2004-05-17", ".", "is a date", "`source: {part: year}` takes the year"),
        ("17/05/2004", ".", "is a date", "`source: {part: year}` takes the year"),
        ("68 cm", ".", "is a number with other text", "export the number alone"),
        ("10-20", ".", "is a number with other text", "export the number alone"),
        ("--5", ".", "is not a number", None),
        ("n/a", ".", "is not a number", "leave the cell empty, or name the word in `missing`"),
        ("1_000", ".", "is a number with other text", None), ("£", ".", "is not a number", None),
        ("1,2345", ".", "is not a number with the decimal mark '.'", None),
        ("1,234 567", ".", "is a number with other text", None),
        ("five", ".", "is not a number", None),
        ("5 cats", ".", "is a number with other text", None),
        ("ab 12,00 €", ",", "is a number with other text", "export the number alone"),
        ("from £12.50", ".", "is a number with other text", "export the number alone"),
        ("ca. 12 €", ".", "is a number with other text", "export the number alone"),
        ("~12", ".", "is a number with other text", "export the number alone"),
        ("from Paris", ".", "is not a number", None),
        ("3.987,-", ".", "is not a number with the decimal mark '.'",
         '`source: {decimal: ","}` reads it'),
        ("1,234.-", ",", "is not a number with the decimal mark ','",
         '`source: {decimal: "."}` reads it'),
        ("12,---", ".", "is a number with other text", None),
        ("1,234,-", ",", "is a number with other text", None),
    ],
)  # fmt: skip
def test_what_is_no_number(text: str, decimal: str, reason: str, remedy: str | None) -> None:
    with pytest.raises(Unfit) as caught:
        read_number(text, decimal)
    assert caught.value.reason == reason
    assert remedy is None or caught.value.remedy == remedy


@given(
    number=st.decimals(min_value=-10_000_000, max_value=10_000_000, places=2),
    marks=st.sampled_from([(",", "."), (".", ","), (" ", "."), ("\u00a0", ","), ("'", ".")]),
    sign=st.sampled_from(["", "£", "€ ", "USD "]),
    after=st.booleans(),
)
def test_numbers_written_in_any_way_read_back(
    number: object, marks: tuple[str, str], sign: str, after: bool
) -> None:
    thousands, decimal = marks
    text = f"{number:,.2f}".replace(",", "_").replace(".", decimal).replace("_", thousands)
    text = f"{text} {sign.strip()}" if after else f"{sign}{text}"
    assert read_number(text.strip(), decimal) == float(str(number))


@pytest.mark.parametrize("cell", ["2008.0", 2008, 2008.0, "2,008", "2008"])
def test_whole_numbers(cell: object) -> None:
    assert read_integer(cell, ".") == 2008


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("2008.5", "is not a whole number"), (3.25, "is not a whole number"),
        ("99999999999999999999", "is too large for a whole number"), (True, "is not a number"),
        (10**400, "is too large"), (["5"], "is not a number"),
        (float("inf"), "is not a finite number"),
    ],
)  # fmt: skip
def test_what_is_no_whole_number(cell: object, reason: str) -> None:
    with pytest.raises(Unfit) as caught:
        read_integer(cell, ".")
    assert caught.value.reason == reason


def test_thousands_by_the_other_mark_are_recognised() -> None:
    with pytest.raises(Unfit) as caught:
        read_integer("1.200", ".")
    assert caught.value.remedy == '`source: {decimal: ","}` reads it as one'


@pytest.mark.parametrize(
    ("cell", "year"),
    [
        ("2004", 2004), ("2004.0", 2004), (2004, 2004), (2004.0, 2004), ("-750", -750),
        ("−44", -44), ("980", 980), ("2004-05", 2004), ("2004-05-17", 2004), ("2004/5/7", 2004),
        ("-0044-03-15", -44), ("2004-05-17T10:20:30Z", 2004), ("2004-05-17 10:20:30", 2004),
        ("17/05/2004", 2004), ("05/17/2004", 2004), ("17.5.2004", 2004), ("05/2004", 2004),
        ("Jan 2004", 2004), ("January 2004", 2004), ("5 Jan 2004", 2004), ("Jan 5, 2004", 2004),
        ("January 5th, 2004", 2004), ("5-Jan-2004", 2004), ("20040517", 2004), ("29/02/2004", 2004),
        ("Mon, 17 May 2004", 2004), ("Sept. 2004", 2004), ("2000-02-29", 2000),
    ],
)  # fmt: skip
def test_years(cell: object, year: int) -> None:
    assert read_year(cell) == year


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("2004-13-01", "is an impossible date"), ("2004-02-30", "is an impossible date"),
        ("29/02/2003", "is an impossible date"), ("45/45/2004", "is an impossible date"),
        ("20041317", "is an impossible date"), ("0000-00-00", "is in no year there was"),
        ("0", "is in no year there was"), ("13/2004", "is an impossible date"),
        ("20045", "is not a date"), ("04/05/99", "is not a date"), ("Jan 04", "is not a date"),
        ("Smarch 2004", "is not a date"), ("soon", "is not a date"),
        ("1084492800", "is not a date"),
        (2004.5, "is not a year"), (20040, "is not a year"), (True, "is not a date"),
        ("31 Nov 2004", "is an impossible date"), ("04", "is a year of two digits"),
        ("99", "is a year of two digits"), ("'85", "is a year of two digits"),
    ],
)  # fmt: skip
def test_what_is_no_year(cell: object, reason: str) -> None:
    with pytest.raises(Unfit) as caught:
        read_year(cell)
    assert caught.value.reason == reason


@given(st.dates(min_value=datetime.date(1000, 1, 1)), st.sampled_from(
    ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%b %Y", "%Y-%m",
     "%Y%m%d", "%a %d %b %Y", "%Y"]))  # fmt: skip
def test_every_day_written_in_any_way_has_its_year(day: datetime.date, form: str) -> None:
    assert read_year(day.strftime(form)) == day.year


@pytest.mark.parametrize(
    ("cell", "flag"),
    [
        ("yes", 1), ("No", 0), ("TRUE", 1), ("f", 0), ("1", 1), ("0", 0), ("on", 1), ("off", 0),
        ("12", 1), ("-3", 0), ("0.0", 0), (True, 1), (False, 0), (7, 1), (0.0, 0), ("1,200", 1),
    ],
)  # fmt: skip
def test_flags(cell: object, flag: int) -> None:
    assert flag_reader(FieldSource())(cell) == flag


def test_flags_by_the_owners_words() -> None:
    read = flag_reader(FieldSource(true_words=("used", "N"), false_words=("new",)))
    assert [read("Used"), read("n"), read("NEW"), read("3")] == [1, 1, 0, 1]
    with pytest.raises(Unfit, match="is neither yes nor no") as caught:
        read("yes")
    assert "used, N, new" in caught.value.remedy
    assert flag_reader(FieldSource(true_words=("no",)))("n") == 0
    with pytest.raises(Unfit, match="is an object"):
        read(Nested("an object within the object"))


def test_points() -> None:
    for cell in ("52.5, 13.4", "52.5,13.4", "(52.5; 13.4)", "52.5 13.4", [52.5, 13.4]):
        assert read_point(cell) == (52.5, 13.4)
    for cell in ("52.5", "a, b", "1, 2, 3", 5, None, [1]):
        with pytest.raises(Unfit, match=r"is not a latitude and a longitude$"):
            read_point(cell)
    with pytest.raises(Unfit, match="in degrees") as caught:
        read_point("113.4, 52.5")
    assert caught.value.remedy == "the latitude comes first"


def test_labels() -> None:
    read = label_reader(FieldSource(separator="|", missing=("N/A",)), single=False)
    assert read(" Red | |Blue|n/a") == ("Red", "Blue")
    assert read("n/a") == read(" ") == read([]) == read("|") == ()
    assert read(["Red|Blue", " ", 3, 4.0, True]) == ("Red|Blue", "3", "4", "true")
    assert read(5) == ("5",)
    whole = label_reader(FieldSource(), single=True)
    assert whole(" a, b | c ") == ("a, b | c",)
    with pytest.raises(Unfit, match="holds several labels"):
        whole(["a", "b"])
    with pytest.raises(Unfit, match="is an object"):
        whole(Nested("an object within the object"))


@pytest.mark.parametrize(
    ("cell", "item_id"),
    [(439023483, "439023483"), (439023483.0, "439023483"), (" a ", "a"), ("007", "007"),
     ("../../etc/passwd", "../../etc/passwd"), ("a/b", "a/b"), ('say "hi", x', 'say "hi", x'),
     ("4.39e8", "4.39e8"), (2**64, "18446744073709551616")],
)  # fmt: skip
def test_ids(cell: object, item_id: str) -> None:
    assert read_id(cell) == item_id


@pytest.mark.parametrize("cell", [1.5, 1e300, True, ["a"], float("nan"), Nested("an object")])
def test_what_is_no_id(cell: object) -> None:
    with pytest.raises(Unfit, match=re.compile("is (no id|an object)")):
        read_id(cell)


def test_texts() -> None:
    assert [plain_text(cell) for cell in (" a ", 5, 5.0, 5.5, 1e20, False, ["a", 1])] == [
        "a", "5", "5", "5.5", "1e+20", "false", "a, 1",
    ]  # fmt: skip
    with pytest.raises(Unfit, match="is not a finite number"):
        plain_text(float("inf"))


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ('["Oak", "Pine, waxed"]', ("Oak", "Pine, waxed")),
        ('[{"id": 28, "name": "Action"}, {"id": 12, "name": "Crime"}]', ("Action", "Crime")),
        ("[]", ()),
        ("[red", ("[red",)),
        ("[red]", ("[red]",)),
        ('[{"id": 28}]', ('[{"id": 28}]',)),
        ("[1, 2]", ("[1, 2]",)),
    ],
)
def test_json_lists_in_text_cells(cell: str, labels: tuple[str, ...]) -> None:
    assert label_reader(FieldSource(), single=False)(cell) == labels


@pytest.mark.parametrize(
    ("text", "decimal", "number"),
    [
        ("12,-", ",", 12), ("12,-", ".", 12), ("12.-", ".", 12), ("12.-", ",", 12),
        ("3.987,-", ",", 3987), ("1'234.-", ".", 1234), ("12,– €", ",", 12), ("12,--", ",", 12),
        ("EUR 12.-", ".", 12), ("CHF 1'234.50", ".", 1234.5), ("12.- CHF", ".", 12),
        ("€ 3.987,—", ",", 3987), ("-12,-", ",", -12), ("1 234,-", ",", 1234),
    ],
)  # fmt: skip
def test_a_dash_stands_for_no_cents(text: str, decimal: str, number: float) -> None:
    assert read_number(text, decimal) == number


def test_a_year_of_two_digits_says_which_two_it_may_be() -> None:
    with pytest.raises(Unfit) as caught:
        read_year(" 04 ")
    assert caught.value.remedy == "write all four: 1904 or 2004, whichever is meant"
    assert (read_year("8.0"), read_year("-44"), read_year(8)) == (8, -44, 8)


def german(number: int) -> str:
    return f"{number:,} €".replace(",", ".")


@given(st.sets(st.integers(1, 999), min_size=3), st.sets(st.integers(1_000, 10**8), min_size=10))
def test_whole_prices_show_that_their_mark_means_thousands(
    small: set[int], large: set[int]
) -> None:
    texts = [german(number) for number in (*small, *large)]
    assert shows_thousands(texts, ".")
    assert not shows_thousands(texts, ",")
    assert [read_number(text, ",") for text in texts] == [*small, *large]
    assert shows_thousands([text.replace(".", ",") for text in texts], ",")


@pytest.mark.parametrize(
    "texts",
    [
        ["842", "17", "5", "3.98"],  # two digits after a mark
        ["842", "17", "5", "3.9871"],
        ["842", "17", "5", "0.987"],  # no thousands begin with a nought
        ["842", "17", "5", "3.987", "1200"],  # thousands are written without a mark
        ["842", "17", "5", "3.987", "1234.567"],
        ["3.987", "1.234", "5.678"],  # nothing beside them
        ["842", "17", "5"],
        ["3", "4", "5", "4.125", "2.875"],  # ratings
        ["842", "17", "5", "3.987 kg"],
        [],
    ],
)
def test_other_columns_do_not_show_thousands(texts: list[str]) -> None:
    assert not shows_thousands(texts, ".")
    assert thousands_warning(texts, ".") is None
