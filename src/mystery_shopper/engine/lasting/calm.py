"""An event loop that is never held up for long while hundreds of trials are in flight.

Four things hold it up. What the first trial builds or imports, it builds while the others wait.
Python's collector of cyclic garbage walks everything that is alive, the catalogue and its indexes
included, whenever it thinks fit; and each trial leaves a thousand objects that only it can clear
away. What many trials do at one moment, such as begin, is done in one go, since a loop serves all
that are ready before it looks up. And Inspect writes each event of a sample to a database as it
comes, for those who watch a sample that has not ended.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import Context
from importlib import import_module
from inspect import signature
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model_info

from mystery_shopper.engine.suites import Scene

_IMPORTED_LATE = (
    "acp",
    "numpy.ma",
    "openai.lib.streaming.chat",
    "openai.types.responses",
    "rich.markdown",
)
"""Those of these that are installed are imported when the first samples begin, by Inspect and, the
second, by a numpy that is first asked for distinct values: a second, and 25,000 objects that the
collector would walk from then on."""
_SWEPT = 30
"""Steps of trials, most of them a model's answer, after which is collected what they left: a
thirtieth of what two hundred trials in flight hold."""
_FEW_TIMERS = 100
"""Timers up to which a loop of asyncio leaves those that were cancelled where they are."""
_FAR = 3_600.0
_QUIET = {"log_realtime": False, "acp_server": False, "ctl_server": False}


def quiet_options() -> dict[str, Any]:
    """Arguments of Inspect's `eval` under which nothing is done for onlookers of a sample that has
    not ended; those that the installed Inspect knows. Logs are the same."""
    known = signature(inspect_eval).parameters
    return {name: value for name, value in _QUIET.items() if name in known}


def make_ready(scene: Scene) -> None:
    """Build, import and read now what the first trial would."""
    scene.make_ready()
    get_model_info("none/none")
    for module in _IMPORTED_LATE:
        with suppress(ImportError):
            import_module(module)


def set_aside() -> None:
    """Leave what is alive now out of garbage collections. Nothing of a trial may be alive: what is
    left out is not cleared away when it dies, nor is what it holds."""
    gc.collect()
    gc.freeze()


@contextmanager
def little_to_collect() -> Generator[None]:
    """Until the block ends, what is alive now is left out of garbage collections, as is what
    `set_aside` is called for within it."""
    set_aside()
    try:
        with _sweeper.at_work():
            yield
    finally:
        gc.unfreeze()


class Sweeper:
    """Clears away what calls and trials leave, so many steps after the last full collection. Python
    itself waits until that is a quarter of all it would walk, and then takes the longer. It works
    while a run lasts, when all that is not of the run's trials is left out of collections."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._working = False
        self._steps = 0
        self._collections = 0

    @contextmanager
    def at_work(self) -> Generator[None]:
        """Count steps until the block ends."""
        self._working = True
        try:
            yield
        finally:
            self._working = False

    def step(self, loop: asyncio.AbstractEventLoop) -> None:
        """Collect where it is due, and a step before have the loop let go of what it can."""
        if not self._working:
            return
        full = gc.get_stats()[-1]["collections"]
        self._steps = self._steps + 1 if full == self._collections else 1
        self._collections = full
        if self._steps == self._every - 1:
            let_go_of_timers(loop)
        if self._steps >= self._every:
            gc.collect()


def let_go_of_timers(loop: asyncio.AbstractEventLoop) -> None:
    """Have the loop forget, in its next turn, the timers that were cancelled. It keeps one until
    half of all timers are such, and with it the context of its trial, and with that all that the
    trial held: a hundred ended trials, let go of at once. So more are cancelled here than can be
    waited for."""
    nothing = Context()
    for _ in range(len(asyncio.all_tasks(loop)) + _FEW_TIMERS):
        loop.call_later(_FAR, lambda: None, context=nothing).cancel()


_sweeper = Sweeper(_SWEPT)


class Turnstile:
    """Lets one task through for each turn of the event loop, whichever loop that is."""

    def __init__(self) -> None:
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def __call__(self) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        lock = self._locks.get(loop)
        if lock is None:
            lock = self._locks[loop] = asyncio.Lock()
        async with lock:
            await asyncio.sleep(0)
            _sweeper.step(loop)


one_at_a_time = Turnstile()
"""What everything passes whose next step takes a while."""
