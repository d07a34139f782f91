"""Pinned and floating names of models, as providers write them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.engine.bundling.pins import (
    Pinned,
    asked_models,
    pinned_by,
    pins_of,
    weights_of,
)
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import InputError

from ..helpers import plan_of

PINNED = """
openai/gpt-5-mini-2025-08-07 openai/gpt-4o-2024-11-20 openai/gpt-4-0613 openai/gpt-4-1106-preview
openai/gpt-3.5-turbo-0125 openai/ft:gpt-4o-mini-2024-07-18:acme::abc123
anthropic/claude-sonnet-4-5-20250929 vertex/claude-3-5-sonnet@20241022
bedrock/anthropic.claude-3-5-sonnet-20241022-v2:0 bedrock/amazon.nova-pro-v1:0
google/gemini-2.0-flash-001 google/gemini-2.5-pro-preview-05-06 mistral/mistral-large-2411
openrouter/moonshotai/kimi-k2-0905 hf/meta-llama/Llama-3.1-8B@0e9e39f
ollama/llama3@sha256:6a0746a1ec1aef3e7ec53868f220ff6e389f6f8ef87a01d77c96807de94ca2aa
"""
FLOATING = """
openai/gpt-5-mini openai/gpt-4o openai/gpt-4-turbo-preview openai/o3 openai/chatgpt-4o-latest
anthropic/claude-sonnet-4-5 anthropic/claude-3-5-sonnet-latest google/gemini-2.5-pro
google/gemini-flash-latest mistral/mistral-large-latest ollama/llama3:latest ollama/llama3:70b
hf/meta-llama/Llama-3.3-70B-Instruct openai-api/local/smollm2 mockllm/model scripted/shopkeeper
openai/gpt-9-2025-13-45 openai/model-2025-02-30 openai/phi-3-128k
openai/gpt-5-2025-08-07-latest openrouter/2025-08-07/some-model hf/org/model@main
"""


@pytest.mark.parametrize("name", PINNED.split())
def test_pinned(name: str) -> None:
    assert pinned_by(name)


@pytest.mark.parametrize("name", FLOATING.split())
def test_floating(name: str) -> None:
    assert pinned_by(name) == ""


def _plan(task_file: str, **changes: str) -> RunPlan:
    return msgspec.structs.replace(plan_of(task_file), **changes)


def test_who_is_a_model(task_file: str) -> None:
    both = _plan(task_file, agent="model:openai/gpt-5", user="model:anthropic/claude-x")
    assert asked_models(both) == {"agent": "openai/gpt-5", "user": "anthropic/claude-x"}
    assert asked_models(_plan(task_file)) == {}
    inspects = _plan(task_file, agent="inspect:shop.agents:helper:openai/gpt-5")
    assert asked_models(inspects) == {"agent": "openai/gpt-5"}
    assert asked_models(_plan(task_file, agent="inspect:shop.agents:helper")) == {}


def test_a_run_without_models_has_nothing_to_pin(task_file: str) -> None:
    assert pins_of(_plan(task_file), {}, {}) == ()


def test_a_model_that_answered_for_an_own_agent_counts(task_file: str) -> None:
    plan = _plan(task_file, agent="inspect:shop.agents:helper")
    (found,) = pins_of(plan, {"agent": {"gpt-5": 3}}, {})
    assert found == Pinned("agent", "", {"gpt-5": 3})
    assert not found.by


def test_weights_that_a_name_is(task_file: str, tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    plan = _plan(task_file, agent=f"model:llama-cpp-python/{file}")
    found = weights_of(plan, {})
    assert found == {"agent": hashlib.sha256(b"GGUF").hexdigest()}
    (pinned,) = pins_of(plan, {}, found)
    assert pinned.by == f"the weights, sha256:{found['agent']}"


def test_weights_that_are_not_there(task_file: str, tmp_path: Path) -> None:
    plan = _plan(task_file, agent="model:openai-api/local/x")
    with pytest.raises(InputError, match="cannot be read"):
        weights_of(plan, {"agent": tmp_path / "none.gguf"})
    assert weights_of(plan, {"user": tmp_path / "none.gguf"}) == {}
