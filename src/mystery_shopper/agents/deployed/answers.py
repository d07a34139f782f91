"""What an answer of the agent's says: its words, the items it shows, its choice, its own calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mystery_shopper.agents.deployed.form import AnswerForm, CallsForm, FromText
from mystery_shopper.agents.deployed.paths import MOST_FOUND, NotThere, Path, PathError, kind_of
from mystery_shopper.agents.deployed.patterns import IdPattern, PatternError
from mystery_shopper.agents.deployed.requests import Misread
from mystery_shopper.dialogue import ForeignCall

LARGEST = 2**63
"""An id that is a number is no larger."""


@dataclass(frozen=True)
class Reading:
    """An answer that was read; ids are the agent's. `done` is None where the file names no flag."""

    text: str
    shown: tuple[str, ...] = ()
    choice: str | None = None
    calls: tuple[ForeignCall, ...] = ()
    done: bool | None = None
    abstains: bool = False


@dataclass(frozen=True)
class CallPaths:
    """Where the agent's own calls stand."""

    each: Path
    name: Path
    arguments: Path | None
    result: Path | None


@dataclass(frozen=True)
class AnswerReader:
    """Reads answers by the file's paths and patterns."""

    text: Path
    shown: Path | IdPattern | None
    choice: Path | IdPattern | None
    calls: CallPaths | None
    done: Path | None
    abstain: Path | None
    phrases: tuple[str, ...]

    def read(self, answer: object) -> Reading:
        """What the answer says. Raises Misread, naming the path that finds nothing of use."""
        text = "\n".join(self._texts(answer))
        shown = self._ids("answer.shown", self.shown, answer, text)
        choice = self._ids("answer.choice", self.choice, answer, text)
        folded = text.casefold()
        abstains = any(phrase in folded for phrase in self.phrases)
        if self.abstain is not None:
            abstains = bool(_first("answer.abstain", self.abstain, answer))
        return Reading(
            text,
            shown,
            choice[0] if choice else None,
            self._calls(answer),
            None if self.done is None else bool(_first("answer.done", self.done, answer)),
            abstains,
        )

    def _texts(self, answer: object) -> Iterable[str]:
        for one in _all("answer.text", self.text, answer):
            if one is not None and not isinstance(one, str):
                reason = f"there is {kind_of(one)} in the place of a text"
                raise Misread("answer.text", self.text.text, reason)
            yield one or ""

    @staticmethod
    def _ids(
        place: str, source: Path | IdPattern | None, answer: object, text: str
    ) -> tuple[str, ...]:
        if source is None:
            return ()
        if isinstance(source, IdPattern):
            return tuple(source.ids(text))
        found: list[str] = []
        for one in _all(place, source, answer):
            for value in _entries(one):
                if isinstance(value, bool) or not isinstance(value, str | int | None):
                    reason = f"there is {kind_of(value)} in the place of an id"
                    raise Misread(place, source.text, reason)
                if isinstance(value, int) and abs(value) > LARGEST:
                    raise Misread(place, source.text, "the number is too large for an id")
                if value is not None and value != "":
                    found.append(str(value))
        return tuple(found)

    def _calls(self, answer: object) -> tuple[ForeignCall, ...]:
        if self.calls is None:
            return ()
        paths, found = self.calls, list[ForeignCall]()
        for one in _all("answer.calls.path", paths.each, answer):
            for call in _entries(one):
                if call is None:
                    continue
                name = _first("answer.calls.name", paths.name, call)
                found.append(
                    ForeignCall(
                        name if isinstance(name, str) else "",
                        paths.arguments and _first("answer.calls.arguments", paths.arguments, call),
                        paths.result and _first("answer.calls.result", paths.result, call),
                    )
                )
        return tuple(found)


def _entries(value: object) -> list[object]:
    """The entries of a list, bounded as those that a path finds; of anything else that itself."""
    return value[:MOST_FOUND] if isinstance(value, list) else [value]


def _all(place: str, path: Path, answer: object) -> list[object]:
    try:
        return path.find(answer)
    except NotThere as error:
        raise Misread(place, path.text, str(error)) from None


def _first(place: str, path: Path, answer: object) -> object:
    try:
        return path.first(answer)
    except NotThere as error:
        raise Misread(place, path.text, str(error)) from None


def read_answer_form(form: AnswerForm, problems: list[str]) -> AnswerReader:
    """The reader of a form; its faults go to `problems`."""

    def path(place: str, text: str | None, *, one: bool = False) -> Path | None:
        if text is None:
            return None
        try:
            found = Path.read(text)
        except PathError as error:
            problems.append(f"answer.{place}: {error}")
            return None
        if one and found.is_many:
            problems.append(f"answer.{place}: {text!r} leads to many values, and one is wanted")
        return found

    def source(place: str, given: str | FromText | None) -> Path | IdPattern | None:
        if not isinstance(given, FromText):
            return path(place, given, one=place == "choice")
        try:
            return IdPattern.read(given.pattern)
        except PatternError as error:
            problems.append(f"answer.{place}.pattern: {error}")
            return None

    def calls(given: CallsForm | None) -> CallPaths | None:
        if given is None:
            return None
        each, name = path("calls.path", given.path), path("calls.name", given.name, one=True)
        arguments = path("calls.arguments", given.arguments, one=True)
        result = path("calls.result", given.result, one=True)
        return None if each is None or name is None else CallPaths(each, name, arguments, result)

    phrases = form.abstain if isinstance(form.abstain, tuple) else ()
    if any(not phrase.strip() for phrase in phrases):
        problems.append("answer.abstain: a phrase is empty")
    return AnswerReader(
        path("text", form.text) or Path("", ()),
        source("shown", form.shown),
        source("choice", form.choice),
        calls(form.calls),
        path("done", form.done, one=True),
        path("abstain", form.abstain, one=True) if isinstance(form.abstain, str) else None,
        tuple(phrase.casefold() for phrase in phrases),
    )
