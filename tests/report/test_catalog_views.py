"""`catalog show` and the account of a build, against counts made by hand."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

import numpy as np
from rich.console import Console

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.report.accountview import print_account
from mystery_shopper.report.catalogview import TierView, view_catalogue
from mystery_shopper.report.feasible import mute_of, tiers_of
from mystery_shopper.report.shelfview import print_catalogue
from mystery_shopper.sources import load_shop
from mystery_shopper.sources.building import Account, Dropped, Example, FieldAccount


def console() -> Console:
    return Console(file=io.StringIO(), width=80, force_terminal=False)


def text_of(screen: Console) -> str:
    file = screen.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_a_view_counts_as_a_plain_loop_does() -> None:
    catalogue = load_shop()
    view = {field.name: field for field in view_catalogue(catalogue).fields}
    items = [catalogue.item(place) for place in range(len(catalogue))]
    brands = Counter(item["brand"] for item in items)
    top = sorted(brands.items(), key=lambda pair: (-pair[1], str(pair[0])))[:10]
    assert [(count.label, count.items) for count in view["brand"].top] == top
    assert view["brand"].labels == len(brands)
    colours = Counter(len(item["colours"]) > 1 for item in items)  # pyright: ignore
    assert view["colours"].several == colours[True]
    assert view["second_hand"].true == sum(bool(item["second_hand"]) for item in items)
    prices = [float(item["price"]) for item in items]  # pyright: ignore
    assert (view["price"].least, view["price"].most) == (min(prices), max(prices))
    assert "popularity" in view["sold"].roles
    assert view["category"].parents == 15
    formats = view_catalogue(catalogue).formats
    assert formats is not None
    stock = Counter(way for item in items for way in item["stock"])  # pyright: ignore
    assert {count.label: count.items for count in formats.choices} == stock


def test_missing_values_are_not_known(small_catalogue: Callable[..., Catalogue]) -> None:
    catalogue = small_catalogue()
    view = {field.name: field for field in view_catalogue(catalogue).fields}
    known = {name: field.known for name, field in view.items()}
    assert known == {
        "title": 5, "genre": 5, "language": 5, "year": 5, "rating": 5, "blurb": 4, "family": 5,
        "place": 5, "popularity": 5,
    }  # fmt: skip
    formats = view_catalogue(catalogue).formats
    assert formats is not None
    assert formats.column is None
    assert sum(count.items for count in formats.choices) >= len(catalogue)


def test_fifty_thousand_labels_are_told_by_the_ten_greatest_within_80_columns() -> None:
    count = 50_000
    domain = parse_domain(
        b"name: x\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n"
        b"  t: {kind: text}\n  brand: {kind: category, requirement: true}\n",
        "x",
    )
    brands = ["Great"] * 5 + [f"Brand {i}" for i in range(count - 1)]
    ids = [f"i{i}" for i in range(len(brands))]
    catalogue = build_catalogue("x", domain, ids, {"t": ids, "brand": brands})
    screen = console()
    print_catalogue(view_catalogue(catalogue), screen)
    shown = text_of(screen)
    assert "brand: Great (5), " in shown
    assert "and 49,990 more" in shown.replace("\n", " ")
    assert len(shown) < 2_000
    assert max(map(len, shown.splitlines())) <= 80


def test_tiers_say_what_stands_in_the_way() -> None:
    domain = parse_domain(
        b"name: x\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n"
        b"  t: {kind: text}\n  brand: {kind: category, requirement: true}\n",
        "x",
    )
    ids = [f"i{i}" for i in range(40)]
    brands = [("a", "b")[i % 2] for i in range(40)]
    catalogue = build_catalogue("x", domain, ids, {"t": ids, "brand": brands})
    tiers = tiers_of(catalogue)
    assert [tier.feasible for tier in tiers] == [False, False, False]
    assert all(tier.problems for tier in tiers)


def test_fields_that_nobody_can_ask_about_are_told() -> None:
    text = (
        b"name: x\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n  t: {kind: text}\n"
        b"  one: {kind: category, requirement: true, label: shade}\n"
        b"  two: {kind: category, requirement: true, label: shade}\n"
        b"  sort: {kind: category, requirement: true, label: material}\n"
    )
    domain = parse_domain(text, "x")
    values = {"t": ["a", "b"], "one": ["p", "q"], "two": ["r", "s"], "sort": ["u", "v"]}
    catalogue = build_catalogue("x", domain, ["1", "2"], values)
    view = {field.name: field for field in view_catalogue(catalogue, mute=mute_of(domain)).fields}
    assert "choose another `label`" in view["one"].mute
    assert not view["sort"].mute


def test_a_shipped_block_that_a_label_has_is_told() -> None:
    text = (
        b"name: x\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n  t: {kind: text}\n"
        b"  marke: {kind: category, requirement: true, label: brand}\n"
        b"  sort: {kind: category, requirement: true, words: {nouns: [kind]}}\n"
    )
    values = {"t": ["a", "b"], "marke": ["p", "q"], "sort": ["u", "v"]}
    view = view_catalogue(build_catalogue("x", parse_domain(text, "x"), ["1", "2"], values))
    told = "the label 'brand' has a shipped block: add `words: {also: [brand]}`"
    assert [field.hint for field in view.fields] == ["", told, ""]
    screen = console()
    print_catalogue(view, screen)
    assert text_of(screen).count("note: ") == 1
    assert told in " ".join(text_of(screen).split())


def test_no_more_than_three_templates_that_cannot_be_met_are_listed() -> None:
    tier = TierView("simple", True, ("[a, b]",), tuple(f"[a, {i}]: because" for i in range(9)))
    screen = console()
    print_catalogue(view_catalogue(load_shop(), tiers=[tier], mute={"brand": "no noun"}), screen)
    shown = text_of(screen)
    assert shown.count("because") == 3
    assert "and 6 others that cannot be met" in shown
    assert "mute: no noun" in shown


def test_an_account_names_lines_and_columns() -> None:
    examples = (Example(7, "price", "'on request'", "is not a number"),)
    account = Account(
        "products.csv", "CSV", 100, 98,
        (Dropped("is an id that occurs twice", 2, (Example(3, "sku", "'A1'", "is an id that occurs "
                                                           "twice (first on line 2)"),)),),
        (
            FieldAccount("price", "price", "number", 90, 8, (Dropped("is not a number", 4,
                                                                    examples),)),
            FieldAccount("brand", "brand", "category", 98, 0, (), 12, ("look at \x1b[31mthis",)),
        ),
        ("1 id holds quotes",),
    )  # fmt: skip
    screen = console()
    print_account(account, screen)
    shown = text_of(screen)
    for part in (
        "100 rows read, 98 kept",
        "2 rows dropped: is an id that occurs twice",
        "line 3, column sku: 'A1'",
        "(first on line 2)",
        "4 values dropped: is not a number",
        "line 7, column price: 'on request'",
        "and 3 more",
        "note: look at [31mthis",
        "note: 1 id holds quotes",
    ):
        assert part in shown
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_bounds_shown_are_those_that_a_request_may_name() -> None:
    from mystery_shopper.catalog import bounds_of

    catalogue = load_shop()
    view = {field.name: field for field in view_catalogue(catalogue).fields}
    numbers = np.asarray(catalogue.numbers("price").numbers)
    assert view["price"].bounds == bounds_of(numbers, None)


def test_formats_from_a_stock_and_from_a_flag_count_what_can_be_had() -> None:
    for kind, cells in (("integer", [3, 0, None, 5]), ("flag", [True, False, None, True])):
        text = (
            "name: x\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n  t: {kind: text}\n"
            f"  left: {{kind: {kind}}}\nformats: {{column: left, single: in stock}}\n"
        )
        values = {"t": ["a", "b", "c", "d"], "left": cells}
        domain = parse_domain(text.encode(), "x")
        view = view_catalogue(build_catalogue("x", domain, ["1", "2", "3", "4"], values))
        assert view.formats is not None
        assert [(one.label, one.items) for one in view.formats.choices] == [("in stock", 2)]


def test_an_account_of_parquet_names_rows() -> None:
    gone = Dropped("has no id", 1, (Example(6, "id", "", "has no id"),))
    screen = console()
    print_account(Account("a.parquet", "Parquet", 9, 8, (gone,), (), (), "row"), screen)
    assert "row 6, column id" in text_of(screen)
    assert "line 6" not in text_of(screen)


def test_one_item_and_a_tier_without_a_template_are_told_in_whole_sentences(
    small_catalogue: Callable[..., Catalogue],
) -> None:
    why = "no template of tier simple: it takes 2 conditions"
    tiers = [TierView("simple", False, (), (why, "[a, b]: no draw meets it"))]
    view = view_catalogue(small_catalogue(), tiers=tiers)
    screen = console()
    print_catalogue(view, screen)
    assert f"\n  {why}\n  not [a, b]: no draw meets it\n" in text_of(screen)
    domain = parse_domain(
        b"name: n\nnoun: {singular: one, plural: ones}\ntitle: t\nfields: {t: {kind: text}}", "n"
    )
    screen = console()
    print_catalogue(view_catalogue(build_catalogue("n", domain, ["a"], {"t": ["x"]}, ())), screen)
    assert text_of(screen).startswith("n: 1 one, digest ")
