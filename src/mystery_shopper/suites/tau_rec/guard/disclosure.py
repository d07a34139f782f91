"""What one trial's user may say by now, and what its words give away.

A fact may be said once it is stated by the task, or once its field or anything further was asked
for, by the rule-based user's own reading. Until then, and a hidden fact always, it is withheld, and
to say it is a leak. What the agent itself named is another matter: to repeat that in a refusal, a
denial or a question gives nothing away, to confirm it does, be it by a bare yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mystery_shopper.dialogue import UserSaid, Verdict
from mystery_shopper.suites.tau_rec.guard.clauses import Clause, clauses, readings
from mystery_shopper.suites.tau_rec.guard.forms import Ear, key_of
from mystery_shopper.suites.tau_rec.guard.hearing import Given, Hearing
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Reveal, Task, fact

_COMPARED = frozenset("later newer more after earlier older less before above below so under "
                      "over up higher lower".split())  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """What words give: facts that may be said, and facts that may not, each once, in the task's
    order."""

    disclosed: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()


@dataclass
class Disclosure:
    """Follows one trial: what has been asked, what has been said, and what the agent named."""

    task: Task
    ear: Ear
    said: set[str] = field(default_factory=set[str])
    _open: set[str] = field(default_factory=set[str])
    _named: set[str] = field(default_factory=set[str])
    _titles: set[str] = field(default_factory=set[str])
    _asked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._hearing = Hearing(self.task, self.ear)
        self.facts = tuple(dict.fromkeys(fact(one.predicate) for one in self.task.requirements))
        self._open.update(
            fact(one.predicate) for one in self.task.requirements if one.reveal is Reveal.STATED
        )
        if self.task.family.formats:
            self.facts = (*self.facts, FORMATS_FACT)
            if FORMATS_FACT not in self.task.askable:
                self._open.add(FORMATS_FACT)

    @property
    def withheld(self) -> tuple[str, ...]:
        """The facts that must stay unsaid now."""
        return tuple(name for name in self.facts if name not in self._open)

    def turn(self, text: str, due: UserSaid, verdict: Verdict | None) -> None:
        """The agent has spoken; `due` is what the rule-based user would answer."""
        self._open.update(due.disclosed)
        ids = () if verdict is None else (verdict.item_id, *verdict.others)
        items = (self.ear.catalogue.find(item_id) for item_id in ids)
        self._titles.update(key_of(item.title) for item in items if item is not None)
        heard = clauses(text)
        self._named.update(one.fact for clause in heard for one in self._hear(clause))
        self._asked = () if verdict is not None else self._put(heard)

    def judge(self, text: str) -> Judged:
        """What these words would give."""
        found = clauses(text)
        given: set[str] = set()
        leaked: set[str] = set()
        for clause in dict.fromkeys(clause for reading in readings(text) for clause in reading):
            heard = self._hear(clause)
            fit = {(one.start, one.end): 2 for one in heard}
            for one in heard:
                if one.fact in self._open:
                    fit[one.start, one.end] = min(one.rank, fit[one.start, one.end])
            for one in heard:
                if one.fact in self._open:
                    if one.rank == fit[one.start, one.end]:
                        given.add(one.fact)
                elif one.rank < fit[one.start, one.end] and not self._echoes(one, clause):
                    leaked.add(one.fact)
        if self._asked and any(c.affirms for c in found[:2]) and not any(c.refuses for c in found):
            for name in self._asked:
                (given if name in self._open else leaked).add(name)
        return Judged(
            tuple(name for name in self.facts if name in given or name in leaked),
            tuple(name for name in self.facts if name in leaked),
        )

    def _hear(self, clause: Clause) -> list[Given]:
        return self._hearing.hears(clause, self._titles)

    def _echoes(self, one: Given, clause: Clause) -> bool:
        """Whether it is what the agent named, refused, denied or asked back."""
        return one.fact in self._named and (clause.refuses or clause.asks)

    def _put(self, heard: Sequence[Clause]) -> tuple[str, ...]:
        """The fact that a message puts to the user for a yes or no; empty where it asks several
        things, or offers a choice."""
        questions = [clause for clause in heard if clause.asks]
        if len(questions) != 1:
            return ()
        words = questions[0].words
        choices = [at for at, word in enumerate(words[:-1]) if word == "or"]
        if any(words[at + 1] not in _COMPARED for at in choices):
            return ()
        named = {one.fact for one in self._hear(questions[0])}
        return tuple(named) if len(named) == 1 else ()
