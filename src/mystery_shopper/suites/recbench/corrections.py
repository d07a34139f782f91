"""Whether an answer names the mistake that its query rests on.

A rule on what was said: a sentence, or two in a row, that names an item of the claim (or else the
claimed value together with the relation) and denies the fact, corrects it, or gives somebody else
as the maker. A negation of anything else ("you won't regret it", "not only") does not count. A
concern of the answer's own field needs but name the item or the value: it is an objection by its
place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.catalog.titles import split_year, subtitle_keys, title_key, title_keys

MOST_TEXT = 20_000
_MOST_SENTENCES = 300
_MOST_ITEMS = 50
_LONGEST = 300

_CORRECTION = re.compile(
    r"\b(?:incorrect(?:ly)?|inaccura\w+|mistak(?:e|en|enly)|mis(?:attribut\w+|remember\w*"
    r"|credit\w*|identif\w+|inform\w*|understanding|taken|statement)"
    r"|(?<!go )(?<!went )wrong(?:ly)?|error|erroneous(?:ly)?|false|untrue|confus(?:ed|ion|ing)"
    r"|mix(?:ed)?[- ]?up|correction|to correct|clarif\w+"
    r"|rather than|instead of|as opposed to|contrary to|discrepan\w+|doesn'?t match"
    r"|does not match|(?:\w+n'?t|not) (?:quite |entirely )?(?:right|correct|accurate)"
    r"|different (?:person|director|writer|author|actor|cinematographer|composer))\b",
    re.I,
)
_DENIAL = (
    r"(?: (?:was|is|were|are|did|does|has|had|may|might)(?: not|n? t)(?: be| been| have| actually"
    r"| in fact)*"
    r"(?! (?:only|just|merely|alone))(?: (?!only )\w+){{0,2}}? (?:by|{related}|{who}|involved"
    r"|credited|listed|associated"
    r"|connected|part of|work\w*|make|made|behind|appear\w*|feature\w*)"
    r"| never (?:\w+ ){{0,1}}?(?:by|{related}|{who}|worked|made|appeared)"
    r"| no (?:known )?(?:connection|involvement|record|evidence|credit|part|role|link|relation"
    r"|indication)"
    r"| (?:could|can|can ?t|couldn t|do|don t|did|didn t)(?: not| no)? (?:find|see|confirm"
    r"|verify) (?:that )?(?:any )?(?:{who}) (?:credited|listed|as|was|is|having|ever)"
    r"| neither (?:of|was|is|film|movie|book|one))"
)
"""What denies a fact, on folded text. A speaker's "I do not" is none."""
_WHO = "xwhox"
"""Stands in a folded text for the names of the value."""
_CONTRAST = re.compile(rf" not (?:a |an |the |by |from |with |one of )?{_WHO} ")
_ATTRIBUTED = (
    r"(?:{related})(?: \w+){{0,2}} (?:by|came from|comes from|is|was) "
    r"(?P<name>(?:[A-Z][\w.'’-]*\s?){{1,4}})"
)
_SEVERAL_BEAR = frozenset(
    ("star", "cast", "genre", "categor", "countr", "langu", "company", "produc")
)
"""Relations under which an item bears several values: another one denies nothing."""
_MEANT = re.compile(
    r"\b(?:(?:you (?:may |might |must |probably )?(?:mean|meant)|did you mean|(?:be|are"
    r"|were) thinking of)\b)",
    re.I,
)
_ACTUALLY = re.compile(
    r"\b(?:actually|in fact|in reality|the (?:actual|real|true|correct)|truly"
    r"|really)\b.{0,60}?\b(?:by|was|is|were|are|director|writer|author|cinematographer"
    r"|composer|star)\b|\b(?:was|is|were|are) (?:actually|in fact|really)\b|\bactually \w+s\b",
    re.I,
)
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!Mr\.)(?<!Dr\.)(?<!Mrs\.)(?<!vs\.)(?<!Jr\.)[\"”'’)*]*\s+|\n+"
)
_POINTS_BACK = re.compile(
    r"^\W*(?:however|but|that|this|it|he|she|they|actually|in fact|instead|the (?:film|movie|book"
    r"|director|cinematographer|composer|author|writer))\b",
    re.I,
)
_OPENERS = frozenset("the note actually but however that and also while in like though did".split())
_WORDS_OF = {
    "direct": r"made|direct\w*|helm\w*|film-?maker",
    "writ": r"writ\w+|wrote|screenplay|script\w*|penned|author\w*",
    "author": r"writ\w+|wrote|author\w*|penned",
    "star": r"star\w*|act(?:or|ress|s|ed|ing)\b|cast|appear\w*|play\w*|feature\w*|role",
    "cast": r"star\w*|act(?:or|ress|s|ed|ing)\b|cast|appear\w*|play\w*|feature\w*|role",
    "cinemato": r"cinematograph\w*|shot|photograph\w*|camera\w*|dp|lens\w*",
    "compos": r"compos\w*|scor\w+|music\w*|soundtrack",
    "music": r"compos\w*|scor\w+|music\w*|soundtrack",
    "produc": r"produc\w*|studio|made",
    "company": r"produc\w*|studio|made|compan\w+|release\w*",
    "edit": r"edit\w*|cut",
    "genre": r"genre|film|movie|categor\w*",
    "categor": r"genre|book|categor\w*",
    "countr": r"countr\w*|made|produc\w*|from",
    "langu": r"langu\w*|spoken|speak\w*",
}


@dataclass(frozen=True)
class Claim:
    """What a query claims and is not so: that these items (their titles) bear a value."""

    titles: tuple[str, ...]
    relation: str
    value: str


def names_mistake(claim: Claim, text: str, concerns: Sequence[str] = ()) -> bool:
    """Whether a text, or a concern, names the mistake of a claim."""
    reader = _reader(claim)
    return any(reader.in_concern(concern) for concern in concerns) or reader.in_text(text)


@dataclass(frozen=True)
class _Patterns:
    """The patterns of one relation; `attributed` where an item bears one value only."""

    relation: re.Pattern[str]
    denial: re.Pattern[str]
    attributed: re.Pattern[str] | None


@dataclass(frozen=True)
class _Reader:
    """`titles`: keys of several words; `words`: titles of one word, as they are written; `names`:
    what the value is called, the longest first. All but the words are folded, with a blank at
    either end, as is the text they are looked for in."""

    titles: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    patterns: _Patterns

    def in_concern(self, concern: str) -> bool:
        said = _folded(concern[:MOST_TEXT])
        return self._item(concern[:MOST_TEXT]) or self._value(said)

    def in_text(self, text: str) -> bool:
        before = ""
        for sentence in _SENTENCE.split(text[:MOST_TEXT])[:_MOST_SENTENCES]:
            if not sentence.strip():
                continue
            if self._denies(sentence, ""):
                return True
            if before and _POINTS_BACK.match(sentence) and self._denies(sentence, before):
                return True
            before = sentence
        return False

    def _denies(self, sentence: str, before: str) -> bool:
        plain = sentence.replace("’", "'")
        whole = f"{before} {plain}".replace("’", "'")
        said, all_said = _folded(plain), _folded(whole)
        item = self._item(whole)
        related = self.patterns.relation.search(all_said) is not None
        if not item and not (related and self._value(all_said)):
            return False
        if _CORRECTION.search(plain) or _MEANT.search(plain):
            return True
        marked = self._marked(said)
        if self.patterns.denial.search(marked) or (item and _CONTRAST.search(marked)):
            return True
        if not item:
            return False
        if self.patterns.attributed is not None and self._other_maker(plain):
            return True
        return related and bool(_ACTUALLY.search(plain)) and not self._value(said)

    def _other_maker(self, sentence: str) -> bool:
        """Whether a sentence says that somebody else made it."""
        assert self.patterns.attributed is not None
        return any(
            not self._value(_folded(found["name"]))
            for found in self.patterns.attributed.finditer(sentence)
        )

    def _value(self, said: str) -> bool:
        return any(name in said for name in self.names)

    def _marked(self, said: str) -> str:
        """A folded text with a mark in place of the value's names, so that one pattern does for
        all values."""
        for name in self.names:
            # Twice, for two in a row share the blank between them.
            said = said.replace(name, f" {_WHO} ").replace(name, f" {_WHO} ")
        return said

    def _item(self, text: str) -> bool:
        """Whether a text names an item. A title of one word is one where it is written large and is
        no part of a longer name ("City Heat")."""
        if self.titles:
            for said in (_folded(text), f" {title_key(text)} "):
                if any(title in said for title in self.titles):
                    return True
        return any(word in text and self._large(word, text) for word in self.words)

    def _large(self, word: str, text: str) -> bool:
        for found in _whole_word(word).finditer(text):
            before = text[: found.start()].split()[-1:]
            if not before or not before[0][:1].isupper() or before[0].lower() in _OPENERS:
                return True
        return False


def _folded(text: str) -> str:
    return f" {re.sub(r'[^a-z0-9]+', ' ', name_key(text))} "


@lru_cache(maxsize=4096)
def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


@lru_cache(maxsize=4096)
def _reader(claim: Claim) -> _Reader:
    titles: set[str] = set()
    for title in (title[:_LONGEST] for title in claim.titles[:_MOST_ITEMS]):
        titles.update(title_keys(title), subtitle_keys(title))
        titles.add(split_year(title)[0])
    several = {key for key in titles if len(_folded(key).split()) > 1}
    single = {
        word for title in claim.titles if len((word := split_year(title)[0]).split()) == 1 and word
    }
    value = _folded(claim.value).strip()
    names = {value, value.split()[-1]} if len(value.split()) > 1 else {value}
    return _Reader(
        _blanked(several), tuple(sorted(single)), _blanked(names), _patterns(claim.relation.lower())
    )


@lru_cache(maxsize=256)
def _patterns(relation: str) -> _Patterns:
    stem = next((start for start in _WORDS_OF if start in relation), "")
    related = _WORDS_OF.get(stem) or re.escape(" ".join(_folded(relation).split()) or "?")
    return _Patterns(
        re.compile(rf"\b(?:{related})", re.I),
        re.compile(_DENIAL.format(related=related, who=_WHO)),
        None if stem in _SEVERAL_BEAR else re.compile(_ATTRIBUTED.format(related=related)),
    )


def _blanked(names: set[str]) -> tuple[str, ...]:
    """Names folded, with a blank at either end, the longest first."""
    folded = {_folded(name).strip() for name in names}
    kept = sorted(filter(None, folded), key=lambda name: (-len(name), name))
    return tuple(f" {name} " for name in kept)
