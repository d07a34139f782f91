"""Where English questions begin, told from the order of words."""

from __future__ import annotations

from collections.abc import Sequence, Set

from mystery_shopper.suites.tau_rec.asks.tokens import DASH, TAG, TITLE

AUXILIARIES = frozenset(
    "do does did is are was were will would should shall can could may might must have has had am "
    "need ought".split()
)
SUBJECTS = frozenset(
    "you i we it they there this that these those the a an any your my our he she everyone "
    "everybody something anything another most somebody both either one someone anyone some such "
    "no its their not".split()
)
PRONOUNS = frozenset("you i we it they there he she this that these those the your any".split())
_WHOM = tuple([word] for word in (*PRONOUNS, "the", "a", "an", "my", "our"))
WH = frozenset("what which who whom whose when where whereabouts why how".split())
DETERMINERS = frozenset(("what", "which", "whose"))
SOFT_WH = frozenset(("who", "whom", "why"))
PREPOSITIONS = frozenset(
    "in from of on to by under for with at into since until till about before after around over "
    "within between through via".split()
)
CLAUSE_STARTS = frozenset(
    ("and", "or", "but", "so", "then", "now", "ok", "well", "also", "plus", "yet", "finally",
     "first", "next", "sure", "great", "lastly", "though", "actually", "otherwise", "alternatively",
     "sir", "madam", "hmm", "oh", "right", "anyway", "still", "please", "thanks", "hello",
     "hi", "hey", "secondly", "firstly", "meanwhile", "instead", "just", "really", "perhaps",
     "maybe", "yes", "no", "noted", "understood", "lovely", "good", "perfect", "sorry", "fine",
     "therefore",
     ",", ";", ":", DASH, "(", ")", "...", "/", "[", "]", "|", "!", "."),
)  # fmt: skip
BARE_QUESTION_TAGS = frozenset(
    "right correct yes no ok agreed eh true huh yeah innit fine please surely presumably".split()
)


def starts_clause(tokens: Sequence[str], position: int) -> bool:
    """Whether a clause may begin here."""
    if position == 0:
        return True
    before = tokens[position - 1]
    return before in CLAUSE_STARTS or not before[0].isalnum()


def find_onsets(tokens: Sequence[str], end: str, mentions: Set[int]) -> list[int]:
    """Where questions begin. Without a question mark only the surest forms count."""
    found: list[int] = []
    questioned = end == "?"
    size = len(tokens)
    for position, token in enumerate(tokens):
        if token in AUXILIARIES:
            follower = tokens[position + 1] if position + 1 < size else ""
            if not follower or not starts_clause(tokens, position):
                continue
            if follower == "not" and tokens[position + 2 : position + 3] not in _WHOM:
                continue
            if questioned:
                if follower in SUBJECTS or position + 1 in mentions or position == 0:
                    found.append(position)
            elif (
                follower in PRONOUNS
                and token not in ("have", "had", "need", "may")
                and tokens[max(position - 1, 0)] not in (")", TITLE, TAG)
                and (token != "do" or follower in ("you", "they", "i", "we"))
                and (position == 0 or tokens[position - 1] not in ("so", "nor"))
            ):
                found.append(position)
        elif token in WH:
            _find_wh(tokens, position, questioned, mentions, found)
        elif token == "any" and questioned and starts_clause(tokens, position):
            found.append(position)
    return found


def _find_wh(
    tokens: Sequence[str], position: int, questioned: bool, mentions: Set[int], found: list[int]
) -> None:
    begin = position
    if position and tokens[position - 1] in PREPOSITIONS:
        begin = position - 1
    named = not mentions.isdisjoint(range(position, position + 4))
    if tokens[position + 1 : position + 2] in (["a"], ["an"]):
        return
    if starts_clause(tokens, begin):
        asked = position == 0 and tokens[1:2] in (["is"], ["are"]) and tokens[2:3] == ["your"]
        if questioned or named or asked:
            found.append(begin)
    elif questioned and tokens[position] in DETERMINERS and position + 1 in mentions:
        found.append(position)


_INVERTED = AUXILIARIES - {"do", "have", "had", "has", "need", "am", "ought"}
_LEADS = frozenset("roughly so and but or then also now ok hmm well first second".split())
_PERSONAL = frozenset("i you we it they he she that this there a an".split())
_FURTHER = frozenset("else other further more additional particular special preference".split())
_YES_NO = (["y", "/", "n"], ["yes", "/", "no"], ["yes", "or", "no"])
_WINDOW = 5
_BRIEF = 12


def lacks_mark(tokens: Sequence[str], mentions: Set[int]) -> bool:
    """Whether the order of words is a question's although no mark ends it."""
    size = len(tokens)
    if list(tokens[-3:]) in _YES_NO:
        return True
    for position, token in enumerate(tokens[:-1]):
        lead = position == 0 or tokens[position - 1] in _LEADS or tokens[position - 1] in ",:;"
        if not lead:
            continue
        follower = tokens[position + 1]
        if token in _INVERTED:
            if follower == "not" and tokens[position + 2 : position + 3] not in _WHOM:
                continue
            if position and tokens[position - 1] in ("so", "nor"):
                continue
            if follower in SUBJECTS or position + 1 in mentions:
                return True
        elif (token in ("do", "have") and follower in ("you", "they", "i", "we")) or (
            token in WH and follower in _FURTHER and position == 0 and size < _BRIEF
        ):
            return True
        elif token in WH or (token in PREPOSITIONS and follower in DETERMINERS):
            if _inverts_soon(tokens, position + 1 + (token in PREPOSITIONS)):
                return True
        elif position == 0 and token in ("any", "anything", "other"):
            return size < _BRIEF and follower in _FURTHER and "will" not in tokens
    return False


def _inverts_soon(tokens: Sequence[str], position: int) -> bool:
    if position < len(tokens) and tokens[position] in _PERSONAL:
        return False
    for at in range(position, min(position + _WINDOW, len(tokens) - 1)):
        if tokens[at] in AUXILIARIES:
            return tokens[at + 1] in SUBJECTS or at == position
        if not tokens[at][0].isalnum():
            return False
    return False


_VERBS = frozenset(
    "is are was were am will would can could should have has had want wanted see got found said "
    "made know noted understood it".split()
)


def has_verb(tokens: Sequence[str]) -> bool:
    """Whether any of the most common verb forms is among the tokens."""
    return not _VERBS.isdisjoint(tokens)
