"""Mystery Shopper sends simulated customers to a recommender agent and reports how well it serves
them. The names below are public; each is loaded when it is first used, so that importing the
package costs nothing."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.catalog import (
        Catalogue,
        Domain,
        Item,
        Predicate,
        build_catalogue,
        load_domain,
    )
    from mystery_shopper.dialogue import (
        Act,
        Agent,
        CallTools,
        Limits,
        Message,
        Say,
        ToolCall,
        Transcript,
        View,
        rollout,
    )
    from mystery_shopper.engine import (
        RunFolder,
        RunPlan,
        Trial,
        Wishes,
        load_run,
        make_plan,
        sweep,
    )
    from mystery_shopper.foundation import (
        AgentFault,
        ContextOverflow,
        InfrastructureFault,
        InputError,
        MysteryShopperError,
        UserFault,
    )
    from mystery_shopper.report import write_report
    from mystery_shopper.sources import load_films

__all__ = [
    "Act",
    "Agent",
    "AgentFault",
    "CallTools",
    "Catalogue",
    "ContextOverflow",
    "Domain",
    "InfrastructureFault",
    "InputError",
    "Item",
    "Limits",
    "Message",
    "MysteryShopperError",
    "Predicate",
    "RunFolder",
    "RunPlan",
    "Say",
    "ToolCall",
    "Transcript",
    "Trial",
    "UserFault",
    "View",
    "Wishes",
    "build_catalogue",
    "load_domain",
    "load_films",
    "load_run",
    "make_plan",
    "rollout",
    "sweep",
    "write_report",
]

_FLOORS = ("foundation", "catalog", "sources", "dialogue", "engine", "report")


def __getattr__(name: str) -> object:
    if name in __all__:
        for floor in _FLOORS:
            module = import_module(f"{__name__}.{floor}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
