"""What models cost, from a person's file: Inspect knows the price of none by itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
from inspect_ai.model import Model, ModelCost, ModelInfo, get_model_info, set_model_info

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import InputError, read_whole

REMEDY = (
    "Write dollars a million tokens: {openai/gpt-5: {input: 1.25, output: 10}}; "
    "input_cache_read and input_cache_write are the price of input where they are left out."
)


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars a million tokens of one model."""

    input: float
    output: float
    input_cache_read: float | None = None
    input_cache_write: float | None = None

    def __post_init__(self) -> None:
        if any(value is not None and not value >= 0 for value in msgspec.structs.astuple(self)):
            raise ValueError("a price is a number from 0 on")


def set_prices(path: Path) -> None:
    """Tell Inspect the prices of a YAML or JSON file, model name -> price, in the form of Inspect's
    own `--model-cost-config`. Raises InputError for a file that is none."""
    text = read_whole(path, REMEDY)
    try:
        prices = msgspec.yaml.decode(text, type=dict[str, Price])
    except Exception as error:
        raise InputError(f"holds no prices ({error})", where=str(path), remedy=REMEDY) from None
    for name, price in prices.items():
        cost = ModelCost(
            input=price.input,
            output=price.output,
            input_cache_read=_or(price.input_cache_read, price.input),
            input_cache_write=_or(price.input_cache_write, price.input),
        )
        known = get_model_info(name) or ModelInfo()
        set_model_info(name, known.model_copy(update={"cost": cost}))


def check_price(plan: RunPlan, model: Model | None) -> None:
    """Raises InputError where the plan limits dollars and the price of its model is not known: the
    limit would never be reached."""
    if plan.limits.cost is None:
        return
    if model is None:
        raise InputError(
            f"which model {plan.agent} asks is not known, so neither is what it costs",
            where="--cost-limit",
            remedy="Name it: inspect:package.module:agent:PROVIDER/NAME.",
        )
    info = get_model_info(str(model)) or get_model_info(model)
    if info is None or info.cost is None:
        raise InputError(
            f"what {model} costs is not known, so the limit would never be reached",
            where="--cost-limit",
            remedy=f"Name a file with --prices. {REMEDY}",
        )


def _or(value: float | None, usual: float) -> float:
    return usual if value is None else value
