"""Write the shipped task set: `src/mystery_shopper/data/tasks/tau_rec-films-1.json`.

    python scripts/make_tasks.py            write it
    python scripts/make_tasks.py --check    exit with 1 where the file is not what would be written

The set has a version in its name. Whatever changes its bytes (the generator, the catalogue, the
seed) calls for a new version and a new file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mystery_shopper.sources.films import load_films
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.taskfile import save_task_set, task_set_bytes

NAME = "tau_rec/films@1"
SEED = 1
PLACE = Path(__file__).parents[1] / "src/mystery_shopper/data/tasks/tau_rec-films-1.json"


def main(arguments: list[str]) -> int:
    """The exit code."""
    task_set = generate(load_films(), seed=SEED, name=NAME)
    if arguments == ["--check"]:
        same = PLACE.is_file() and PLACE.read_bytes() == task_set_bytes(task_set)
        print(f"{PLACE.name}: {'unchanged' if same else 'differs'}", file=sys.stderr)
        return 0 if same else 1
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    save_task_set(task_set, PLACE)
    print(f"{PLACE.name}: {len(task_set.families)} families, digest {task_set.digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
