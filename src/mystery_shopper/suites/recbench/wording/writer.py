"""Who words queries: our templates, or a model whose every wording is checked before it is taken.

Nothing that the model says is trusted. A draft that fails a check is drawn again; after three a
template stands in, and the reasons are counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from mystery_shopper.dialogue.limits import clean_text
from mystery_shopper.dialogue.models import ChatMessage, ChatModel
from mystery_shopper.foundation import (
    InfrastructureFault,
    derive_seed,
)
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.wording import prompt
from mystery_shopper.suites.recbench.wording.account import WordingAccount
from mystery_shopper.suites.recbench.wording.check import LONGEST_WORDING, Checker, Problem
from mystery_shopper.suites.recbench.wording.templates import TemplateWriter

DRAWS = 3
"""Drafts of a model that are looked at."""
_TEMPLATE_DRAWS = 10
_MOST_TOLD = 3
NO_ANSWER = "the model gave no answer"


@dataclass(frozen=True)
class Worded:
    """A query's text, who worded it, and of the drafts that were not taken the reasons, one for
    each problem."""

    text: str
    by: Literal["template", "model"]
    rejected: tuple[str, ...] = ()
    drafts: int = 0


@dataclass(frozen=True, eq=False)
class CheckedTemplates:
    """Templates whose texts pass the checks. It is a `Writer` of the draw."""

    templates: TemplateWriter
    checker: Checker

    def __call__(self, query: Query, seed: int) -> str:
        """The first sound text of ten; the last where none is, which a check of the set then
        tells."""
        text = ""
        for draw in range(_TEMPLATE_DRAWS):
            text = self.templates(query, derive_seed(seed, draw) if draw else seed)
            if not self.checker.check(query, text):
                break
        return text


@dataclass(frozen=True, eq=False)
class ModelWriter:
    """A model as the writer. The templates stand in for it."""

    model: ChatModel
    templates: CheckedTemplates

    async def write(self, query: Query, seed: int) -> Worded:
        """The text of a query. Raises InfrastructureFault where the provider is out of reach."""
        checker, inner = self.templates.checker, self.templates.templates
        chat = [
            ChatMessage("system", prompt.rules(inner.speech)),
            ChatMessage("user", prompt.task(query, inner.speech, inner.titles, seed)),
        ]
        rejected: list[str] = []
        for draw in range(DRAWS):
            draft = await self._draft(chat)
            if draft is None:
                rejected.append(NO_ANSWER)
                continue
            problems = checker.check(query, draft)
            if not problems:
                return Worded(draft, "model", tuple(rejected), draw + 1)
            rejected += [problem.fault.value for problem in problems]
            chat += [
                ChatMessage("assistant", draft or "(nothing)"),
                ChatMessage("user", prompt.again(_told(problems))),
            ]
        return Worded(self.templates(query, seed), "template", tuple(rejected), DRAWS)

    async def _draft(self, chat: Sequence[ChatMessage]) -> str | None:
        """The model's words, cut to what is looked at; None where it fails."""
        try:
            reply = await self.model.reply(tuple(chat))
            if reply.stop in ("overflow", "refused"):
                return None
            text = reply.text
        except InfrastructureFault:
            raise
        except Exception:
            # Whatever else a model raises, a full window too, is one failed draft, and counted.
            return None
        # One character more than allowed, so that the check sees that it is too long.
        return tidied(clean_text(text, LONGEST_WORDING + 1)[0])


def tidied(text: str) -> str:
    """The text on one line, without quotation marks around the whole of it."""
    words = " ".join(text.split())
    for opening, closing in (('"', '"'), ("“", "”")):
        inner = words[1:-1]
        whole = len(words) > 1 and words.startswith(opening) and words.endswith(closing)
        if whole and not {opening, closing} & set(inner):
            return inner.strip()
    return words


def _told(problems: Sequence[Problem]) -> str:
    """Why a draft is not taken. What a reference stands for is not told."""
    told = [
        problem.fault.value if problem.fault.hides_detail else str(problem)
        for problem in problems[:_MOST_TOLD]
    ]
    return "; ".join(dict.fromkeys(told))


async def reword(
    queries: QuerySet, writer: ModelWriter, seed: int, at_once: int = 4
) -> tuple[QuerySet, WordingAccount]:
    """The set with every text written by a model, and the account of it. The order of the replies
    makes no difference. `at_once`: how many queries are written at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(query: Query) -> Worded:
        async with gate:
            own = derive_seed("recbench", queries.name, seed, "wording", query.id)
            return await writer.write(query, own)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(query)) for query in queries.queries]
    worded = [task.result() for task in tasks]
    texts = tuple(
        msgspec.structs.replace(query, text=one.text)
        for query, one in zip(queries.queries, worded, strict=True)
    )
    account = WordingAccount.of(
        texts, writer.templates.templates.titles, [(one.by, one.rejected) for one in worded]
    )
    return msgspec.structs.replace(queries, queries=texts), account
