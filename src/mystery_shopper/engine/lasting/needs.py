"""Which extra a command needs, said before anything is imported that is not there."""

from __future__ import annotations

from collections.abc import Callable, Set
from importlib.util import find_spec
from pathlib import Path

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.casting import talks
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError


def run_through_inspect(
    plan: RunPlan,
    folder: RunFolder,
    bounds: Bounds,
    progress: Callable[[int], None],
    *,
    only: Set[str] | None = None,
    prices: Path | None = None,
    in_flight: Callable[[int], None] = lambda _: None,
) -> int:
    """Play what is missing of a plan whose agent talks to somebody; see `run.run_lasting`. `prices`
    is a file of what models cost."""
    inspect_ai(f"--agent {plan.agent}" if talks(plan.agent) else f"--user {plan.user}")
    from mystery_shopper.engine.lasting.lines import casting_of, open_model
    from mystery_shopper.engine.lasting.prices import check_price, set_prices
    from mystery_shopper.engine.lasting.reaching import nobody_there
    from mystery_shopper.engine.lasting.run import run_lasting

    if prices is not None:
        set_prices(prices)
    model = open_model(plan)
    check_price(plan, model)
    return run_lasting(
        plan,
        folder,
        casting_of(plan, model),
        model=model,
        bounds=bounds,
        only=only,
        progress=progress,
        in_flight=in_flight,
        before=lambda: nobody_there(plan),
    )


def inspect_ai(what: str) -> None:
    """Raises InputError where Inspect AI is not installed; `what` needs it."""
    _need("inspect_ai", "models", what)


def mcp(what: str) -> None:
    """Raises InputError where the MCP library is not installed; `what` needs it."""
    _need("mcp", "mcp", what)


def pyarrow(what: str) -> None:
    """Raises InputError where pyarrow is not installed; `what` needs it."""
    _need("pyarrow", "arrow", what)


def _need(module: str, extra: str, what: str) -> None:
    if find_spec(module) is None:
        raise InputError(
            f"{what} needs the extra {extra!r}, which is not installed",
            remedy=f"Install it: pip install 'mystery-shopper[{extra}]'",
        )
