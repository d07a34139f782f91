"""Whether a sentence asks for any requirement: "anything else?"."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.suites.tau_rec.asks.patterns import Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence, State
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.values import NAMING

_QUANTIFIERS = frozenset(
    "any other further more additional extra remaining some your all what which full exact "
    "complete precise own specific particular special few final last main key basic several "
    "another others".split()
)
"""Before a WISH these make it a generic request; any of `_PLAIN` may stand between."""

_FURTHER = frozenset("other others another further more additional extra remaining all few".split())
"""Those that leave no doubt: the request goes beyond what was named."""

_PLAIN = frozenset(
    "of the other such important essential strict hard absolute real and or "
    "kind kinds sort type".split()
)


_YIELDING = frozenset((Sign.OPENING, Sign.COAX))
_CLOSED = frozenset((State.KNOWN, State.RULED_OUT, State.PLANNED, State.IDLE))


def is_generic(sentence: Sentence) -> bool:
    """Whether a request for any requirement is made."""
    services = [cue for cue in sentence.cues if cue[2] == Sign.SERVICE]
    for cue, state in sentence.wanted:
        start, end, sign, _ = cue
        if sign in _YIELDING or (state in _CLOSED and not _stands_alone(sentence, start)):
            continue
        if sign != Sign.GENERIC and not _quantified(sentence, start, sign == Sign.LOOSE_WISH):
            continue
        if any(service[0] < end and start <= service[1] for service in services):
            continue
        if not (_is_field(sentence, cue) or _about_a_field(sentence, cue)):
            return True
    return False


def _is_field(sentence: Sentence, cue: Mark) -> bool:
    """Whether the word for a wish is what a field is called: "in what condition should it be?".

    Where more of them are asked for, any wish is meant: "any other conditions?".
    """
    start, end, sign, _ = cue
    if sign == Sign.GENERIC:
        return False
    if not any(
        m.sign == Sign.NOUN and m.start <= start and end <= m.end for m in sentence.mentions
    ):
        return False
    near = sentence.tokens[max(0, start - 3) : start]
    return _FURTHER.isdisjoint(near)


def _stands_alone(sentence: Sentence, start: int) -> bool:
    """Whether what seemed to rule out is the request itself: "list whatever it must have"."""
    return sentence.requests and any(
        cue[0] == start and cue[2] == Sign.NEGATED for cue in sentence.cues
    )


_BARE = 3
_LABELS = frozenset("other others misc miscellaneous extra extras further additional".split())


def is_wish(tokens: list[str], marks: Sequence[Mark]) -> bool:
    """Whether a label stands for any requirement: "further remarks: ___"."""
    if len(tokens) == 1 and tokens[0] in _LABELS:
        return True
    for start, _, sign, _ in marks:
        if sign == Sign.GENERIC or sign == Sign.WISH:
            return True
        if sign == Sign.LOOSE_WISH and (start == 0 or tokens[start - 1] in _QUANTIFIERS):
            return True
    return False


def is_opening(sentence: Sentence) -> bool:
    """Whether the customer is invited to say what they want, no field being asked."""
    services = [cue for cue in sentence.cues if cue[2] == Sign.SERVICE]
    return any(
        cue[2] == Sign.OPENING
        and state not in _CLOSED
        and not any(_points_back(sentence.tokens, cue[1] + ahead) for ahead in range(3))
        and not any(
            mark[2] == Sign.OTHER and not cue[0] <= mark[0] < cue[1] for mark in sentence.marks
        )
        and not any(service[0] < cue[1] and cue[0] < service[1] for service in services)
        for cue, state in sentence.wanted
    )


def coaxes(sentence: Sentence) -> bool:
    """Whether the customer is coaxed to speak: "don't be shy"."""
    return any(cue[2] == Sign.COAX and state not in _CLOSED for cue, state in sentence.wanted)


def _quantified(sentence: Sentence, position: int, loose: bool) -> bool:
    """Whether a word for a wish is one for any: "any other requirements".

    After a label or a topic, "any wishes" are wishes about that: "language: any preference".
    """
    tokens = sentence.tokens
    at = position - 1
    words: list[str] = []
    while at >= 0 and (tokens[at] in _QUANTIFIERS or tokens[at] in _PLAIN):
        words.append(tokens[at])
        at -= 1
    if _QUANTIFIERS.isdisjoint(words) and "your" in tokens[max(0, at - 2) : at + 1]:
        words.append("your")
    if not words and at > 0 and tokens[at - 1] in _QUANTIFIERS:
        if any(m.end == position and m.sign == Sign.NOUN for m in sentence.mentions):
            return False
        words.append(tokens[at - 1])
    if not (words or loose) and tokens[position][-1] in "sa":
        if position == 0 and len(tokens) <= _BARE:
            return True
        if any(cue[2] == Sign.ASK and cue[1] == position for cue in sentence.cues):
            return True
    if not any(word in _QUANTIFIERS for word in words):
        return False
    if any(word in _FURTHER for word in words):
        return True
    if loose and not ({"any", "some"} & set(words)):
        return False
    return not any(
        mention.sign in NAMING
        and mention.end <= position
        and mention.state in (State.NEUTRAL, State.ASKED)
        and (":" in tokens[mention.end : position] or sentence.has(Sign.TOPIC))
        for mention in sentence.mentions
    )


_ABOUT = frozenset("about on regarding concerning for of as in around with to".split())
_NAMED = frozenset("about on regarding concerning".split())
_POINTING = frozenset("these those them each either both following".split())
_ARTICLES = frozenset("the its a an your".split())
_WHOLE = frozenset(
    "item request search list matter subject topic side part whole rest one next ideal perfect "
    "right dream wish wishes need needs request requests requirement requirements taste tastes "
    "preference preferences criteria expectations order query idea ideas wants".split()
)


def _about_a_field(sentence: Sentence, cue: Mark) -> bool:
    """ "Any other wishes on the language": one matter is asked about, and nothing else."""
    end = cue[1]
    tokens = sentence.tokens
    if tokens[end : end + 3] in (["when", "it", "comes"], ["with", "regard", "to"]):
        end += 2
    if end >= len(tokens) or tokens[end] not in _ABOUT:
        return False
    if _points_back(tokens, end):
        return True
    near = tokens[end + 1 : end + 4]
    last = tokens.index(":", end) if ":" in tokens[end:] else len(tokens)
    if any(end < mention.start <= min(end + 4, last) for mention in sentence.mentions):
        return True
    return cue[2] in _WISHES and _names_a_matter(sentence, end, near)


def _points_back(tokens: list[str], end: int) -> bool:
    """Whether what was named before is meant: "your wishes for any of these", "in each"."""
    if end >= len(tokens) or tokens[end] not in _ABOUT:
        return False
    near = tokens[end + 1 : end + (2 if tokens[end] == "of" else 4)]
    return not _POINTING.isdisjoint(near)


_WISHES = frozenset((Sign.WISH, Sign.LOOSE_WISH, Sign.GENERIC))


def _names_a_matter(sentence: Sentence, end: int, near: list[str]) -> bool:
    """Whether what follows is neither an item nor the whole request: "about the mood"."""
    other = (m for m in sentence.marks if m[2] == Sign.OTHER and end < m[0] <= end + 3)
    if any(other):
        return True
    if sentence.tokens[end] not in _NAMED or len(near) < 2 or near[0] not in _ARTICLES:
        return False
    things = {m[0] for m in sentence.marks if m[2] == Sign.THING}
    return not (near[1] in _WHOLE or things & set(range(end + 1, end + 5)))
