"""What a catalogue gave, and why not more: the account that a generation or a probe leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mystery_shopper.suites.tau_rec.task import Tier


@dataclass(frozen=True)
class Draws:
    """How often a template was tried for one sort of family, how many families came of it, and how
    often each rule refused a draw."""

    made: int = 0
    tried: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def reason(self) -> str:
        """The rule broken most often, and how often; empty where none was."""
        if not self.reasons:
            return ""
        reason = max(self.reasons, key=lambda one: (self.reasons[one], one))
        return f"{reason} ({self.reasons[reason]:,} of {self.tried:,} draws)"


@dataclass(frozen=True)
class TemplateAccount:
    """One template. `dropped`: why it was left out before any family was drawn; else empty."""

    template: tuple[str, ...]
    satisfiable: Draws
    barren: Draws
    dropped: str = ""

    @property
    def text(self) -> str:
        """As `[genre, year>=]`."""
        return f"[{', '.join(self.template)}]"


@dataclass(frozen=True)
class TierAccount:
    """One tier: families wanted and made, those without a valid recommendation (NVR) among them,
    and what stood in the way; `obstacle` is empty where nothing did."""

    tier: Tier
    wanted: int
    made: int
    nvr_wanted: int
    nvr_made: int
    templates: tuple[TemplateAccount, ...]
    obstacle: str = ""

    @property
    def feasible(self) -> bool:
        """Whether the tier has any family."""
        return self.made > 0


@dataclass(frozen=True)
class QuotaAccount:
    """How many families were to be of a sort, and are."""

    name: str
    wanted: int
    made: int


@dataclass(frozen=True)
class Feasibility:
    """What could be met and what could not. Of a generation `counted` is `families`; of a probe it
    is `templates`: how many of those tried gave at least one family. `help`: what would give more.
    """

    counted: str
    tiers: tuple[TierAccount, ...]
    quotas: tuple[QuotaAccount, ...] = ()
    help: tuple[str, ...] = ()

    @property
    def wanted(self) -> int:
        """Over all tiers."""
        return sum(tier.wanted for tier in self.tiers)

    @property
    def made(self) -> int:
        """Over all tiers."""
        return sum(tier.made for tier in self.tiers)

    def lines(self) -> list[str]:
        """The account as lines to print; of what went as wanted only the numbers."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        for tier in self.tiers:
            yield (
                f"{tier.tier.value}: {tier.made} of {tier.wanted} {self.counted}, "
                f"{tier.nvr_made} of {tier.nvr_wanted} NVR"
            )
            if tier.obstacle:
                yield f"  {tier.obstacle}"
            for one in tier.templates:
                if one.dropped:
                    yield f"  {one.text} left out: {one.dropped}"
                elif not one.satisfiable.made and one.satisfiable.tried:
                    yield f"  {one.text}: {one.satisfiable.reason}"
        for quota in self.quotas:
            if quota.made < quota.wanted:
                yield f"{quota.name}: {quota.made} of {quota.wanted}"
        for one in self.help:
            yield f"What would help: {one}"


class Book:
    """The running record behind an account."""

    def __init__(self) -> None:
        self._made: Counter[tuple[Tier, tuple[str, ...], bool]] = Counter()
        self._tried: Counter[tuple[Tier, tuple[str, ...], bool]] = Counter()
        self._reasons: dict[tuple[Tier, tuple[str, ...], bool], Counter[str]] = {}

    def note(
        self, tier: Tier, template: tuple[str, ...], reasons: Counter[str], *,
        satisfiable: bool, made: bool,
    ) -> None:  # fmt: skip
        """Count the draws for one family."""
        key = tier, template, satisfiable
        self._made[key] += made
        self._tried[key] += reasons.total() + made
        self._reasons.setdefault(key, Counter()).update(reasons)

    @property
    def rejected(self) -> dict[str, int]:
        """How many draws each rule refused, over all templates."""
        total: Counter[str] = Counter()
        for reasons in self._reasons.values():
            total.update(reasons)
        return dict(sorted(total.items()))

    def draws(self, tier: Tier, template: tuple[str, ...], *, satisfiable: bool) -> Draws:
        """What was counted."""
        key = tier, template, satisfiable
        reasons = dict(sorted(self._reasons.get(key, Counter[str]()).items()))
        return Draws(self._made[key], self._tried[key], reasons)

    def account(self, tier: Tier, template: tuple[str, ...], dropped: str = "") -> TemplateAccount:
        """The template's account."""
        return TemplateAccount(
            template,
            self.draws(tier, template, satisfiable=True),
            self.draws(tier, template, satisfiable=False),
            dropped,
        )
