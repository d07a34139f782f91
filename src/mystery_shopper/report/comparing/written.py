"""A comparison as lines for a terminal, Markdown for a pull request, and JUnit XML for a CI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote
from xml.etree import ElementTree

from mystery_shopper.report.comparing.compare import FEW, FEWEST, Comparison, Difference, Flip
from mystery_shopper.report.words import DASH, p_value, plain, plural, told_p

MOST_FLIPS = 50
SUITE = "mystery-shopper compare"
EXACT = "†"


def title(found: Comparison) -> str:
    """What is compared, in one line."""
    what = found.factor or "the same plan"
    return f"{plain(found.base.name)} (base) and {plain(found.candidate.name)} (candidate): {what}"


def number(value: float | None, share: bool, *, signed: bool = False) -> str:
    """A share with three digits, any other number with two; a dash where unmeasured."""
    if value is None:
        return DASH
    digits = 3 if share else 2
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def cells(one: Difference) -> tuple[str, ...]:
    """A row: measure, base, candidate, difference, interval, p, detectable, tasks, families."""
    share, result = one.measure.is_share, one.result
    interval = DASH
    if result.low is not None and result.high is not None:
        low, high = (number(v, share, signed=True) for v in (result.low, result.high))
        interval = f"[{low}, {high}]"
    p = DASH
    if one.p is not None:
        exact = one.exact is not None
        p = f"{p_value(one.p, result.at_floor and not exact)}{EXACT if exact else ''}"
    return (
        str(one.measure),
        number(one.base, share),
        number(one.candidate, share),
        number(result.estimate, share, signed=True),
        interval,
        p,
        number(one.detectable or None, share),  # Zero: the families did not differ, no more.
        str(result.tasks),
        str(result.clusters),
    )


HEAD = ("measure", "base", "candidate", "diff.", "95 % interval", "p", "detectable")


def verdicts(found: Comparison) -> Iterator[tuple[str, str]]:
    """(`failed`, `held` or `untold`, a sentence) for each condition."""
    for one in found.differences:
        if one.demand is None:
            continue
        _, _, _, difference, interval, *_ = cells(one)
        told = f"{one.demand}: {difference} {interval}"
        exact = one.exact is not None and one.result.excludes_zero
        agrees = f", exact {told_p(one.p)}" if exact and one.p is not None else ""
        if one.broken is None:
            yield "untold", f"{told}; too few {found.terms.clusters} to tell, {FEWEST} are needed"
        elif one.broken:
            yield "failed", f"{told}; beyond the threshold, and the interval leaves out 0{agrees}"
        elif found.unfinished:
            yield "untold", f"{told}; not finished: {' and '.join(found.unfinished)}"
        else:
            yield "held", f"{told}{agrees}"


def notes(found: Comparison) -> Iterator[str]:
    """What a reader must know: pairing, exclusions, and how to read the table."""
    terms = found.terms
    few = found.valid < found.paired
    valid = f", {found.valid:,} of them with a valid trial in both" if few else ""
    yield (
        f"{plural(found.paired, terms.task, terms.tasks)} paired by id{valid}; "
        f"only in the base: {len(found.only_base)}, "
        f"only in the candidate: {len(found.only_candidate)}."
    )
    for name, counts in (("base", found.base_counts), ("candidate", found.candidate_counts)):
        yield (
            f"{name}: {counts.planned:,} planned, {counts.valid:,} valid, "
            f"{counts.excluded:,} excluded, {counts.unplayed:,} unplayed."
        )
    yield (
        f"Candidate minus base, over the {terms.tasks} of which both runs tell the measure; "
        f"{terms.clusters} resampled {found.resamples:,} times; detectable: "
        f"the smallest difference that these {terms.clusters} would find at 80 % power."
    )
    if any(one.exact is not None for one in found.differences):
        yield (
            f"{EXACT} At most {FEW} {terms.clusters} differ: p is of the exact sign-flip test over "
            f"{terms.clusters}, which has to agree (p ≤ 0.05) before a condition fails."
        )
    if found.base.plan.version != found.candidate.plan.version:
        yield (
            f"The runs were made with different versions: {found.base.plan.version} and "
            f"{found.candidate.plan.version}."
        )


def markdown(found: Comparison, page: str | None) -> str:
    """For a pull request. `page` is where a page with both runs' trials can be opened."""
    lines = [f"### Mystery Shopper: {_escaped(title(found))}", ""]
    marks = {"failed": "❌ failed", "held": "✅ held", "untold": "⚪ not told"}
    lines += [f"- {marks[kind]}: {_escaped(told)}" for kind, told in verdicts(found)]
    lines += [""] if lines[-1] else []
    head = (*HEAD, found.terms.tasks, found.terms.clusters)
    lines += [_row(head), _row("---" if place == 0 else "---:" for place in range(len(head)))]
    lines += [_row(map(_escaped, cells(one))) for one in found.differences]
    lines += ["", *(_escaped(note) for note in notes(found)), ""]
    lost = [flip for flip in found.flips if flip.lost]
    won = [flip for flip in found.flips if not flip.lost]
    for what, flips in (("lost", lost), ("won", won)):
        if flips:
            counted = plural(len(flips), found.terms.task, found.terms.tasks)
            lines += _details(f"{counted} {what}", flips, found, page)
    if not found.flips:
        lines.append(f"No {found.terms.task} turned over.")
    return "\n".join(lines).rstrip() + "\n"


def _details(
    summary: str, flips: Sequence[Flip], found: Comparison, page: str | None
) -> Iterator[str]:
    yield from (f"<details><summary>{summary}</summary>", "")
    yield from (_row((found.terms.task, "base", "candidate", "how it failed")), _row(["---"] * 4))
    for flip in flips[:MOST_FLIPS]:
        yield _row(
            (
                _escaped(flip.task),
                _link(f"{flip.base:.2f}", page, found.base.name, flip.base_trial),
                _link(f"{flip.candidate:.2f}", page, found.candidate.name, flip.candidate_trial),
                _escaped(flip.failure.replace("_", " ") or DASH),
            )
        )
    if len(flips) > MOST_FLIPS:
        yield from ("", f"… and {len(flips) - MOST_FLIPS} more.")
    yield from ("", "</details>", "")


def link(page: str, run: str, trial: str) -> str:
    """The address of a trial on the page."""
    return f"{page}#trial/{quote(run, safe='')}/{quote(trial, safe='')}"


def _link(text: str, page: str | None, run: str, trial: str) -> str:
    return text if page is None else f"[{text}]({link(page, run, trial)})"


def _row(parts: Iterator[str] | Sequence[str]) -> str:
    return f"| {' | '.join(parts)} |"


def _escaped(text: str) -> str:
    """Text that Markdown takes for text."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|#" else mark for mark in plain(text, 300))


def junit(found: Comparison, page: str | None) -> bytes:
    """One test case a condition; one that fails has a failure, one that cannot be told an error.
    Without conditions it is the one case that the comparison was made."""
    cases = [
        (str(one.demand), {"failed": True, "held": False}.get(kind), told)
        for one, (kind, told) in zip(
            (d for d in found.differences if d.demand is not None), verdicts(found), strict=True
        )
    ] or [("compared", False, "no condition was asked for")]
    failed = sum(broken is True for _, broken, _ in cases)
    errors = sum(broken is None for _, broken, _ in cases)
    numbers = {"tests": str(len(cases)), "failures": str(failed), "errors": str(errors)}
    root = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(root, "testsuite", {"name": SUITE, **numbers})
    for name, broken, told in cases:
        case = ElementTree.SubElement(suite, "testcase", {"classname": SUITE, "name": plain(name)})
        if broken is False:
            continue
        kind = "error" if broken is None else "failure"
        body = ElementTree.SubElement(case, kind, {"message": plain(told, 300)})
        body.text = "\n".join(_lost_lines(found, page))
    output = ElementTree.SubElement(suite, "system-out")
    output.text = "\n".join([title(found), *notes(found)])
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def linked(found: Comparison) -> Iterator[Flip]:
    """What turned over and has a link to its trials: the first of those lost, and of those won."""
    for lost in (True, False):
        yield from [flip for flip in found.flips if flip.lost is lost][:MOST_FLIPS]


def _lost_lines(found: Comparison, page: str | None) -> Iterator[str]:
    lost = [flip for flip in found.flips if flip.lost]
    yield f"{plural(len(lost), found.terms.task, found.terms.tasks)} lost"
    for flip in lost[:MOST_FLIPS]:
        where = "" if page is None else f" {link(page, found.candidate.name, flip.candidate_trial)}"
        yield f"{plain(flip.task)}: {flip.base:.2f} to {flip.candidate:.2f}{where}"
