"""Items, predicates and the words of a catalogue."""

from mystery_shopper.catalog.bounds import bounds_of
from mystery_shopper.catalog.catalogue import (
    Catalogue,
    Item,
    assemble_catalogue,
    build_catalogue,
    id_problem,
)
from mystery_shopper.catalog.domain import SHIPPED, Domain, load_domain, parse_domain
from mystery_shopper.catalog.fields import Hierarchy, Kind, fold
from mystery_shopper.catalog.folder import open_catalogue, save_catalogue
from mystery_shopper.catalog.formats import format_choices, format_masks, formats_of
from mystery_shopper.catalog.graph import Condition, ItemGraph, UnknownRelation
from mystery_shopper.catalog.kept import keyword_index
from mystery_shopper.catalog.keyword import KeywordIndex
from mystery_shopper.catalog.predicates import Operator, Predicate, all_match
from mystery_shopper.catalog.specs import FieldSource, FieldSpec, Formats, Policies
from mystery_shopper.catalog.structured import Filters, Page, StructuredIndex, UnknownLabel
from mystery_shopper.catalog.tokens import tokenize

__all__ = [
    "SHIPPED",
    "Catalogue",
    "Condition",
    "Domain",
    "FieldSource",
    "FieldSpec",
    "Filters",
    "Formats",
    "Hierarchy",
    "Item",
    "ItemGraph",
    "KeywordIndex",
    "Kind",
    "Operator",
    "Page",
    "Policies",
    "Predicate",
    "StructuredIndex",
    "UnknownLabel",
    "UnknownRelation",
    "all_match",
    "assemble_catalogue",
    "bounds_of",
    "build_catalogue",
    "fold",
    "format_choices",
    "format_masks",
    "formats_of",
    "id_problem",
    "keyword_index",
    "load_domain",
    "open_catalogue",
    "parse_domain",
    "save_catalogue",
    "tokenize",
]
