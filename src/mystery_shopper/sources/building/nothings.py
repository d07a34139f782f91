"""Texts by which files say that there is nothing: no value, or no way to have an item."""

from __future__ import annotations

from mystery_shopper.catalog import fold

NO_VALUES = frozenset(
    "na|n/a|n.a.|n. a.|n.a|#n/a|#na|<na>|nan|none|null|nil|unknown|undefined|unspecified|?|-|--|---"
    "|–|—|k.a.|k. a.|k.a|keine angabe|keine angaben|ohne angabe|o.a.|o. a.|unbekannt|n.v.|n. v."
    "|n/d|n.d.|n.c.|s/o|non renseigné|inconnu|inconnue|sin datos|desconocido|desconocida"
    "|sconosciuto|onbekend|n.b.".split("|")
)
"""Folded texts that stand for no value in some files."""
_GONE = frozenset(
    "out of stock|sold out|unavailable|not available|discontinued|not in stock|no stock|oos"
    "|currently unavailable|temporarily unavailable|no longer available|not deliverable"
    "|nicht lieferbar|nicht verfügbar|nicht verfuegbar|nicht vorrätig|nicht auf lager|ausverkauft"
    "|vergriffen|zurzeit nicht lieferbar|derzeit nicht lieferbar|momentan nicht lieferbar"
    "|nicht mehr lieferbar|derzeit nicht verfügbar|auslaufartikel|nein"
    "|épuisé|épuisée|en rupture|rupture de stock|en rupture de stock|indisponible|non disponible"
    "|agotado|agotada|sin stock|sin existencias|no disponible|esaurito|uitverkocht|no|none".split(
        "|"
    )
)


def says_gone(label: str) -> bool:
    """Whether the label of a way to have an item says that it cannot be had."""
    text = fold(label)
    return text in _GONE or text.startswith(
        ("out of stock", "sold out", "currently unavailable", "nicht lieferbar", "ausverkauft")
    )
