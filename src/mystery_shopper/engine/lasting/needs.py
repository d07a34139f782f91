"""Which extra a command needs, said before anything is imported that is not there."""

from __future__ import annotations

from importlib.util import find_spec

from mystery_shopper.foundation import InputError


def inspect_ai(what: str) -> None:
    """Raises InputError where Inspect AI is not installed; `what` needs it."""
    _need("inspect_ai", "models", what)


def mcp(what: str) -> None:
    """Raises InputError where the MCP library is not installed; `what` needs it."""
    _need("mcp", "mcp", what)


def _need(module: str, extra: str, what: str) -> None:
    if find_spec(module) is None:
        raise InputError(
            f"{what} needs the extra {extra!r}, which is not installed",
            remedy=f"Install it: pip install 'mystery-shopper[{extra}]'",
        )
