"""Raw files and services to a catalogue, histories and reviews."""

from mystery_shopper.sources.films import FILM_SIZES, load_films, read_parquet

__all__ = ["FILM_SIZES", "load_films", "read_parquet"]
