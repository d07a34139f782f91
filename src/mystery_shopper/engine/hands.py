"""Playing trials in whichever process, each handed over soon after it has ended.

A process takes as many trials as it plays in `SECONDS`, one at first, and hands over what has ended
as often, so that slow trials are spread evenly and kept one by one, and quick ones cost no more
than a message for many. An asynchronous agent plays several trials side by side in the event loop
of its process.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.store import Kept
from mystery_shopper.engine.suites import Scene

SECONDS = 0.1
"""The longest time for which a trial that has ended is held back."""
GRACE = 1.0
"""Seconds that what is told to end has to end in."""

Ended: TypeAlias = list[tuple[int, Kept]]
"""Trials that have ended, each with the place of its plan among the plans."""


class Item(NamedTuple):
    """A trial to be played, of the plan at a place among the plans."""

    place: int
    planned: PlannedTrial


class Pace(NamedTuple):
    """The most trials taken at once, and those of an asynchronous agent in flight at once."""

    most: int
    at_once: int


class Port(Protocol):
    """From where trials come, and where they go when they have ended."""

    def take(self, room: int, place: int | None) -> list[Item]:
        """Up to `room` trials of one plan, of that at `place` where it is given; none where nothing
        is left."""
        ...

    def give(self, ended: Ended) -> None:
        """Hand trials over that have ended."""
        ...


class Queue:
    """The trials that nobody has taken yet, plan by plan."""

    def __init__(self, plans: Sequence[Sequence[PlannedTrial]]) -> None:
        self._left = [deque(trials) for trials in plans]

    @property
    def size(self) -> int:
        """How many there are."""
        return sum(map(len, self._left))

    def take(self, room: int, place: int | None) -> list[Item]:
        """As `Port.take`."""
        if place is None:
            place = next((at for at, left in enumerate(self._left) if left), 0)
        left = self._left[place]
        return [Item(place, left.popleft()) for _ in range(min(room, len(left)))]


@dataclass
class Players:
    """The players of several plans, made when first asked for; plans over one catalogue share what
    is made of it. Sent to another process it takes catalogues and task sets along, so that they
    need not be read again there."""

    plans: tuple[RunPlan, ...]
    scenes: tuple[Scene, ...]
    _made: dict[int, Player] = field(default_factory=dict[int, Player])

    @classmethod
    def of(cls, plans: Sequence[RunPlan]) -> Players:
        """With everything that the plans need, read by now."""
        return cls(tuple(plans), tuple(map(scene_of, plans)))

    def player(self, place: int) -> Player:
        """The player of the plan at this place; the same one at each call."""
        if place not in self._made:
            self._made[place] = Player(self.plans[place], self.scenes[place])
        return self._made[place]

    def play(self, item: Item) -> tuple[int, Kept]:
        """Play one trial."""
        return item.place, Kept.of(*self.player(item.place).play(item.planned))

    async def play_async(self, item: Item) -> tuple[int, Kept]:
        """As `play`, beside others."""
        return item.place, Kept.of(*await self.player(item.place).play_async(item.planned))


@contextmanager
def unbroken() -> Generator[None]:
    """Hold a Ctrl-C back until the block ends, so that what is written in it is written whole."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Interrupts come to the main thread only.
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if came:
            signal.raise_signal(signal.SIGINT)


class _Outbox:
    """Trials that have ended. A thread hands them over every `SECONDS`, whatever the next trial
    does meanwhile. What it met is raised with the next trial."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._held: deque[tuple[int, Kept]] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._error: BaseException | None = None
        threading.Thread(target=self._watch, daemon=True).start()

    def put(self, ended: tuple[int, Kept]) -> None:
        """One more."""
        self._held.append(ended)
        self._raise()

    def take(self, room: int, place: int | None) -> list[Item]:
        """As the port's, when all has been handed over."""
        self._flush()
        self._raise()
        return self._port.take(room, place)

    def close(self) -> None:
        """Hand the rest over."""
        self._closed.set()
        self._flush()
        self._raise()

    def _raise(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _flush(self) -> None:
        with unbroken(), self._lock:
            ready = [self._held.popleft() for _ in range(len(self._held))]
            if ready:
                self._port.give(ready)

    def _watch(self) -> None:
        try:
            while not self._closed.wait(SECONDS):
                self._flush()
        except BaseException as error:
            self._error = error


def play_from(port: Port, players: Players, pace: Pace) -> None:
    """Play what the port gives until it gives nothing. What ended before an error is handed over
    first."""
    out = _Outbox(port)
    try:
        room = 1
        while batch := out.take(room, None):
            player = players.player(batch[0].place)
            if player.awaits and pace.at_once > 1:
                player.scene.make_ready()  # Nobody's act may wait for an index.
                player.run(_side_by_side(out, players, batch, pace.at_once))
                continue
            started = time.monotonic()
            for item in batch:
                out.put(players.play(item))
            each = (time.monotonic() - started) / len(batch)
            room = max(1, min(pace.most, int(SECONDS / max(each, 1e-6))))
    finally:
        out.close()


async def _side_by_side(
    out: _Outbox, players: Players, batch: Sequence[Item], at_once: int
) -> None:
    """Plays all that is left of the batch's plan."""
    place, waiting, more = batch[0].place, deque(batch), True
    flying: set[asyncio.Task[None]] = set()

    async def play(item: Item) -> None:
        out.put(await players.play_async(item))

    try:
        while True:
            if more and len(flying) + len(waiting) < at_once:
                found = out.take(at_once - len(flying) - len(waiting), place)
                waiting += found
                more = bool(found)
            while waiting and len(flying) < at_once:
                flying.add(asyncio.create_task(play(waiting.popleft())))
            if not flying:
                return
            done, flying = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
    finally:
        for one in flying:
            one.cancel()
        if flying:
            await asyncio.wait(flying, timeout=GRACE)
