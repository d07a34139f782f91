"""Statements that ask although none of their phrases does: "genre and country, and off we go".

A field named without a value asks for one, unless the statement shows that it speaks of something
else: of what was found or done, of what is known, of a work put forward.
"""

from __future__ import annotations

from itertools import pairwise

from mystery_shopper.suites.tau_rec.asks.grammar import WH, has_verb
from mystery_shopper.suites.tau_rec.asks.sentence import Mention, Sentence, State
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TAG, TITLE

_REPORTS = frozenset(
    """
    found searched searching filter filters filtered filtering hits hit result results
    catalogue database record records entry entries tool tools looked look checked checking sorted
    sort sorting changed narrows matches matched error broken retrying retry query listed
    because noted thanks thank gave returned yielded index indexed works titles breakdown count
    added adding typed luck same complete completed check ok fixed clear got right understood
    wrong failed timed proposed recommended chosen picked covered sections section step won here
    """.split()
)
_DENIALS = frozenset("no not neither nor never none without cannot nothing".split())
_LACKS = frozenset(
    "missing clear known said told mentioned mention yet sure have got valid accepted "
    "recognised recognized filled complete answered provided supplied set decided stated "
    "understand chosen enough tell know specified given lack lacks need needed say see".split()
)
_HINTS = frozenset(
    "whether still yet need needed needs lack lacks missing left remains depend depends glad "
    "grateful welcome hoping hope curious wonder wondering important difference help helps useful "
    "please unknown unclear hear choose pick choice torn appreciate essential crucial prefer "
    "undecided rely decide question unsure open key matters vital pending next i you my "
    "your we".split()
)
_SOURCES = frozenset(
    "record records catalogue database entry tool listing description blurb".split()
)
_FREED = frozenset((("not", "need"), ("no", "need"), ("not", "matter"), ("not", "ask")))
_SPEAKERS = frozenset(("i", "we"))
_LONGING = frozenset("need needed wanted wondered missed hoped lacked required preferred".split())
_WISHFUL = frozenset("would could might if".split())
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve several many few all dozen hundred "
    "various different".split()
)
_BARE = 10
_BOUNDS = frozenset("later earlier newer older more less so above below".split())
_OFFER = 8


def suggests(sentence: Sentence, *, proposal: bool) -> bool:
    """Whether a statement may be a request. `proposal`: its message puts a work forward."""
    tokens = sentence.tokens
    if TITLE in tokens or TAG in tokens or not _SOURCES.isdisjoint(tokens[:4]):
        return False
    if _FREED.intersection(pairwise(tokens)):
        return False
    if _is_due(tokens):
        return True
    denied = not _DENIALS.isdisjoint(tokens)
    if denied and not _LACKS.isdisjoint(tokens):
        return True
    over = "done" in tokens and "are" not in tokens and "am" not in tokens
    if denied or over or not _REPORTS.isdisjoint(tokens) or _is_report(tokens):
        return False
    if _counts(sentence) and _WISHFUL.isdisjoint(tokens):
        return False
    return not proposal or not _HINTS.isdisjoint(tokens)


def _is_due(tokens: list[str]) -> bool:
    """Whether something is still to be done: "to be completed"."""
    return ("to", "be") in pairwise(tokens)


def _is_report(tokens: list[str]) -> bool:
    """Whether the speaker tells what was done: "I filtered by", "sorted by"."""
    for before, token in pairwise(tokens):
        if before in _SPEAKERS and token not in _LONGING and token[-2:] in ("ed", "de", "nt"):
            return token != "want"
    return tokens[0].endswith(("ing", "ed")) and tokens[0] not in _LONGING


def _counts(sentence: Sentence) -> bool:
    """Whether works are counted: "that leaves 9 films"."""
    tokens = sentence.tokens
    return "narrow" in tokens or any(
        mark[2] == Sign.THING and mark[0] and _is_number(tokens[mark[0] - 1])
        for mark in sentence.marks
    )


def _is_number(token: str) -> bool:
    return token.isdigit() or token in _NUMBERS


def take_hint(sentence: Sentence) -> None:
    """Let fields named without a value be asked, and those of which alternatives are offered."""
    tokens = sentence.tokens
    valued = {m.field for m in sentence.mentions if m.sign == Sign.VALUE}
    bare = len(tokens) <= _BARE and ":" not in tokens and not has_verb(tokens)
    offers = bare or not _HINTS.isdisjoint(tokens)
    for mention in sentence.mentions:
        if mention.state == State.NEUTRAL and _is_taken(tokens, mention, valued, offers):
            mention.state = State.ASKED
            sentence.asking = True


def _is_taken(tokens: list[str], mention: Mention, valued: set[int], offers: bool) -> bool:
    start = mention.start
    if mention.sign == Sign.NOUN:
        counted = start > 0 and _is_number(tokens[start - 1])
        return mention.field not in valued and not counted
    if mention.sign == Sign.PHRASE and tokens[start] in WH:
        return True
    if not offers:
        return False
    after = tokens[start : mention.end + _OFFER]
    return "or" in after and not _BOUNDS.intersection(after[after.index("or") + 1 :][:1])
