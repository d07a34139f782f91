"""Checks in code of how a query is worded, whoever worded it.

A wording names every stated value; of a reference it names the items and never the value; a claim
it makes, as a fact, and does not correct; it names no item but those the query lists, and none of
the answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.query import Given, Part, Query
from mystery_shopper.suites.recbench.wording import sighting
from mystery_shopper.suites.recbench.wording.reading import Reader, Reading
from mystery_shopper.suites.recbench.wording.speech import Speech

LONGEST_WORDING = 1_500
"""Characters that a wording may have."""


class Fault(StrEnum):
    """What is wrong with a wording."""

    FORM = "no request of a person's"
    UNNAMED = "a value is not named"
    GIVEN_AWAY = "the value that is only referred to is given away"
    MISSING = "an item that must be named is not"
    UNCLAIMED = "the claim is not made"
    CORRECTED = "the claim is corrected"
    HEDGED = "the claim is not made as a fact"
    UNLISTED = "an item is named that the query does not list"
    LEAK = "an item of the answer is named"
    ADDED = "a condition is added"

    @property
    def hides_detail(self) -> bool:
        """Whether the detail of such a problem tells what a writer is not to know."""
        return self in (Fault.GIVEN_AWAY, Fault.CORRECTED, Fault.LEAK)


@dataclass(frozen=True)
class Problem:
    """One fault of a wording, and what shows it."""

    fault: Fault
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.fault.value}: {self.detail}" if self.detail else self.fault.value


_FORM = re.compile(
    r"```|<\|?/?\w+|\A\s*[\[{]|\A\W*(?:query|request|output|user|wording|text)\W*:|\[mask\]"
    r"|\b(?:facts|wanted|tone|message|style)\s*:"
    r"|\bthe (?:person|user) (?:is|has|knows|wants|asks)\b|\berror info\b|\bplaceholder\b"
    r"|\b(?:here(?:'s| is)|sure|certainly)\b[^.!?]{0,60}:|\bas an ai\b"
    r"|\bi(?:'d)? recommend\b|\byou (?:might|may) (?:also )?(?:like|enjoy|love)\b",
    re.I,
)
"""What shows that a text is no person's request: markup, our own instructions, an answer."""
_ASKING = re.compile(
    r"\b(?:want|look|looking|recommend|suggest|find|need|another|others?|more|similar|something"
    r"|anything|would|could|please|any|after|but)\b",
    re.I,
)
_DOUBT = re.compile(
    r"\b(?:i think|i believe|i guess|maybe|perhaps|not (?:quite |entirely )?sure|unsure"
    r"|if i(?:'m not mistaken| remember| recall)|apparently|supposedly|allegedly|reportedly"
    r"|correct me|right\?|isn't it|wasn't it|didn't (?:he|she|they)\b)",
    re.I,
)
_RIGHTING = re.compile(
    r"\b(?:actually|mistak\w+|wrong\w*|incorrect\w*|misinform\w*|misattribut\w+|confus\w+|mix\w* up"
    r"|contrary to|in truth|in reality|truth is|turns? out)\b",
    re.I,
)
_TIES = (" by ", "'s ", "’s ")
_ITEM, _VALUE = "\ue001", "\ue002"


@dataclass(frozen=True, eq=False)
class Checker:
    """Checks wordings of queries about the items of a graph. `titles`: by position."""

    graph: ItemGraph
    titles: Sequence[str]
    speech: Speech

    def check(self, query: Query, text: str | None = None) -> tuple[Problem, ...]:
        """The problems of a query's text, or of another text for it; none where it is sound."""
        worded = query.text if text is None else text
        if not any(letter.isalpha() for letter in worded):
            return (Problem(Fault.FORM, "it is empty"),)
        if len(worded) > LONGEST_WORDING:
            return (Problem(Fault.FORM, f"it has {len(worded):,} characters"),)
        plain = sighting.undisguised(worded)
        names = [*self._titles(query.named), *(part.value for part in query.parts)]
        odd = _FORM.search(sighting.without(plain, names, _ITEM))
        if odd:
            return (Problem(Fault.FORM, odd[0].strip()),)
        read = self._reader.read(plain)
        found = [
            *self._value_problems(query, plain),
            *self._item_problems(query, plain),
            *_added(query, read),
        ]
        for part in query.parts:
            if part.given is Given.REFERENCE:
                found += self._given_away(query, part, plain)
            elif part.given is Given.CLAIM:
                found += self._claim_problems(query, part, plain, read)
        return tuple(dict.fromkeys(found))

    def told(self, query: Query) -> list[str]:
        """The problems of a query's text in words, as `prove_queries` asks for them."""
        return [str(problem) for problem in self.check(query)]

    # --- values ---------------------------------------------------------------------------------

    def _value_problems(self, query: Query, text: str) -> Iterator[Problem]:
        outside = sighting.without(text, self._titles(query.named))
        for part in query.parts:
            if part.given is not Given.REFERENCE and not sighting.names(outside, part.value):
                yield Problem(Fault.UNNAMED, part.value)
        traits = query.profile.traits if query.profile is not None else ()
        if traits and not any(
            sighting.names(outside, spelling)
            for trait in traits
            for spelling in (trait.value, *self._kin(trait.relation, trait.value))
        ):
            yield Problem(Fault.UNNAMED, " or ".join(trait.value for trait in traits))

    def _given_away(self, query: Query, part: Part, text: str) -> Iterator[Problem]:
        others = [other.value for other in query.parts if other is not part]
        outside = sighting.without(text, [*self._titles(query.named), *others])
        value = part.value
        squashed = re.sub(r"\W", "", name_key(value))
        if (
            sighting.names(outside, value)
            or sighting.shows_stem(outside, value)
            or (len(squashed) >= 8 and squashed in re.sub(r"\W", "", name_key(outside)))
        ):
            yield Problem(Fault.GIVEN_AWAY, value)
            return
        for word in self._kin(part.relation, value):
            if sighting.names(outside, word):
                yield Problem(Fault.GIVEN_AWAY, word)
        for name in self._parts(part.relation).telling(value):
            if sighting.shows_part(outside, name):
                yield Problem(Fault.GIVEN_AWAY, name)

    def _kin(self, relation: str, value: str) -> tuple[str, ...]:
        words = self.speech.relations.get(relation)
        return words.kin.get(name_key(value), ()) if words is not None else ()

    @cached_property
    def _parts(self) -> Callable[[str], sighting.NameParts]:
        @cache
        def parts_of(relation: str) -> sighting.NameParts:
            return sighting.NameParts(self.graph.values(relation))

        return parts_of

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.graph, self.titles, self.speech)

    # --- items ----------------------------------------------------------------------------------

    def _titles(self, items: Iterable[str]) -> list[str]:
        return [self.titles[self.graph.position_of[item]] for item in items]

    def _item_problems(self, query: Query, text: str) -> Iterator[Problem]:
        named = self._titles(query.named)
        for title in named:
            if not sighting.shows_title(text, title):
                yield Problem(Fault.MISSING, title)
        values = [part.value for part in query.parts if part.given is not Given.REFERENCE]
        answers = {*query.own, *query.matching}
        if query.profile is not None:
            values += [trait.value for trait in query.profile.traits]
            answers |= set(query.profile.listed)
        # Quotation marks within a name or a title set nothing off.
        bare = sighting.unquoted(text, [*named, *values])
        quoted = {name_key(one): one for one in sighting.quoted_texts(bare)}
        # A group's own words may stand in quotation marks.
        if query.profile is not None:
            for value in query.profile.group.values():
                quoted.pop(name_key(value), None)
        for title in (*named, *values):
            quoted.pop(name_key(sighting.unquoted(title, [title])), None)
        rest = sighting.without(text, [*named, *values])
        leaked = {
            name_key(title)
            for title in self._titles(sorted(answers - set(query.named)))
            if title and (name_key(title) in quoted or sighting.shows_title(rest, title))
        }
        for key in sorted(leaked):
            yield Problem(Fault.LEAK, key)
        for key, one in quoted.items():
            if key not in leaked and not any(key in name_key(title) for title in named):
                yield Problem(Fault.UNLISTED, one)
        for run in sighting.capitalised_runs(rest):
            if name_key(run) in self._known and name_key(run) not in leaked:
                yield Problem(Fault.UNLISTED, run)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(name_key(title) for title in self.titles if title)

    # --- claims ---------------------------------------------------------------------------------

    def _claim_problems(
        self, query: Query, part: Part, text: str, read: Reading
    ) -> Iterator[Problem]:
        claimed = {
            item
            for claim in read.claims
            if claim.condition == part.condition
            for item in claim.items
        }
        for item in part.through:
            if item not in claimed and not self._claims(part, item, query, text):
                yield Problem(Fault.UNCLAIMED, self._titles([item])[0])
        others = [other.value for other in query.parts]
        outside = sighting.without(text, [*self._titles(query.named), *others], _ITEM)
        for pattern, fault in ((_DOUBT, Fault.HEDGED), (_RIGHTING, Fault.CORRECTED)):
            found = pattern.search(outside)
            if found:
                yield Problem(fault, found[0])
        cues = [re.escape(cue) for cue in self._cues(part) if cue.isalpha()]
        denied = re.search(
            rf"(?:\bnot\b|n['’]t\b|\bnever\b)(?: \w+){{0,2}}? (?:{'|'.join([*cues, 'by'])})\w*",
            outside,
            re.I,
        )
        if denied:
            yield Problem(Fault.CORRECTED, denied[0])
        for item in part.through:
            position = self.graph.position_of[item]
            for value in self.graph.values_of(position, part.relation):
                if sighting.names(outside, value) and Condition(part.relation, value) not in (
                    query.conditions
                ):
                    yield Problem(Fault.CORRECTED, value)

    def _cues(self, part: Part) -> tuple[str, ...]:
        words = self.speech.relations.get(part.relation)
        return words.cues if words is not None else ()

    def _claims(self, part: Part, item: str, query: Query, text: str) -> bool:
        """Whether item and value stand together, tied by a word of the relation, without a request
        between them."""
        marked = sighting.without(text, self._titles([item]), _ITEM)
        marked = sighting.without(marked, self._titles(query.named))
        marked = sighting.without(marked, [part.value], _VALUE)
        items = [place for place, letter in enumerate(marked) if letter == _ITEM]
        values = [place for place, letter in enumerate(marked) if letter == _VALUE]
        return any(self._tied(part, marked, *sorted((a, b))) for a in items for b in values)

    def _tied(self, part: Part, marked: str, start: int, end: int) -> bool:
        between = marked[start + 1 : end]
        if _ASKING.search(between) or len(re.findall(r"[.!?]\s", between)) > 1:
            return False
        behind = re.split(r"[.!?,;](?:\s|$)", marked[end + 1 :])[0]
        near = f"{between} {behind}".lower()
        return any(cue.lower() in near for cue in (*self._cues(part), *_TIES))


def _added(query: Query, read: Reading) -> Iterator[Problem]:
    """Conditions that the reader finds beside the query's."""
    known = {name_key(part.value) for part in query.parts}
    if query.profile is not None:
        known |= {name_key(trait.value) for trait in query.profile.traits}
    for condition in read.stated:
        if name_key(condition.value) not in known:
            yield Problem(Fault.ADDED, f"{condition.relation}: {condition.value}")
