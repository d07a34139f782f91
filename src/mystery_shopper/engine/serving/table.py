"""One trial at a table: the usual player in a thread of its own, and a client before it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from mystery_shopper.dialogue import Agent, Message, ToolSpec, View, show_event
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.serving.calls import (
    FIRST,
    SAY,
    START,
    Answer,
    ClientAgent,
    answer_of,
)
from mystery_shopper.engine.suites import Scene
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import MysteryShopperError

OVER = "The conversation is over."
_OPENING = """\
{instructions}

How to do it here: everything goes through tools. `say` speaks to the customer and gives back \
their answer{others}. The conversation has begun, and the customer's first words are:

{words}"""

Keep = Callable[[Trial, Timing], None]


@dataclass
class Table:
    """Plays the first trial of a plan with whoever calls. `keep` is given the trial once, as soon
    as it has ended; a client that left without a single act has played no trial. `opening` is what
    the agent is told and the user's first words.

    A client that leaves in the middle ends the trial by an infrastructure fault: whether it gave up
    or its line broke cannot be told from here, so it does not count against it.
    """

    plan: RunPlan
    scene: Scene
    keep: Keep
    clock: Callable[[], float] = time.monotonic
    opening: str = ""
    trial: Trial | None = None
    failure: Exception | None = None
    _agent: ClientAgent = field(init=False)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._agent = ClientAgent(self.clock)
        self._thread = threading.Thread(target=self._play, daemon=True)

    def open(self) -> None:
        """Begin the episode and wait for its first words. Raises what kept it from beginning."""
        self._thread.start()
        self._agent.opened.wait()
        if self.failure is not None:
            raise self.failure
        taken = {START, SAY.name} & set(self._view.tools)
        if taken:
            raise MysteryShopperError(f"the suite has tools of its own named {sorted(taken)}")
        words = "\n".join(each.text for each in self._view.messages if each.role == "user")
        others = "; your other tools are as told above" if self._view.tools else ""
        self.opening = _OPENING.format(
            instructions=self._view.instructions, others=others, words=words
        )

    @property
    def _view(self) -> View:
        if self._agent.view is None:
            raise MysteryShopperError("the episode was over before the agent's first act")
        return self._agent.view

    def start(self) -> Answer:
        """The opening, for a client that calls for it: from its first such call its time runs."""
        return Answer((self.opening,)) if self._agent.shown() else _over()

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that the client holds now; `say` is the first."""
        return (SAY, *(tool.spec for tool in self._view.tools.values()))

    def call(self, name: str, arguments: object) -> Future[Answer]:
        """Hand in a tool call; its answer comes when the loop has played it. One that serves a
        customer whom the client has neither heard nor spoken to is refused, and is no act."""
        place: Future[Answer] | None
        if name != SAY.name and not self._agent.begun():
            place = Future[Answer]()
            place.set_result(Answer((FIRST,), error=True))
            return place
        place = self._agent.hand_in(name, arguments)
        if place is None:
            place = Future[Answer]()
            place.set_result(_over())
        return place

    def leave(self) -> Trial | None:
        """The client has gone; gives the trial, None where none was played. Raises what went wrong
        with playing or keeping it."""
        self._agent.leave()
        self._thread.join()
        if self.failure is not None:
            raise self.failure
        return self.trial

    def _play(self) -> None:
        try:
            player = Player(self.plan, self.scene, self._seat, attempts=1)
            # The client is waited for within this thread; the user may be asynchronous.
            trial, timing = asyncio.run(player.play_async(next(self.plan.planned())))
            if self._agent.acts:
                self.trial = trial
                self.keep(trial, timing)
        except Exception as error:
            self.failure = error
        finally:
            self._agent.finish(self._last(), _over())

    def _seat(self, *_: object) -> Agent:
        return self._agent

    def _last(self) -> Answer:
        """What the act that ended the trial brought about, as far as an agent may see it."""
        if self.trial is None or self._agent.view is None:
            return _over()
        shown = [show_event(event) for event in self.trial.transcript.events]
        fresh: list[Message] = [message for message in shown if message is not None]
        return answer_of(fresh[len(self._agent.view.messages) :], over=OVER)


def _over() -> Answer:
    return Answer((OVER,), error=True)
