"""What was installed, exactly, and under which licences: from the packages' own records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata, resources
from pathlib import Path

from mystery_shopper.engine.casting import INSPECT, MODEL, inspects_parts
from mystery_shopper.engine.plan import RunFile, RunPlan
from mystery_shopper.foundation import InputError, slug

OURS = "mystery-shopper"
_PROVIDERS: Mapping[str, str] = {
    "azureai": "azure-ai-inference",
    "bedrock": "aioboto3",
    "google": "google-genai",
    "hf": "transformers",
    "llama-cpp-python": "openai",
    "mistral": "mistralai",
    "ollama": "openai",
    "openai-api": "openai",
    "openrouter": "openai",
    "together": "openai",
    "vllm": "vllm",
}
"""Inspect's providers whose package has another name than they have."""
_LICENCE = re.compile(r"(licen[cs]e|copying|notice)[\w.-]*", re.IGNORECASE)
_MOST_LICENCE = 1 << 20
_PINNED = re.compile(r"(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)==(?P<version>[A-Za-z0-9.!+_-]+)")


def lock(runs: Iterable[tuple[str, RunFile]]) -> bytes:
    """The installed versions of this package, of all it stands on and of what the runs' agents and
    users name, as pip reads them; as comments what each run was made with. No path is told."""
    runs = list(runs)
    names = {OURS, *(name for _, file in runs for name in _named(file.plan))}
    lines = ["# What was installed when the bundle was made.", *_closure(names)]
    for name, file in runs:
        made = file.environment
        lines.append(
            f"# run {name}: {OURS} {file.plan.version}, Python {made.python}, "
            f"numpy {made.numpy}, duckdb {made.duckdb}"
        )
    return ("\n".join(lines) + "\n").encode("utf-8")


def lock_problems(text: bytes, version: str) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of a lock file: pip obeys more than names and versions, such as
    addresses and options, and a bundle's may hold none. Line 0 is the whole. `version` is the one
    that made the bundle."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.decode("utf-8").split("\n"), 1):
        if not line or (line.startswith("#") and line.isprintable()):
            continue
        pinned = _PINNED.fullmatch(line)
        if pinned is None:
            yield number, "is no name==version"
        elif pinned["name"] in found:
            yield number, f"names {pinned['name']} twice"
        else:
            found[pinned["name"]] = pinned["version"]
    if OURS not in found:
        yield 0, f"does not name {OURS}"
    elif found[OURS] != version:
        yield 0, f"names {OURS} {found[OURS]}, the manifest says {version}"


def _named(plan: RunPlan) -> set[str]:
    """Distributions that a plan's agent and user need beside ours: a provider's client, and the one
    that holds a person's own module. Nothing is imported to find them."""
    found: set[str] = set()
    modules: list[str] = []
    for name in (plan.agent, plan.user):
        if name.startswith(MODEL):
            provider = name.removeprefix(MODEL).partition("/")[0]
            found |= {"inspect-ai", _PROVIDERS.get(provider, provider)}
        elif name.startswith(INSPECT):
            found.add("inspect-ai")
            modules.append(inspects_parts(name)[0])
        elif re.fullmatch(r"[\w.]+:\w+", name):
            modules.append(name.partition(":")[0])
    if modules:
        holders = metadata.packages_distributions()
        for module in modules:
            found.update(holders.get(module.partition(".")[0], ()))
    return found


def _closure(names: Iterable[str]) -> list[str]:
    """`name==version` of every installed one and of what it requires, by name."""
    versions: dict[str, str] = {}
    left = [_normal(name) for name in names]
    while left:
        name = left.pop()
        if name in versions:
            continue
        try:
            found = metadata.distribution(name)
        except (metadata.PackageNotFoundError, ValueError):
            continue
        versions[name] = found.version
        for requirement in found.requires or ():
            needed = re.match(r"[A-Za-z0-9._-]+", requirement)
            if needed is not None and not re.search(r"\bextra\s*==", requirement):
                left.append(_normal(needed[0]))
    return [f"{name}=={version}" for name, version in sorted(versions.items())]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def own_licence() -> bytes:
    """The text of this package's licence. Raises InputError where the installation lost it."""
    for file in metadata.files(OURS) or ():
        if file.name == "LICENSE":
            path = Path(str(file.locate()))
            if path.is_file():
                return path.read_bytes()
    raise InputError(
        "the package's licence is not installed",
        where=OURS,
        remedy="Install the package again from its wheel.",
    )


def films_licence() -> bytes:
    """The licence of the film data."""
    return (resources.files("mystery_shopper") / "data" / "FILMS-LICENSE.md").read_bytes()


def licences_in(folder: Path) -> Sequence[tuple[str, bytes]]:
    """(name, text) of the licences that lie in a catalogue's folder."""
    found: list[tuple[str, bytes]] = []
    for path in sorted(folder.iterdir()):
        if _LICENCE.fullmatch(path.name) and path.is_file():
            if path.stat().st_size > _MOST_LICENCE:
                raise InputError(
                    "is too large for a licence",
                    where=str(path),
                    remedy="Leave the text of the licence alone there.",
                )
            found.append((ascii_slug(path.stem), path.read_bytes()))
    return found


def ascii_slug(text: str) -> str:
    """A text as a file's name in a bundle."""
    plain = slug(text).encode("ascii", "ignore").decode().strip("-")
    return re.sub(r"-+", "-", plain)[:60] or "unnamed"
