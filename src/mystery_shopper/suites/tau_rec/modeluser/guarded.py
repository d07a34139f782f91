"""A user whose words somebody else chooses, within what code allows.

What was asked, what is due, and the verdict are the rule-based user's; the words are a voice's. A
reply that gives away a withheld fact is a leak. With `enforce` it is not let out and drawn again;
after three the rule-based reply stands in. A reply that is no customer's is drawn again once.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, TypeVar

from mystery_shopper.dialogue import Event, UserSaid, Verdict
from mystery_shopper.dialogue.limits import clean_text
from mystery_shopper.foundation import AgentFault, InfrastructureFault, UserFault
from mystery_shopper.suites.tau_rec.guard import Disclosure, Ear, Judged
from mystery_shopper.suites.tau_rec.modeluser.faults import LONGEST_REPLY, cleaned, fault_of
from mystery_shopper.suites.tau_rec.modeluser.prompt import GIVES_AWAY
from mystery_shopper.suites.tau_rec.modeluser.voice import Voice, Words
from mystery_shopper.suites.tau_rec.user import RuleUser
from mystery_shopper.suites.tau_rec.wording import ACCEPTED, REJECTED

LEAKING_DRAWS = 3
FAULTY_DRAWS = 2

T = TypeVar("T")
Steps: TypeAlias = Generator[Awaitable[str], str, T]


@dataclass
class _Drawn:
    """The drafts of one reply that were not let out."""

    drafts: list[str] = field(default_factory=list[str])
    leaks: list[str] = field(default_factory=list[str])
    leaking: int = 0
    faulty: int = 0


@dataclass
class GuardedUser:
    """The user of one trial; `make` makes its voice when the trial begins. With a voice that
    answers at once it answers at once, else by awaitables."""

    rule: RuleUser
    ear: Ear
    make: Callable[[], Voice]
    enforce: bool = True

    def __post_init__(self) -> None:
        self._disclosure = Disclosure(self.rule.task, self.ear)
        self._voice: Voice | None = None

    def open(self) -> UserSaid | Awaitable[UserSaid]:
        """The first words. Raises UserFault where the voice fails."""
        return _settled(self._open())

    def hear(self, text: str) -> list[Event] | Awaitable[list[Event]]:
        """The verdict and the answer. Raises UserFault as the rule-based user does, and where the
        voice fails."""
        return _settled(self._hear(text))

    def _open(self) -> Steps[UserSaid]:
        self._voice = voice = _tried(self.make)
        return (yield from self._reply(voice, self.rule.open(), None, voice.open))

    def _hear(self, text: str) -> Steps[list[Event]]:
        voice = self._voice
        if voice is None:
            raise UserFault("the user has not opened the dialogue")
        *before, due = self.rule.hear(text)
        verdict = next((event for event in before if isinstance(event, Verdict)), None)
        if not isinstance(due, UserSaid):
            raise TypeError("the rule-based user's last event is what it says")
        self._disclosure.turn(text, due, verdict)
        said = yield from self._reply(voice, due, verdict, lambda: voice.hear(text, verdict))
        return [*before, said]

    def _reply(
        self, voice: Voice, due: UserSaid, verdict: Verdict | None, ask: Callable[[], Words]
    ) -> Steps[UserSaid]:
        """Draw until a reply can be let out."""
        drawn = _Drawn()
        while True:
            words = _tried(ask)
            if isinstance(words, str):
                given = words
            else:
                awaited = _awaited(words)
                try:
                    given = yield awaited
                except (UserFault, InfrastructureFault):
                    raise
                except Exception as error:
                    raise _users(error) from error
            if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise UserFault(f"the user must answer with text, not {type(given).__name__}")
            text = cleaned(given)
            why = fault_of(text)
            if why is not None:
                drawn.faulty += 1
                drawn.drafts.append(clean_text(given, LONGEST_REPLY)[0])
                if drawn.faulty == FAULTY_DRAWS:
                    raise UserFault(f"the user's reply cannot be a customer's: {why}")
            else:
                judged = self._disclosure.judge(text)
                drawn.leaks += judged.leaks
                if not (judged.leaks and self.enforce):
                    voice.settle(text)
                    return self._said(due, _spoken(verdict, text), judged, drawn)
                why = GIVES_AWAY
                drawn.leaking += 1
                drawn.drafts.append(text)
                if drawn.leaking == LEAKING_DRAWS:
                    voice.settle(cleaned(due.text))
                    judged = Judged(due.disclosed)
                    return self._said(due, due.text, judged, drawn, stood_in=True)
            ask = partial(voice.again, drawn.drafts[-1], why)

    def _said(
        self, due: UserSaid, text: str, judged: Judged, drawn: _Drawn, *, stood_in: bool = False
    ) -> UserSaid:
        said = self._disclosure.said
        withheld = [
            name
            for name in dict.fromkeys(due.disclosed)
            if name not in judged.disclosed and name not in said
        ]
        said.update(judged.disclosed)
        return UserSaid(
            text,
            due.asked,
            due.generic,
            judged.disclosed,
            due.declined,
            due.unconcerned,
            tuple(withheld),
            tuple(drawn.leaks),
            tuple(drawn.drafts),
            stood_in,
        )


def words_of(said: UserSaid) -> list[str]:
    """The replies that a voice gave for what was said: drafts, then the words, verdict apart."""
    if said.stood_in:
        return list(said.drafts)
    text = said.text
    for token in (ACCEPTED, REJECTED):
        text = text.removeprefix(f"{token}\n")
    return [*said.drafts, text]


def _spoken(verdict: Verdict | None, text: str) -> str:
    if verdict is None or verdict.accepted is None:
        return text
    return f"{ACCEPTED if verdict.accepted else REJECTED}\n{text}"


def _tried(ask: Callable[[], T]) -> T:
    """What the user's code gives. Whatever it raises is the user's fault."""
    try:
        return ask()
    except (UserFault, InfrastructureFault):
        raise
    except Exception as error:
        raise _users(error) from error
    except (SystemExit, asyncio.CancelledError) as error:  # Nothing was awaited: it is its own.
        raise _users(error) from error


def _users(error: BaseException) -> Exception:
    """The error as one of the user's, but for a provider that is out of reach."""
    if isinstance(error, UserFault | InfrastructureFault):
        return error
    told = clean_text(error, 500)[0]
    if isinstance(error, AgentFault):
        return UserFault(f"the user's own model: {told}")
    return UserFault(f"the user's own code raised {type(error).__name__}: {told}")


def _awaited(words: object) -> Awaitable[str]:
    if not inspect.isawaitable(words):
        raise UserFault(f"the user must answer with text, not {type(words).__name__}")
    return words


def _settled(steps: Steps[T]) -> T | Awaitable[T]:
    """What the steps come to: at once where they ask for nothing, else an awaitable."""
    try:
        first = next(steps)
    except StopIteration as stop:
        return stop.value
    return _driven(steps, first)


async def _driven(steps: Steps[T], waiting: Awaitable[str]) -> T:
    try:
        while True:
            try:
                given = await waiting
            except (Exception, SystemExit) as error:
                waiting = steps.throw(_users(error))
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():  # Cancelled from outside.
                    raise
                waiting = steps.throw(_users(error))
            else:
                waiting = steps.send(given)
    except StopIteration as stop:
        return stop.value
