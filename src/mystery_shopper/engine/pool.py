"""The trials of a queue on one or more processes.

The process that writes serves the queue and keeps what the others hand over. They end with it, and
at its word: after an interrupt they are not waited for, whatever their agents do.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mystery_shopper.engine.casting import is_shipped
from mystery_shopper.engine.hands import (
    GRACE,
    Ended,
    Item,
    Pace,
    Players,
    Queue,
    play_from,
    unbroken,
)
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import RunStopped

if TYPE_CHECKING:
    from multiprocessing.connection import PipeConnection

Wire: TypeAlias = "Connection[Any, Any] | PipeConnection[Any, Any]"
DRAIN = 0.5
"""Seconds that trials in flight have to end in after an interrupt."""
LEAVE = 10.0
"""Seconds that a process with nothing left to play has to end in."""
Keep: TypeAlias = Callable[[Ended], None]


@dataclass(frozen=True)
class _Here:
    """The port of the process that writes."""

    queue: Queue
    keep: Keep

    def take(self, room: int, place: int | None) -> list[Item]:
        return self.queue.take(room, place)

    def give(self, ended: Ended) -> None:
        self.keep(ended)


def play_all(
    plans: Sequence[RunPlan], queue: Queue, keep: Keep, *, workers: int, pace: Pace
) -> None:
    """Play what is in the queue; `keep` gets the trials as they end, in no fixed order. Raises
    RunStopped where a process died."""
    players = Players.of(plans)
    own = any(not is_shipped(plan.agent, plan.suite) for plan in plans)
    # What a process plays at once of a shipped agent takes less than starting another one.
    workers = min(workers, queue.size if own else math.ceil(queue.size / pace.most))
    if workers <= 1:
        play_from(_Here(queue, keep), players, pace)
    else:
        _Crew(queue, keep).play(players, workers, pace)


# --- the process that writes, with others that play -----------------------------------------------


class _Word(NamedTuple):
    """What a worker says: trials that have ended, how many it would take (0 for none), and what
    stopped it."""

    ended: Ended
    room: int = 0
    place: int | None = None
    error: BaseException | None = None


@dataclass
class _Member:
    """A worker, as the process that writes sees it."""

    process: BaseProcess
    line: Wire
    flying: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])


@dataclass
class _Crew:
    """Workers, and the queue from which they are served."""

    queue: Queue
    keep: Keep
    members: list[_Member] = field(default_factory=list[_Member])

    def play(self, players: Players, workers: int, pace: Pace) -> None:
        """Have the workers play all. After an interrupt those trials are kept that end within
        `DRAIN` seconds."""
        at_work: list[_Member] = []
        patience = 0.0
        try:
            self._hire(workers)
            at_work += self.members
            self._introduce(players, pace)
            while at_work:
                for member in self._ready(at_work, None):
                    if not self._heard(member):
                        at_work.remove(member)
            patience = LEAVE
        except KeyboardInterrupt:
            self._drain(at_work)
            raise
        finally:
            self._dismiss(patience)

    def _hire(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        with _interrupts_held():
            for _ in range(workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs,))
                process.start()
                theirs.close()
                self.members.append(_Member(process, ours))

    def _introduce(self, players: Players, pace: Pace) -> None:
        """The players, once for all; a worker that is still importing reads them later, so they are
        sent when all have been started."""
        packed = pickle.dumps((players, pace), pickle.HIGHEST_PROTOCOL)
        for member in self.members:
            with suppress(OSError):  # It has died; that is heard next.
                member.line.send_bytes(packed)

    @staticmethod
    def _ready(members: Sequence[_Member], timeout: float | None) -> list[_Member]:
        """Those that said something, or died."""
        found = wait([part for m in members for part in (m.line, m.process.sentinel)], timeout)
        return [m for m in members if m.line in found or m.process.sentinel in found]

    def _heard(self, member: _Member) -> bool:
        """Take one word in and answer it; False where the worker has nothing left to play."""
        word = self._word(member)
        if word.error is not None:
            raise word.error
        if not word.room:
            return True
        found = self.queue.take(min(word.room, self._share(member, word)), word.place)
        member.flying |= {(item.place, item.planned.key) for item in found}
        with suppress(OSError):
            member.line.send(found)
        return bool(found) or word.place is not None

    def _share(self, member: _Member, word: _Word) -> int:
        """How many trials a worker may take at most, so that none holds what another could play by
        now: less and less towards the end, and of trials side by side its part of all."""
        left, number = self.queue.size, len(self.members)
        if word.place is None:
            return max(1, left // (2 * number))
        flying = sum(len(one.flying) for one in self.members)
        return max(1, -(-(left + flying) // number) - len(member.flying))

    def _word(self, member: _Member) -> _Word:
        """A worker's next word; what it holds is kept. Raises RunStopped where it has died."""
        with unbroken():
            try:
                word: _Word | None = member.line.recv() if member.line.poll() else None
            except (EOFError, OSError):
                word = None
            if word is not None:
                member.flying -= {(place, kept.key) for place, kept in word.ended}
                if word.ended:
                    self.keep(word.ended)
                return word
        member.process.join(GRACE)
        code = member.process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        raise RunStopped(
            f"A process that plays trials died ({how}). In flight: "
            f"{', '.join(key for _, key in sorted(member.flying)[:5]) or 'nothing'}.\n"
            "The trials that had ended are kept. The same command goes on."
        )

    def _drain(self, at_work: list[_Member]) -> None:
        """Keep what ends by itself in a moment; nobody gets anything more to play."""
        until = time.monotonic() + DRAIN
        busy = [member for member in at_work if member.flying]
        while busy and (left := until - time.monotonic()) > 0:
            for member in self._ready(busy, left):
                try:
                    word = self._word(member)
                except RunStopped:
                    busy.remove(member)
                    continue
                if word.room or word.error is not None or not member.flying:
                    busy.remove(member)

    def _dismiss(self, seconds: float) -> None:
        """End the workers, those that do not leave in so many seconds by force."""
        members, self.members = self.members, []
        until = time.monotonic() + seconds
        try:
            for member in members:
                member.process.join(max(0.0, until - time.monotonic()))
        finally:
            for member in members:
                member.process.terminate()
            until = time.monotonic() + GRACE
            for member in members:
                member.process.join(max(0.0, until - time.monotonic()))
                member.process.kill()
                member.process.join()
                member.line.close()


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold SIGINT back, for this process until the block ends and for processes started in it for
    ever: an interrupt is for the process that writes, and a worker still importing could not yet
    ignore it."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # Not on Windows.
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


# --- a worker -------------------------------------------------------------------------------------


class _Gone(Exception):
    """The process that writes has died."""


@dataclass(frozen=True)
class _Line:
    """The port of a worker; words may come from several threads."""

    line: Wire
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, room: int, place: int | None) -> list[Item]:
        self.say(_Word([], room, place))
        try:
            return self.line.recv()
        except (EOFError, OSError):
            raise _Gone from None

    def give(self, ended: Ended) -> None:
        self.say(_Word(ended))

    def say(self, word: _Word) -> None:
        try:
            with self.lock:
                self.line.send(word)
        except OSError:
            raise _Gone from None


def _work(line: Wire) -> None:
    """A worker, from its start to its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    port = _Line(line)
    try:
        try:
            players, pace = pickle.loads(line.recv_bytes())
        except (EOFError, OSError):
            return
        play_from(port, players, pace)
    except _Gone:
        return
    except BaseException as error:
        with suppress(_Gone):
            port.say(_Word([], error=_sendable(error)))


def _sendable(error: BaseException) -> BaseException:
    """The error, or one that tells of it where another process could not read it."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent() -> None:
    """End this worker when the process that writes has died: nobody reads what it plays."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
