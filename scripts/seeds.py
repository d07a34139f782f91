"""Do freshly drawn task sets behave like the shipped one? Ten other seeds, the scripted agents.

python scripts/seeds.py [SEED ...]      default: 101 to 110
"""

from __future__ import annotations

import statistics
import sys
import time

from mystery_shopper.dialogue import rollout
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, Task, TaskSet

SEEDS = tuple(range(101, 111))
HEAD = ("seed", "draw s", "elim.", "NVR", "median", "pop.", "NVR", "no-ask", "v+m solved")


def main(arguments: list[str]) -> int:
    """Print one line a seed. 2 for an argument that is no number."""
    if not all(argument.isdecimal() for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    shelf = Shelf(load_films())
    print("hidden successes of 135 satisfiable and 15 NVR families; all volunteer and mixed of 300")
    print("".join(f"{name:>11}" for name in HEAD))
    for seed in map(int, arguments) if arguments else SEEDS:
        start = time.process_time()
        tasks = generate(shelf.catalogue, seed=seed, name=f"tau_rec/films-seed{seed}@1")
        drawn = time.process_time() - start
        print("".join(f"{cell:>11}" for cell in _line(seed, drawn, tasks, shelf)), flush=True)
    return 0


def _line(seed: int, drawn: float, tasks: TaskSet, shelf: Shelf) -> list[str]:
    hidden = [task for task in tasks.by_id.values() if task.condition is Condition.HIDDEN]
    others = [task for task in tasks.by_id.values() if task.condition is not Condition.HIDDEN]
    eliminating, nvr, proposals = _play("eliminating", hidden, shelf)
    popularity, lucky, _ = _play("popularity", hidden, shelf)
    no_ask, _, _ = _play("no-ask", hidden, shelf)
    solved = [sum(_play(name, others, shelf)[:2]) for name in ("eliminating", "popularity")]
    median = statistics.median(proposals)
    return [
        str(seed),
        f"{drawn:.1f}",
        *map(str, (eliminating, nvr, median, popularity, lucky, no_ask)),
        "/".join(map(str, solved)),
    ]


def _play(agent: str, tasks: list[Task], shelf: Shelf) -> tuple[int, int, list[int]]:
    """Successes on satisfiable and on NVR tasks, and the proposals of each satisfiable success."""
    nvr = 0
    proposals: list[int] = []
    for task in tasks:
        player = AGENTS[agent](task, shelf, Interface.STRUCTURED)
        played = rollout(set_stage(task, shelf, Setting()), player)
        found = shelf.scorer.score(task, played.transcript)
        if found.success and task.family.satisfiable:
            proposals.append(found.proposals)
        nvr += bool(found.success) and not task.family.satisfiable
    return len(proposals), nvr, proposals


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
