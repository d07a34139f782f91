"""A person's own histories: a table (CSV, JSON lines, Parquet) with a row for each interaction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    Demographics,
    age_band,
    occupation_named,
)
from mystery_shopper.sources.histories.gathering import Gathering, Joined, Loaded
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
_WORDS = {"female": "Female", "male": "Male"} | {k.lower(): name for k, name in GENDERS.items()}


def load_histories(path: Path, catalogue: Catalogue) -> Loaded:
    """The histories of a table with the columns user and item (the catalogue's ids) or title, and
    if it has them rating (0.5 to 5), time (seconds, or a date such as 2024-05-31T12:00), gender,
    age and occupation.

    Without a rating it is NaN; without times the order of the rows counts. Raises InputError where
    a column is missing, most rows are faulty, or none is of an item of the catalogue.
    """
    table = open_table(path)
    place = _places(table)
    ledger = Ledger()
    index = TitleIndex.of_catalogue(catalogue) if "title" in place else None

    def join(name: str) -> Joined | str:
        item, _, title = name.partition("\n")
        if item in catalogue.position_of:
            return Joined(item, "id")
        found = index.find(title) if index is not None and title else None
        return Joined(found, "title") if found is not None else title or item

    gathering = Gathering(join, ledger)
    people: dict[str, Demographics] = {}
    for entry in table.rows():
        if isinstance(entry, Broken):
            ledger.bad(path, entry.line, f"{entry.reason} ({entry.more}); mend the line")
            continue
        line, cells = entry
        row = _Row(cells, place)
        user, item, title = row.text("user"), row.text("item"), row.text("title")
        rating, time = row.rating(), row.time(line)
        if not user or not (item or title) or rating is None or time is None:
            ledger.bad(path, line, f"user {user!r}, item {item or title!r}, rating"
                       f" {row.text('rating')!r}, time {row.text('time')!r}: names, a number and"
                       " seconds or a date are needed; mend or delete the line")  # fmt: skip
            continue
        gathering.add(path, line, user, f"{item}\n{title}", rating, time)
        who = row.who()
        if user not in people and who != Demographics():
            people[user] = who
    ledger.refuse_if_foreign(path, ledger.read - ledger.out_of_range)
    return gathering.loaded(path.name, str(path), people)


def _places(table: Table) -> dict[str, int]:
    """What a column says -> where it stands."""
    at = {
        name.strip().casefold(): place for place, name in reversed(list(enumerate(table.columns)))
    }
    place = {
        said: at[next(name for name in names if name in at)]
        for said, names in NAMES.items()
        if any(name in at for name in names)
    }
    problems = [] if "user" in place else ["there is no column for the user"]
    if not {"item", "title"} & place.keys():
        problems.append("there is no column for the item or its title")
    if problems:
        raise InputError(
            problems,
            where=str(table.path),
            remedy=f"Call the columns user, item, rating, time; it has {', '.join(table.columns)}.",
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
