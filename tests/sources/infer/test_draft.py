"""Drafts of small tables whose columns have known meanings, and of any table at all."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Domain, Kind, Operator, Predicate, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.building import build_from_table
from mystery_shopper.sources.infer import Draft, infer_domain
from mystery_shopper.sources.infer.foreign import foreign_names
from mystery_shopper.sources.tables import Table, open_table
from mystery_shopper.suites.tau_rec.wording import Wording

ROWS = 200


def table_of(columns: Mapping[str, Sequence[object]]) -> Table:
    """A table in memory."""
    rows = list(zip(*columns.values(), strict=True))

    def read(_: object) -> object:
        return iter((line, row) for line, row in enumerate(rows, 2))

    return Table(Path("memory.csv"), "memory", tuple(columns), read)  # pyright: ignore


def drafted(
    columns: Mapping[str, Sequence[object]], name: str = "products"
) -> tuple[Draft, Domain]:
    draft = infer_domain(table_of(columns), name=name)
    return draft, parse_domain(draft.yaml.encode(), "draft")


def basic(**more: Sequence[object]) -> dict[str, Sequence[object]]:
    """Ids, names and a brand, and the columns that are given."""
    return {
        "sku": [f"A{i}" for i in range(ROWS)],
        "title": [f"Chair number {i}" for i in range(ROWS)],
        "brand": [("Oak & Co", "Pinewood", "Elm")[i % 3] for i in range(ROWS)],
        **more,
    }


def test_roles_and_kinds_of_a_plain_shop() -> None:
    draft, domain = drafted(
        basic(
            colours=["|".join(("red", "blue", "green")[: 1 + i % 3]) for i in range(ROWS)],
            price=[f"£{i % 90 + 5}.50" for i in range(ROWS)],
            organic=["yes" if i % 4 else "no" for i in range(ROWS)],
            sold=[int(2000 / (i + 1)) for i in range(ROWS)],
            released=[f"{1990 + i % 30}-03-0{1 + i % 9}" for i in range(ROWS)],
            in_stock=[i % 7 for i in range(ROWS)],
        )
    )
    fields = domain.fields
    assert (domain.id, domain.title, domain.popularity) == ("sku", "title", "sold")
    assert domain.recency == "released"
    assert domain.noun.singular == "product"
    assert fields["brand"].kind is Kind.CATEGORY
    assert (fields["colours"].kind, fields["colours"].source.separator) == (Kind.CATEGORIES, "|")
    assert fields["colours"].most == 2
    assert fields["price"].kind is Kind.NUMBER
    assert fields["price"].say[">="] == "it should cost {value} pounds or more"
    assert fields["organic"].kind is Kind.FLAG
    assert fields["organic"].source.true_words == ("yes",)
    assert (fields["released"].kind, fields["released"].source.part) == (Kind.INTEGER, "year")
    assert domain.label("released") == "released"
    assert domain.formats is not None
    assert domain.formats.column == "in_stock"
    required = set(domain.requirement_fields)
    assert required == {"brand", "colours", "price", "organic", "released"}
    assert not draft.questions
    assert any(note.startswith("brand: category") for note in draft.notes)


def test_every_field_and_column_has_a_comment_with_its_examples() -> None:
    draft, _ = drafted(basic(image=[f"https://x.test/{i}.jpg" for i in range(ROWS)]))
    assert (
        "# brand: 3 different texts in 200 known cells; missing on 0%. 3 labels: Oak & Co (67)"
        in (draft.yaml)
    )
    assert re.search(r"# image: it holds file names of pictures\.", draft.yaml)


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("work_id", [str(7 * i + 13) for i in range(ROWS)], "code or number of reference"),
        ("isbn", [str(10**9 + i * 17) for i in range(ROWS)], "code or number of reference"),
        ("zip", [f"0{i + 1000}" for i in range(ROWS)], "code or number of reference"),
        ("ref", [f"0{i + 1000}" for i in range(ROWS)], "leading zeros"),
        ("picture", [f"https://x.test/{i}.png" for i in range(ROWS)], "pictures"),
        ("contact", [f"a{i}@shop.test" for i in range(ROWS)], "mail addresses"),
        ("etag", [f"{i:032x}" for i in range(ROWS)], "hashes"),
        ("markup", [f"<p>Number {i}</p>" for i in range(ROWS)], "HTML"),
        ("extra", ['{"a": 1}'] * ROWS, "JSON"),
        ("currency", ["EUR"] * ROWS, "every known cell is 'EUR'"),
        ("nothing", [None] * ROWS, "empty"),
    ],
)  # fmt: skip
def test_columns_of_which_nobody_speaks_are_left_out(
    name: str, cells: Sequence[object], why: str
) -> None:
    draft, domain = drafted(basic(**{name: cells}))
    assert name not in domain.fields
    assert any(note.startswith(f"{name}: left out") and why in note for note in draft.notes)


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (["red|blue", "blue", "green|red", "green"], "|"),
        (["red;blue", "blue", "green;red", "green"], ";"),
        (["red, blue", "blue", "green, red", "green"], ","),
        (["red / blue", "blue", "green / red", "green"], "/"),
    ],
)
def test_separators(cells: list[str], separator: str) -> None:
    _, domain = drafted(basic(tags=[cells[i % 4] for i in range(ROWS)]))
    assert domain.fields["tags"].kind is Kind.CATEGORIES
    assert domain.fields["tags"].source.separator == separator


@pytest.mark.parametrize(
    "cells",
    [
        ["New York, NY", "Boston, MA", "Albany, NY", "Salem, MA", "Austin, TX"],
        ["Smith, Jr.", "Jones, Jr.", "Smith, Sr.", "Brown", "Green"],
    ],
)
def test_commas_within_names_are_no_separators_and_are_told(cells: list[str]) -> None:
    draft, domain = drafted(basic(place=[cells[i % 5] for i in range(ROWS)]))
    assert domain.fields["place"].kind is Kind.CATEGORY
    assert any("place" in look and "part of a name" in look for look in draft.looks)


def test_a_tree_of_paths() -> None:
    paths = [
        f"{top} > {top} {middle} > {top} {middle} {leaf}"
        for top in ("Home", "Garden")
        for middle in ("big", "small")
        for leaf in ("one", "two", "three")
    ]
    _, domain = drafted(basic(path=[paths[i % len(paths)] for i in range(ROWS)]))
    spec = domain.fields["path"]
    assert (spec.kind, spec.source.separator) == (Kind.CATEGORIES, ">")
    tree = domain.hierarchies["path"]
    assert tree.covers("Home", "Home big one")
    assert not tree.covers("Garden", "Home big one")
    assert set(spec.say) == {"within"}


@pytest.mark.parametrize(
    ("cells", "decimal", "kind"),
    [
        ([f"1.{i:03d},50 €" for i in range(ROWS)], ",", Kind.NUMBER),
        ([f"$1,{i:03d}.99" for i in range(ROWS)], ".", Kind.NUMBER),
        ([f"2,{i:03d}" for i in range(ROWS)], ".", Kind.INTEGER),
        ([f"{i}.0" for i in range(ROWS)], ".", Kind.INTEGER),
    ],
)
def test_numbers_in_either_notation(cells: list[str], decimal: str, kind: Kind) -> None:
    _, domain = drafted(basic(worth=cells))
    assert domain.fields["worth"].kind is kind
    assert domain.fields["worth"].source.decimal == decimal
    catalogue, account = build_from_table(table_of(basic(worth=cells)), domain, name="x")
    assert len(set(catalogue.numbers("worth").numbers.tolist())) == ROWS
    assert not any(field.dropped for field in account.fields)


def test_a_few_words_among_numbers_are_taken_as_missing_and_told() -> None:
    cells = ["call us" if i % 20 == 0 else str(i) for i in range(ROWS)]
    draft, domain = drafted(basic(weight=cells))
    assert domain.fields["weight"].source.missing == ("call us",)
    assert any("'call us' taken as missing" in look for look in draft.looks)


@pytest.mark.parametrize(("yes", "no"), [("1", "0"), ("Y", "N"), ("TRUE", "FALSE"), ("ja", "nein")])
def test_flags(yes: str, no: str) -> None:
    cells = [yes if i % 3 else no for i in range(ROWS)]
    _, domain = drafted(basic(is_vegan=cells))
    spec = domain.fields["is_vegan"]
    assert spec.kind is Kind.FLAG
    assert spec.say == {"wanted": "it should be vegan", "unwanted": "it should not be vegan"}
    catalogue, _ = build_from_table(table_of(basic(is_vegan=cells)), domain, name="x")
    by_id = {item_id: place for place, item_id in enumerate(catalogue.ids)}
    assert catalogue.columns["is_vegan"].value(by_id["A0"]) is False
    assert catalogue.columns["is_vegan"].value(by_id["A1"]) is True


def test_typed_cells_and_lists_of_the_file_itself() -> None:
    _, domain = drafted(
        basic(
            tags=[["red", "blue"][: 1 + i % 2] for i in range(ROWS)],
            vegan=[bool(i % 2) for i in range(ROWS)],
            price=[i * 1.5 for i in range(ROWS)],
            at=[f"{i % 80}.25, {i % 170}.5" for i in range(ROWS)],
        )
    )
    kinds = {name: spec.kind for name, spec in domain.fields.items()}
    assert kinds["tags"] is Kind.CATEGORIES
    assert kinds["vegan"] is Kind.FLAG
    assert kinds["price"] is Kind.NUMBER
    assert kinds["at"] is Kind.POINT


def test_columns_that_nest_are_told() -> None:
    draft, domain = drafted(
        basic(
            category=[("Home", "Garden")[i % 2] for i in range(ROWS)],
            subcategory=[f"{('Home', 'Garden')[i % 2]} {i % 6}" for i in range(ROWS)],
            type=[("a", "b", "c")[i % 3] for i in range(ROWS)],
        )
    )
    text = draft.yaml.replace("\n  # ", " ")
    assert text.count("labels nest in those of") == 1
    assert "subcategory: 6 different" in text.split("Its labels nest in those of category")[0]
    assert domain.fields["subcategory"].requirement


@pytest.mark.parametrize(
    ("name", "cells", "remedy"),
    [
        ("discount", [f"{i % 50}%" for i in range(ROWS)], "export the numbers alone"),
        ("width", [f"{i % 50 + 1} cm" for i in range(ROWS)], "export the numbers alone"),
        ("lat", [f"{i % 80}.5" for i in range(ROWS)], "in one column"),
        ("lng", [f"-{i % 170}.5" for i in range(ROWS)], "in one column"),
        ("vegan", ["yes" if i % 2 else None for i in range(ROWS)], "export a `no`"),
    ],
)
def test_what_the_export_should_mend_is_told(
    name: str, cells: Sequence[object], remedy: str
) -> None:
    draft, domain = drafted(basic(**{name: cells}))
    assert name not in domain.fields
    assert remedy in draft.yaml.replace("\n  # ", " ")


def test_a_rank_is_no_popularity() -> None:
    draft, domain = drafted(basic(sales_rank=[i + 1 for i in range(ROWS)]))
    assert domain.popularity is None
    assert any("rank" in asked for asked in draft.questions)


def test_row_numbers_are_no_ids() -> None:
    draft, domain = drafted(
        {"index": range(ROWS), "colour": ["red" if i % 2 else "blue" for i in range(ROWS)]}
    )
    assert "Row numbers are no ids" in draft.yaml
    with pytest.raises(InputError, match="no column 'id'"):
        build_from_table(table_of({"index": range(2), "colour": ["red", "blue"]}), domain, name="x")


def test_of_several_ids_the_best_named_is_taken_and_the_others_are_told() -> None:
    draft, domain = drafted(basic(id=[str(i * 3) for i in range(ROWS)]))
    assert domain.id == "id"
    assert "so are sku, title, but its name fits best" in draft.yaml.replace("\n# ", " ")


def test_a_claim_is_bound_to_the_rows_that_were_read() -> None:
    draft = infer_domain(table_of(basic()), name="products", rows=50)
    assert "in the first 50 rows" in draft.yaml
    assert "in all" not in draft.yaml
    assert "in all 200 rows" in infer_domain(table_of(basic()), name="products").yaml


def test_labels_too_rare_carry_no_requirement() -> None:
    rare = ["common" if i > 1 else f"rare {i}" for i in range(ROWS)]
    draft, domain = drafted(basic(kind=rare))
    assert not domain.fields["kind"].requirement
    assert "fewer than two of its labels" in draft.yaml.replace("\n    # ", " ")


def test_field_names_that_cannot_stand_get_cleaned_ones() -> None:
    cells = ["red" if i % 2 else "blue" for i in range(ROWS)]
    names = ["Farbe (außen)", "yes", "a: b", 'quo"te', "class", "12", "Farbe außen"]
    _, domain = drafted(basic(**dict.fromkeys(names, cells)))
    sources = {spec.source.column or name for name, spec in domain.fields.items()}
    assert set(names) <= sources
    assert all(re.fullmatch(r"[^\W\d]\w*", name) for name in domain.fields)
    labels = [domain.label(name) for name in domain.fields]
    assert len(set(labels)) == len(labels)


def test_no_value_breaks_out_of_its_comment() -> None:
    evil = ["x\nname: stolen", "y\r\nid: stolen", "z\u2028title: stolen", "w\x85noun: stolen"]
    _, domain = drafted(basic(sort=[evil[i % 4] for i in range(ROWS)]))
    assert domain.name == "products"
    assert domain.id == "sku"


def test_the_yaml_is_the_same_for_another_reader() -> None:
    """PyYAML's pure-Python loader and the library's reader agree on every text."""
    names = ["no", "null", "~", "1e3", "2024-01-01", "a\tb", "#x", "é", "日本", "{a}", "- b"]
    cells = ["red" if i % 2 else "blue" for i in range(ROWS)]
    draft, domain = drafted(basic(**dict.fromkeys(names, cells)))
    plain = yaml.load(draft.yaml, Loader=yaml.SafeLoader)
    assert list(plain["fields"]) == list(domain.fields)
    for name, spec in plain["fields"].items():
        column = spec.get("source", {}).get("column")
        assert column == domain.fields[name].source.column


def garden(**more: Sequence[object]) -> dict[str, Sequence[object]]:
    """A German shop of garden tools."""
    return {
        "Artikelnummer": [f"G{i}" for i in range(ROWS)],
        "Bezeichnung": [f"Rosenschere {i}" for i in range(ROWS)],
        "Marke": [("Garhammer", "Krone", "k. A.", "Elm")[i % 4] for i in range(ROWS)],
        "Preis": [f"{i % 90 + 5},50" for i in range(ROWS)],
        "UVP": [f"{i % 80 + 15},90" for i in range(ROWS)],
        "Größe": [("klein", "mittel", "groß")[i % 3] for i in range(ROWS)],
        "Einführungsdatum": [f"{1 + i % 28:02}.03.{2010 + i % 12}" for i in range(ROWS)],
        "Abgesetzt": [int(2000 / (i + 1)) for i in range(ROWS)],
        "Lagerbestand": [i % 37 for i in range(ROWS)],
        **more,
    }


def test_a_german_shop() -> None:
    draft, domain = drafted(garden(), "garten")
    assert set(domain.fields) == {
        "Bezeichnung", "Marke", "Preis", "UVP", "Groesse", "Einfuehrungsdatum", "Abgesetzt",
        "Lagerbestand",
    }  # fmt: skip
    assert domain.id == "Artikelnummer"
    assert not any("the id" in asked for asked in draft.questions)
    assert domain.fields["Groesse"].source.column == "Größe"
    assert domain.fields["Marke"].source.missing == ("k. A.",)
    assert domain.recency == "Einfuehrungsdatum"
    assert domain.formats is not None
    assert domain.formats.column == "Lagerbestand"
    assert domain.fields["Preis"].requirement
    assert not domain.fields["UVP"].requirement
    assert "it is a second price beside Preis" in draft.yaml
    assert any("'Abgesetzt', whose numbers have a long tail" in q for q in draft.questions)
    asked = [q for q in draft.questions if "Customers speak and read English" in q]
    assert len(asked) == 1
    assert "`label:`" in asked[0]
    catalogue, account = build_from_table(table_of(garden()), domain, name="garten")
    assert (len(catalogue), account.dropped) == (ROWS, ())


@pytest.mark.parametrize(
    "columns",
    [
        ["sku", "title", "brand", "colours", "price", "stock", "sold", "release_date"],
        ["movieId", "title", "genres", "runtime", "vote_average", "revenue"],
        ["book_id", "authors", "original_publication_year", "language_code", "average_rating"],
        ["id", "wattage", "torque", "price", "brand", "name"],
        ["naïve", "title", "price", "brand", "colour", "size"],
    ],
)
def test_english_names_are_not_taken_for_others(columns: list[str]) -> None:
    assert foreign_names(columns) == ()


@pytest.mark.parametrize(
    "columns",
    [
        ["sku", "Marke", "Preis", "Farbe", "Gewicht"],
        ["id", "nom", "prix", "couleur", "disponibilité"],
        ["id", "nombre", "precio", "marca", "color"],
    ],
)
def test_other_languages_are_noticed(columns: list[str]) -> None:
    assert len(foreign_names(columns)) >= 2


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("Verfügbarkeit", ["lieferbar", "nicht lieferbar"], Kind.FLAG),
        ("availability", ["in stock", "Out of stock"], Kind.FLAG),
        ("disponibilité", ["en magasin", "en ligne", "épuisé"], Kind.CATEGORY),
        ("delivery", ["post", "courier", "sold out"], Kind.CATEGORY),
        ("existencias", [str(n) for n in range(30)], Kind.INTEGER),
    ],
)
def test_stock_and_availability_are_formats(name: str, cells: list[str], kind: Kind) -> None:
    columns = basic(**{name: [cells[i % len(cells)] for i in range(ROWS)]})
    draft, domain = drafted(columns)
    assert domain.formats is not None
    field = domain.formats.column
    assert field is not None
    spec = domain.fields[field]
    assert (spec.source.column or field, spec.kind) == (name, kind)
    if kind is Kind.CATEGORY:
        assert spec.source.missing == (cells[-1],)
        assert any(f"{cells[-1]!r} taken as missing" in look for look in draft.looks)
    catalogue, account = build_from_table(table_of(columns), domain, name="x")
    assert not any("can be had" in told for one in account.fields for told in one.warnings)
    assert len(catalogue) == ROWS


def test_without_formats_the_draft_has_a_block_to_take() -> None:
    draft, domain = drafted(basic())
    assert domain.formats is None
    lines = draft.yaml.splitlines()
    block = [line[2:] for line in lines[lines.index("# formats:") :] if line.startswith("# ")]
    text = draft.yaml + "\n".join(block[:6]) + "\n"
    stock = "  stock: {kind: integer, source: brand}\n"
    text = text.replace("fields:\n", f"fields:\n{stock}", 1)
    formats = parse_domain(text.encode(), "draft").formats
    assert formats is not None
    assert (formats.column, formats.single) == ("stock", "in stock")


def test_a_doubt_is_a_look_and_no_question() -> None:
    draft, _ = drafted(basic(weight=["auf Anfrage" if i % 9 == 0 else str(i) for i in range(ROWS)]))
    assert "weight: 'auf Anfrage' taken as missing." in draft.looks
    assert all(
        asked.endswith(("?", ".", ")")) and "taken as" not in asked for asked in draft.questions
    )
    assert draft.summary.startswith("3 fields, 2 of which carry requirements; guessed from")


CELLS = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=True, allow_infinity=True),
    st.booleans(),
    st.lists(st.text(max_size=5), max_size=3),
    st.sampled_from(
        ["yes", "no", "1", "0", "a|b", "b|a", "a > b", "a > c", "1,5", "1.5", "$3", "2001-02-03",
         "N/A", "", "52.5, 13.4", "[]", '["a"]', "{}", "x, y", "y, x", "http://a.b/c.jpg"]
    ),
)  # fmt: skip
NAMES = st.one_of(
    st.text(max_size=10),
    st.sampled_from(
        [
            "id",
            "title",
            "price",
            "stock",
            "format",
            "sold",
            "year",
            "release_date",
            "rank",
            "{item}",
        ]
    ),
)


@given(st.data())
def test_any_table_gives_a_domain_that_parses_and_builds_or_says_why(data: st.DataObject) -> None:
    names = data.draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    count = data.draw(st.integers(0, 12))
    pools = [data.draw(st.lists(CELLS, min_size=1, max_size=6)) for _ in names]
    columns = {
        name: [data.draw(st.sampled_from(pool)) for _ in range(count)]
        for name, pool in zip(names, pools, strict=True)
    }
    if data.draw(st.booleans()):
        columns["sku"] = [f"s{i}" for i in range(count)]
    draft, domain = drafted(columns, name=data.draw(st.text(max_size=8)))
    assert all("\n" not in line for line in (*draft.notes, *draft.questions))
    built, told = 0, None
    try:
        built = len(build_from_table(table_of(columns), domain, name="x", on_error="skip")[0])
    except InputError as error:
        told = error
    assert (0 < built <= count) == (told is None)
    assert told is None or (told.problems and told.remedy)


def test_a_file_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        columns = basic(price=[f"{i}.5" for i in range(ROWS)])
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    table = open_table(path)
    domain = parse_domain(infer_domain(table, name="products").yaml.encode(), "draft")
    catalogue, account = build_from_table(table, domain, name="products")
    assert (len(catalogue), account.kept) == (ROWS, ROWS)
    assert not account.dropped


def test_broken_lines_are_passed_over_and_told(tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    rows = [f"A{i},Chair {i},{('red', 'blue')[i % 2]}" for i in range(ROWS)]
    rows[7] = "A7,Chair 7"
    path.write_text("\n".join(["sku,title,colour", *rows]) + "\n", encoding="utf-8")
    draft = infer_domain(open_table(path), name="products")
    assert "1 broken row passed over (line 9)" in draft.notes
    assert "1 broken row passed over (line 9)." in draft.looks
    assert "in all 199 rows" in draft.yaml


def built(columns: Mapping[str, Sequence[object]], domain: Domain, field: str) -> list[float]:
    catalogue, account = build_from_table(table_of(columns), domain, name="x")
    assert not any(one.warnings for one in account.fields if one.field == field)
    numbers = catalogue.numbers(field).numbers.tolist()
    return [numbers[catalogue.ids.index(item_id)] for item_id in map(str, columns["sku"])]


def test_points_before_thousands_in_whole_prices() -> None:
    prices = [37 * i * i % 4_000 + 1 for i in range(ROWS)]
    assert min(prices) < 1_000 < max(prices)
    columns = basic(price=[f"{price:,} €".replace(",", ".") for price in prices])
    draft, domain = drafted(columns)
    assert domain.fields["price"].kind is Kind.INTEGER
    assert domain.fields["price"].source.decimal == ","
    assert any("is taken for thousands" in look for look in draft.looks)
    assert built(columns, domain, "price") == prices


def test_three_decimals_everywhere_stay_decimals() -> None:
    weights = [(i + 1) / 8 for i in range(ROWS)]
    columns = basic(weight=[f"{weight:.3f}" for weight in weights])
    _, domain = drafted(columns)
    assert domain.fields["weight"].source.decimal == "."
    assert built(columns, domain, "weight") == weights


def test_a_dash_for_no_cents_tells_the_decimal_mark() -> None:
    prices = [17 * i + 900 for i in range(ROWS)]
    columns = basic(price=[f"{price:,},-".replace(",", ".", price > 999) for price in prices])
    _, domain = drafted(columns)
    assert (domain.fields["price"].kind, domain.fields["price"].source.decimal) == (
        Kind.INTEGER, ","
    )  # fmt: skip
    assert built(columns, domain, "price") == prices


@pytest.mark.parametrize("word", ["ab", "from", "ca.", "~", "à partir de"])
@pytest.mark.parametrize("often", [1, 3])
def test_words_before_numbers_are_asked_about_and_refused(word: str, often: int) -> None:
    cells = [f"{word if i % often == 0 else ''} {i + 12},50 €".strip() for i in range(ROWS)]
    columns = basic(price=cells)
    draft, domain = drafted(columns)
    assert domain.fields["price"].kind is Kind.NUMBER
    assert domain.fields["price"].source.decimal == ","
    assert any("have a word before the number, such as" in asked for asked in draft.questions)
    with pytest.raises(InputError, match=f"'{re.escape(cells[0])}' is a number with other text"):
        build_from_table(table_of(columns), domain, name="x")


def test_words_before_numbers_that_are_names_stay_labels() -> None:
    _, domain = drafted(basic(model=[f"Model {i % 9}" for i in range(ROWS)]))
    assert domain.fields["model"].kind is Kind.CATEGORY


def test_years_of_two_digits_are_asked_about() -> None:
    columns = basic(year=[str(50 + i % 49) for i in range(ROWS)])
    draft, domain = drafted(columns)
    assert domain.fields["year"].kind is Kind.INTEGER
    assert any("two digits" in asked and "century" in asked for asked in draft.questions)
    draft, _ = drafted(basic(year=[str(1950 + i % 49) for i in range(ROWS)]))
    assert not any("two digits" in asked for asked in draft.questions)


@pytest.mark.parametrize("both", [False, True])
def test_the_hint_of_a_hierarchy_can_be_followed(both: bool) -> None:
    """With the hierarchy a customer says `within`, in the words of the draft."""
    cells = [("Floor lamps", "Pans", "Lighting", "Stools", "Rugs")[i % 5] for i in range(ROWS)]
    draft, _ = drafted(basic(category=cells))
    yaml_text = re.sub(r"# (hierarchy: \w+)", r"\1", draft.yaml, count=1)
    assert yaml_text != draft.yaml
    if both:
        yaml_text, count = re.subn(r"# (within: [^#\n]*#.*)", r"\1", yaml_text)
        assert count == 1
    domain = parse_domain(yaml_text.encode(), "draft")
    assert domain.fields["category"].hierarchy is not None
    wording = Wording(domain)
    for op, said in ((Operator.WITHIN, "be Pans."), (Operator.CONTAINS, "be Pans itself.")):
        wanted = Predicate("category", op, "Pans")
        line = wording.requirement(wanted)
        assert line == f"The category should {said}"
        assert wording.read(line).predicates == (wanted,)
