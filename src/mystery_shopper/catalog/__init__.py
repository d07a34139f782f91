"""Items, predicates and the words of a catalogue."""

from mystery_shopper.catalog.catalogue import Catalogue, Item, build_catalogue
from mystery_shopper.catalog.domain import SHIPPED, Domain, FieldSpec, load_domain, parse_domain
from mystery_shopper.catalog.fields import Hierarchy, Kind, fold
from mystery_shopper.catalog.formats import format_choices, format_masks, formats_of
from mystery_shopper.catalog.predicates import Operator, Predicate, all_match

__all__ = [
    "SHIPPED",
    "Catalogue",
    "Domain",
    "FieldSpec",
    "Hierarchy",
    "Item",
    "Kind",
    "Operator",
    "Predicate",
    "all_match",
    "build_catalogue",
    "fold",
    "format_choices",
    "format_masks",
    "formats_of",
    "load_domain",
    "parse_domain",
]
