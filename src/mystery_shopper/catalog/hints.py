"""Shipped words that a domain could take and does not."""

from __future__ import annotations

from functools import cache

from mystery_shopper.catalog.domain import FORMATS_FIELD, Domain
from mystery_shopper.catalog.fields import fold
from mystery_shopper.catalog.words import FieldWords, block_names, shared_block


def block_hints(domain: Domain) -> dict[str, str]:
    """Field (or the formats' name) -> what could be added, of those that customers speak of, that
    have no words of their own, and whose label is the noun of a shipped block."""
    spoken = {
        name: (domain.label(name), domain.fields[name].words) for name in domain.requirement_fields
    }
    if domain.formats is not None:
        spoken[FORMATS_FIELD] = (domain.formats.label, domain.formats.words)
    found = {name: _hint(label, words) for name, (label, words) in spoken.items()}
    return {name: hint for name, hint in found.items() if hint}


def labels_only(words: FieldWords) -> bool:
    """Whether a field can be asked about by its label and its values only."""
    return not any(block.nouns or block.phrases for block in words.blocks())


def _hint(label: str, words: FieldWords) -> str:
    block = _blocks().get(fold(label))
    if block is None or not labels_only(words):
        return ""
    return f"the label {label!r} has a shipped block: add `words: {{also: [{block}]}}`"


@cache
def _blocks() -> dict[str, str]:
    """Noun -> the block that has it; a block's own name goes before another's nouns."""
    found = {name.replace("_", " "): name for name in block_names()}
    for name in block_names():
        for noun in shared_block(name).nouns:
            if noun.replace(" ", "").isalpha():
                found.setdefault(noun, name)
    return found
