from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import build_catalogue, parse_domain, save_catalogue
from mystery_shopper.engine.measuring import measure_asks, probe_domain
from mystery_shopper.foundation import InputError


def labelled(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "turns.jsonl"
    row = {
        "id": "x1",
        "domain": "film",
        "text": "Which genre?",
        "asks": ["genre"],
        "generic": False,
    }
    path.write_text(json.dumps({**row, **changes}) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("domain", ["film", "films", "book", "books"])
def test_matching_is_measured_by_domain(tmp_path: Path, domain: str) -> None:
    assert measure_asks(labelled(tmp_path, domain=domain)) is not None


def test_a_message_of_an_unknown_domain_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"message 1 \(x1\).*'tea'"):
        measure_asks(labelled(tmp_path, domain="tea"))


def test_messages_of_one_domain_share_a_reader(tmp_path: Path) -> None:
    path = labelled(tmp_path)
    other = path.read_text(encoding="utf-8").replace("x1", "x2")
    with path.open("a", encoding="utf-8") as file:
        file.write(other)
    assert measure_asks(path) is not None


def test_a_label_of_an_unknown_field_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"message 1 \(x1\): no field 'colour'; there are genre"):
        measure_asks(labelled(tmp_path, asks=["colour", "format"]))


def test_a_shop_is_measured_with_its_own_labels(tmp_path: Path) -> None:
    changes = {"domain": "shop", "text": "Barmor or Felholm?", "asks": ["brand"]}
    assert measure_asks(labelled(tmp_path, **changes)).recall == 1


def test_shipped_domains_are_probed() -> None:
    found = probe_domain("shop", seed=3)
    assert (found.domain, found.seed) == ("shop", 3)
    assert found == probe_domain("shop", seed=3) != probe_domain("shop", seed=4)


DOMAIN = """
name: lamps
noun: {singular: lamp, plural: lamps}
title: title
fields:
  title: {kind: text}
  shade: {kind: category, requirement: true, hierarchy: {Cloth: [Linen, Silk]}}
"""


def test_a_domain_file_is_probed_with_the_labels_of_its_hierarchies(tmp_path: Path) -> None:
    path = tmp_path / "lamps.yaml"
    path.write_text(DOMAIN, encoding="utf-8")
    found = probe_domain(str(path))
    assert found.domain == "lamps"
    assert {"choice", "alternatives"} <= {tally.form for tally in found.forms}


def test_a_catalogue_folder_is_probed_with_its_labels(tmp_path: Path) -> None:
    domain = parse_domain(DOMAIN.encode(), "lamps")
    values: dict[str, list[object]] = {"title": ["a", "b"], "shade": ["Hemp", "Felt"]}
    catalogue = build_catalogue("lamps", domain, ["1", "2"], values)
    save_catalogue(catalogue, tmp_path / "lamps", domain_text=DOMAIN)
    found = probe_domain(str(tmp_path / "lamps"))
    assert found.domain == "lamps"
    assert "choice" in {tally.form for tally in found.forms}


def test_what_is_no_domain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no domain 'nowhere'"):
        probe_domain("nowhere")
    with pytest.raises(InputError, match=str(tmp_path)):
        probe_domain(str(tmp_path))
