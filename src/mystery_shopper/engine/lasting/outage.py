"""A bound on how long a model's server may be away.

Inspect tries again for ever whatever may pass. Rate limits do, and are waited out; a server that
nobody can connect to is given up after a while, so that the run stops and says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from inspect_ai.model import Model

from mystery_shopper.engine.lasting.telling import to_stderr
from mystery_shopper.foundation import InfrastructureFault

AWAY = 30.0
"""Seconds for which no call reaches the server before it is given up."""
_NAMES = re.compile("Connect|Unreachable|gaierror")


def is_no_connection(error: BaseException) -> bool:
    """Whether the error, or one that it stems from, is that of a connection: each provider's client
    has a class of its own for it, and none of them bears a status."""
    seen: BaseException | None = error
    for _ in range(6):
        if seen is None or getattr(seen, "status_code", None) is not None:
            return False
        if isinstance(seen, ConnectionError) or _NAMES.search(type(seen).__name__):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def bounded(
    model: Model,
    *,
    seconds: float = AWAY,
    clock: Callable[[], float] = time.monotonic,
    tell: Callable[[str], None] = to_stderr,
) -> Model:
    """The same model, whose calls end with InfrastructureFault once for so many seconds none
    reached its server. `tell` hears when the waiting begins."""
    api: Any = model.api
    inner, away_since = api.generate, None

    @wraps(inner)
    async def generate(*args: Any, **more: Any) -> Any:
        nonlocal away_since
        try:
            answer = await inner(*args, **more)
        except Exception as error:
            if not is_no_connection(error):
                away_since = None
                raise
            if away_since is None:
                away_since = clock()
                tell(f"{model.name}: no connection ({_brief(error)}); trying for {seconds:g} s.")
            if clock() - away_since < seconds:
                raise
            raise InfrastructureFault(
                f"{model.name} cannot be reached: no connection for {seconds:g} s ({_brief(error)})"
            ) from error
        away_since = None
        return answer

    api.generate = generate
    return model


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200].rstrip(". ")
