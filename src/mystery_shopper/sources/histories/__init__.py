"""Histories of users: who consumed what, when, how they liked it, and who they are."""

from mystery_shopper.sources.histories.account import HistoryReport
from mystery_shopper.sources.histories.amazon import load_amazon_books
from mystery_shopper.sources.histories.books import LoadedBooks
from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    OCCUPATIONS,
    Demographics,
    age_band,
)
from mystery_shopper.sources.histories.gathering import Loaded
from mystery_shopper.sources.histories.goodreads import load_goodreads
from mystery_shopper.sources.histories.histories import Histories
from mystery_shopper.sources.histories.joining import TitleIndex
from mystery_shopper.sources.histories.movielens import join_movielens_films, load_movielens
from mystery_shopper.sources.histories.movielens_small import load_movielens_small
from mystery_shopper.sources.histories.opening import open_histories
from mystery_shopper.sources.histories.own import load_histories
from mystery_shopper.sources.histories.synthetic import (
    Taste,
    load_synthetic,
    synthetic_people,
    synthetic_tastes,
)

__all__ = [
    "AGES",
    "GENDERS",
    "OCCUPATIONS",
    "Demographics",
    "Histories",
    "HistoryReport",
    "Loaded",
    "LoadedBooks",
    "Taste",
    "TitleIndex",
    "age_band",
    "join_movielens_films",
    "load_amazon_books",
    "load_goodreads",
    "load_histories",
    "load_movielens",
    "load_movielens_small",
    "load_synthetic",
    "open_histories",
    "synthetic_people",
    "synthetic_tastes",
]
