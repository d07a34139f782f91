"""Addresses that nothing can be sent to are told before a run."""

from __future__ import annotations

import pytest

from mystery_shopper.agents.addresses import address_problem
from mystery_shopper.engine.casting import agent_problems

GOOD = [
    "http://127.0.0.1:8017",
    "https://shop.example/api/act",
    "http://[::1]:8000/act",
    "http://localhost/",
    "https://bücher.example/act",
    "http://my_host:80/a?b=c",
]
BAD = [
    "http://",
    "http:///act",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:abc/",
    "http://127.0.0.1:0/",
    "http://[::1",
    "http://a b/",
    "http://shop.example/a\u2028b",
    "http://" + "a" * 300 + "/",
    "http://a..b/",
    "ftp://shop.example",
    "file:///etc/passwd",
]


@pytest.mark.parametrize("address", GOOD)
def test_good(address: str) -> None:
    assert address_problem(address) is None
    assert agent_problems(address) == []


@pytest.mark.parametrize("address", BAD)
def test_bad(address: str) -> None:
    assert "no address" in (address_problem(address) or "")
    if address.startswith("http://"):
        [problem] = agent_problems(address)
        assert problem.startswith("--agent: the address is no address")


def test_credentials_are_refused_and_not_told() -> None:
    [problem] = agent_problems("https://me:s3cret@shop.example/act")
    assert "put credentials into a header" in problem
    assert "s3cret" not in problem
