"""The figures that a family must meet, in one place.

Source: τ-Rec-Books §3. The figures that the paper does not give are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

LARGE = 1_000_000
LARGE_NVR = 100_000


@dataclass(frozen=True)
class Rules:
    """Defaults are those of the shipped sets; small catalogues may ask for less.

    `gain_percent`: dropping any predicate adds at least one item and this much of the answers.
    `alone`, `left`: each predicate of an NVR family alone matches, and any one dropped leaves, at
    least so many items of the full catalogue. `decidable`: an NVR family must be provable within
    `proposals`. `known_percent`, `lift`: a hidden predicate is given away by facts S where
    P(h | S) is at least this much and at least `lift` times P(h). `odds`: of so many items that
    meet what is revealed at least one is an answer, since of a field with thousands of labels a
    hidden one is a lottery for any agent (0: this is not asked). `most_formats`: how many formats a
    user accepts at most. `recurrence_percent`: a value is drawn again only until this share of its
    tier's families bears it (soft: it gives way where nothing else is left). `room`: how many
    proposals fit into one trial. `attempts`: draws for one family from one template before another
    template is tried.
    """

    gain_percent: int = 5
    alone: int = 20
    left: int = 3
    decidable: bool = True
    proposals: int = 15
    known_percent: int = 50
    lift: int = 2
    odds: int = 400
    most_formats: int = 4
    recurrence_percent: int = 20
    room: int = 18
    attempts: int = 3000

    def effort(self, items: int, attempts: int | None = None, *, satisfiable: bool = True) -> int:
        """How many draws a catalogue of so many items is given: fewer where one draw takes long,
        above all of an NVR family, but no less than a twentieth. This is no rule that a family
        meets, only how long one is sought."""
        wanted = self.attempts if attempts is None else attempts
        large = LARGE if satisfiable else LARGE_NVR
        if items <= large:
            return wanted
        return max(1, wanted // 20, wanted * large // items)
