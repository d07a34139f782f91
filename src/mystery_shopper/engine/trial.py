"""The trial record: one play of one task by one agent under one seed, as it is archived."""

from __future__ import annotations

from typing import Any

import msgspec

from mystery_shopper.dialogue import (
    NOT_THE_AGENTS,
    AgentNoted,
    AgentSaid,
    Fault,
    ForeignCall,
    Transcript,
)
from mystery_shopper.engine.suites.protocol import Score
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.tau_rec.score import TauRecScore

TRIAL_SCHEMA = 1
MOST = 2**53
"""Of anything that is counted: a table's columns hold no more. JSON may hold any number."""


class Trial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished trial. Everything but the transcript could be computed again from it.

    `number` counts the trials of one task from 0. `fault` is set where the ending is somebody's
    fault; a user's or an infrastructure fault excludes the trial from every figure. `attempts`
    counts plays, faulty ones included. No clock reading stands here.
    """

    schema: int
    task: str
    family: str
    condition: str
    tier: str
    template: tuple[str, ...]
    satisfiable: bool
    number: int
    agent: str
    user: str
    seed: int
    canary: str
    attempts: int
    fault: Fault | None
    score: Score
    transcript: Transcript

    def __post_init__(self) -> None:
        """Raises ValueError, which reading turns into its own error, for counts that are none."""
        score = {name: getattr(self.score, name) for name in self.score.__struct_fields__}
        counts = {"number": self.number, "attempts": self.attempts} | score
        for event in self.transcript.events:
            if isinstance(event, AgentSaid | AgentNoted):
                counts["cut"] = max(counts.get("cut", 0), event.cut, key=abs)
            elif isinstance(event, ForeignCall):
                counts["left_off"] = max(counts.get("left_off", 0), event.left_off, key=abs)
        for name, count in counts.items():
            if isinstance(count, int) and not 0 <= count <= MOST:
                raise ValueError(f"{name} is no count")
        if not 0 <= self.seed < 2**64:
            raise ValueError("seed is no number of 64 bits")

    @property
    def key(self) -> str:
        """Names the trial within its run, e.g. `f001-mixed#0`."""
        return f"{self.task}#{self.number}"

    @property
    def disclosure(self) -> TauRecScore:
        """The score of a trial of the disclosure suite. Raises InputError for another suite's."""
        if not isinstance(self.score, TauRecScore):
            raise InputError(
                "the trial is not of tau_rec",
                where=self.key,
                remedy="What tells of tau_rec's protocol takes runs of that suite alone.",
            )
        return self.score

    @property
    def requested(self) -> RecBenchScore:
        """The score of a trial of the conditions suite. Raises InputError for another suite's."""
        if not isinstance(self.score, RecBenchScore):
            raise InputError(
                "the trial is not of recbench",
                where=self.key,
                remedy="What tells of recbench's figures takes runs of that suite alone.",
            )
        return self.score

    @property
    def excluded(self) -> bool:
        """Whether the trial counts in no figure."""
        return self.fault in NOT_THE_AGENTS


def trial_schema() -> dict[str, Any]:
    """The JSON Schema of a trial record, made from the types."""
    return msgspec.json.schema(Trial)


encode_trial = msgspec.json.Encoder().encode
decode_trial = msgspec.json.Decoder(Trial).decode
