"""Text into tokens, and tokens into sentences.

Tokens are lower case without accents; contractions are spelt out, so that "what's" is the two
tokens "what" and "is"; punctuation marks are tokens of their own.
"""

from __future__ import annotations

import re
import unicodedata

TITLE, QUOTE, TAG = "\x01", "\x02", "\x03"
"""What stands for a work's title, for quoted speech and for a tag once their text is taken out."""

BLANK = "__"
DASH = "—"

_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*|_{2,}|\.{2,}|[?!]+|[^\w\s]")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_CENTURY = re.compile(r"(?<![\w'])'([2-9]\d)(?=s?\b(?!'))")
_SHORT = re.compile(r"\b(?:([ei])\.\s?([ge])\.,?|(U)\.(S|K)\.(?:A\.)?)")
_MARKS = {
    "-": DASH,
    "–": DASH,
    "—": DASH,
    "―": DASH,
    "…": "...",
    "&": "and",
    "？": "?",
    "؟": "?",
    "❓": "?",
    "❔": "?",
    "b4": "before",
    "=": ":",
    "→": ":",
    "➡": ":",
}
_WORDS = {
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "let's": ("let", "us"),
    "y'all": ("you",),
    "ma'am": ("madam",),
    "o'clock": ("oclock",),
    "dont": ("do", "not"),
    "cant": ("can", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "whats": ("what", "is"),
    "wanna": ("want", "to"),
    "somethin": ("something",),
    "anythin": ("anything",),
    "nothin": ("nothing",),
    "everythin": ("everything",),
    "lookin": ("looking",),
    "readin": ("reading",),
    "watchin": ("watching",),
    "whatcha": ("what", "are", "you"),
    "d'you": ("do", "you"),
    "d'ya": ("do", "you"),
    "ye": ("you",),
    "thou": ("you",),
    "thee": ("you",),
    "thy": ("your",),
    "thine": ("your",),
    "yer": ("your",),
    "prithee": ("please",),
    "pleas": ("please",),
    "plase": ("please",),
    "plesae": ("please",),
    "prefs": ("preferences",),
    "reqs": ("requirements",),
    "deets": ("details",),
    "infos": ("information",),
    "informations": ("information",),
    "wht": ("what",),
    "whch": ("which",),
    "em": ("them",),
    "gonna": ("going", "to"),
    "gotta": ("have", "to"),
    "gimme": ("give", "me"),
    "lemme": ("let", "me"),
    "cannot": ("can", "not"),
    "wich": ("which",),
    "whcih": ("which",),
    "wat": ("what",),
    "waht": ("what",),
    "wot": ("what",),
    "hwo": ("how",),
    "shoud": ("should",),
    "woud": ("would",),
    "coud": ("could",),
    "teh": ("the",),
    "yuo": ("you",),
    "yu": ("you",),
    "pls": ("please",),
    "plz": ("please",),
    "plse": ("please",),
    "bitte": ("please",),
    "alstublieft": ("please",),
    "alsjeblieft": ("please",),
    "u": ("you",),
    "ur": ("your",),
    "r": ("are",),
    "ya": ("you",),
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "youd": ("you", "would"),
    "thx": ("thanks",),
    "okay": ("ok",),
    "alright": ("all", "right"),
    "catalog": ("catalogue",),
    "favorite": ("favourite",),
    "favor": ("favour",),
}
_ENDINGS = {
    "n't": "not",
    "'s": "is",
    "'re": "are",
    "'d": "would",
    "'ll": "will",
    "'ve": "have",
    "'m": "am",
}
_PRONOUNS = frozenset(
    "what where who how when why it that there here he she this which everything".split()
)


def fold_word(word: str) -> str:
    """Lower case, accents dropped."""
    word = word.lower()
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def tokenise(text: str) -> tuple[list[str], list[str]]:
    """The tokens of a text, and beside each the word as it was written."""
    if "." in text:
        text = _SHORT.sub(_spell, text)
    if "-" in text:
        text = _HYPHEN.sub(" ", text)
    if "'" in text:
        text = _CENTURY.sub(r"19\1", text)
    tokens: list[str] = []
    written: list[str] = []
    plain = text.isascii()
    for raw in _TOKEN.findall(text):
        token = raw.lower() if plain else fold_word(raw)
        if not token:
            continue
        if token.isalpha():
            spelt = _WORDS.get(token)
            if spelt is not None:
                tokens.extend(spelt)
                written.extend([raw] * len(spelt))
                continue
            if raw == "US":
                token = "usa"
        elif "'" in token and len(token) > 1:
            _expand(token, raw, tokens, written)
            continue
        else:
            token = _mark(token)
        tokens.append(token)
        written.append(raw)
    return tokens, written


def _spell(match: re.Match[str]) -> str:
    first, second, u, s = match.groups()
    return f"{u}{s}" + ("A" if s == "S" else "") + " " if u else f"{first}{second} "


def _mark(token: str) -> str:
    """The usual form of a token that is not letters only."""
    head = token[:1]
    if head in "?!":
        return "?" if "?" in token else "!"
    if head == "_":
        return BLANK
    if head == ".":
        if len(token) > 3:
            return BLANK
        return "..." if len(token) > 1 else "."
    return _MARKS.get(token, token)


def _expand(token: str, raw: str, tokens: list[str], written: list[str]) -> None:
    spelt = _WORDS.get(token)
    if spelt is None:
        head, _, tail = token.rpartition("'")
        if tail == "t" and head.endswith("n") and len(head) > 1:
            spelt = (head[:-1], "not")
        elif tail == "s":
            if head[:1].isdigit():
                spelt = (head + "s",)
            else:
                spelt = (head, "is" if head in _PRONOUNS else "'s")
        elif "'" + tail in _ENDINGS:
            spelt = (head, _ENDINGS["'" + tail])
        else:
            spelt = tuple(part for part in token.split("'") if part)
    tokens.extend(part for part in spelt if part)
    written.extend(raw for part in spelt if part)


_ABBREVIATED = frozenset("eg ie mr mrs ms dr vs no st approx ca".split())
_ENDS = frozenset("?!.;")


def split_sentences(tokens: list[str]) -> list[tuple[int, int, str]]:
    """Where each sentence begins and ends (its final mark left out), and that mark or ''."""
    found: list[tuple[int, int, str]] = []
    start = 0
    size = len(tokens)
    for position, token in enumerate(tokens):
        if token in _ENDS:
            if token == "." and position and tokens[position - 1] in _ABBREVIATED:
                continue
            if position > start:
                found.append((start, position, token))
            elif found and token == "?":
                found[-1] = (*found[-1][:2], "?")
            start = position + 1
    if start < size:
        found.append((start, size, ""))
    return found
