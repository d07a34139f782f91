"""What a run will play: fixed before the first trial and written to `run.json`."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version

import msgspec

from mystery_shopper.foundation import derive_seed, digest

RUN_SCHEMA = 1
SUITES = ("tau_rec", "recbench")
RULE_BASED = "rule-based"


class PlannedTrial(msgspec.Struct, frozen=True):
    """One trial to be played."""

    task: str
    number: int

    @property
    def key(self) -> str:
        """As `Trial.key`."""
        return f"{self.task}#{self.number}"


class ModelOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an agent's model is asked; None leaves it to the provider. `tool_mode`: `native`, or
    `json` for models without tool calls of their own."""

    temperature: float | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    tool_mode: str = "native"
    base_url: str | None = None
    cache: bool = False


class UserOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a user whose words code does not choose is held and asked. `enforce`: what gives away a
    withheld fact is not let out. The rest is a model's; `prompt` is the version of what it is told,
    0 where nothing is."""

    enforce: bool = True
    temperature: float | None = None
    voice_persona: bool = False
    max_tokens: int | None = None
    base_url: str | None = None
    prompt: int = 0

    def __str__(self) -> str:
        told = [] if self.enforce else ["leaks let pass"]
        if self.temperature is not None:
            told.append(f"temperature {self.temperature:g}")
        return ", ".join([*told, *(["persona voiced"] if self.voice_persona else [])])


class TrialLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the agent may take in one trial: seconds of its own, tokens and dollars of its own
    model. What the user's model takes is not counted. None: no such limit."""

    seconds: int | None = None
    tokens: int | None = None
    cost: float | None = None

    def __str__(self) -> str:
        told = {"s": self.seconds, "tokens": self.tokens, "$": self.cost}
        return ", ".join(f"{v:g} {k}" for k, v in told.items() if v is not None) or "none"


class RunPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that decides the trials of a run. Two runs with equal plans have equal trials.

    `source` names the catalogue to load and `size` the nested subset; the digests pin what was
    loaded. `instructions` is the SHA-256 of what the agent is told, `agent_file` that of a deployed
    agent's YAML and its table of ids. `user_options` are those of a user that is not rule-based.
    `history`: the agent is handed the user's history. `k`: it is asked for so many items; 0 leaves
    their number to it.
    """

    schema: int
    version: str
    suite: str
    task_set: str
    task_set_digest: str
    canary: str
    source: str
    size: int
    catalogue_digest: str
    agent: str
    user: str
    interface: str
    prompt: str
    prompts_version: int
    tool_line: str
    instructions: str
    conditions: tuple[str, ...]
    block: str
    tasks: tuple[str, ...]
    trials: int
    seed: int
    as_paper: bool = False
    model: ModelOptions = ModelOptions()
    user_options: UserOptions | None = None
    agent_file: str = ""
    limits: TrialLimits = TrialLimits()
    history: bool = False
    k: int = 0

    def planned(self) -> Iterator[PlannedTrial]:
        """Every trial in order: trial numbers within tasks."""
        for task in self.tasks:
            for number in range(self.trials):
                yield PlannedTrial(task, number)

    @property
    def count(self) -> int:
        """How many trials are planned."""
        return len(self.tasks) * self.trials

    @property
    def digest(self) -> str:
        """SHA-256 of the plan."""
        return digest(self)

    def seed_for(self, task: str, number: int, purpose: str) -> int:
        """The seed of one purpose in one trial. It does not depend on order, workers or resume."""
        return derive_seed(self.seed, task, number, purpose)


class Environment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the run was made with; told, not compared."""

    python: str
    numpy: str
    duckdb: str
    platform: str


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `run.json`."""

    plan: RunPlan
    digest: str
    environment: Environment


def environment() -> Environment:
    """This machine's versions."""
    return Environment(
        platform.python_version(), version("numpy"), version("duckdb"), platform.platform()
    )


def package_version() -> str:
    """The installed version of this package."""
    return version("mystery-shopper")
