"""Progress on stderr of work that has several stages."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from mystery_shopper.cli.common import counted_bar


@contextmanager
def stages() -> Generator[Callable[[str, int, int], None]]:
    """A bar on stderr; gives a function that hears what is being done, how much of it is done, and
    of how much (0: nobody knows)."""
    with counted_bar("") as (bar, task):
        stage = ""

        def hear(what: str, done: int, of: int) -> None:
            nonlocal stage
            if what != stage:
                stage = what
                bar.reset(task, description=what, total=of or None)
            bar.update(task, completed=done, total=of or None)

        yield hear
