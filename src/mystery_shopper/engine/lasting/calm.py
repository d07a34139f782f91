"""An event loop that is never held up for long while hundreds of trials are in flight.

Four things hold it up. What the first trial builds or imports, it builds while the others wait.
Python's collector of cyclic garbage walks everything that is alive, the catalogue and its indexes
included, whenever it thinks fit. What many trials do at one moment, such as begin, is done in one
go, since a loop serves all that are ready before it looks up. And Inspect writes each event of a
sample to a database as it comes, for those who watch a sample that has not ended.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model_info

from mystery_shopper.engine.suites import Scene

_INSPECTS_OWN = "openai"
"""Where this is installed, Inspect imports it when its first sample begins: half a second."""
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
    if find_spec(_INSPECTS_OWN) is not None:
        import_module(f"{_INSPECTS_OWN}.types.responses")


@contextmanager
def little_to_collect() -> Generator[None]:
    """Until the block ends, what is alive now is left out of garbage collections."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


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
            if gc.get_freeze_count():  # What Inspect imported on the way here goes with the rest.
                gc.freeze()
        async with lock:
            await asyncio.sleep(0)


one_at_a_time = Turnstile()
"""What everything passes whose next step takes a while."""
