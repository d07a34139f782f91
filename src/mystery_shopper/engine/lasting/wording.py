"""A model as the writer of queries: a set worded anew, from a plain call that returns when done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from inspect_ai.model import Model

from mystery_shopper.dialogue import ToolSpec
from mystery_shopper.dialogue.models import ChatMessage, ChatReply
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.providers import open_named
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.foundation import InfrastructureFault, RunStopped, derive_seed
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.wording import (
    CheckedTemplates,
    ModelWriter,
    Worded,
    WordingAccount,
    reword,
)

AT_ONCE = 10
"""Queries that are written at a time."""


@dataclass(frozen=True, eq=False)
class WritingModel:
    """A model that many conversations share. What it is asked decides the seed of a call, so that
    neither order nor number of the conversations does."""

    model: Model
    options: ModelOptions

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """See `dialogue.models.ChatModel`."""
        said = [message.text for message in messages]
        seed = derive_seed("recbench", "writer", *said) % 2**31
        return await InspectModel(self.model, self.options, seed).reply(messages, tools, shape)


@dataclass(frozen=True, eq=False)
class _Told(ModelWriter):
    """A writer that tells of each query that is written."""

    tell: Callable[[], None]

    async def write(self, query: Query, seed: int) -> Worded:
        """See `ModelWriter.write`."""
        worded = await super().write(query, seed)
        self.tell()
        return worded


@dataclass(frozen=True, eq=False)
class InspectWriter:
    """Words sets by a model of Inspect's. Replies are kept in Inspect's cache: what was stopped
    goes on, when it is asked for again, with what it had."""

    name: str
    model: WritingModel
    at_once: int = AT_ONCE

    @classmethod
    def open(
        cls,
        name: str,
        *,
        base_url: str | None = None,
        max_tokens: int | None = None,
        at_once: int | None = None,
    ) -> InspectWriter:
        """The writer of a model named as Inspect names it; `max_tokens` of one draft. Raises
        InputError with what Inspect says of a provider that is unknown or lacks its package or key.
        """
        model = open_named(name, base_url, f"--writer model:{name}")
        options = ModelOptions(max_tokens=max_tokens, cache=True)
        return cls(name, WritingModel(model, options), at_once or AT_ONCE)

    def rewrite(
        self,
        queries: QuerySet,
        templates: CheckedTemplates,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[QuerySet, WordingAccount]:
        """The set with every text written by the model, or by a template where the model's fail,
        and the account of it. `progress` hears how many queries are written, of how many.

        Raises RunStopped where the provider is out of reach.
        """
        written, whole = 0, len(queries.queries)

        def tell() -> None:
            nonlocal written
            written += 1
            if progress is not None:
                progress(written, whole)

        writer = _Told(self.model, templates, tell)
        seed = queries.origin.seed
        try:
            worded, account = asyncio.run(reword(queries, writer, seed, self.at_once))
        except BaseExceptionGroup as group:
            raise _stopped(group, written, whole) from group
        origin = msgspec.structs.replace(
            worded.origin, writer=self.name, stood_in=dict(account.stood_in)
        )
        return msgspec.structs.replace(worded, origin=origin), account


def _stopped(group: BaseExceptionGroup[BaseException], written: int, whole: int) -> BaseException:
    """What to raise for what the conversations raised: their first fault of a provider, else the
    first of all."""
    faults = _leaves(group)
    away = next((one for one in faults if isinstance(one, InfrastructureFault)), None)
    if away is None:
        return faults[0]
    return RunStopped(
        f"The writer was given up after {written:,} of {whole:,} queries: {away}\n"
        "Nothing was written. Its replies are kept: the same command goes on with them."
    )


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]
