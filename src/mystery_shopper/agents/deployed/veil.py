"""What must stay out of transcripts, logs and errors: secrets, hidden behind their names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from mystery_shopper.dialogue.limits import clean_arguments

SHORTEST = 4
"""A value of fewer characters is no secret: it stands in too many words."""
_WHOLE = 10**9


@dataclass
class Veil:
    """Puts a name in the place of each secret, in whatever spelling an answer may echo it."""

    names: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def over(cls, secrets: Mapping[str, str]) -> Veil:
        """Over variables of the environment: name -> value."""
        veil = cls()
        for name, value in secrets.items():
            veil.add(value, f"${{{name}}}")
        return veil

    def copy(self) -> Veil:
        """One that can be added to."""
        return Veil(dict(self.names))

    def add(self, secret: str, name: str, shortest: int = SHORTEST) -> None:
        """Hide one more secret."""
        if len(secret) >= shortest:
            for spelling in _spellings(secret):
                self.names.setdefault(spelling, name)

    def text(self, text: str) -> str:
        """The text without secrets, the longest hidden first."""
        for secret in sorted(self.names, key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, self.names[secret])
        return text

    def tree(self, value: object) -> object:
        """A JSON value without secrets, no deeper and larger than a transcript keeps."""
        return self._under(clean_arguments(value, _WHOLE))

    def _under(self, value: object) -> object:
        match value:
            case str():
                return self.text(value)
            case list():
                return [self._under(part) for part in value]
            case dict():
                return {self.text(str(key)): self._under(part) for key, part in value.items()}
            case _:
                return value


def _spellings(secret: str) -> Iterator[str]:
    yield secret
    yield quote(secret, safe="")
    for escaped in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", "\\/")
