"""What each prompt says, and what it must not say."""

from __future__ import annotations

import hashlib
import re

import msgspec
import pytest

from mystery_shopper.catalog import load_domain, parse_domain
from mystery_shopper.suites.tau_rec.prompts import (
    PROMPTS_VERSION,
    Prompt,
    ToolLine,
    instructions,
)
from mystery_shopper.suites.tau_rec.shelf import Interface

from .helpers import BOTH, domain

S, K = Interface.STRUCTURED, Interface.KEYWORD


def told(prompt: Prompt, interface: Interface = S, line: ToolLine = ToolLine.OWN) -> str:
    return instructions(domain(), interface, prompt, line)


@pytest.mark.parametrize("prompt", Prompt)
@pytest.mark.parametrize("interface", BOTH)
def test_every_prompt_states_the_rules(prompt: Prompt, interface: Interface) -> None:
    text = told(prompt, interface)
    for word in ("`recommend`", "`get_history`", "`check_formats`", "`search`",
                 "[[candidate_id:ID]]", "###ACCEPTED###", "###REJECTED###"):  # fmt: skip
        assert word in text
    assert "misses any requirement of the customer fails" in text
    assert "none when the catalogue holds a lamp that fits" in text


@pytest.mark.parametrize("prompt", Prompt)
def test_prompts_grow_one_from_another(prompt: Prompt) -> None:
    order = list(Prompt)
    for earlier in order[: order.index(prompt)]:
        assert set(told(earlier).split("\n")) < set(told(prompt).split("\n"))


def test_the_base_prompt_neither_tells_to_ask_nor_to_verify() -> None:
    text = told(Prompt.BASE).lower()
    assert "ask the customer" not in text
    assert "before you recommend" not in text


def test_the_ask_prompt_tells_to_ask_about_every_field() -> None:
    text = told(Prompt.ASK)
    assert "ask the customer about every field" in text
    assert "colour, land, year of making and plug" in text
    assert "before you recommend" not in text


def test_ask_and_verify_tells_to_propose_before_committing() -> None:
    assert "wait for ###ACCEPTED### before you recommend" in told(Prompt.ASK_AND_VERIFY)


@pytest.mark.parametrize("prompt", [Prompt.BASE, Prompt.ASK, Prompt.ASK_AND_VERIFY])
def test_only_the_protocol_says_what_a_decline_and_a_rejection_mean(prompt: Prompt) -> None:
    text = told(prompt).lower()
    assert not re.search(r"rather not|declin|refus|hidden|unstated|withh", text)
    assert not re.search(r"reject\w*[^.]*(fail|miss|requirement|means)", text)


def test_the_protocol_says_both() -> None:
    text = told(Prompt.PROTOCOL)
    assert "rather not speak of a field, there is a requirement" in text
    assert "rejected lamp fails at least one requirement" in text


@pytest.mark.parametrize("prompt", Prompt)
@pytest.mark.parametrize("interface", BOTH)
def test_the_agent_is_not_told_its_caps(prompt: Prompt, interface: Interface) -> None:
    numbers = set(re.findall(r"\d+", told(prompt, interface)))
    assert numbers <= {"20"}
    assert not re.search(r"\b(turns?|seconds|budget|limits?|at most \d)", told(prompt, interface))


def test_the_tool_line_has_three_forms() -> None:
    structured, keyword = told(Prompt.BASE), told(Prompt.BASE, K)
    fields = told(Prompt.BASE, K, ToolLine.FIELDS)
    assert "filters on colour, land, year of making and plug" in structured
    assert "keywords" in keyword
    assert "colour" not in keyword
    assert fields.startswith(keyword.removesuffix("."))
    assert "fields are colour, land, year of making and plug" in fields


def test_the_tool_line_is_apart_from_the_prompt() -> None:
    for prompt in Prompt:
        last = [told(prompt, i, line).split("\n")[-1] for i in BOTH for line in ToolLine]
        assert last[0] == last[1]
        assert len(set(last)) == 3
        assert all(text.startswith("- `search`") for text in last)


def test_without_formats_nothing_is_said_of_them() -> None:
    bare = msgspec.structs.replace(domain(), formats=None)
    for prompt in Prompt:
        text = instructions(bare, S, prompt)
        assert "format" not in text
        assert "plug" not in text


def test_a_single_field_is_named_plainly() -> None:
    one = parse_domain(
        b"{name: n, noun: {singular: '{x}', plural: xs}, title: t, fields: "
        b"{t: {kind: text}, hue: {kind: category, requirement: true}}}",
        "n",
    )
    text = instructions(one, S, Prompt.ASK)
    assert "filters on hue," in text
    assert "may concern: hue." in text
    assert "find one {x} in" in text


def test_changed_words_need_a_new_version() -> None:
    """Raise PROMPTS_VERSION with any change of the words, then pin the new hash here."""
    everything = "\x1f".join(
        told(prompt, interface, line)
        for prompt in Prompt
        for interface in Interface
        for line in ToolLine
    )
    pinned = {1: "d3c9681aa0435d3f"}
    assert pinned[PROMPTS_VERSION] == hashlib.sha256(everything.encode()).hexdigest()[:16]


def test_a_shop_with_policies_tells_them() -> None:
    text = instructions(load_domain("tau_rec_v1"), S, Prompt.BASE)
    assert "If your choice is sponsored" in text
    assert "whose content rating is R or NC-17, call `check_content_preference` with it" in text
    for word in ("sponsored", "check_content_preference"):
        assert word not in told(Prompt.PROTOCOL)
