"""Raw files and services to a catalogue, histories and reviews."""

from mystery_shopper.sources.films import FILM_SIZES, load_films, read_parquet
from mystery_shopper.sources.shop import load_shop

__all__ = ["FILM_SIZES", "load_films", "load_shop", "read_parquet"]
