"""Which model answered, and whether its name will mean the same model next year.

A name is pinned where it bears a date or a snapshot (`-2025-08-07`, `-20250929`, `-0613`, `-002`),
a revision (`@` or `:` with a hash) or a digest. `latest` never is. Otherwise the alias is pinned by
the id with which the provider answered, where the run recorded one that is pinned itself, or by the
SHA-256 of the file of weights.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import msgspec

from mystery_shopper.engine.casting import INSPECT, MODEL, inspects_parts
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.usage import PARTIES
from mystery_shopper.foundation import InputError

_WEIGHTS = (".gguf", ".safetensors", ".bin", ".pt", ".onnx")
_DIGEST = re.compile(r"(?:^|[@:])(?:sha256:)?[0-9a-f]{64}(?![0-9a-z])")
_REVISION = re.compile(r"@(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}$")
_DAY = re.compile(r"(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)")
_SHORT = re.compile(r"-(\d\d)-?(\d\d)(?=$|[-:@])")
_NUMBERED = re.compile(r"-0\d\d$")
_BEDROCK = re.compile(r"-v\d+:\d+$")


class Pinned(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One party's model: the name it was asked for by, the ids that answered with the number of
    calls, and the SHA-256 of a file of weights. `by` says what pins it; empty where nothing
    does."""

    party: str
    name: str
    answered: dict[str, int] = {}
    weights: str = ""
    by: str = ""

    def settled(self) -> Pinned:
        """With the right `by`."""
        return msgspec.structs.replace(self, by=self._why())

    def _why(self) -> str:
        if re.fullmatch("[0-9a-f]{64}", self.weights):
            return f"the weights, sha256:{self.weights}"
        why = pinned_by(self.name)
        if why:
            return f"its name: {why}"
        if self.answered and all(map(pinned_by, self.answered)):
            return "the id that answered"
        return ""


def pinned_by(name: str) -> str:
    """What makes the name of a model mean one model only: empty where nothing does."""
    name = name.lower()
    if re.search(r"(?<![a-z])latest(?![a-z])", name):
        return ""
    if _DIGEST.search(name):
        return "a digest"
    if _REVISION.search(name):
        return "a revision"
    last = name.rpartition("/")[2]
    for found in _DAY.finditer(last):
        if _is_day(*map(int, found.groups())):
            return f"the date {found[0]}"
    for found in _SHORT.finditer(last):
        one, two = int(found[1]), int(found[2])
        if _is_day(2024, one, two) or (23 <= one <= 40 and 1 <= two <= 12):
            return f"the snapshot {found[0].strip('-')}"
    if _NUMBERED.search(last):
        return f"the snapshot {last.rpartition('-')[2]}"
    if name.startswith("bedrock/") and _BEDROCK.search(last):
        return f"the version {last.rpartition('-')[2]}"
    return ""


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def asked_models(plan: RunPlan) -> Mapping[str, str]:
    """Party -> the model's name, of the parties that are models by the plan. What stands behind a
    server or a person's own class the plan does not tell."""
    found: dict[str, str] = {}
    if plan.agent.startswith(MODEL):
        found["agent"] = plan.agent.removeprefix(MODEL)
    elif plan.agent.startswith(INSPECT) and inspects_parts(plan.agent)[2]:
        found["agent"] = inspects_parts(plan.agent)[2]
    if plan.user.startswith(MODEL):
        found["user"] = plan.user.removeprefix(MODEL)
    return found


def pins_of(
    plan: RunPlan, answered: Mapping[str, Mapping[str, int]], weights: Mapping[str, str]
) -> tuple[Pinned, ...]:
    """Each party's model. `answered`: party -> id -> calls; `weights`: party -> SHA-256. A party
    that is no model by the plan counts where a model answered for it all the same."""
    asked = asked_models(plan)
    made: list[Pinned] = []
    for party in PARTIES:
        ids = dict(sorted(answered.get(party, {}).items()))
        if party in asked or ids:
            found = Pinned(party, asked.get(party, ""), ids, weights.get(party, ""))
            made.append(found.settled())
    return tuple(made)


def weights_of(plan: RunPlan, given: Mapping[str, Path]) -> dict[str, str]:
    """Party -> SHA-256 of the file that a person gave for it, or that its name itself is. Raises
    InputError for a file that cannot be read. A file for a party that is no model here is left."""
    asked = asked_models(plan)
    named = {party: path for party, name in asked.items() for path in _named_file(name)}
    chosen = {**named, **{party: path for party, path in given.items() if party in asked}}
    return {party: _file_hash(path) for party, path in chosen.items()}


def _named_file(name: str) -> Iterator[Path]:
    """The local file of weights that a model's name is, provider apart."""
    for text in (name, name.partition("/")[2]):
        if text.endswith(_WEIGHTS) and Path(text).is_file():
            yield Path(text)
            return


def _file_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})",
            where=str(path),
            remedy="Name the file of weights that the server loaded.",
        ) from None
