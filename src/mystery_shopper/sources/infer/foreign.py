"""Column names in other languages than English, as far as a guess needs to know them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mystery_shopper.catalog.words import (
    block_names,
    list_names,
    shared_block,
    shared_words,
)
from mystery_shopper.sources.infer.names import singular, words_of

PRICES = (
    "preis",
    "prix",
    "precio",
    "prezzo",
    "prijs",
    "uvp",
    "msrp",
    "rrp",
    "price",
    "cost",
    "tarif",
)
YEARS = ("jahr", "année", "annee", "año", "ano", "anno", "jaar", "baujahr", "jahrgang")
DATES = ("datum", "date", "fecha", "data", "einführung", "einfuehrung", "seit")
SOLD = ("verkauft", "verkäufe", "verkaeufe", "absatz", "abverkauf", "bestellungen", "aufrufe",
        "ventes", "vendus", "vendidos", "ventas", "vendite", "verkocht")  # fmt: skip
STOCK = ("lagerbestand", "bestand", "lager", "vorrat", "lagermenge", "verfügbar", "verfuegbar",
         "verfügbarkeit", "verfuegbarkeit", "lieferbar", "lieferbarkeit", "lieferung", "versand",
         "disponibilité", "disponibilite", "disponible", "disponibilidad", "existencias", "stocks",
         "livraison", "entrega", "envío", "envio", "voorraad", "disponibilità")  # fmt: skip
_SECOND = ("uvp", "msrp", "rrp", "list", "listen", "old", "alt", "alter", "original", "regular",
           "was", "before", "streichpreis", "listenpreis", "altpreis", "ek", "einkaufspreis",
           "einkauf", "purchase", "wholesale", "cost", "recommended", "full", "retail", "ancien",
           "barré", "anterior")  # fmt: skip
_SHORT = 3


def speaks_of(words: Sequence[str], *known: str) -> bool:
    """Whether a word is one of those known, or a compound that ends in one: `Erscheinungsjahr`."""
    return any(
        word == one or (len(one) > _SHORT and len(word) > len(one) + 2 and word.endswith(one))
        for word in words
        for one in known
    )


def is_price(name: str) -> bool:
    """Whether a column is named like a price."""
    return speaks_of(tuple(map(singular, words_of(name))), *PRICES)


def is_second_price(name: str) -> bool:
    """Whether it is named like a price beside the one that customers pay."""
    return bool({*words_of(name)} & {*_SECOND})


def foreign_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names that are not English, where at least two of them, and a third of all, are not: they
    hold letters that English lacks, or none of their words is one that we know."""
    odd = tuple(name for name in names if _is_foreign(name))
    sure = any(not name.isascii() or speaks_of(words_of(name), *_SURE) for name in odd)
    return odd if sure and len(odd) >= 2 and 3 * len(odd) >= len(names) else ()


_SURE = (*YEARS[:3], *SOLD, *STOCK, "preis", "prix", "precio", "marke", "farbe", "marque",
         "couleur", "marca", "gewicht", "artikel", "bezeichnung", "hersteller", "werkstoff",
         "kategorie",
         "beschreibung", "größe", "groesse", "länge", "laenge", "nombre", "nom", "poids", "peso",
         "taille", "naam", "merk", "kleur", "warengruppe", "datum", "akku")  # fmt: skip


def _is_foreign(name: str) -> bool:
    words = words_of(name)
    if any(mark.isalpha() and not mark.isascii() for mark in name) or speaks_of(words, *_SURE):
        return True
    known = _english()
    spoken = [word for word in words if word.isalpha()]
    return bool(spoken) and not any(word in known or singular(word) in known for word in spoken)


@cache
def _english() -> frozenset[str]:
    """Every word of the shipped words."""
    lines = [line for name in list_names() for line in shared_words(name)]
    for block in map(shared_block, block_names()):
        lines += [*block.nouns, *block.phrases, *block.values]
    text = "".join(mark if mark.isalpha() else " " for line in lines for mark in f"{line} ")
    return frozenset((*text.lower().split(), *_COLUMNS))


_COLUMNS = frozenset(
    """id sku isbn ean title name description desc qty url image link date year count number num avg
    average rating ratings sold sales stock created updated code type status lang language genre
    author director runtime budget revenue votes vote popularity keywords tags available""".split()
)
