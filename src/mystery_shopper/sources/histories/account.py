"""What became of the ratings that were read: a count for everything that was not taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mystery_shopper.foundation import InputError, at_most

SHOWN = 20
"""So many unknown titles and faulty lines are named."""
LOWEST, HIGHEST = 0.5, 5.0
"""The scale of ratings."""
_NEXT = 3
"""So many lines with the fault of an earlier one are named."""
_RESCALE = "rescale the file's ratings (halve those of ten points)"


@dataclass(frozen=True)
class HistoryReport:
    """The account of one source.

    `read`: ratings in well-formed lines. Each of them is joined to a known item, out of range, or
    of an item that is unknown or ambiguous. `joined_by`: how ("id", "title") -> ratings.
    `left_out`: those of the joined whose item is known and yet not in the catalogue. `unknown`: the
    unknown items with the most ratings, as (title, ratings); `unknown_items` is how many there are.
    `duplicates`: of the joined, those that a later rating of the same user and item replaced.
    `bad_lines`: lines of any file that were not read; `problems` names the first of each kind.
    `remarks` are about files as a whole. `ambiguous`: titles that several items bear, as `unknown`;
    `ambiguous_titles` is how many there are.
    """

    source: str
    users: int
    items: int
    interactions: int
    read: int
    joined: int
    left_out: int
    joined_by: Mapping[str, int]
    unknown: tuple[tuple[str, int], ...]
    unknown_items: int
    duplicates: int
    out_of_range: int
    bad_lines: int
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, int], ...] = ()
    ambiguous_titles: int = 0

    @property
    def share_joined(self) -> float:
        """The share of the ratings read that are of a known item, in the catalogue or not."""
        return self.joined / self.read if self.read else 0.0

    @property
    def share_in_catalogue(self) -> float:
        """The share of the ratings read that are of an item of the catalogue."""
        return (self.joined - self.left_out) / self.read if self.read else 0.0

    def lines(self) -> tuple[str, ...]:
        """The account for people, one thing a line."""
        how = ", ".join(f"{count:,} by {name}" for name, count in self.joined_by.items() if count)
        told = [
            f"{self.source}: {self.interactions:,} interactions of {self.users:,} users with"
            f" {self.items:,} items",
            f"ratings read    {self.read:,}",
            f"joined          {self.joined:,} ({self.share_joined:.2%})" + (f": {how}" * bool(how)),
            f"in catalogue    {self.joined - self.left_out:,} ({self.share_in_catalogue:.2%})",
            f"unknown items   {self.unknown_items:,}",
            *(f"  {count:>6,}  {title}" for title, count in self.unknown),
            *self._ambiguous_lines(),
            f"rated twice     {self.duplicates:,} (the last rating counts)",
            f"out of range    {self.out_of_range:,}",
            f"lines not read  {self.bad_lines:,}",
            *(f"  {problem}" for problem in at_most(self.problems, SHOWN)),
            *(f"note: {remark}" for remark in self.remarks),
        ]
        return tuple(told)

    def _ambiguous_lines(self) -> list[str]:
        if not self.ambiguous_titles:
            return []
        return [
            f"ambiguous       {self.ambiguous_titles:,} (several items bear each title: an id or a"
            " year would tell them apart)",
            *(f"  {count:>6,}  {title}" for title, count in self.ambiguous),
        ]


@dataclass
class Fault:
    """Lines of one file with one kind of fault: what is said of the first, the next few, and how
    many there are."""

    place: str
    what: str
    next: list[int] = field(default_factory=list[int])
    count: int = 1

    def __str__(self) -> str:
        if self.count == 1:
            return f"{self.place}: {self.what}"
        more = self.count - 1 - len(self.next)
        lines = [*map(str, self.next), *([f"{more:,} more"] if more else [])]
        told = " and ".join(filter(None, (", ".join(lines[:-1]), lines[-1])))
        return f"{self.place}: {self.what} (likewise line{'s' * (self.count > 2)} {told})"


@dataclass
class Ledger:
    """Counts while files are read."""

    bad_lines: int = 0
    out_of_range: int = 0
    read: int = 0
    faulty: Counter[str] = field(default_factory=Counter[str])
    remarks: list[str] = field(default_factory=list[str])
    unknown: Counter[str] = field(default_factory=Counter[str])
    ambiguous: Counter[str] = field(default_factory=Counter[str])
    joined_by: Counter[str] = field(default_factory=Counter[str])
    left_out: int = 0
    _kinds: dict[tuple[str, str], Fault] = field(default_factory=dict[tuple[str, str], Fault])

    @property
    def problems(self) -> list[str]:
        """The first faults of each kind, told together."""
        return [str(fault) for fault in self._kinds.values()]

    def bad(self, path: Path, line: int, what: str, kind: str = "") -> None:
        """A line that is not read: `what` says why, and what to do. Faults of one `kind` are told
        together, whatever the words of each; by default those of the same words."""
        self.bad_lines += 1
        self._name(path, line, what, kind or what)

    def out(self, path: Path, line: int, rating: float) -> None:
        """A rating that is not on the scale."""
        self.out_of_range += 1
        scale = f"{LOWEST:g} to {HIGHEST:g}"
        self._name(path, line, f"rating {rating:g} is not from {scale}; {_RESCALE}", "scale")

    def _name(self, path: Path, line: int, what: str, kind: str) -> None:
        self.faulty[path.name] += 1
        known = self._kinds.get((path.name, kind))
        if known is not None:
            known.count += 1
            if len(known.next) < _NEXT:
                known.next.append(line)
        elif len(self._kinds) < SHOWN:
            self._kinds[path.name, kind] = Fault(f"{path.name}:{line}", what)

    def refuse_if_foreign(self, path: Path, good: int) -> None:
        """Raise InputError where more lines of a file were faulty than `good`: the file is of
        another form."""
        faulty = self.faulty[path.name]
        if faulty > good:
            raise InputError(
                [*self.problems, f"{faulty:,} lines are faulty, {good:,} are not"],
                where=str(path),
                remedy="Give the file as it was released, or mend these lines.",
            )
