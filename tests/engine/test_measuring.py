from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.engine.measuring import measure_asks
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


@pytest.mark.parametrize("domain", ["film", "films", "book"])
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
