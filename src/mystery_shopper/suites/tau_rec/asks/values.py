"""Which fields are asked by the values named: alternatives, confirmations, descriptions."""

from __future__ import annotations

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.sentence import Mention, Sentence, State
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import DASH, TAG, TITLE

NAMING = (Sign.NOUN, Sign.PHRASE)


VALUES = (Sign.VALUE, Sign.WEAK)


def asked_in(sentence: Sentence, mentions: list[Mention], generic: bool) -> int:
    """The fields asked in one stretch."""
    named = 0
    for mention in mentions:
        if mention.sign in NAMING:
            named |= 1 << mention.field
    values = [m for m in mentions if m.sign in VALUES]
    if not values:
        return named
    valued = _valued(sentence)
    lenders = borrowed(sentence, named | _named(sentence) | valued)
    lent = [Mention(start, end, Sign.VALUE, owner) for (start, end), owner in lenders.items()]
    values = [m for m in values if (m.start, m.end) not in lenders or named >> m.field & 1]
    values = [m for m in values if not _of_another(sentence, m)]
    name = _name(sentence, mentions)
    if name is not None and not sentence.confirms:
        values = [m for m in values if m.start < name]
    joined = alternatives(sentence.tokens, [*values, *lent]) | beside_or(sentence, values)
    if sentence.confirms:
        return named | joined | _strong(values) | _strong_labels(sentence, values)
    if named:
        return named | joined
    if generic:
        values = [m for m in values if _before_wish(sentence, m)]
        if values and not joined:
            return _strong([m for m in values if not _definite(sentence, m)])
    if generic and not sentence.has(Sign.EXAMPLE):
        return joined
    if joined:
        return joined
    strong = _strong([m for m in values if not _definite(sentence, m)])
    return (
        strong
        or _fragment(sentence, values)
        or _predicated(sentence, [m for m in values if m.label])
    )


def beside_or(sentence: Sentence, values: list[Mention]) -> int:
    """The fields of values offered beside a word that is none: "verse or prose"."""
    fields = 0
    tokens = sentence.tokens
    for mention in values:
        near = (tokens[max(mention.start - 1, 0)], *tokens[mention.end : mention.end + 1])
        if mention.sign == Sign.VALUE and "or" in near:
            fields |= 1 << mention.field
    return fields


def _before_wish(sentence: Sentence, mention: Mention) -> bool:
    """Whether a question of its own holds the value, the wish being asked for in a later one."""
    wishes = [cue[0] for cue, _ in sentence.wanted if cue[0] > mention.start]
    return any(mention.end <= onset <= max(wishes, default=-1) for onset in sentence.onsets)


_SLIGHT = frozenset(
    "on in an a the by for to at from your so and then ok it be is as with maybe perhaps just only "
    "something , :".split()
)


def _fragment(sentence: Sentence, values: list[Mention]) -> int:
    """The field of an ordinary word that is the whole question: "On paper?"."""
    fields = {m.field for m in values}
    if len(fields) != 1 or len(sentence.tokens) > FRAGMENT:
        return 0
    covered = {at for m in values for at in range(m.start, m.end)}
    rest = (t for at, t in enumerate(sentence.tokens) if at not in covered)
    return 1 << fields.pop() if all(token in _SLIGHT for token in rest) else 0


FRAGMENT = 6


_ASIDE = frozenset(
    "should must does do would will shall can could may is it they this that the you have has need "
    "are looking for after searching needs be to a an in of from by made like prefer want come "
    "with one something rather only please item".split()
)
_WANTING = frozenset("you that".split())
_SAYING = frozenset("be in of from by a an made".split())


def _predicated(sentence: Sentence, values: list[Mention]) -> int:
    """The field of an everyday label that all the question is about: "Should it be cream?".

    Very common words count only after "be", "in", "of" and the like.
    """
    tokens = sentence.tokens
    if not sentence.onsets or sentence.onsets[0] != 0:
        return 0
    fields = 0
    for mention in values:
        before = tokens[: mention.start]
        if not before or not _ASIDE.issuperset([*before, *tokens[mention.end :]]):
            continue
        if mention.end < len(tokens) and tokens[mention.end] not in _WANTING:
            continue
        common = all(token in COMMON for token in tokens[mention.start : mention.end])
        if not common or before[-1] in _SAYING:
            fields |= 1 << mention.field
    return fields if fields.bit_count() == 1 else 0


def _of_another(sentence: Sentence, mention: Mention) -> bool:
    """Whether the value is said of a matter that no field covers: "should the lead be French"."""
    begin = max((onset for onset in sentence.onsets if onset <= mention.start), default=-1)
    if begin < 0:
        return False
    between = [m for m in sentence.marks if begin < m[0] < mention.start]
    return any(m[2] == Sign.OTHER for m in between) and all(m[2] != Sign.THING for m in between)


def _name(sentence: Sentence, mentions: list[Mention]) -> int | None:
    """Where the stretch names a work, whose values then only describe it."""
    covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
    written = sentence.written
    begin = min(m.start for m in mentions)
    begin = max((onset for onset in sentence.onsets if onset <= begin), default=0)
    for at in range(max(begin, 1), max(m.end for m in mentions)):
        token = sentence.tokens[at]
        if token in (TITLE, TAG):
            return at
        word = written[at]
        if (
            word[:1].isupper()
            and not word.isupper()
            and at not in covered
            and token not in COMMON
            and sentence.tokens[at - 1][0].isalnum()
            and written[at - 1][:1].islower()
        ):
            return at
    return None


def _named(sentence: Sentence) -> int:
    fields = 0
    for mention in sentence.mentions:
        if mention.sign in NAMING and mention.state == State.ASKED:
            fields |= 1 << mention.field
    return fields


def borrowed(sentence: Sentence, named: int) -> dict[tuple[int, int], int]:
    """Where a value stands that is lent to one of the fields `named`, and to which."""
    if not named:
        return {}
    return {
        (start, end): owner
        for start, end, sign, owner in sentence.marks
        if sign == Sign.BORROWED
        and named >> owner & 1
        and (start == 0 or sentence.tokens[start - 1] != "in")
    }


def _valued(sentence: Sentence) -> int:
    fields = 0
    if "or" in sentence.tokens or sentence.tokens[1:2] == [","]:
        for mention in sentence.mentions:
            if mention.sign == Sign.VALUE and mention.state == State.ASKED:
                fields |= 1 << mention.field
    return fields


def _strong(values: list[Mention]) -> int:
    fields = 0
    for mention in values:
        if mention.sign == Sign.VALUE:
            fields |= 1 << mention.field
    return fields


def _strong_labels(sentence: Sentence, values: list[Mention]) -> int:
    """The fields of everyday labels that are not among the most common of words."""
    fields = 0
    for mention in values:
        if mention.label and not COMMON.issuperset(sentence.tokens[mention.start : mention.end]):
            fields |= 1 << mention.field
    return fields


_DEFINITE = frozenset("your this that these those such my our".split())


_FINE = frozenset("ok fine all acceptable a alright suitable good".split())


def _definite(sentence: Sentence, mention: Mention) -> bool:
    """Whether the value only refers to the item wanted: "your thriller"."""
    tokens = sentence.tokens
    if mention.start == 0 or tokens[mention.start - 1] not in _DEFINITE:
        return False
    return mention.end >= len(tokens) or tokens[mention.end] not in _FINE


_JOINTS = frozenset(("or", "/", "vs", "versus", "and/or"))
_PAIRED = _JOINTS | {"and"}


_OPEN = frozenset(
    "something anything other others else another neither both no not maybe perhaps what whatever "
    "otherwise any some does do doesn't is are would should must either rather do you".split()
)


REACH = 10


def alternatives(tokens: list[str], values: list[Mention]) -> int:
    """The fields of which alternatives are offered."""
    fields = 0
    ordered = sorted(values, key=lambda m: m.start)
    for index, mention in enumerate(ordered):
        bit = 1 << mention.field
        for other in ordered[index + 1 :]:
            if other.field != mention.field or other.start < mention.end:
                continue
            between = tokens[mention.end : other.start]
            joints = _JOINTS
            if "between" in tokens[max(0, mention.start - REACH) : mention.start]:
                joints = _PAIRED
            listed = between == [","] and Sign.VALUE not in (mention.sign, other.sign)
            if listed or (len(between) <= REACH and any(token in joints for token in between)):
                fields |= bit
            break
        listed = any(m.field == mention.field and m is not mention for m in ordered[:index])
        if mention.sign == Sign.VALUE or listed:
            after = tokens[mention.end : mention.end + 4]
            for at, token in enumerate(after[:-1]):
                if (
                    token in _JOINTS
                    and (listed or after[at + 1] in _OPEN)
                    and not _splits(after[:at])
                ):
                    fields |= bit
    return fields


def _splits(tokens: list[str]) -> bool:
    return any(token in (";", DASH) for token in tokens)
