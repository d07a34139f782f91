"""What a field is called, told from nothing but its label, its name and its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from mystery_shopper.catalog.domain import FORMATS_FIELD, Domain
from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.specs import FieldSpec
from mystery_shopper.catalog.words import shared_words
from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.grammar import (
    AUXILIARIES,
    CLAUSE_STARTS,
    PREPOSITIONS,
    SUBJECTS,
    WH,
)
from mystery_shopper.suites.tau_rec.asks.patterns import ANCHORED, Phrases
from mystery_shopper.suites.tau_rec.asks.tokens import tokenise

ORDERED = (
    "(minimum|maximum|lower|upper|at least|at most|earliest|latest) {field}",
    "{field} (range|limit|bound|minimum|maximum)",
    "(before|after|under|over|below|above|at least|at most|between|up to) {field}",
)
"""What names an ordered field by its bounds."""

COUNTED = "how (much|many|few|little) {field}"
"""A phrase for a field that counts or weighs something."""

_UNIT = frozenset(
    "mm cm m km inch inches ft feet mg g kg lb lbs oz ml cl l litres liters eur gbp usd pct "
    "percent euro euros pounds dollars hours minutes days w kw watts v".split()
)
_LEADS = frozenset("is are has have was can with allows includes contains".split())
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_SHORTEST = 3


def plain(text: str) -> str:
    """A phrase as it stands among tokens, without punctuation."""
    return " ".join(token for token in tokenise(text)[0] if token[-1].isalnum())


def with_plural(noun: str) -> tuple[str, ...]:
    """A noun and its plural; patterns that end in a group are left as they are."""
    last = noun[-1:]
    if not last.isalpha() or last == "s":
        return (noun,)
    if last == "y" and noun[-2:-1] not in "aeiou":
        return (noun, noun[:-1] + "ies")
    if last in "xz" or noun[-2:] in ("ch", "sh"):
        return (noun, noun + "s", noun + "es")
    return (noun, noun + "s")


def singular(noun: str) -> str:
    """The singular of a noun that looks like a plural, else the noun."""
    if len(noun) <= _SHORTEST or noun[-2:] in ("ss", "us", "is") or noun[-1] != "s":
        return noun
    if noun.endswith("ies") and len(noun) > _SHORTEST + 1:
        return noun[:-3] + "y"
    if noun[-4:] in ("ches", "shes", "sses") or noun.endswith("xes"):
        return noun[:-2]
    return noun[:-1]


def forms_of(label: str) -> tuple[str, ...]:
    """The label with and without what stands in brackets, a unit at its end or an "is" before it,
    in the singular and the plural, its words apart and joined."""
    whole = plain(label)
    found = [whole]
    if whole.replace(" ", "") != plain(_CAMEL.sub(" ", label)).replace(" ", " "):
        found.append(plain(_CAMEL.sub(" ", label)))
    found.append(plain(_BRACKETED.sub(" ", label)))
    for form in tuple(found):
        words = form.split()
        if len(words) > 1 and words[-1] in _UNIT:
            found.append(" ".join(words[:-1]))
        if len(words) > 1 and words[0] in _LEADS:
            found.append(" ".join(words[1:]))
        if len(words) == 2 and all(word.isalpha() for word in words):
            found.append("".join(words))
    found.extend([singular(form) for form in found])
    both = (one for form in dict.fromkeys(found) for one in with_plural(form))
    return tuple(form for form in dict.fromkeys(both) if form)


def own_nouns(domain: Domain) -> dict[str, tuple[str, ...]]:
    """Field that carries requirements, or the formats -> what it is called by label and by name.

    A shortened form, or a field's name, is left out where it is what another field is called, and
    so is a label that is a word of grammar, which would be heard in every sentence.
    """
    labels = {name: domain.label(name) for name in domain.requirement_fields}
    if domain.formats is not None:
        labels[FORMATS_FIELD] = domain.formats.label
    whole = {field: with_plural(plain(label)) for field, label in labels.items()}
    taken = {noun: field for field, nouns in reversed(whole.items()) for noun in nouns}
    found: dict[str, tuple[str, ...]] = {}
    for field, label in labels.items():
        forms = list(forms_of(label))
        if field in domain.fields and len(field) >= _SHORTEST:
            forms.extend(forms_of(field.replace("_", " ")))
        flag = field in domain.fields and domain.fields[field].kind is Kind.FLAG
        free = (
            form
            for form in forms
            if taken.get(form, field) == field and not (flag and form in COMMON)
        )
        found[field] = tuple(dict.fromkeys((*whole[field], *free)))
        for form in found[field]:
            taken.setdefault(form, field)
    return {
        field: tuple(noun for noun in nouns if noun and noun not in _GRAMMAR)
        for field, nouns in found.items()
    }


_GRAMMAR = (
    AUXILIARIES
    | SUBJECTS
    | WH
    | PREPOSITIONS
    | {word for word in CLAUSE_STARTS if word.isalpha()}
    | set("for as if than me us them him her more most be been you your".split())
)


def measures_of(noun: str, measures: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Phrases like "how wide" for a noun that ends in a measure like "width"."""
    adjectives = measures.get(noun.split()[-1], ())
    return (f"how ({'|'.join(adjectives)})",) if adjectives else ()


def flag_words(spec: FieldSpec) -> tuple[str, ...]:
    """What the phrases for a flag say of an item: "second hand", "new"."""
    if spec.kind is not Kind.FLAG:
        return ()
    stated = (_SAID.sub("", phrase.lower()) for phrase in spec.say.values())
    return tuple(word for phrase in stated if (word := plain(phrase)))


_SAID = re.compile(
    r"^it (?:should|must|has to|needs to) (?:not )?(?:be |have |come with )?(?:an? )?"
)
_JOINING = frozenset("or and not no nor but if so any some please".split())


class Aliases:
    """Labels that hold signs or words of grammar, each read as one coined word.

    "Size (cm)" and "made to order" would else be taken apart. `nouns`: coined word -> field.
    """

    def __init__(self, labels: Mapping[str, str], grammar: Phrases) -> None:
        self.nouns: dict[str, str] = {}
        coined: list[tuple[str, str]] = []
        for field, label in labels.items():
            if _is_awkward(label, grammar):
                word = _coin(len(coined))
                self.nouns[word] = field
                coined.append((label, word))
        coined.sort(key=lambda pair: len(pair[0]), reverse=True)
        self._words = [word for _, word in coined]
        parts = (f"({_pattern(label)})" for label, _ in coined)
        self._pattern = re.compile("|".join(parts), re.I) if coined else None

    def put(self, text: str) -> str:
        """The text with the coined words in place of the labels."""
        if self._pattern is None:
            return text
        words = self._words
        return self._pattern.sub(lambda found: words[(found.lastindex or 1) - 1], text)


def _is_awkward(label: str, grammar: Phrases) -> bool:
    tokens = tokenise(label)[0]
    if not any(token[0].isalnum() for token in tokens):
        return False
    if any(not (part.isalnum() or part in " -_") for part in label.strip()):
        return True
    tokens = tokens[1:] if tokens[0] in _LEADS else tokens
    if len(tokens) < 2:
        return False
    loaded = AUXILIARIES | WH | _JOINING
    grammar.find(tokens, found := [])
    signs = any(start == 0 or field != ANCHORED for start, _, _, field in found)
    return signs or not loaded.isdisjoint(tokens)


def _coin(number: int) -> str:
    letters = ""
    while True:
        number, rest = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[rest]
        if not number:
            return f"zq{letters}"


def _pattern(label: str) -> str:
    """Where the label stands, whatever its case, with its apostrophes and gaps in any guise."""
    label = label.strip(" _-")
    parts = re.split(r"([\s_-]+|['’])", label)
    text = "".join(
        "['’]" if part in ("'", "’") else re.escape(part) if not at % 2 else r"[\s_-]+"
        for at, part in enumerate(parts)
    )
    before = r"(?<![^\W_])" if label[0].isalnum() else ""
    after = r"(?:s(?![^\W_])|(?![^\W_]))" if label[-1].isalnum() else ""
    return f"{before}{text}{after}"


@cache
def everyday() -> frozenset[str]:
    """Words that a message holds whatever it is about."""
    return COMMON | frozenset(word for line in shared_words("everyday") for word in line.split())


def are_everyday(words: Iterable[str], known: frozenset[str]) -> bool:
    """Whether none of the words tells of a name."""
    return all(word in known for word in words)
