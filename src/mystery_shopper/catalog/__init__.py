"""Items, predicates and the words of a catalogue."""

from mystery_shopper.catalog.catalogue import Catalogue, Item, build_catalogue
from mystery_shopper.catalog.domain import SHIPPED, Domain, FieldSpec, load_domain, parse_domain
from mystery_shopper.catalog.fields import Hierarchy, Kind, fold
from mystery_shopper.catalog.formats import format_choices, format_masks, formats_of
from mystery_shopper.catalog.keyword import KeywordIndex
from mystery_shopper.catalog.predicates import Operator, Predicate, all_match
from mystery_shopper.catalog.structured import Filters, Page, StructuredIndex, UnknownLabel
from mystery_shopper.catalog.tokens import tokenize

__all__ = [
    "SHIPPED",
    "Catalogue",
    "Domain",
    "FieldSpec",
    "Filters",
    "Hierarchy",
    "Item",
    "KeywordIndex",
    "Kind",
    "Operator",
    "Page",
    "Predicate",
    "StructuredIndex",
    "UnknownLabel",
    "all_match",
    "build_catalogue",
    "fold",
    "format_choices",
    "format_masks",
    "formats_of",
    "load_domain",
    "parse_domain",
    "tokenize",
]
