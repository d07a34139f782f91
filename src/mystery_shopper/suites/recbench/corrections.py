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
_CONTRAST = r" not (?:a |an |the |by |from |with |one of )?(?:{who}) "
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
class _Reader:
    """`titles`: keys of several words; `words`: titles of one word, as they are written."""

    titles: re.Pattern[str]
    words: re.Pattern[str]
    value: re.Pattern[str]
    relation: re.Pattern[str]
    denial: re.Pattern[str]
    contrast: re.Pattern[str]
    attributed: re.Pattern[str] | None

    def in_concern(self, concern: str) -> bool:
        said = _folded(concern[:MOST_TEXT])
        return self._item(concern[:MOST_TEXT]) or self.value.search(said) is not None

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
        if not item and not (self.value.search(all_said) and self.relation.search(all_said)):
            return False
        if _CORRECTION.search(plain) or _MEANT.search(plain):
            return True
        if self.denial.search(said) or (self.contrast.search(said) and item):
            return True
        if not item:
            return False
        if self.attributed is not None and self._other_maker(plain):
            return True
        related = self.relation.search(all_said) is not None
        return related and bool(_ACTUALLY.search(plain)) and not self.value.search(said)

    def _other_maker(self, sentence: str) -> bool:
        """Whether a sentence says that somebody else made it."""
        assert self.attributed is not None
        return any(
            not self.value.search(_folded(found["name"]))
            for found in self.attributed.finditer(sentence)
        )

    def _item(self, text: str) -> bool:
        """Whether a text names an item. A title of one word is one where it is written large and is
        no part of a longer name ("City Heat")."""
        if self.titles.search(_folded(text)) or self.titles.search(f" {title_key(text)} "):
            return True
        for found in self.words.finditer(text):
            before = text[: found.start()].split()[-1:]
            if not before or not before[0][:1].isupper() or before[0].lower() in _OPENERS:
                return True
        return False


def _folded(text: str) -> str:
    return f" {re.sub(r'[^a-z0-9]+', ' ', name_key(text))} "


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
    lowered = claim.relation.lower()
    stem = next((start for start in _WORDS_OF if start in lowered), "")
    related = _WORDS_OF.get(stem) or re.escape(" ".join(_folded(lowered).split()) or "?")
    who = (
        "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name) or "(?!)"
    )
    return _Reader(
        _any_of(several),
        re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(single))) or '(?!)'})(?!\w)"),
        _any_of(names),
        re.compile(rf"\b(?:{related})", re.I),
        re.compile(_DENIAL.format(related=related, who=who)),
        re.compile(_CONTRAST.format(who=who)),
        None if stem in _SEVERAL_BEAR else re.compile(_ATTRIBUTED.format(related=related)),
    )


def _any_of(names: set[str]) -> re.Pattern[str]:
    folded = {_folded(name).strip() for name in names}
    kept = sorted(filter(None, folded), key=lambda name: (-len(name), name))
    return re.compile(rf" (?:{'|'.join(map(re.escape, kept)) or '(?!)'}) ")
