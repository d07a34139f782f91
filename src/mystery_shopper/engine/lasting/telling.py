"""What a run tells while it plays."""

from __future__ import annotations

import sys


def to_stderr(text: str) -> None:
    """One line to stderr, where progress is shown too."""
    print(text, file=sys.stderr)
