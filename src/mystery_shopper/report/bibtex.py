"""BibTeX from the package's citation file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from importlib import resources

import msgspec

from mystery_shopper.engine.plan import RunPlan

SOFTWARE = "mystery_shopper"


class Person(msgspec.Struct, frozen=True, rename="kebab"):
    """An author: a person's names, or the name of a body."""

    name: str = ""
    family_names: str = ""
    given_names: str = ""


class Reference(msgspec.Struct, frozen=True):
    """A paper; `notes` give its arXiv number and the suite that follows it."""

    title: str
    authors: tuple[Person, ...]
    year: int
    notes: str = ""

    @property
    def suite(self) -> str:
        """The suite's name; empty where the notes name none."""
        found = re.search(r"the suite (\w+)", self.notes)
        return found[1] if found else ""


class CitationFile(msgspec.Struct, frozen=True, rename="kebab"):
    """What is used of `CITATION.cff`."""

    title: str
    version: str
    license: str
    date_released: date
    authors: tuple[Person, ...]
    references: tuple[Reference, ...] = ()


def citation() -> CitationFile:
    """The package's own citation file."""
    raw = (resources.files("mystery_shopper") / "data" / "CITATION.cff").read_bytes()
    return msgspec.yaml.decode(raw, type=CitationFile)


def bibtex_of(plans: Sequence[RunPlan]) -> str:
    """An entry for the software, in the version that made the runs of these plans, and one for the
    paper of each of their suites."""
    known = citation()
    versions = sorted({plan.version for plan in plans})
    fields = {"title": f"{{{tex(known.title)}}}", "author": _authors(known.authors)}
    fields["version"] = tex(", ".join(versions))
    if versions == [known.version]:  # Of another version the date is not known here.
        fields |= {"year": str(known.date_released.year), "date": str(known.date_released)}
    fields["note"] = f"Licence: {tex(known.license)}"
    entries = [_entry("software", SOFTWARE, fields)]
    suites = {plan.suite for plan in plans}
    entries += [_paper(paper) for paper in known.references if paper.suite in suites]
    return "\n".join(entries)


def _paper(paper: Reference) -> str:
    fields = {
        "title": f"{{{tex(paper.title)}}}",
        "author": _authors(paper.authors),
        "year": str(paper.year),
    }
    found = re.search(r"arXiv:(\d{4}\.\d{4,5})", paper.notes)
    if found:
        fields |= {"eprint": found[1], "archivePrefix": "arXiv"}
    return _entry("misc", paper.suite, fields)


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}\n"


def _authors(people: Sequence[Person]) -> str:
    return " and ".join(
        f"{{{tex(one.name)}}}" if one.name else f"{tex(one.family_names)}, {tex(one.given_names)}"
        for one in people
    )


_MARKS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def tex(text: str) -> str:
    """The text with the marks of TeX escaped."""
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _MARKS.get(found[0], f"\\{found[0]}"), text)
