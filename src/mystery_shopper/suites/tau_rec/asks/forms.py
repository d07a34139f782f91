"""Forms: blanks beside the names of fields, rows of tables, lists of slots."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mystery_shopper.suites.tau_rec.asks.lexicon import Lexicon
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, Mark
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import BLANK, DASH, tokenise

_AND = frozenset(("/", ",", "and", "or", "+", "|"))
_SEPARATORS = frozenset((":", DASH, "|", ">"))
_EMPTY = re.compile(
    r"(?:[?_.…\s\-–—\[\]()<>*✘✗✖❌❓☐]*|(?:\?{2,}|_{2,}).{0,40}"
    r"|.{0,3}\b(?:tbd|tbc|null|nil|undefined|unset|unknown|missing|open|fill in|needed|required"
    r"|blank|empty|no|nope|n/?k|none yet|undecided|unspecified|not yet|unclear|unanswered"
    r"|to do|todo|your turn"
    r"|to be \w+|your (?:choice|answer|input)"
    r"|not (?:given|specified|stated|known|provided|set|yet known|mentioned)(?: yet)?"
    r"|still (?:missing|needed|open|unknown|to come)"
    r"|please (?:fill in|specify|state|complete|tell me|enter|advise|indicate|choose|confirm)"
    r")\b.{0,30})\Z",
    re.I,
)
_VERDICT = re.compile(r"(?:y(?:es)?\s?/\s?no?|(?:ok|right|correct|yes|true)\s?\?+)\Z", re.I)
"""A cell in which the reader says yes or no to its row."""
_FILLER = frozenset(
    "your preferred the desired required wanted original any spoken favourite of a q question "
    "please choice preference requirement field my or and main accepted acceptable target".split()
)


def is_empty(text: str) -> bool:
    """Whether a cell or a slot waits for an answer."""
    return len(text) < 60 and _EMPTY.match(text.strip()) is not None


def read_row(cells: Sequence[str], lexicon: Lexicon) -> int | None:
    """The fields a table row asks for; None where the row is no pair of a field and its value."""
    for index, cell in enumerate(cells):
        field = _label(tokenise(cell)[0], lexicon)
        if field is None:
            continue
        rest = [
            part
            for at, part in enumerate(cells)
            if at != index and not part.strip(" .)#").isdigit()
        ]
        if not rest:
            return None
        if any(_VERDICT.match(part.strip()) for part in rest):
            return 1 << field
        if any(part.strip() and not is_empty(part) for part in rest):
            return 0 if not any("?" in part for part in rest) else None
        return 1 << field if any(part.strip() for part in rest) or len(rest) == 1 else 0
    return None


def read_columns(cells: Sequence[str], lexicon: Lexicon) -> tuple[int | None, ...]:
    """The fields that the cells of a table's head name; empty unless at least two do."""
    if any("?" in cell for cell in cells):
        return ()
    fields = tuple(_label(tokenise(cell)[0], lexicon) for cell in cells)
    return fields if sum(field is not None for field in fields) > 1 else ()


def _label(tokens: list[str], lexicon: Lexicon) -> int | None:
    """The field that the tokens name and nothing else."""
    if not 0 < len(tokens) <= 8 or "?" in tokens:
        return None
    nouns = [m for m in lexicon.marks(tokens) if m[2] == Sign.NOUN and m[3] != EVERY]
    if not nouns:
        return None
    covered = {at for start, end, _, _ in nouns for at in range(start, end)}
    rest = (t for at, t in enumerate(tokens) if at not in covered and t[0].isalnum())
    return nouns[0][3] if all(token in _FILLER or token.isdigit() for token in rest) else None


def read_slots(
    tokens: Sequence[str], marks: Sequence[Mark], framed: bool
) -> tuple[int, int] | None:
    """The fields whose slots are open and those whose slots are filled, as bits.

    None where the line is no form: no blank in it and not of the shape "label: value". A filled
    slot under a request (`framed`) is no answer but a question put by its value, so such a line is
    left to be read as a sentence.
    """
    if ":" not in tokens and BLANK not in tokens and DASH not in tokens:
        return None
    if "." in tokens[:-1] and BLANK not in tokens:
        return None
    nouns = _slot_labels(tokens, marks)
    if not nouns:
        if BLANK in tokens:
            named = {m[3] for m in marks if m[2] in (Sign.NOUN, Sign.PHRASE) and m[3] != EVERY}
            return (sum(1 << field for field in named), 0) if named else None
        return None
    open_ = filled = 0
    for index, (_, end, field) in enumerate(nouns):
        limit = nouns[index + 1][0] if index + 1 < len(nouns) else len(tokens)
        content = list(tokens[end + (tokens[end] != BLANK) : limit])
        while content and content[-1] in (",", ";", "/", "|", "."):
            content.pop()
        if is_empty(" ".join(content).replace(BLANK, "_")):
            open_ |= 1 << field | _joined(tokens, marks, nouns[index][0])
        else:
            filled |= 1 << field
    if filled and (_offers_letters(tokens) or _awaits_nod(tokens)):
        return (open_ | filled, 0)
    if filled and (framed or "?" in tokens or not _plain_values(tokens, nouns)):
        if open_ and not framed:
            return (open_, filled)
        return None
    return (open_, filled)


def _slot_labels(tokens: Sequence[str], marks: Sequence[Mark]) -> list[tuple[int, int, int]]:
    """Nouns that stand as labels: at the head of the line or after a slot, before a separator."""
    found: list[tuple[int, int, int]] = []
    for start, end, sign, field in marks:
        if sign == Sign.PHRASE and tokens[end - 1] == ":":
            end -= 1
        elif sign != Sign.NOUN:
            continue
        if field == EVERY or end >= len(tokens):
            continue
        if tokens[end] not in _SEPARATORS and tokens[end] != BLANK:
            continue
        if found and found[-1][1] >= end:
            if found[-1][1] == end and start < found[-1][0]:
                found[-1] = (start, end, field)
            continue
        head = start
        while head and (tokens[head - 1] in _FILLER or tokens[head - 1].isdigit()):
            head -= 1
        if head == 0 or not tokens[head - 1][0].isalnum() or found:
            found.append((start, end, field))
    return found


def _awaits_nod(tokens: Sequence[str]) -> bool:
    """Whether the line ends in a yes or no to be given: "correct (y/n)"."""
    words = [token for token in tokens[-6:] if token not in ("(", ")", "[", "]")]
    return words[-3:] in (["y", "/", "n"], ["yes", "/", "no"], ["yes", "or", "no"])


def _offers_letters(tokens: Sequence[str]) -> bool:
    """Whether options are numbered or lettered: "(a) ... (b) ..."."""
    marked = sum(
        1
        for at in range(len(tokens) - 2)
        if tokens[at] in ("(", "[") and len(tokens[at + 1]) == 1 and tokens[at + 2] in (")", "]")
    )
    return marked > 1


def _joined(tokens: Sequence[str], marks: Sequence[Mark], position: int) -> int:
    """The fields named just before a label and joined to it: "genre / language: ___"."""
    fields = 0
    for start, end, sign, field in reversed(marks):
        named = sign == Sign.NOUN and field != EVERY
        if named and end == position - 1 and tokens[end] in _AND:
            fields |= 1 << field
            position = start
    return fields


def _plain_values(tokens: Sequence[str], nouns: Sequence[tuple[int, int, int]]) -> bool:
    """Whether what follows the labels looks like values and not like a sentence or options."""
    return "/" not in tokens and "or" not in tokens and nouns[0][0] <= 3 and len(tokens) <= 40


__all__ = ["is_empty", "read_row", "read_slots"]
