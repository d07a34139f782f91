"""The research questions answered in plain words, each from what was computed and no more than
that: an effect differs, or it is not settled and what would settle it is said."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.report.cells import Answers, Estimate
from mystery_shopper.report.disclosure.contrasttable import MANY
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.interfacetables import Contrasted
from mystery_shopper.report.disclosure.reliabilitytables import Apart, Passed
from mystery_shopper.report.disclosure.settings import HIDDEN, KEYWORD, MIXED, STRUCTURED
from mystery_shopper.report.disclosure.study import AVERAGE, BOTH, Study
from mystery_shopper.report.disclosure.twelve import ALPHA, CROSSED, SCALE, USER
from mystery_shopper.report.words import figure, plain, plural, told_p, whole


def verdict(one: Finding, p: float | None) -> str:
    """`differs (p ≤ 0.0011)`, or that it is not settled and what it would take."""
    if one.effect.missing:
        return one.effect.missing
    if one.result.estimate is None:
        return "unmeasured, since no pair of tasks is scored on both sides"
    if p is None:
        return "of one family, whose spread is unknown"
    told = told_p(p, one.result.at_floor)
    if p < ALPHA:
        flips = one.flips
        if flips is None or flips.p is None or flips.p < ALPHA:
            return f"differs, {told}"
        over = f"not over {plural(flips.clusters, 'whole template')}: {told_p(flips.p)}"
        return f"differs over families, {told}, {over}"
    if not one.detectable.effect:
        return "no task differs"
    wanted = one.wanted.families if one.wanted is not None else None
    need = "no number is known to do"
    if wanted:
        about = "more than a million" if wanted > MANY else f"about {whole(wanted)}"
        need = f"would need {about} families"
    return f"not settled, {told}: {need}"


def difference(one: Finding, at: str = "") -> str:
    """`7.1 points higher than`, `23.3 points lower than`, `as high as`; `at` says where the
    first side stands: `4.2 points higher with 5,000 items than`."""
    value = one.result.estimate
    if value is None:
        return "nothing that can be compared with"
    size = f"{abs(100 * value):.1f}"
    if float(size) == 0:
        return f"as high{at} as"
    return f"{size} points {'higher' if value > 0 else 'lower'}{at} than"


def disclosure(study: Study) -> str:
    """RQ1."""
    wanted = ((MIXED, Answers.ALL), (HIDDEN, Answers.SATISFIABLE))
    told: list[str] = []
    for condition, answers in wanted:
        one = _corrected(study, f"{condition} gap, {answers.value}")
        families = "all" if answers is Answers.ALL else "satisfiable"
        if one is None or one.effect.missing:
            told.append(f"{condition} tasks cannot be set against volunteer ones")
            continue
        told.append(
            f"{condition} tasks score {difference(one)} volunteer ones over {families} families "
            f"({verdict(one, one.adjusted)})"
        )
    return _sentence(f"{_over(study)}, {told[0]}, and {told[1]}")


def interface(study: Study, found: Sequence[Contrasted]) -> str:
    """RQ2."""
    one = study.tests.alone
    if one.effect.missing:
        return _sentence(f"nothing can be said of the interface: {one.effect.missing}")
    agents = len({term.base[0].agent for term in one.effect.terms})
    over = "for one agent" if agents == 1 else f"averaged over {agents} agents"
    told = (
        f"structured search scores {difference(one)} keyword search, {over} and "
        f"{_conditions(one)} ({verdict(one, one.result.p)})"
    )
    again = next(c.kept for c in found if (c.agent, c.condition) == (AVERAGE, BOTH))
    value, first = again.result.estimate, one.result.estimate
    if value is None:
        return _sentence(told)
    if value == first:
        return _sentence(f"{told}; no overflow or budget stop weighs in it")
    return _sentence(f"{told}; without overflow and budget stops it scores {difference(again)} it")


def _conditions(one: Finding) -> str:
    names = {term.base[1] for term in one.effect.terms}
    return f"{next(iter(names))} tasks" if len(names) == 1 else f"{len(names)} conditions"


def scale(study: Study) -> str:
    """RQ3."""
    found = [_corrected(study, f"{search} {SCALE}") for search in (KEYWORD, STRUCTURED)]
    known = [one for one in found if one is not None and not one.effect.missing]
    if not known:
        missing = next((one.effect.missing for one in found if one is not None), "")
        return _sentence(f"nothing can be said of scale: {missing}")
    told: list[str] = []
    for one in known:
        (small, _), (full, _) = one.effect.terms[0].candidate, one.effect.terms[0].base
        told.append(
            f"{small.interface} search scores "
            f"{difference(one, f' with {whole(small.size)} items')} with {whole(full.size)} "
            f"({verdict(one, one.adjusted)})"
        )
    crossed = _corrected(study, CROSSED)
    if crossed is not None and not crossed.effect.missing:
        full = whole(study.panel.full)
        told.append(
            f"the interface's effect is {difference(crossed, ' there')} with {full} "
            f"({verdict(crossed, crossed.adjusted)})"
        )
    return _sentence("; ".join(told))


def reliability(study: Study, found: Sequence[Passed], pairs: Apart) -> str:
    """RQ4."""
    told = [_passes(found)]
    if pairs.pairs:
        told.append(
            f"this panel tells {pairs.separated} of {plural(pairs.pairs, 'pair')} of agent and "
            "interface apart"
        )
    for one in study.tests.corrected:
        if one.effect.role == USER and not one.effect.missing:
            name = plain(one.effect.name.removeprefix("User ").partition(" − ")[0], 40)
            told.append(
                f"with the user {name} success is {difference(one)} with the rule-based one "
                f"({verdict(one, one.adjusted)})"
            )
    return _sentence("; ".join(part for part in told if part))


def _passes(found: Sequence[Passed]) -> str:
    lines = [one for one in found if one.settings == found[0].settings]
    most = max((len(one.estimates) for one in lines), default=0)
    if not most:
        return "no trial is valid"
    if most < 2:
        return "every task was played once, so nothing is known of repeated trials"
    k = 4 if most >= 4 else most
    names = [one.condition for one in lines]
    first, last = (_listed([one.estimates[at - 1] for one in lines]) for at in (1, k))
    return f"on {_words(names)} tasks pass^1 is {first}, and pass^{k} is {last}"


def _listed(estimates: Sequence[Estimate]) -> str:
    return _words([figure(one.value) for one in estimates])


def _words(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _over(study: Study) -> str:
    settings = study.settings
    if len(settings) == 1:
        return f"with {plain(settings[0].agent, 40)} on {settings[0].interface} search"
    return f"averaged over {len(settings)} settings of agent and interface"


def _corrected(study: Study, role: str) -> Finding | None:
    return next((one for one in study.tests.corrected if one.effect.role == role), None)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
