"""Templates: which fields and bounds a request names, per tier."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from mystery_shopper.catalog import Domain, Operator
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.generate.derive import derived, slots_needed
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Tier


@dataclass(frozen=True)
class Slot:
    """A label field or a flag, or one bound of an ordered field. Its text form is `name`."""

    field: str
    bound: Operator | None

    @property
    def name(self) -> str:
        """For example `genre` or `year>=`."""
        return self.field + (self.bound.value if self.bound else "")


Template: TypeAlias = tuple[Slot, ...]


def parse_slot(text: str) -> Slot:
    """The slot that `text` names."""
    for bound in (Operator.AT_LEAST, Operator.AT_MOST):
        if text.endswith(bound.value):
            return Slot(text.removesuffix(bound.value), bound)
    return Slot(text, None)


def template_of(names: tuple[str, ...]) -> Template:
    """The template that these slots' names make."""
    return tuple(map(parse_slot, names))


def templates_of(domain: Domain) -> dict[Tier, tuple[Template, ...]]:
    """The domain's templates by tier; a tier for which it gives none gets the derived ones, which
    may be none.

    Raises InputError for a tier of unknown name, a template with the wrong number of slots for its
    tier, with more labels of a field than its `most`, or with one bound twice, and where no tier
    can be filled at all.
    """
    known = {tier.value for tier in Tier}
    problems = [f"templates.{name}: no such tier" for name in domain.templates if name not in known]
    found: dict[Tier, tuple[Template, ...]] = {}
    for tier in Tier:
        given = domain.templates.get(tier.value, ())
        found[tier] = tuple(map(template_of, given or derived(domain, tier)))
        problems += [
            f"templates.{tier.value}: {problem}"
            for template in found[tier]
            if given
            for problem in _misfits(domain, tier, template)
        ]
    if not any(found.values()):
        problems += [slots_needed(domain, tier) for tier in Tier]
    if problems:
        raise InputError(
            problems,
            where=f"domain {domain.name}",
            remedy="Mend the templates, or mark more fields with `requirement: true`.",
        )
    return found


def _misfits(domain: Domain, tier: Tier, template: Template) -> list[str]:
    text = "[" + ", ".join(slot.name for slot in template) + "]"
    wanted = PREDICATES_PER_TIER[tier]
    problems: list[str] = []
    if len(template) not in wanted:
        counts = " or ".join(map(str, wanted))
        problems.append(f"{text} has {len(template)} slots, the tier takes {counts}")
    for slot, count in Counter(template).items():
        spec = domain.fields[slot.field]
        most = spec.most if spec.kind.is_label else 1
        if count > most:
            problems.append(f"{text} names {slot.name} {count} times, at most {most} fit")
    return problems
