"""Whether a sentence states something and asks for a nod: "in German, right?"."""

from __future__ import annotations

from mystery_shopper.suites.tau_rec.asks.grammar import BARE_QUESTION_TAGS, starts_clause
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import DASH

_CHECKING = frozenset("confirm verify check correct take".split())


def confirms(sentence: Sentence, questioned: bool) -> bool:
    """Whether something is stated and a nod asked for: "in German, right?", "please confirm"."""
    tokens = sentence.tokens
    if not questioned:
        return any(
            cue[2] == Sign.ASK and not _CHECKING.isdisjoint(tokens[cue[0] : cue[1]])
            for cue in sentence.cues
        )
    size = len(tokens)
    if tokens[-1] in BARE_QUESTION_TAGS and size > 1 and tokens[-2] in (",", DASH, "..."):
        return True
    if _opens_check(sentence) or _tagged_within(sentence):
        return True
    tags = [
        cue
        for cue in sentence.cues
        if cue[2] == Sign.CHECK and cue[1] >= size - 1 and starts_clause(tokens, cue[0])
    ]
    if tags and not any(onset < tags[0][0] for onset in sentence.onsets):
        return True
    if any(
        cue[2] == Sign.CHECK and cue[0] and _is_doubted(tokens, cue[1]) for cue in sentence.cues
    ):
        return True
    hedges = [cue[0] for cue in sentence.cues if cue[2] in (Sign.HEDGE, Sign.RECAP)]
    return bool(hedges) and not any(
        onset < hedges[0] or onset < size - 5 for onset in sentence.onsets
    )


def _opens_check(sentence: Sentence) -> bool:
    """Whether it begins by asking whether what follows is right: "am I right that ..."."""
    tokens = sentence.tokens
    return any(
        cue[2] == Sign.CHECK and cue[0] <= 1 and tokens[cue[1] : cue[1] + 1] in _THAT
        for cue in sentence.cues
    )


def _is_doubted(tokens: list[str], end: int) -> bool:
    """Whether a slip of the ear is owned to after the check: "..., or did I mishear"."""
    return tokens[end : end + 3] in ([",", "or", "did"], [",", "or", "have"], [",", "or", "am"])


_THAT = (["that"], ["in"], ["to"], ["if"])


def _tagged_within(sentence: Sentence) -> bool:
    """Whether a nod is asked for in mid-sentence: "it's fantasy, isn't it, and ..."."""
    tokens = sentence.tokens
    first = min(sentence.onsets, default=len(tokens))
    for at in range(1, len(tokens) - 2):
        if tokens[at] != "," or at > first:
            continue
        tag = tokens[at + 1 : at + 5]
        if tag[:2] in _MID_TAGS or tag == ["is", "not", "it", ","]:
            return True
    return False


_MID_TAGS = tuple([word, ","] for word in ("right", "yes", "correct", "eh", "ok"))
