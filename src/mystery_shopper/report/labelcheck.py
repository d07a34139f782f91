"""A label file held against the trials that it speaks of, while these are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mystery_shopper.catalog import SHIPPED, load_domain
from mystery_shopper.dialogue import UserSaid
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.labels import FORMAT_NAMES, Label, Labels
from mystery_shopper.report.words import plural


@dataclass
class LabelCheck:
    """What the runs have: their trials' turns, as far as they are labelled, and their fields."""

    labels: Labels
    _turns: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _fields: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def watch(self, run: str, plan: RunPlan, trials: Iterable[Trial]) -> Iterator[Trial]:
        """The same trials; what the check needs of them is kept as they pass."""
        fields = self._fields[run] = _domain_fields(plan.source)
        for trial in trials:
            fields.update(slot.removesuffix(">=").removesuffix("<=") for slot in trial.template)
            for event in trial.transcript.events:
                if isinstance(event, UserSaid):
                    fields.update(event.asked)
            if self.labels.of(run, trial.key):
                last = max((turn for turn, _ in trial.transcript.by_turn()), default=0)
                self._turns[run, trial.key] = last
            yield trial

    def close(self) -> None:
        """Raise InputError with every label, by its line, for a trial or a turn that is not there
        or with a field that nobody could ask about."""
        told: list[tuple[int, str]] = []
        for (run, _), turns in self.labels.turns.items():
            for label in turns.values():
                line = self.labels.line_of(label)
                told += [(line, text) for text in self._problems(run, label)]
        if told:
            raise InputError(
                [f"line {line}: {text}" for line, text in sorted(told)],
                where=self.labels.path,
                remedy="Mend the label file, or name the run that it was made for.",
            )

    def _problems(self, run: str | None, label: Label) -> Iterator[str]:
        runs = [name for name in self._fields if run is None or name == run]
        lasts = [
            self._turns[name, label.trial] for name in runs if (name, label.trial) in self._turns
        ]
        if not lasts:
            yield f"there is no trial {label.trial!r} in this report"
        elif label.turn > max(lasts):
            yield f"turn is {label.turn}, and {label.trial} has {plural(max(lasts), 'turn')}"
        known = set().union(*(self._fields[name] for name in runs))
        for name in dict.fromkeys(label.asks if known else ()):
            if name not in known | FORMAT_NAMES:
                fields = ", ".join(sorted(known))
                yield f"{name!r} is no field that may be asked about (there are: {fields})"


def _domain_fields(source: str) -> set[str]:
    """The fields of a shipped catalogue's domain; of another catalogue the trials tell them."""
    if source not in SHIPPED:
        return set()
    domain = load_domain(source)
    return {*domain.requirement_fields, *(FORMAT_NAMES if domain.formats else ())}
