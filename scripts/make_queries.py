"""Write the shipped query sets under `src/mystery_shopper/data/tasks`.

    python scripts/make_queries.py            write them
    python scripts/make_queries.py --check    exit with 1 where a file does not hold what would be
                                              written

A set has a version in its name. Whatever changes its bytes (the generator, the catalogue, the
histories, the words, the seed) calls for a new version and a new file. The files are packed; what
is compared is what they hold, since another zlib packs the same into other bytes.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from mystery_shopper.sources import load_films
from mystery_shopper.sources.histories import open_histories
from mystery_shopper.suites.recbench.draw import DrawOptions
from mystery_shopper.suites.recbench.generating import Generated, generate_queries
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.queryfile import (
    query_set_bytes,
    save_query_set,
    shipped_file,
)
from mystery_shopper.suites.recbench.shelf import Shelf

SETS = {"recbench/films@1": (1, 1)}
"""Name -> (seed, version of the generator)."""
FOLDER = Path(__file__).parents[1] / "src" / "mystery_shopper" / "data" / "tasks"


def make(name: str, seed: int, generator: int) -> Generated:
    """The set of that name, over the embedded films and the made-up histories."""
    films = load_films()
    histories = open_histories("synthetic", films)
    options = DrawOptions(seed=seed, generator=generator)
    return generate_queries(name, Ground(Shelf(films)), histories, options)


def main(arguments: list[str]) -> int:
    """The exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    differing = 0
    for name, recipe in SETS.items():
        place = FOLDER / shipped_file(name)
        made = make(name, *recipe)
        if arguments:
            raw = query_set_bytes(made.query_set)
            same = place.is_file() and gzip.decompress(place.read_bytes()) == raw
            differing += not same
            print(f"{place.name}: {'unchanged' if same else 'differs'}", file=sys.stderr)
        else:
            save_query_set(made.query_set, place)
            print("\n".join(made.lines()))
            count, digest = len(made.query_set.queries), made.query_set.digest
            print(f"{place.name}: {count:,} queries, digest {digest}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
