"""The numbers of a whole set: tiers, families without an answer, histories, panel.

The numbers belong to a full set: 150 families of all three tiers (τ-Rec-Books §3). Of another set
the same figures are only reported, with what it lacks.
"""

from __future__ import annotations

from collections import defaultdict

from mystery_shopper.catalog import Predicate, fold
from mystery_shopper.suites.tau_rec.task import Family, TaskSet, Tier
from mystery_shopper.suites.tau_rec.validate.items import Items
from mystery_shopper.suites.tau_rec.validate.report import Ledger, Property

FULL = 150
PER_TIER, NVR_PER_TIER, NVR_TEMPLATES_PER_TIER = 50, 5, 2
HIDING_TWO, ONE_FORMAT, WITH_HISTORY, HISTORY_HIDING_TWO = 53, 36, 48, 17
PANEL, PANEL_NVR, RELIABILITY = 51, 6, 18


def figures_of(task_set: TaskSet) -> dict[str, int]:
    """How many families there are of each kind."""
    families = task_set.families
    nvr = [family for family in families if not family.satisfiable]
    read = [family for family in families if family.history]
    panel = set(task_set.panel)
    return {
        "families": len(families),
        "templates": len({(family.tier, _shape(family)) for family in families}),
        **{f"{tier.value} families": sum(f.tier is tier for f in families) for tier in Tier},
        **{f"{tier.value} NVR families": sum(f.tier is tier for f in nvr) for tier in Tier},
        **{
            f"{tier.value} NVR templates": len({_shape(f) for f in nvr if f.tier is tier})
            for tier in Tier
        },
        "families that hide two": sum(len(family.hidden) == 2 for family in families),
        "families with one format": sum(len(family.formats) == 1 for family in families),
        "families with a history": len(read),
        "families with a history that hide two": sum(len(f.hidden) == 2 for f in read),
        "panel families": len(panel),
        "panel NVR families": sum(family.id in panel for family in nvr),
        "reliability families": len(set(task_set.reliability)),
    }


def wanted_figures(items: Items) -> dict[str, int]:
    """What `figures_of` a full set over this catalogue must say. How many templates there are is
    fixed only where the domain lists them."""
    listed = items.catalogue.domain.templates
    templates = sum(len(listed[tier.value]) for tier in Tier if listed.get(tier.value))
    complete = all(listed.get(tier.value) for tier in Tier)
    return {
        **({"templates": templates} if complete else {}),
        **{f"{tier.value} families": PER_TIER for tier in Tier},
        **{f"{tier.value} NVR families": NVR_PER_TIER for tier in Tier},
        "families that hide two": HIDING_TWO,
        **({"families with one format": ONE_FORMAT} if len(items.formats) > 1 else {}),
        "families with a history": WITH_HISTORY,
        "families with a history that hide two": HISTORY_HIDING_TWO,
        "panel families": PANEL,
        "panel NVR families": PANEL_NVR,
        "reliability families": RELIABILITY,
    }


def is_full(task_set: TaskSet) -> bool:
    """Whether the set must have the numbers of a full one."""
    tiers = {family.tier for family in task_set.families}
    return len(task_set.families) == FULL and len(tiers) == len(Tier)


def lacking(task_set: TaskSet, items: Items) -> list[str]:
    """What a set has less of than a full one would."""
    figures = figures_of(task_set)
    wanted = {"families": FULL, **wanted_figures(items)}
    return [
        f"{name}: {figures[name]} of {number}"
        for name, number in wanted.items()
        if figures[name] < number
    ]


def check_set(task_set: TaskSet, items: Items, ledger: Ledger) -> None:
    """Every property of the set as a whole."""
    figures = figures_of(task_set)
    if is_full(task_set):
        for name, wanted in wanted_figures(items).items():
            broken = Property.PANEL if "panel" in name or "reliab" in name else Property.QUOTA
            ledger.expect(
                figures[name] == wanted, "", broken, f"{name}: {figures[name]}, not {wanted}"
            )
        for tier in Tier:
            name = f"{tier.value} NVR templates"
            ledger.expect(
                figures[name] >= NVR_TEMPLATES_PER_TIER,
                "",
                Property.QUOTA,
                f"{name}: {figures[name]}, not {NVR_TEMPLATES_PER_TIER} or more",
            )
    _check_distinct(task_set, ledger)


def _check_distinct(task_set: TaskSet, ledger: Ledger) -> None:
    asking: defaultdict[frozenset[tuple[str, str, str]], list[str]] = defaultdict(list)
    for family in task_set.families:
        asking[frozenset(_key(predicate) for predicate in family.predicates)].append(family.id)
    for names in asking.values():
        ledger.expect(
            len(names) == 1, names[-1], Property.DISTINCT, f"also asked by {', '.join(names[:-1])}"
        )


def _key(predicate: Predicate) -> tuple[str, str, str]:
    value = predicate.value
    parts = value if isinstance(value, tuple) else (value,)
    return predicate.field, predicate.op.value, "\x1f".join(sorted(fold(str(p)) for p in parts))


def _shape(family: Family) -> tuple[str, ...]:
    return tuple(sorted(family.template))
