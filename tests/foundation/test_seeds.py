"""Seeds depend on every part, its type and its place, and on nothing else."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from enum import Enum, StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.foundation import derive_seed, generator, random_source

PARTS = st.lists(st.one_of(st.integers(), st.text("ab\x1e\x1f:strin1", max_size=6)), max_size=4)


def test_the_recipe_is_as_documented() -> None:
    digest = hashlib.sha256(b"str:run\x1fint:7").digest()
    assert derive_seed("run", 7) == int.from_bytes(digest[:8], "little")
    assert 0 <= derive_seed() < 2**64


@settings(deadline=None)
@given(PARTS, PARTS)
def test_other_parts_give_another_seed(one: list[str | int], other: list[str | int]) -> None:
    assert (derive_seed(*one) == derive_seed(*other)) == (one == other)


def test_type_and_division_count() -> None:
    seeds = {derive_seed("1"), derive_seed(1), derive_seed(True), derive_seed("", "1")}
    assert len(seeds) == 4
    assert derive_seed("a\x1fstr:b") != derive_seed("a", "b")


def test_an_enumerations_member_is_its_text() -> None:
    class Colour(StrEnum):
        RED = "red"

    class Old(str, Enum):  # noqa: UP042 (the older form is what is tested)
        RED = "red"

    assert derive_seed(Colour.RED) == derive_seed(Old.RED) == derive_seed("red")


def test_lone_surrogates_are_parts_like_any_other() -> None:
    assert derive_seed("\ud800") != derive_seed("\ud801")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_seed_is_the_same_in_every_process(hash_seed: str) -> None:
    code = "from mystery_shopper.foundation import derive_seed; print(derive_seed('a', 1))"
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)}
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )
    assert int(shown.stdout) == derive_seed("a", 1)


def test_sources_repeat() -> None:
    assert random_source("a").random() == random_source("a").random()
    assert generator("a").integers(2**62) == generator("a").integers(2**62)
    assert generator("a").integers(2**62) != generator("b").integers(2**62)
