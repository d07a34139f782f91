"""Write `docs/results.md`: each command that measures something, and what it printed.

python scripts/results.py               every command (some minutes)
python scripts/results.py WORD ...      only sections whose title holds a word, in place
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "docs" / "results.md"
DEV = ROOT.parent / "shared" / "data" / "agent_turns_dev.jsonl"
INTRO = """\
# Results

What the commands print, taken by `make results` in one go. Times are of one machine; ratios are of
one run and carry over better. Figures without a time are the same on every machine.
"""
Command: TypeAlias = tuple[str, list[str]]
Section: TypeAlias = tuple[str, str, list[Command]]
SIZES = ("5000", "10000", "16852")
AGENTS = ("eliminating", "popularity", "no-ask")


def main(words: list[str]) -> int:
    """0 when every command did its work; the file is written only then."""
    kept = _sections_of(PLACE.read_text(encoding="utf-8")) if words else {}
    taken: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, note, commands in _sections(Path(folder)):
            if words and not any(word in title for word in words):
                taken[title] = kept.get(title, "")
                continue
            print(title, file=sys.stderr, flush=True)
            shown = _shown(commands, folder)
            if shown is None:
                return 1
            taken[title] = f"{note}\n\n```text\n{shown}\n```\n"
    head = f"{INTRO}\nPython {platform.python_version()}, {os.cpu_count()} cores.\n"
    parts = [head, *(f"## {title}\n\n{text}" for title, text in taken.items())]
    PLACE.write_text("\n".join(parts), encoding="utf-8", newline="\n")
    return 0


def _shown(commands: list[Command], folder: str) -> str | None:
    """The commands that are told, and what they printed; None where one failed."""
    shown: list[str] = []
    for told, command in commands:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, env=_quiet()
        )
        if done.returncode != 0:
            print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
            return None
        if told:
            lines = [line.rstrip() for line in done.stdout.replace(folder, "runs").splitlines()]
            shown.append("\n".join([f"$ {told}", *lines]).rstrip())
    return "\n\n".join(shown)


def _sections_of(text: str) -> dict[str, str]:
    """Title -> text of the sections of a results file."""
    parts = text.split("\n## ")[1:]
    return {title: rest.strip("\n") + "\n" for title, _, rest in (p.partition("\n") for p in parts)}


def _shopper(*words: str) -> list[str]:
    return [sys.executable, "-m", "mystery_shopper", *words]


def _sections(folder: Path) -> list[Section]:
    demo = _shopper("demo", "--out", str(folder / "demo"))
    sections: list[Section] = [
        (
            "The shipped tasks",
            "Proved from scratch.",
            [("mystery-shopper check", _shopper("check"))],
        ),
        ("The scripted agents", "All 450 tasks.", [("mystery-shopper demo", demo)]),
    ]
    for interface in ("structured", "keyword"):
        for size in SIZES:
            sections.append(_at_size(folder, interface, size))
    seeds = [sys.executable, "scripts/seeds.py"]
    sections.append(
        ("Ten other seeds", "Fresh draws behave alike.", [("python scripts/seeds.py", seeds)])
    )
    own = ROOT / "tests" / "data" / "asks_own.jsonl"
    told = "mystery-shopper measure asks --no-misses tests/data/asks_own.jsonl"
    asks = [(told, _shopper("measure", "asks", "--no-misses", str(own)))]
    if DEV.exists():
        told = "mystery-shopper measure asks agent_turns_dev.jsonl"
        asks.insert(0, (told, _shopper("measure", "asks", str(DEV))))
    sections.append(("The customer's ear", "Question matching on labelled messages.", asks))
    bench = [sys.executable, "-m", "benchmarks"]
    sections.append(("Speed", "Side by side in one run.", [("make bench", bench)]))
    return sections


def _at_size(folder: Path, interface: str, size: str) -> Section:
    commands: list[Command] = []
    places: list[str] = []
    for agent in AGENTS:
        place = str(folder / f"{agent}-{interface}-{size}")
        words = ("--agent", agent, "--catalog", f"films:{size}", "--interface", interface)
        commands.append(("", _shopper("run", "tau_rec", *words, "--out", place)))
        places.append(place)
    page = str(folder / f"{interface}-{size}.html")
    told = f"mystery-shopper report {' '.join(f'runs/{Path(p).name}' for p in places)}"
    commands.append((told, _shopper("report", *places, "--out", page)))
    options = f"--catalog films:{size} --interface {interface}"
    note = f"Each run: `mystery-shopper run tau_rec --agent AGENT {options} --out FOLDER`."
    return f"At {size} films, {interface} search", note, commands


def _quiet() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
