"""A person's own histories: a table (CSV, JSON lines, Parquet) with a row for each interaction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mystery_shopper.catalog import Catalogue, Domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import HIGHEST, LOWEST, Ledger
from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    Demographics,
    age_band,
    occupation_named,
)
from mystery_shopper.sources.histories.gathering import Found, Gathering, Joined, Loaded, Several
from mystery_shopper.sources.histories.joining import TitleIndex
from mystery_shopper.sources.tables import Broken, Table, open_table

NAMES = {
    "user": ("user", "user_id", "userid", "customer", "customer_id", "reviewer_id", "reviewerid"),
    "item": ("item", "item_id", "itemid", "product_id", "sku", "asin", "movieid", "movie_id",
             "book_id", "id"),
    "title": ("title", "item_title", "name"),
    "rating": ("rating", "score", "stars", "overall"),
    "time": ("time", "timestamp", "date", "datetime", "unixreviewtime"),
    "gender": ("gender", "sex"),
    "age": ("age", "age_band"),
    "occupation": ("occupation", "job"),
}  # fmt: skip
"""What a column may be called, the first of them that the table has; case does not matter."""
_MILLISECONDS = 100_000_000_000
_STRAY = 0.05
"""The share of ratings that may be off the scale by mistake."""
_WORDS = {"female": "Female", "male": "Male"} | {k.lower(): name for k, name in GENDERS.items()}


def load_histories(path: Path, catalogue: Catalogue) -> Loaded:
    """The histories of a table with the columns user and item (the catalogue's ids) or title, by
    any of `NAMES` or as the catalogue's own file calls them; if it has them also rating (0.5 to 5),
    time (seconds, or a date such as 2024-05-31T12:00), gender, age and occupation.

    Without a rating it is NaN; without times the order of the rows counts. Raises InputError where
    a column is missing, most rows are faulty, or none is of an item of the catalogue.
    """
    if path.is_file() and not path.stat().st_size:
        remedy = "Give it a row for each interaction: user, item, rating, time."
        raise InputError("is empty", where=str(path), remedy=remedy)
    table = open_table(path)
    place = _places(table, catalogue.domain)
    ledger = Ledger()
    index = TitleIndex.of_catalogue(catalogue) if "title" in place else None

    def join(name: str) -> Found:
        item, _, title = name.partition("\n")
        if item in catalogue.position_of:
            return Joined(item, "id")
        found = index.find(title) if index is not None and title else None
        if found is not None:
            return Joined(found, "title")
        unclear = index is not None and bool(title) and index.shared(title)
        return Several(title) if unclear else title or item

    gathering = Gathering(join, ledger)
    people: dict[str, Demographics] = {}
    for entry in table.rows():
        if isinstance(entry, Broken):
            what = f"{entry.reason} ({entry.more}); mend the line"
            ledger.bad(path, entry.line, what, entry.reason)
            continue
        line, cells = entry
        row = _Row(cells, place)
        user, item, title = row.text("user"), row.text("item"), row.text("title")
        rating, time = row.rating(), row.time(line)
        if not user or not (item or title) or rating is None or time is None:
            wrong = f"{not user} {not (item or title)} {rating is None} {time is None}"
            ledger.bad(path, line, f"user {user!r}, item {item or title!r}, rating"
                       f" {row.text('rating')!r}, time {row.text('time')!r}: names, a number and"
                       " seconds or a date are needed; mend or delete the line",
                       wrong)  # fmt: skip
            continue
        gathering.add(path, line, user, f"{item}\n{title}", rating, time)
        who = row.who()
        if user not in people and who != Demographics():
            people[user] = who
    _refuse_other_scale(path, ledger)
    ledger.refuse_if_foreign(path, ledger.read - ledger.out_of_range)
    return gathering.loaded(path.name, str(path), people)


def _refuse_other_scale(path: Path, ledger: Ledger) -> None:
    """Of ratings on another scale those that are in range would count, and mean something else."""
    if ledger.out_of_range > ledger.read * _STRAY:
        raise InputError(
            [
                *ledger.problems,
                f"{ledger.out_of_range:,} of {ledger.read:,} ratings are not from"
                f" {LOWEST:g} to {HIGHEST:g}",
            ],
            where=str(path),
            remedy="Bring all ratings to that scale (halve those of ten points), or leave the"
            " column out.",
        )


def _names(domain: Domain) -> dict[str, tuple[str, ...]]:
    """`NAMES`, with what the catalogue's own file calls its ids and titles behind the first."""
    own = {
        "item": (domain.id,),
        "title": (domain.title, domain.fields[domain.title].source.column or ""),
    }
    taken = {name for names in NAMES.values() for name in names}
    names: dict[str, tuple[str, ...]] = dict(NAMES)
    for said, columns in own.items():
        first, *rest = NAMES[said]
        more = [name for column in columns if (name := column.strip().casefold()) not in taken]
        names[said] = tuple(dict.fromkeys((first, *filter(None, more), *rest)))
    return names


def _places(table: Table, domain: Domain) -> dict[str, int]:
    """What a column says -> where it stands."""
    known = _names(domain)
    at = {
        name.strip().casefold(): place for place, name in reversed(list(enumerate(table.columns)))
    }
    place = {
        said: at[next(name for name in names if name in at)]
        for said, names in known.items()
        if any(name in at for name in names)
    }
    users, items, titles = (", ".join(known[said]) for said in ("user", "item", "title"))
    problems = [] if "user" in place else [f"there is no column for the user ({users})"]
    if not {"item", "title"} & place.keys():
        problems.append(f"there is no column for the item ({items}) or its title ({titles})")
    if problems:
        raise InputError(
            problems,
            where=str(table.path),
            remedy=f"It has {', '.join(table.columns)}: call the columns by one of these names.",
        )
    return place


@dataclass(frozen=True)
class _Row:
    cells: Sequence[object]
    place: dict[str, int]

    def text(self, said: str) -> str:
        """What a cell says, without spaces around it; nothing for a column that is not there."""
        at = self.place.get(said)
        value = None if at is None else self.cells[at]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip()

    def rating(self) -> float | None:
        """NaN where there is none, None where it is no number."""
        text = self.text("rating")
        try:
            number = float(text) if text else math.nan
        except ValueError:
            return None
        return None if text and math.isnan(number) else number

    def time(self, line: int) -> int | None:
        """In seconds; the row's number without times; None for what is no time."""
        if "time" not in self.place:
            return line
        text = self.text("time")
        try:
            number = float(text)
            return int(number / 1000 if abs(number) > _MILLISECONDS else number)
        except (ValueError, OverflowError):
            pass
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        whole = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return int(whole.timestamp())

    def who(self) -> Demographics:
        """Demographics in MovieLens's names where the words fit them, else as they are written."""
        gender, age, work = map(self.text, ("gender", "age", "occupation"))
        band = age_band(int(age)) if age.isdecimal() and age not in AGES.values() else age
        return Demographics(
            _WORDS.get(gender.lower(), gender) or None,
            band or None,
            occupation_named(work, band) or None,
        )
