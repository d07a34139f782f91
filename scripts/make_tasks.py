"""Write the shipped task sets under `src/mystery_shopper/data/tasks`.

    python scripts/make_tasks.py            write them
    python scripts/make_tasks.py --check    exit with 1 where a file is not what would be written

A set has a version in its name. Whatever changes its bytes (the generator, the catalogue, the seed)
calls for a new version and a new file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from mystery_shopper.catalog import Catalogue
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.taskfile import save_task_set, task_set_bytes

SETS: dict[str, tuple[Callable[[], Catalogue], int]] = {
    "tau_rec/films@1": (load_films, 1),
    "tau_rec/shop@1": (load_shop, 1),
}
FOLDER = Path(__file__).parents[1] / "src" / "mystery_shopper" / "data" / "tasks"


def main(arguments: list[str]) -> int:
    """The exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    differing = 0
    for name, (load, seed) in SETS.items():
        place = FOLDER / f"{name.replace('/', '-').replace('@', '-')}.json"
        task_set = generate(load(), seed=seed, name=name, families=150)
        if arguments:
            same = place.is_file() and place.read_bytes() == task_set_bytes(task_set)
            differing += not same
            print(f"{place.name}: {'unchanged' if same else 'differs'}", file=sys.stderr)
        else:
            save_task_set(task_set, place)
            print(f"{place.name}: {len(task_set.families)} families, digest {task_set.digest}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
