"""The shell commands of a document, run as somebody would paste them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def commands_in(text: str) -> list[str]:
    """The lines of a document's shell blocks."""
    blocks: list[str] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def paste(line: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run one of our commands in a folder; gives what it printed. It must succeed."""
    words = shlex.split(line)
    assert words[0] == "mystery-shopper"
    done = subprocess.run(
        [sys.executable, "-m", "mystery_shopper", *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout
