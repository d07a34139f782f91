"""Wording queries by templates of our own: the default writer.

A request is put together from parts that are drawn: a greeting, a situation, what is loved, asked
or claimed, the conditions in one of several places, a last word. The same query and seed give the
same text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mystery_shopper.foundation import random_source
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style
from mystery_shopper.suites.recbench.wording.nounphrase import (
    Piece,
    Wanted,
    phrase,
    wanted,
    with_article,
)
from mystery_shopper.suites.recbench.wording.phrases import (
    agreeing,
    expanded,
    filled,
    listed,
    quoted,
    spoken,
)
from mystery_shopper.suites.recbench.wording.selves import self_described
from mystery_shopper.suites.recbench.wording.speech import RelationWords, Speech, shipped

_GREETED = 0.2
_CLOSED = 0.25
_LEAD = 25
"""Characters within which a sentence of its own leads in with a colon; no greeting stands there."""
_MANY = 0.5
_ANOTHER = 0.5


@dataclass(frozen=True)
class TemplateWriter:
    """Words queries. `titles`: item id -> what the item is called. `counted`: a request may name a
    number of items ("two or three"), as in sets of the first generator. It is a `Writer` of the
    draw."""

    speech: Speech
    titles: Mapping[str, str]
    counted: bool = False

    def __call__(self, query: Query, seed: int) -> str:
        """The text of a query. Raises KeyError where a named item has no title."""
        source = random_source("recbench", "template", query.kind, query.id, seed)
        return _Request(query, self, source).text()

    @cached_property
    def lists(self) -> Mapping[str, Sequence[str]]:
        """The lists that patterns name."""
        lists = self.speech.requests.lists
        return lists if self.counted else lists | shipped("uncounted", dict[str, tuple[str, ...]])


@dataclass
class _Request:
    query: Query
    writer: TemplateWriter
    source: random.Random
    should: str = ""
    """The sentence that follows, if the conditions were split."""
    slots: dict[str, Callable[[], str]] = field(default_factory=dict[str, Callable[[], str]])

    def text(self) -> str:
        requests, query = self.writer.speech.requests, self.query
        self._fill_slots()
        sentences: list[str] = []
        if query.kind is Kind.DEMOGRAPHICS:
            sentences += self._self_told()
        else:
            if query.style is Style.SITUATIONAL:
                sentences.append(self._said(requests.situations))
            if query.kind is Kind.MISINFORMED:
                sentences.append(self._said(requests.claims))
            elif query.kind is Kind.INTEREST and query.named:
                sentences.append(self._said(requests.named))
            if query.kind is Kind.INTEREST and not query.named:
                sentences.append(self._said(requests.streaks))
            else:
                sentences += self._asked()
        if self.source.random() < _CLOSED:
            sentences.append(self._said(requests.lists["closer"]))
        greeting = ""
        if self.source.random() < _GREETED and ":" not in sentences[0][:_LEAD]:
            greeting = self.source.choice(requests.lists["greeting"])
        return greeting + " ".join(sentences)

    def _said(self, patterns: Sequence[str]) -> str:
        return expanded(self.source.choice(patterns), self.writer.lists, self.slots, self.source)

    def _asked(self) -> list[str]:
        requests = self.writer.speech.requests
        many = self.source.random() < _MANY
        ask = self._said(requests.ask_many if many else requests.ask_one)
        return [ask, self.should] if self.should else [ask]

    def _self_told(self) -> list[str]:
        requests = self.writer.speech.requests
        situational = self.query.style is Style.SITUATIONAL
        patterns = requests.self_situations if situational else requests.selves
        pattern = self.source.choice(patterns)
        told = self._said([pattern])
        if "{many}" in pattern or "{kind}" in pattern:
            return [told, self.should] if self.should else [told]
        return [told, *self._asked()]

    # --- slots ----------------------------------------------------------------------------------

    def _fill_slots(self) -> None:
        speech = self.writer.speech
        activity = speech.activity
        noun, nouns = self.source.choice(speech.nouns)
        texts = {
            "noun": noun,
            "nouns": nouns,
            "watch": activity.watch,
            "watching": activity.watching,
            "watched": activity.watched,
        }
        named = self._titles(self.query.named)
        if named:
            texts |= agreeing(len(named)) | {"named": listed([quoted(t) for t in named])}
        if self.query.profile is not None:
            group = self.query.profile.group
            texts["who"] = self_described(group, self.source)
        self.slots |= {name: (lambda text=text: text) for name, text in texts.items()}
        self.slots |= {
            "one": lambda: self._one(noun),
            "many": lambda: self._wanted(nouns, "They"),
            "kind": lambda: phrase(self._drawn(split=False), nouns, ""),
            "claim": lambda: self._claimed(lambda words: words.claim),
            "fact": lambda: self._claimed(lambda words: words.fact),
        }

    def _titles(self, items: Sequence[str]) -> list[str]:
        return [self.writer.titles[item] for item in items]

    def _one(self, noun: str) -> str:
        """With "another" only where the claim says all that is wanted."""
        text = self._wanted(noun, "It")
        claimed = [part for part in self.query.parts if part.given is Given.CLAIM]
        if len(claimed) == len(self.query.parts) > 0 and self.source.random() < _ANOTHER:
            return f"another {text}"
        return with_article(text)

    def _drawn(self, *, split: bool) -> Wanted:
        return wanted(self._pieces(), self.writer.speech, self.source, split=split)

    def _wanted(self, noun: str, subject: str) -> str:
        lists = self.writer.speech.requests.lists
        want = self._drawn(split=True)
        if want.must:
            verbs = lists["should" if subject == "It" else "they_should"]
            if want.must[0].startswith("have "):
                verbs = [verb for verb in verbs if not verb.startswith("ha")]
            verb = self.source.choice(verbs)
            self.should = filled("{s} {v} {m}.", {"s": subject, "v": verb, "m": listed(want.must)})
        return phrase(want, noun, self.source.choice(lists["good"]))

    def _pieces(self) -> list[Piece]:
        query = self.query
        pieces = [
            Piece(part.relation, titles=tuple(self._titles(part.through)))
            if part.given is Given.REFERENCE
            else Piece(part.relation, (part.value,))
            for part in query.parts
        ]
        traits = query.profile.traits if query.profile is not None else ()
        return pieces + [Piece(trait.relation, (trait.value,)) for trait in traits]

    def _claimed(self, patterns_of: Callable[[RelationWords], tuple[str, ...]]) -> str:
        part: Part = next(part for part in self.query.parts if part.given is Given.CLAIM)
        words = self.writer.speech.relations[part.relation]
        titles = self._titles(part.through)
        slots = agreeing(len(titles)) | {
            "titles": listed([quoted(title) for title in titles]),
            "value": spoken(part.value, words),
        }
        return filled(self.source.choice(patterns_of(words)), slots)
