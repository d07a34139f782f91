"""Which sorts of family no template gives any more, so that nobody tries for them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

from mystery_shopper.suites.tau_rec.generate.plan import Brief
from mystery_shopper.suites.tau_rec.generate.slots import Template


@dataclass(frozen=True)
class Wish:
    """What a brief asks beside its tier and template; more of it is harder to meet."""

    hides: int
    history: bool
    one_format: bool
    long: bool


def plainer(brief: Brief) -> Iterator[Brief]:
    """The brief, then plainer ones to fall back on, down to the plainest."""
    lighter = replace(brief, one_format=False)
    ladder = (
        brief,
        lighter,
        replace(brief, history=False),
        replace(lighter, history=False),
        replace(lighter, history=False, long=False),
        replace(lighter, history=False, long=False, hides=1),
    )
    yield from dict.fromkeys(ladder)


class Hopeless:
    """Templates by sort of family and by what was asked when every draw failed."""

    def __init__(self) -> None:
        self._failed: dict[tuple[Template, bool], list[Wish]] = {}

    def add(self, template: Template, brief: Brief, *, undrawn: bool) -> None:
        """Every draw for the brief failed; `undrawn` where none got as far as its predicates, so
        that no plainer brief would have done."""
        wish = Wish(1, False, False, False) if undrawn else _wish(template, brief)
        self._failed.setdefault((template, brief.satisfiable), []).append(wish)

    def holds(self, template: Template, brief: Brief) -> bool:
        """Whether something no harder has failed."""
        wish = astuple(_wish(template, brief))
        return any(
            all(asked <= now for asked, now in zip(astuple(failed), wish, strict=True))
            for failed in self._failed.get((template, brief.satisfiable), ())
        )


def _wish(template: Template, brief: Brief) -> Wish:
    hides = min(brief.hides, len(template) - 1)
    return Wish(hides, brief.history, brief.one_format, brief.long)
