"""Templates: which fields and bounds a request names, per tier."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from mystery_shopper.catalog import Domain, Operator
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Tier

DERIVED_PER_TIER = 5
DERIVED_SLOTS = 16


@dataclass(frozen=True)
class Slot:
    """A label field, or one bound of an ordered field. Its text form is `name`."""

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


def templates_of(domain: Domain) -> dict[Tier, tuple[Template, ...]]:
    """The domain's templates by tier; a tier for which it gives none gets derived ones.

    Raises InputError for a tier of unknown name, a template with the wrong number of slots for its
    tier, with more labels of a field than its `most`, or with one bound twice, and for a tier that
    the domain's fields cannot fill.
    """
    known = {tier.value: tier for tier in Tier}
    problems = [f"templates.{name}: no such tier" for name in domain.templates if name not in known]
    found: dict[Tier, tuple[Template, ...]] = {}
    for tier in Tier:
        given = domain.templates.get(tier.value, ())
        found[tier] = tuple(tuple(map(parse_slot, slots)) for slots in given)
        for template in found[tier]:
            problems.extend(
                f"templates.{tier.value}: {p}" for p in _misfits(domain, tier, template)
            )
        found[tier] = found[tier] or _derived(domain, tier)
        if not found[tier]:
            least = PREDICATES_PER_TIER[tier][0]
            problems.append(f"no template of tier {tier.value}: its fields give no {least} slots")
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
        most = 1 if slot.bound else domain.fields[slot.field].most
        if count > most:
            problems.append(f"{text} names {slot.name} {count} times, at most {most} fit")
    return problems


def _derived(domain: Domain, tier: Tier) -> tuple[Template, ...]:
    """Up to five templates on two fields or more that between them name every field, those on the
    most fields first."""
    slots: list[Slot] = []
    for name in domain.requirement_fields:
        spec = domain.fields[name]
        if spec.kind.is_label:
            slots += [Slot(name, None)] * spec.most
        else:
            slots += [Slot(name, Operator.AT_LEAST), Slot(name, Operator.AT_MOST)]
    options = list(
        dict.fromkeys(
            chosen
            for count in PREDICATES_PER_TIER[tier]
            for chosen in combinations(slots[:DERIVED_SLOTS], count)
            if len({slot.field for slot in chosen}) > 1
        )
    )
    kept: list[Template] = []
    used: Counter[str] = Counter()
    while options and len(kept) < DERIVED_PER_TIER:
        best = min(
            options,
            key=lambda option: (
                sum(used[slot.name] for slot in option) / len(option),
                -len({slot.field for slot in option}),
            ),
        )
        options.remove(best)
        kept.append(best)
        used.update(slot.name for slot in best)
    return tuple(kept)
