"""Misspelt words: one letter added, left out, changed, or two neighbours swapped."""

from __future__ import annotations

from collections.abc import Mapping

SHORTEST = 5


class Typos:
    """Words to be recognised although misspelt, each with its field.

    Works by deletions: two words are one slip apart when they share a form with at most one letter
    left out. Words of fewer than five letters are taken only as they are, for so many other words
    lie beside them.
    """

    def __init__(self, words: Mapping[str, int]) -> None:
        self._forms: dict[str, str] = {}
        self._fields = {word: field for word, field in words.items() if len(word) >= SHORTEST}
        for word in self._fields:
            for form in _forms(word):
                self._forms.setdefault(form, word)

    def field(self, token: str) -> int | None:
        """The field whose word the token may stand for, or None."""
        if not SHORTEST - 1 <= len(token) <= 16:
            return None
        if token in self._fields:
            return self._fields[token]
        forms = self._forms
        for form in _forms(token):
            word = forms.get(form)
            if word is not None and word[0] == token[0] and _near(word, token):
                return self._fields[word]
        return None


def _forms(word: str) -> list[str]:
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


def _near(word: str, token: str) -> bool:
    """Whether one slip leads from one to the other."""
    if abs(len(word) - len(token)) == 1:
        return True
    if len(word) != len(token):
        return False
    differ = [at for at in range(len(word)) if word[at] != token[at]]
    if len(differ) == 1:
        return True
    return (
        len(differ) == 2
        and differ[1] == differ[0] + 1
        and word[differ[0]] == token[differ[1]]
        and word[differ[1]] == token[differ[0]]
    )
