"""Titles as models write them, and titles that only look like one: a hard set made from any list.

Every case knows its answer. `slips` are titles perturbed in the ways models write them; `strangers`
are titles that no item bears: sequels that are not there, other years, and titles taken out of the
index while titles much like them stay in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from mystery_shopper.suites.recbench.titles import Entry, TitleIndex, TitleMatch

ROMAN = {"II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6"}
WORDS = {"Two": "2", "Three": "3", "Four": "4", "Seven": "7", "Twelve": "12"}
ARTICLE = re.compile(r"^(The|A|An|La|Le|Les|Il|El|Das|Der|Die) (?=\S)")
MOVED = re.compile(r"^(?P<head>[^()]+), (?P<article>The|A|An|La|Le|Les|Il|El|Das|Der|Die)$")
YEAR = re.compile(r"\s*\((\d{4})\)\s*$")


@dataclass(frozen=True)
class Case:
    """A title as said, the way it was perturbed, and the id it means (None: none)."""

    said: str
    way: str
    id: str | None


def natural(entry: Entry) -> tuple[str, int | None]:
    """(title with its article in front, year)."""
    found = YEAR.search(entry.title)
    title, year = YEAR.sub("", entry.title), entry.year or (int(found[1]) if found else None)
    main = title.split(" (")[0]
    moved = MOVED.match(main)
    return (f"{moved['article']} {moved['head']}" if moved else main), year


def typo(title: str, random: Random) -> str | None:
    """A letter dropped, doubled, swapped or replaced inside one word of five letters or more."""
    words = list(re.finditer(r"[A-Za-z]{5,}", title))
    if not words:
        return None
    word = random.choice(words)
    place = random.randrange(word.start() + 1, word.end() - 1)
    kind = random.randrange(4)
    if kind == 0:
        return title[:place] + title[place + 1 :]
    if kind == 1:
        return title[:place] + title[place] + title[place:]
    if kind == 2 and title[place] != title[place + 1]:
        return title[:place] + title[place + 1] + title[place] + title[place + 2 :]
    return title[:place] + random.choice("aeiourstn") + title[place + 1 :]


def plain(title: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c))


def _swap(table: dict[str, str]) -> Callable[[str, Random], str]:
    def swap(title: str, _: Random) -> str:
        return " ".join(table.get(word, word) for word in title.split(" "))

    return swap


WAYS: dict[str, Callable[[str, Random], str | None]] = {
    "moved article": lambda t, _: f"{t[m.end():]}, {m[1]}" if (m := ARTICLE.match(t)) else None,
    "no article": lambda t, _: ARTICLE.sub("", t),
    "no accents": lambda t, _: plain(t),
    "upper case": lambda t, _: t.upper(),
    "lower case": lambda t, _: t.lower(),
    "no punctuation": lambda t, _: re.sub(r"[^\w\s]", "", t.replace("-", " ").replace("/", " ")),
    "roman": _swap(ROMAN),
    "number words": _swap(WORDS),
    "ampersand": lambda t, _: t.replace(" and ", " & "),
    "curly": lambda t, _: t.replace("'", "’"),
    "dash for colon": lambda t, _: t.replace(": ", " - "),
    "joined": lambda t, _: t.replace("-", ""),
    "bold": lambda t, _: f"**{t}**",
    "quoted": lambda t, _: f"“{t}”",
    "typo": typo,
    "two typos": lambda t, r: typo(o, r) if len(t) > 18 and (o := typo(t, r)) else None,
    "edition": lambda t, _: f"{t} (Director's Cut)",
}  # fmt: skip
DATED: dict[str, Callable[[str, int, Random], str | None]] = {
    "year": lambda t, y, _: f"{t} ({y})",
    "year unbracketed": lambda t, y, _: f"{t}, {y}",
    "year and maker": lambda t, y, _: f"{t} ({y}, dir. Nobody Known)",
    "year off by one": lambda t, y, r: f"{t} ({y + r.choice((-1, 1))})",
    "typo and year": lambda t, y, r: f"{o} ({y})" if (o := typo(t, r)) else None,
    "no subtitle, year": lambda t, y, _: f"{t.split(': ')[0]} ({y})" if ": " in t else None,
}


def slips(entries: Sequence[Entry], seed: int, each: int) -> list[Case]:
    """Perturbed titles. A title that several items bear is said with its year."""
    random = Random(seed)
    names = [natural(entry) for entry in entries]
    shared: dict[str, int] = {}
    for title, _ in names:
        shared[bare(title)] = shared.get(bare(title), 0) + 1
    cases: list[Case] = []
    for way, change in WAYS.items():
        found = 0
        for place in random.sample(range(len(entries)), len(entries)):
            title, year = names[place]
            said = change(title, random)
            if said is None or (said == title and way not in ("upper case",)) or len(title) < 5:
                continue
            if shared[bare(title)] > 1 or random.random() < 0.4:
                if year is None:
                    continue
                said = f"{said} ({year})"
            cases.append(Case(said, way, entries[place].id))
            found += 1
            if found == each:
                break
    for way, dated in DATED.items():
        found = 0
        for place in random.sample(range(len(entries)), len(entries)):
            title, year = names[place]
            said = dated(title, year, random) if year is not None and len(title) > 4 else None
            if said is None or (way == "year off by one" and shared[bare(title)] > 1):
                continue
            cases.append(Case(said, way, entries[place].id))
            found += 1
            if found == each:
                break
    return cases


def bare(title: str) -> str:
    """A rough key of the set's own, to know which titles are shared."""
    words = re.sub(r"[^a-z0-9 ]", "", plain(title).lower().replace("&", "and")).split()
    words = [{k.lower(): v for k, v in (ROMAN | WORDS).items()}.get(word, word) for word in words]
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an", "la") else words)


def strangers(entries: Sequence[Entry], seed: int, each: int) -> tuple[list[Entry], list[Case]]:
    """(the items left in, titles that none of them bears)."""
    random = Random(seed)
    order = random.sample(range(len(entries)), len(entries))
    out = set(order[: len(entries) // 10])
    left = [entry for place, entry in enumerate(entries) if place not in out]
    known = {bare(part) for e in left for part in forms(e)}
    cases: list[Case] = []
    gone = [entries[place] for place in order if place in out]
    for entry in gone:
        title, year = natural(entry)
        if any(bare(part) in known for part in forms(entry)) or not bare(title):
            continue
        cases.append(Case(title, "taken out", None))
        if year is not None:
            cases.append(Case(f"{title} ({year})", "taken out, year", None))
    years_of: dict[str, set[int | None]] = {}
    for entry in left:
        name, when = natural(entry)
        years_of.setdefault(bare(name), set()).add(when)
    for entry in random.sample(left, min(each * 4, len(left))):
        title, year = natural(entry)
        if re.search(r"\d|\b[IVX]+\b|:", title) or year is None:
            continue
        for way, said in (
            ("sequel", f"{title} {random.choice(('II', '2', '3', 'III', 'Part II', '4'))}"),
            ("sequel, year", f"{title} II ({year + random.randint(2, 6)})"),
            ("subtitle", f"{title}: {random.choice(SUBTITLES)}"),
        ):
            if bare(said.split(" (")[0]) not in known:
                cases.append(Case(said, way, None))
        other = year + random.choice((-20, -7, -3, 2, 4, 15))
        years = years_of[bare(title)]
        if all(abs(other - y) > 1 for y in years if y):
            cases.append(Case(f"{title} ({other})", "other year", None))
    return left, cases


SUBTITLES = ("The Return", "Reloaded", "Resurrection", "The Next Chapter", "Revenge", "Origins")


def forms(entry: Entry) -> list[str]:
    """A title and what stands in its brackets."""
    title = YEAR.sub("", entry.title)
    inner = [f"{m['article']} {m['head']}" if (m := MOVED.match(part)) else part
             for part in re.findall(r"\(([^()]*)\)", title)]  # fmt: skip
    return [natural(entry)[0], *inner]


@dataclass(frozen=True)
class Outcome:
    """How an index did: `wrong` and `missed` hold (case, what it came to)."""

    right: int
    wrong: list[tuple[Case, str | None]]
    missed: list[tuple[Case, TitleMatch]]
    refused: int

    @property
    def precision(self) -> float:
        return self.right / max(self.right + len(self.wrong), 1)

    @property
    def recall(self) -> float:
        wrong = sum(case.id is not None for case, _ in self.wrong)
        return self.right / max(self.right + len(self.missed) + wrong, 1)


def tried(index: TitleIndex, cases: Sequence[Case]) -> Outcome:
    """Resolve every case."""
    right, refused = 0, 0
    wrong: list[tuple[Case, str | None]] = []
    missed: list[tuple[Case, TitleMatch]] = []
    for case in cases:
        found = index.resolve(case.said)
        if found.item_id is None:
            if case.id is None:
                refused += 1
            else:
                missed.append((case, found.kind))
        elif found.item_id == case.id:
            right += 1
        else:
            wrong.append((case, found.item_id))
    return Outcome(right, wrong, missed, refused)
