"""The suite's truths and figures computed a second time, straight from the table of films and the
shipped file: nothing of `mystery_shopper` is imported here."""

from __future__ import annotations

import gzip
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb

DATA = Path(__file__).parents[3] / "src/mystery_shopper/data"
RELATIONS = {
    "genre": "genre",
    "language": "language",
    "country": "country",
    "director": "director",
    "writer": "writer",
    "starring": "cast",
    "company": "production_company",
}
PROFILES = ("interest", "demographics")
_SPACED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
    | dict.fromkeys("’‘`´ʼ", "'")
    | dict.fromkeys(".,-‐‑‒–—_", " ")
)
_TAIL = re.compile(
    r"(jr|sr|ii|iii|iv|esq|m\.? ?d|ph\.? ?d|inc|ltd|llc|l\.? ?p|s\.? ?a|gmbh|corp)\.?", re.I
)

Query = Mapping[str, Any]
Figures = dict[str, float | None]


def fold(text: str) -> str:
    """A name without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(kept.translate(_SPACED).split()) or text


def _values(cell: Iterable[str] | None) -> tuple[str, ...]:
    names: list[str] = []
    for text in cell or ():
        if names and _TAIL.fullmatch(text.strip()):
            names[-1] += f" {text}"
        else:
            names.append(text)
    return tuple(dict.fromkeys(map(fold, names)))


class World:
    """The films, who bears what, and the shipped set as plain JSON."""

    def __init__(self) -> None:
        columns = ", ".join(f'"{name}"' for name in ("id", "popularity", *RELATIONS.values()))
        rows = duckdb.sql(f"select {columns} from '{DATA / 'films.parquet'}'").fetchall()
        self.bears = {
            row[0]: dict(zip(RELATIONS, map(_values, row[2:]), strict=True)) for row in rows
        }
        self.votes = {row[0]: row[1] or 0 for row in rows}
        self.all_votes = sum(self.votes.values())
        self.bearers: dict[tuple[str, str], set[str]] = defaultdict(set)
        for film, borne in self.bears.items():
            for relation, values in borne.items():
                for value in values:
                    self.bearers[relation, value].add(film)
        packed = (DATA / "tasks/recbench-films-1.json.gz").read_bytes()
        self.set: dict[str, Any] = json.loads(gzip.decompress(packed))
        self.queries: dict[str, Query] = {one["id"]: one for one in self.set["queries"]}

    def meeting(self, parts: Sequence[Mapping[str, Any]]) -> set[str]:
        """The films that meet every condition."""
        each = [self.bearers[part["relation"], fold(part["value"])] for part in parts]
        return set.intersection(*each)

    def handed(self, query: Query) -> list[str]:
        """What may be told of the user's history: the last fifty films of what is no answer."""
        withheld = {*query["own"], *query["matching"], *query.get("named", ())}
        items = self.set["people"][query["user"]]["items"]
        return [item for item in items if item not in withheld][-50:]

    def figures(
        self, query: Query, said: Iterable[str | None], history: Sequence[str], most: int | None
    ) -> Figures:
        """The figures of what was recommended, each once: a film's id, or None for a title that no
        film bears."""
        named = set(query.get("named", ()))
        counted = [one for one in said if one not in named][:most]
        size, held = len(counted), [one for one in counted if one is not None]
        meeting = None if query["kind"] in PROFILES else self.meeting(query["parts"])
        found: Figures = {}
        for name, truth in (("own", query["own"]), ("all", query["matching"])):
            hits = len(set(held) & set(truth))
            found[f"precision_{name}"] = hits / size if size else None
            found[f"recall_{name}"] = hits / len(truth) if size else None
        met = None if meeting is None else sum(film in meeting for film in held)
        found["cmr"] = met / size if size and met is not None else None
        for name, value in list(found.items()):
            scored = name != "cmr" or meeting is not None
            found[f"{name}_with_empty"] = value if size or not scored else 0.0
        found["failed"], found["recommended"] = float(not size), float(size)
        found["hallucinated"] = (size - len(held)) / size if size else None
        bits = [-math.log2(max(self.votes[film], 1) / self.all_votes) for film in held]
        found["novelty"] = sum(bits) / len(bits) if bits else None
        found["diversity"] = self._diversity(held)
        found["pulled"] = self._pulled(held, size, meeting, history)
        return found

    def _codes(self, film: str) -> set[tuple[str, str]]:
        return {(name, value) for name, values in self.bears[film].items() for value in values}

    def _diversity(self, held: Sequence[str]) -> float | None:
        pairs = [(self._codes(a), self._codes(b)) for a, b in combinations(held, 2)]
        alike = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs]
        return 1 - sum(alike) / len(alike) if alike else None

    def _pulled(
        self, held: Sequence[str], size: int, meeting: set[str] | None, history: Sequence[str]
    ) -> float | None:
        if meeting is None or not history or not size:
            return None
        often = Counter(code for film in history for code in self._codes(film))

        def near(film: str) -> float:
            codes = self._codes(film)
            return sum(often[code] for code in codes) / max(len(codes), 1)

        usual = sum(map(near, meeting)) / len(meeting)
        return sum(film not in meeting and near(film) > usual + 1e-9 for film in held) / size


@lru_cache(maxsize=1)
def world() -> World:
    """The films and the shipped set, read once."""
    return World()
