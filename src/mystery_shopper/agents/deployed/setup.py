"""Whether an agent's file fits its server: what the first answers of a run tell.

A path that finds nothing in the first answer of a run, or a request that is refused before any was
taken, is the file's fault and ends the run. Later the same is the agent's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mystery_shopper.agents.deployed.ids import IdMap, Table
from mystery_shopper.agents.deployed.paths import kind_of
from mystery_shopper.agents.deployed.veil import Veil
from mystery_shopper.agents.http import is_wrong_door
from mystery_shopper.foundation import AgentFault, InfrastructureFault, InputError

SHOWN = 400
"""Characters of an answer that an error shows."""
_MOST_STRANGERS, _LONGEST = 10_000, 80


@dataclass
class Setup:
    """What the trials of one run share. `problem` is set once the file does not fit. `find` gives
    an item of the catalogue by its id, None where there is none."""

    where: str
    problem: InputError | None = None
    find: Callable[[str], object] = lambda _: None
    _strange: str = ""
    _strangers: set[str] = field(default_factory=set[str])
    _known: bool = False
    _ids_checked: bool = False
    _reached: set[str] = field(default_factory=set[str])
    _understood: set[str] = field(default_factory=set[str])

    def check(self) -> None:
        """Raises InfrastructureFault where the file is known not to fit: nobody is at fault here,
        and nothing more is asked."""
        if self.problem is not None:
            raise InfrastructureFault(str(self.problem))

    def check_ids(self, ids: IdMap, find: Callable[[str], object]) -> None:
        """Note it as a problem where a table of ids leads to no item of the catalogue at all."""
        self.find = find
        if isinstance(ids, Table) and not self._ids_checked:
            self._ids_checked = True
            if all(find(ours) is None for ours in ids.back):
                some = next(iter(ids.back))
                text = f"ids: the map leads to no item of the catalogue, such as {some!r}"
                self._wrong(text, "Map the agent's ids to the ids of the run's catalogue.")

    def showed(self, theirs: str, ours: str) -> None:
        """The agent showed an id, which stands for that one of ours."""
        if self._known or self.find(ours) is not None:
            self._known = True
            self._strangers.clear()
        elif len(self._strangers) < _MOST_STRANGERS:
            self._strange = self._strange or theirs[:_LONGEST]
            self._strangers.add(theirs[:_LONGEST])

    def notice(self) -> str:
        """What a person should know though it ends no run: that no id led anywhere."""
        count = len(self._strangers)
        if self._known or not count:
            return ""
        many = f"{count:,} or more" if count == _MOST_STRANGERS else f"{count:,}"
        told = (
            f"none of the {many} ids that the agent showed is of the catalogue"
            if count > 1
            else "the one id that the agent showed is not of the catalogue"
        )
        return f"{self.where}: {told} (for instance {self._strange!r}): check ids"

    def reached(self, exchange: str) -> None:
        """A request of this kind was taken."""
        self._reached.add(exchange)

    def understood(self, exchange: str) -> None:
        """An answer of this kind held what the file says."""
        self._understood.add(exchange)

    def misread(self, exchange: str, reason: str, answer: str = "") -> Exception:
        """What to raise where an answer does not hold what the file says."""
        told = f"{reason}; the answer: {answer}" if answer else reason
        if exchange in self._understood:
            return AgentFault(told)
        return self._wrong(told, "Mend the path, or end a step with ? if it may be absent.")

    def refused(
        self, exchange: str, status: int | None, told: str, kind: type[Exception]
    ) -> Exception:
        """What to raise where a request got no answer that can be used."""
        early = exchange in ("open", "say") and exchange not in self._reached
        if early and status is not None and is_wrong_door(status):
            what = f"the first request of `{exchange}` was refused: {told}"
            return self._wrong(what, "Mend the address, the path, the headers or the body.")
        return kind(told)

    def _wrong(self, problem: str, remedy: str) -> Exception:
        if self.problem is None:
            self.problem = InputError(problem, where=self.where, remedy=remedy)
        return InfrastructureFault(str(self.problem))


def excerpt(body: bytes, veil: Veil) -> str:
    """The beginning of an answer, without secrets."""
    text = " ".join(veil.text(body.decode("utf-8", "replace")).split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(body)} bytes)"


def outline(value: object, depth: int = 4) -> object:
    """An answer's shape without its texts and numbers, which may be secret."""
    match value:
        case dict() if depth:
            return {str(key)[:40]: outline(part, depth - 1) for key, part in [*value.items()][:20]}
        case list() if depth:
            return [outline(part, depth - 1) for part in value[:2]]
        case None | bool():
            return value
        case _:
            return f"<{kind_of(value)}>"
