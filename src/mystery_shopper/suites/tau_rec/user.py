"""The rule-based user: decides by code what may be said, and words it by fixed sentences.

Source: τ-Rec-Books §3, §4.1 and Table 1 (what the user does; the wording is ours).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.dialogue import Event, NotUnderstood, UserSaid, Verdict
from mystery_shopper.foundation import UserFault
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD, AskReader, Reading
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Reveal, Task, fact
from mystery_shopper.suites.tau_rec.wishes import wishes_said
from mystery_shopper.suites.tau_rec.wording import (
    ACCEPTED,
    GO_ON,
    NOT_UNDERSTOOD,
    NOTHING_MORE,
    ONE_AT_A_TIME,
    REJECTED,
    UNKNOWN_ITEM,
    Wording,
    join_lines,
)


@dataclass
class _Reply:
    """The reply as it is put together."""

    lines: list[str] = field(default_factory=list[str])
    disclosed: list[str] = field(default_factory=list[str])
    declined: list[str] = field(default_factory=list[str])
    unconcerned: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class RuleUser:
    """The user of one task. It holds no state: what it says follows from the last message alone.

    `as_paper`: a message in a language that it does not read is one that it did not understand.
    """

    task: Task
    catalogue: Catalogue
    reader: AskReader
    wording: Wording
    as_paper: bool = False

    def open(self) -> UserSaid:
        """The opening: what is stated, and in the volunteer condition the formats too."""
        reply = _Reply()
        for requirement in self.task.requirements:
            if requirement.reveal is Reveal.STATED:
                self._state(reply, requirement.predicate)
        if self.task.family.formats and FORMATS_FACT not in self.task.askable:
            self._state_formats(reply)
        return UserSaid(self.wording.opening(reply.lines), disclosed=tuple(reply.disclosed))

    def hear(self, text: str) -> list[Event]:
        """The verdict, if an item is proposed, and the answer to what is asked.

        Raises UserFault for a message in a language that the user does not read.
        """
        reading = self.reader.read(text)
        if not reading.readable and not self.as_paper:
            raise UserFault("the message is in a language that this user does not read")
        question = reading.question or not reading.readable
        events: list[Event] = []
        reply = _Reply()
        if reading.proposes:
            events.append(self._judge(reading.proposes, reply))
        self._answer(reading, reply)
        if not reply.lines:
            if question:
                events.append(NotUnderstood(text[:200]))
            reply.lines.append(NOT_UNDERSTOOD if question else GO_ON)
        events.append(
            UserSaid(
                join_lines(reply.lines),
                reading.asks,
                reading.generic,
                _once(reply.disclosed),
                _once(reply.declined),
                _once(reply.unconcerned),
            )
        )
        return events

    def verdict(self, item_id: str) -> Verdict:
        """The judgement of one item, by its id and the predicates alone."""
        item = self.catalogue.find(item_id)
        if item is None:
            return Verdict(item_id, None)
        failed = tuple(
            fact(predicate)
            for predicate in self.task.family.predicates
            if not predicate.matches(item)
        )
        return Verdict(item_id, not failed, failed)

    def _judge(self, proposed: Sequence[str], reply: _Reply) -> Verdict:
        verdict = self.verdict(proposed[0])
        if verdict.accepted is None:
            reply.lines.append(UNKNOWN_ITEM)
        else:
            reply.lines.append(ACCEPTED if verdict.accepted else REJECTED)
        if len(proposed) > 1:
            reply.lines.append(ONE_AT_A_TIME)
            return Verdict(verdict.item_id, verdict.accepted, verdict.failed, tuple(proposed[1:]))
        return verdict

    def _answer(self, reading: Reading, reply: _Reply) -> None:
        asked = self._meant(reading.asks)
        for name in asked:
            if name == FORMATS_FIELD and self.catalogue.domain.formats is not None:
                self._on_formats(reply)
            else:
                self._on_field(name, reply, generic=False)
        for name in reading.others:
            self._on_unconcerned(name, reply)
        if not reading.generic:
            return
        before = len(reply.lines)
        for name in self.catalogue.domain.requirement_fields:
            if name not in asked:
                self._on_field(name, reply, generic=True)
        if FORMATS_FACT in self.task.askable and FORMATS_FIELD not in asked:
            self._state_formats(reply)
        if len(reply.lines) == before:
            reply.lines.append(NOTHING_MORE)
        reply.lines.extend(wishes_said(self.task))

    def _meant(self, asks: tuple[str, ...]) -> tuple[str, ...]:
        """The fields asked about. Where the formats are a column that may carry requirements too,
        a question about one is about both, and what the user has nothing to say of is left out."""
        domain = self.catalogue.domain
        column = domain.formats.column if domain.formats is not None else None
        pair = (column, FORMATS_FIELD)
        if column not in domain.requirement_fields or not set(asks) & set(pair):
            return asks
        required = any(p.field == column for p in self.task.family.predicates)
        concern = (required, bool(self.task.family.formats))
        said = [name for name, holds in zip(pair, concern, strict=True) if name and holds]
        return (*(name for name in asks if name not in pair or not said), *said)

    def _on_field(self, name: str, reply: _Reply, *, generic: bool) -> None:
        """Answer a question about one field. A generic request gets what is askable there and the
        refusals; a question by name is also told what was stated, or that nothing is required."""
        here = [r for r in self.task.requirements if r.predicate.field == name]
        if not here:
            if not generic:
                self._on_unconcerned(name, reply)
            return
        for requirement in here:
            stated = requirement.reveal is Reveal.STATED
            if requirement.reveal is Reveal.ON_ASK or (stated and not generic):
                self._state(reply, requirement.predicate)
        if any(requirement.reveal is Reveal.HIDDEN for requirement in here):
            reply.lines.append(self.wording.declined(name))
            reply.declined.append(name)

    def _on_formats(self, reply: _Reply) -> None:
        if self.task.family.formats:
            self._state_formats(reply)
        else:
            self._on_unconcerned(FORMATS_FIELD, reply)

    def _on_unconcerned(self, name: str, reply: _Reply) -> None:
        reply.lines.append(self.wording.unconcerned(name))
        reply.unconcerned.append(name)

    def _state(self, reply: _Reply, predicate: Predicate) -> None:
        reply.lines.append(self.wording.requirement(predicate))
        reply.disclosed.append(fact(predicate))

    def _state_formats(self, reply: _Reply) -> None:
        reply.lines.append(self.wording.formats(self.task.family.formats))
        reply.disclosed.append(FORMATS_FACT)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
