"""Phrases found in a list of tokens.

The notation is that of `mystery_shopper.catalog.words`: words, `(a|b c|)`, `*` and `{list}`. All
patterns form one automaton over words; its deterministic states are worked out as texts visit them,
so a pattern costs little until it is met, and their number is bounded by the patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Mark = tuple[int, int, int, int]
"""Where a phrase begins, where it ends (exclusive), its sign, and the field it belongs to."""

EVERY = -1
"""The field of marks that concern no field or all of them."""

ANCHORED = -2
"""The field of a mark that counts only where a clause begins."""

FREE = 256
"""From this number on stand the fields of which nothing is ever required."""

REQUIRED = (1 << FREE) - 1
"""The bits of the other fields."""

GAP = 5
_ANY = "*"


class _State:
    """A set of places in the patterns that the words read so far lead to."""

    __slots__ = ("next", "others", "places", "signs")

    def __init__(self, places: frozenset[int], signs: tuple[tuple[int, int], ...]) -> None:
        self.places = places
        self.signs = signs
        self.next: dict[str, _State | None] = {}
        self.others: dict[bool, _State | None] = {}


class Phrases:
    """A set of patterns, each with a sign and a field."""

    def __init__(self, lists: Callable[[str], Iterable[str]]) -> None:
        self._lists = lists
        self._edges: list[dict[str, list[int]]] = [{}]
        self._signs: list[list[tuple[int, int]]] = [[]]
        self._alphabet: set[str] = set()
        self._states: dict[frozenset[int], _State] = {}
        self._heads: dict[str, _State | None] = {}

    def add(self, pattern: str, sign: int, field: int = EVERY) -> None:
        """Enter a pattern. Raises ValueError on an unknown list."""
        for place in self._extend({0}, pattern):
            if place and (sign, field) not in self._signs[place]:
                self._signs[place].append((sign, field))
        self._states.clear()
        self._heads.clear()

    def freeze(self) -> None:
        """Make ready to find. No pattern is entered afterwards."""
        self._heads = dict.fromkeys(self._edges[0])
        for word in self._heads:
            self._heads[word] = self._reach((0,), word)

    def _extend(self, places: set[int], pattern: str) -> set[int]:
        for part in _split(pattern.replace("(", " (").replace(")", ") "), " "):
            if not part:
                continue
            if part == _ANY:
                for _ in range(GAP):
                    places = places | {self._place(places, _ANY)}
            elif part[0] == "(" and len(part) > 1:
                options = _split(part[1:-1], "|")
                places = {end for option in options for end in self._extend(places, option)}
            elif part[0] == "{":
                options = self._lists(part[1:-1])
                places = {end for option in options for end in self._extend(places, option)}
            else:
                places = {self._place(places, part)}
        return places

    def _place(self, before: set[int], word: str) -> int:
        new = len(self._edges)
        self._edges.append({})
        self._signs.append([])
        self._alphabet.add(word)
        for place in before:
            self._edges[place].setdefault(word, []).append(new)
        return new

    def _reach(self, places: Iterable[int], word: str) -> _State | None:
        """The state that `word` leads to."""
        reached: set[int] = set()
        free = word[0].isalnum()
        for place in places:
            edges = self._edges[place]
            reached.update(edges.get(word, ()))
            if free and _ANY in edges:
                reached.update(edges[_ANY])
        if not reached:
            return None
        key = frozenset(reached)
        state = self._states.get(key)
        if state is None:
            signs = dict.fromkeys(sign for place in sorted(key) for sign in self._signs[place])
            state = self._states[key] = _State(key, tuple(signs))
        return state

    def find(self, tokens: Sequence[str], found: list[Mark]) -> None:
        """Append every mark in `tokens`, in the order of where they begin."""
        heads = self._heads
        size = len(tokens)
        for start, token in enumerate(tokens):
            state = heads.get(token)
            end = start
            while state is not None:
                end += 1
                for sign, field in state.signs:
                    found.append((start, end, sign, field))
                if end == size:
                    break
                token = tokens[end]
                state = state.next[token] if token in state.next else self._step(state, token)

    def _step(self, state: _State, token: str) -> _State | None:
        if token in self._alphabet:
            following = state.next[token] = self._reach(state.places, token)
            return following
        others = state.others
        free = token[0].isalnum()
        if free not in others:
            others[free] = self._reach(state.places, token)
        return others[free]


def _split(text: str, separator: str) -> list[str]:
    """Split outside brackets."""
    if "(" not in text:
        return text.split(separator)
    parts: list[str] = []
    depth = start = 0
    for position, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts
