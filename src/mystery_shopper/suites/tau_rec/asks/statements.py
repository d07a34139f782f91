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
from mystery_shopper.suites.tau_rec.asks.values import VALUES, alternatives

_REPORTS = frozenset(
    """
    found searched searching filter filters filtered filtering hits result results
    catalogue database record records entry entries tool tools looked look checked checking sorted
    sort sorting changed narrows matches matched error broken retrying retry query listed
    because noted thanks thank gave returned yielded index indexed works titles breakdown count
    added adding typed luck same complete completed check ok fixed clear understood
    wrong failed misread timed known proposed recommended chosen picked covered sections section
    step won
    """.split()
)
_DENIALS = frozenset("no not neither nor never none without cannot nothing".split())
_LACKS = frozenset(
    "hint hints says tells missing clear known said told mentioned mention yet sure have got "
    "valid accepted recognised recognized filled complete answered provided supplied set "
    "decided stated understand chosen enough tell know specified given lack lacks need needed "
    "say see".split()
)
_HINTS = frozenset(
    "whether still yet need needed needs lack lacks missing left remains depend depends glad "
    "grateful welcome hoping hope curious wonder wondering important difference help helps useful "
    "please unknown unclear hear choose pick choice torn appreciate essential crucial prefer "
    "undecided rely decide question unsure rather open key matters vital pending next i you my "
    "your we".split()
)
_SOURCES = frozenset(
    "record records catalogue database entry tool listing description blurb".split()
)
_FREED = frozenset((("not", "need"), ("no", "need"), ("not", "matter"), ("not", "ask")))
_LONGING = frozenset(
    "need needed wanted wondered missed hoped lacked required preferred desired supposed expected "
    "interested limited asked".split()
)
_SPOKEN = frozenset("i you my your we next".split())
_POINTING = frozenset("this that these those same such".split())
_PENDING = frozenset("missing lacking waiting awaiting remaining pending needing wanting".split())
_WISHFUL = frozenset("would could might if".split())
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve several many few all dozen hundred "
    "various different".split()
)
_BARE = 16
_BRIEF = 4
_NEAR = 6


def suggests(sentence: Sentence, *, proposal: bool) -> bool:
    """Whether a statement may be a request. `proposal`: its message puts a work forward."""
    tokens = sentence.tokens
    if TITLE in tokens or TAG in tokens or not _SOURCES.isdisjoint(tokens[:4]):
        return False
    if _FREED.intersection(pairwise(tokens)):
        return False
    if _is_due(tokens):
        return True
    denied = any(t in _DENIALS and tokens[at - 1] != "or" for at, t in enumerate(tokens))
    if denied and _lacks(tokens):
        return True
    over = "done" in tokens and "are" not in tokens and "am" not in tokens
    if denied or over or not _REPORTS.isdisjoint(tokens) or _is_report(sentence):
        return False
    if _counts(sentence) and _WISHFUL.isdisjoint(tokens):
        return False
    return not proposal or not (_HINTS - _SPOKEN).isdisjoint(tokens)


def _lacks(tokens: list[str]) -> bool:
    """Whether something is said not to be known: "not yet clear", "no year given"."""
    return any(
        token in _DENIALS and not _LACKS.isdisjoint(tokens[at + 1 : at + 1 + _NEAR])
        for at, token in enumerate(tokens)
    )


def _is_due(tokens: list[str]) -> bool:
    """Whether something is still to be done: "to be completed"."""
    return ("to", "be") in pairwise(tokens)


def _is_report(sentence: Sentence) -> bool:
    """Whether it tells what was or is being done: "filtered by", "is registered", "retrying"."""
    tokens = sentence.tokens
    covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
    for at, token in enumerate(tokens):
        past = token.endswith("ed") and token[-3] != "e" and not token.startswith("un")
        if past and len(token) > _BRIEF and at not in covered and token not in _LONGING:
            return True
    has = tokens[0] == "got" and tokens[1:2] not in (["a"], ["an"], ["any"])
    return has or tokens[0] == "right" or (tokens[0].endswith("ing") and tokens[0] not in _PENDING)


def _counts(sentence: Sentence) -> bool:
    """Whether works are counted: "that leaves 9 films"."""
    tokens = sentence.tokens
    covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
    covered.update(m.start - 1 for m in sentence.mentions if not tokens[m.start].endswith("s"))
    if tokens[-1].isdigit() and tokens[-2:-1] == [":"] and len(tokens) - 1 not in covered:
        return True
    for at, token in enumerate(tokens[:-1]):
        if token.isdigit() and at and at not in covered and tokens[at - 1][0].isalnum():
            return True
    return "narrow" in tokens or any(
        mark[2] == Sign.THING and mark[0] and _is_number(tokens[mark[0] - 1])
        for mark in sentence.marks
    )


def _is_number(token: str) -> bool:
    return token.isdigit() or token in _NUMBERS


_FURTHER = frozenset("else more other others further additional another extra whatever".split())
_WANTED = frozenset((Sign.GENERIC, Sign.WISH, Sign.LOOSE_WISH))


def goes_further(sentence: Sentence) -> bool:
    """Whether it speaks of more that might be wished for: "drop any more wishes here"."""
    return _DENIALS.isdisjoint(sentence.tokens) and any(
        cue[2] in _WANTED and not _FURTHER.isdisjoint(sentence.tokens[max(0, cue[0] - 2) : cue[1]])
        for cue in sentence.cues
    )


def take_hint(sentence: Sentence) -> None:
    """Let fields named without a value be asked, and those of which alternatives are offered."""
    tokens = sentence.tokens
    valued = {m.field for m in sentence.mentions if m.sign == Sign.VALUE}
    bare = len(tokens) <= _BARE and ":" not in tokens and not has_verb(tokens)
    sentence.asking = goes_further(sentence)
    neutral = [m for m in sentence.mentions if m.state == State.NEUTRAL]
    told = _tells(tokens, [m for m in neutral if m.sign == Sign.NOUN])
    neutral = [m for m in neutral if m.start not in told]
    offered = 0
    if bare or not _HINTS.isdisjoint(tokens):
        offered = alternatives(tokens, [m for m in neutral if m.sign in (*VALUES, Sign.NOUN)])
    for mention in neutral:
        if offered >> mention.field & 1 or _is_taken(tokens, mention, valued):
            mention.state = State.ASKED
            sentence.asking = True


_COPULAS = frozenset("is are was were".split())
_VOID = frozenset("null nil empty blank undefined void none tbd tbc pending".split())
_BEARING = frozenset("is are was were has have comes come costs features offers measures".split())
_ITEMS = frozenset("it this these they that one".split())


def _tells(tokens: list[str], nouns: list[Mention]) -> set[int]:
    """Where nouns begin of which something is told: "the X is blue", "it comes in X"."""
    told: set[int] = set()
    plain = all(words.isdisjoint(tokens) for words in (_HINTS, _DENIALS, _VOID))
    head = 1 + (tokens[1:2] == ["one"])
    bears = tokens[0] in _ITEMS and tokens[head : head + 1] and tokens[head] in _BEARING
    for noun in nouns if plain else ():
        after = tokens[noun.end : noun.end + 2]
        said = len(after) > 1 and after[0] in _COPULAS
        if said or (bears and noun.start >= head and ":" not in tokens):
            told.add(noun.start)
    return told


def _is_taken(tokens: list[str], mention: Mention, valued: set[int]) -> bool:
    start = mention.start
    if mention.sign == Sign.NOUN:
        plural = tokens[mention.end - 1].endswith("s")
        counted = plural and start > 0 and _is_number(tokens[start - 1])
        pointed = start > 0 and tokens[start - 1] in _POINTING
        return not (counted or pointed or mention.field in valued)
    return mention.sign == Sign.PHRASE and (tokens[start] in WH or "or" in tokens)


def take_nouns(sentence: Sentence) -> None:
    """Let fields named beside a question be asked as well, as in a statement."""
    mentions = sentence.mentions
    nouns = [m for m in mentions if m.state == State.NEUTRAL and m.sign == Sign.NOUN]
    if nouns and suggests(sentence, proposal=False):
        valued = {m.field for m in mentions if m.sign == Sign.VALUE}
        for mention in nouns:
            if _is_taken(sentence.tokens, mention, valued):
                mention.state = State.ASKED
