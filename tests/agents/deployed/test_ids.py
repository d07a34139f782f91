"""Ids: by rule, by table, and those that stand for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.deployed.ids import Affixes, IdRule, Table, our_id, read_ids
from mystery_shopper.foundation import InputError

PART = st.text("ab-", max_size=3)


@given(PART, PART, PART, PART, st.text("abc-", min_size=1))
def test_a_rule_goes_both_ways(a: str, b: str, c: str, d: str, middle: str) -> None:
    rule = Affixes(IdRule(strip_prefix=a, strip_suffix=b, add_prefix=c, add_suffix=d))
    assert rule.ours(a + middle + b) == c + middle + d
    assert rule.theirs(c + middle + d) == a + middle + b


def test_what_a_rule_does_not_fit_is_no_item() -> None:
    rule = Affixes(IdRule(strip_prefix="SKU-"))
    assert (rule.ours("SKU-17"), rule.ours("17"), rule.ours("SKU-")) == ("17", None, None)
    assert our_id(rule, "SKU-17") == "17"
    assert our_id(rule, "17") == "unknown:17"


@given(st.text())
def test_an_id_in_a_tag_never_breaks_it(theirs: str) -> None:
    found = our_id(Affixes(), theirs)
    assert not set(found) & set("[]\n\r \t")
    assert len(found) <= 210


def test_a_csv_file(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("sku,film,x\nA1,f1,\nA2,f2,\nB1,f1,\n", encoding="utf-8-sig")
    table = read_ids(IdRule(file="m.csv", theirs="sku", ours="film"), tmp_path)
    assert isinstance(table, Table)
    assert [table.ours(x) for x in ("A1", "A2", "B1", "f1")] == ["f1", "f2", "f1", None]
    assert (table.theirs("f1"), table.theirs("f9")) == ("A1", None)
    assert our_id(table, "f1") == "unknown:f1"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("m.csv", "sku,film\nA1,f1\nA1,f2\n", "line 3: 'A1' stands for two items"),
        ("m.csv", "sku,film\nA1,\n", "line 2: an id is missing"),
        ("m.csv", "a,b\n1,2\n", "no column 'sku'; the columns are 'a', 'b'"),
        ("m.csv", "", "no column 'sku'"),
        ("m.csv", "sku,film\n", "holds no ids"),
        ("m.json", "[]", "no JSON object"),
        ("m.json", '{"a": 1}', "no JSON object"),
        ("m.json", '{"a": "1", "a": "2"}', "occurs 2 times"),
        ("m.json", "{", "not JSON"),
    ],
)
def test_a_bad_table_says_where(name: str, text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as wrong:
        read_ids(IdRule(file=name, theirs="sku", ours="film"), tmp_path)
    assert told in str(wrong.value)
    assert name in str(wrong.value)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"m\.csv"):
        read_ids(IdRule(file="m.csv"), tmp_path)
    with pytest.raises(InputError, match="either a file"):
        read_ids(IdRule(file="m.csv", add_prefix="x"), tmp_path)
