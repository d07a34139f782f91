from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.bits import (
    bits_of,
    count_bits,
    empty_bits,
    full_bits,
    has_bit,
    pack_bits,
    positions_of,
    unpack_bits,
    words_for,
)

FLAGS = st.lists(st.booleans(), max_size=300)


@given(FLAGS)
def test_a_mask_survives_packing(flags: list[bool]) -> None:
    mask = np.array(flags, np.bool_)
    bits = pack_bits(mask)
    assert bits.dtype == np.uint64
    assert len(bits) == words_for(len(flags))
    assert unpack_bits(bits, len(flags)).tolist() == flags


@given(FLAGS)
def test_positions_and_counts_are_those_of_the_mask(flags: list[bool]) -> None:
    bits = pack_bits(np.array(flags, np.bool_))
    held = [position for position, flag in enumerate(flags) if flag]
    assert positions_of(bits).tolist() == held
    assert count_bits(bits) == len(held)
    assert [p for p in range(len(flags)) if has_bit(bits, p)] == held
    assert np.array_equal(bits_of(held, len(flags)), bits)
    assert np.array_equal(bits_of(np.array(held, np.int64), len(flags)), bits)


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 128, 1000])
def test_empty_and_full(length: int) -> None:
    assert count_bits(empty_bits(length)) == 0
    assert count_bits(full_bits(length)) == length
    assert len(empty_bits(length)) == len(full_bits(length)) == words_for(length)


def test_bits_beyond_the_last_position_stay_zero() -> None:
    assert int(full_bits(65)[1]) == 1


def test_positions_may_come_unsorted_and_twice() -> None:
    assert positions_of(bits_of([70, 3, 70], 80)).tolist() == [3, 70]
