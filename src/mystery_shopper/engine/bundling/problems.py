"""What a check of a bundle found, each with its place."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec

from mystery_shopper.engine.bundling.archive import Refused
from mystery_shopper.foundation import InputError

MOST = 50


@dataclass(frozen=True)
class Problem:
    """Something that does not hold: in which file, of which trial, in which field of it."""

    file: str
    text: str
    trial: str = ""
    field: str = ""

    def __str__(self) -> str:
        place = ", ".join(filter(None, (self.file, self.trial, self.field)))
        return f"{place}: {self.text}"


@dataclass
class Problems:
    """Gathers them; beyond the first `MOST` they are only counted."""

    found: list[Problem] = field(default_factory=list[Problem])
    more: int = 0

    def add(self, file: str, text: str, trial: str = "", field: str = "") -> None:
        """One more."""
        if len(self.found) < MOST:
            self.found.append(Problem(file, text, trial, field))
        else:
            self.more += 1

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.found) + self.more

    @contextmanager
    def of(self, file: str) -> Generator[None]:
        """Whatever cannot be read in this block is a problem of the file. What stands in a bundle
        is untrusted, so every exception counts."""
        try:
            yield
        except Refused as error:
            self.add(file, str(error))
        except InputError as error:
            for problem in error.problems[:MOST]:
                self.add(file, problem)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self.add(file, f"cannot be read ({error})")
        except (RecursionError, MemoryError) as error:
            self.add(file, f"is nested too deeply or too large ({type(error).__name__})")


def differing(
    problems: Problems, file: str, pairs: dict[str, tuple[object, object]], trial: str = ""
) -> None:
    """Add each pair (recorded, recomputed) that differs, under its field's name."""
    for name, (recorded, recomputed) in pairs.items():
        if recorded != recomputed:
            problems.add(
                file,
                f"recorded {_brief(recorded)}, recomputed {_brief(recomputed)}",
                trial,
                name,
            )


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
