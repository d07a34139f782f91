"""What queries are drawn from, worded with and held against: a shelf's graph, titles and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.suites.recbench.query import GENERATOR, UNCOUNTED_SINCE
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.wording import CheckedTemplates, Checker, TemplateWriter


@dataclass(frozen=True, eq=False)
class Ground:
    """A shelf as queries see it. What words them and what reads them know the same words."""

    shelf: Shelf

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue."""
        return self.shelf.catalogue

    @property
    def graph(self) -> ItemGraph:
        """The item graph. Raises InputError where the catalogue has no people or categories and
        brings no graph along."""
        return self.shelf.graph

    @property
    def titles(self) -> Sequence[str]:
        """The title of each item, by position; empty where it has none."""
        return self.shelf.reader.titles

    @cached_property
    def title_of(self) -> Mapping[str, str]:
        """Item id -> title."""
        return dict(zip(self.graph.items, self.titles, strict=True))

    @cached_property
    def checker(self) -> Checker:
        """Checks how a query is worded."""
        return Checker(self.graph, self.titles, self.shelf.reader.speech)

    @cached_property
    def templates(self) -> CheckedTemplates:
        """Words queries by templates whose texts pass the checks."""
        return self.templates_of(GENERATOR)

    def templates_of(self, generator: int) -> CheckedTemplates:
        """The templates of a version of the generator."""
        counted = generator < UNCOUNTED_SINCE
        writer = TemplateWriter(self.shelf.reader.speech, self.title_of, counted)
        return CheckedTemplates(writer, self.checker)
