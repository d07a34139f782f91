"""What is taken out, what stays, and that nothing of ours looks like a secret."""

from __future__ import annotations

import time
from importlib import resources
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.engine import load_shelf, load_tasks
from mystery_shopper.engine.bundling.patterns import KINDS, is_card, is_iban, taken_out
from mystery_shopper.engine.bundling.redacting import Known, Redactor, first_marked
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.trial import decode_trial, encode_trial

from ..helpers import plan_of, player

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
SECRET = {
    "email": ["bob@example.com", "a.b+c@mail.example.co.uk", "müller@example.de"],
    "phone": [
        "+44 20 7946 0958", "+1-202-555-0143", "(202) 555-0143", "202-555-0143", "+4930123456",
        "030 12345678", "0171 234 5678", "Tel: 4930123456",
    ],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"],
    "card": ["4111 1111 1111 1111", "5555555555554444", "3782 822463 10005"],
    "ip": ["203.0.113.7", "10.0.0.12", "2001:db8::8a2e:370:7334", "fe80::1ff:fe23:4567:890a"],
    "key": [
        "sk-proj-abcdefghijklmnop1234", "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt-xyz",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv", "api_key=abcd1234efgh", "password: hunter2!x",
        "https://x.example/?key=abcdef123456", "xoxb-123456789012-abcdef", "token=abc123def456",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
    ],
    "token": [JWT, "Bearer t0ken-00000001"],
    "header": ["Authorization: Basic dXNlcjpwYXNz", "x-api-key: 0123abcdef", "Cookie: sid=abc1"],
    "credentials": ["https://bob:s3cret@shop.example/x", "postgres://u:p@db/x"],
    "home": ["/home/alice/run", "/Users/bob.smith/x", "C:\\Users\\carol\\x"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, ts in SECRET.items() for t in ts])
def test_taken_out(kind: str, text: str) -> None:
    counts: dict[str, int] = {}
    left = taken_out(f"Well, {text} then.", counts)
    assert counts == {kind: 1}, left
    assert left.startswith("Well, ")
    assert left.endswith(" then.")
    assert f"[redacted:{kind}]" in left
    assert taken_out(left, counts) == left
    assert counts == {kind: 1}


def test_every_kind_is_shown() -> None:
    assert set(SECRET) == set(KINDS)


STAYS = """
2001: A Space Odyssey|Released between 1990 and 2005, or 1990-2005.|It should come from Turkey.
tt0012345|[[candidate_id:tt0083658]]|Basic Instinct, then.|The Bearer of bad news|Cookie: chocolate
The Secret: Dare to Dream|Password: swordfish|12:30:45|at 10:15|Version 1.2.3.4|6.18.44
127.0.0.1|http://127.0.0.1:8080/v1|::1|std::vector|af54f83d-5327-5d6f-93dc-6b591c2135cd
4111 1111 1111 1112|4006381333931|0123456789|EUR 1.000.000.000|M@ster of none|user@host
seed 16455696956032897966|0.05, 0.011|sk-ii facial treatment|risk-free-investment-plan-2020
1080 x 1920|12,345,678 items|2026-11-29T10:00:00|10 000 000 000|DE00 not an account|1-2-3-4-5-6-7
Ocean's 11, 12 and 13|9 to 5|300: 2006|50/50|https://shop.example/items?id=12345678
"""


@pytest.mark.parametrize(
    "text", [t for line in STAYS.strip().splitlines() for t in line.split("|")]
)
def test_stays(text: str) -> None:
    counts: dict[str, int] = {}
    assert (taken_out(text, counts), counts) == (text, {})


def test_an_id_stays_whatever_it_looks_like() -> None:
    counts: dict[str, int] = {}
    text = "[[candidate_id:4111111111111111]] or 4242424242424242?"
    left = taken_out(text, counts, lambda it: it == "4111111111111111")
    assert left == "[[candidate_id:4111111111111111]] or [redacted:card]?"


def _luhn(digits: str) -> bool:
    """Doubling by table, from the right: not how the code does it."""
    table = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(map(int, odd)) + sum(table[int(d)] for d in even)) % 10 == 0


@given(st.from_regex(r"4[0-9]{15}", fullmatch=True))
def test_cards_by_luhn(digits: str) -> None:
    assert is_card(digits) == _luhn(digits)


def test_ibans_by_hand() -> None:
    # WEST = 32 14 28 29, GB82 = 16 11 82: the number of ISO 13616's own example.
    assert 3214282912345698765432161182 % 97 == 1
    assert is_iban("GB82WEST12345698765432")
    assert not is_iban("GB83WEST12345698765432")


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a@", "sk-", "1 ", "+1 ", "a:", "eyJ", "A1 ", "://", "x=", "0 ", "-", ":"]
)
def test_no_text_makes_the_search_slow(piece: str) -> None:
    started = time.perf_counter()
    taken_out(piece * (100_000 // len(piece)), {})
    assert time.perf_counter() - started < 3


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_is_stable(text: str) -> None:
    once = taken_out(text, {})
    again: dict[str, int] = {}
    assert taken_out(once, again) == once
    assert again == {}


def test_headers_and_secrets_in_calls_are_taken_out_by_their_names() -> None:
    redactor = Redactor()
    value = {
        "url": "https://shop.example/items/12",
        "headers": {"X-Trace": "17", "accept": "json"},
        "Authorization": "anything at all",
        "body": [{"token": "short", "quantity": 4, "mail": "bob@example.com"}],
        "raw": '{"password": "x", "n": 1}',
        "card": 4111111111111111,
    }
    assert redactor.value(value) == {
        "url": "https://shop.example/items/12",
        "headers": {"X-Trace": "[redacted:header]", "accept": "[redacted:header]"},
        "Authorization": "[redacted:header]",
        "body": [{"token": "[redacted:key]", "quantity": 4, "mail": "[redacted:email]"}],
        "raw": '{"password":"[redacted:key]","n":1}',
        "card": "[redacted:card]",
    }
    assert redactor.counts == {"header": 3, "key": 2, "email": 1, "card": 1}


def test_nesting_without_end_is_taken_out() -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    assert "redacted:key" in str(Redactor().value(deep))


def test_a_plan_loses_addresses_and_homes(task_file: str) -> None:
    plan = msgspec.structs.replace(
        plan_of(task_file),
        source="/home/alice/shop",
        agent="model:openai-api/local/x",
        model=ModelOptions(base_url="https://llm.internal.example/v1"),
    )
    redactor = Redactor()
    left = redactor.plan(plan)
    assert left.source == "/home/[redacted:home]/shop"
    assert left.model.base_url == "[redacted:address]"
    assert (left.agent, left.seed, left.tasks) == (plan.agent, plan.seed, plan.tasks)
    assert left.digest != plan.digest
    assert redactor.counts["address"] == 1


@pytest.mark.parametrize("source", ["films", "shop"])
def test_the_shipped_tasks_and_reference_runs_lose_nothing(source: str) -> None:
    """No request, word of the user, title, year or id of ours looks like a secret: every shipped
    task, and a run over each family in which proposals are made and looked up."""
    name = f"tau_rec/{source}@1"
    tasks, shelf = load_tasks(name), load_shelf(source, {"films": 16852, "shop": 5000}[source])
    redactor = Redactor(Known(shelf.catalogue))
    folder = resources.files("mystery_shopper") / "data" / "tasks"
    raw = (folder / f"tau_rec-{source}-1.json").read_bytes()
    value = msgspec.json.decode(raw)
    assert redactor.value(value) == value
    assert redactor.tasks("tau_rec", tasks) is tasks
    plan = plan_of(name, agent="popularity", conditions=("mixed",))
    one = Player(plan, scene_of(plan), lambda scene, task: scene.shipped("popularity", task))
    assert plan.count >= 50
    for planned in plan.planned():
        trial, _ = one.play(planned)
        assert redactor.trial(trial) is trial
    assert redactor.plan(plan) == plan
    for item in map(shelf.catalogue.item, range(len(shelf.catalogue))):
        redactor.value({"id": item.id, "title": item.title})
    assert redactor.counts == {}


def test_a_title_stays_whatever_it_looks_like() -> None:
    counts: dict[str, int] = {}
    known = Known(load_shelf("films", 16852).catalogue)
    assert taken_out("Is 4.3.2.1 yours, or 4.3.2.2?", counts, known) == (
        "Is 4.3.2.1 yours, or [redacted:ip]?"
    )


def test_a_trial_stays_a_trial(task_file: str) -> None:
    plan = plan_of(task_file)
    trial, _ = player(plan).play(next(plan.planned()))
    assert first_marked(trial) is None
    text = encode_trial(trial).replace(b"Hello!", b"Hello, bob@example.com!")
    left = Redactor().trial(decode_trial(text))
    assert first_marked(left) == 1
    assert b"bob@" not in encode_trial(left)
    assert decode_trial(encode_trial(left)) == left
