"""Runs: planning, the in-process sweep, and the folder that keeps them."""

from mystery_shopper.engine.loading import (
    catalogue_name,
    choose_sources,
    load_catalogue,
    load_shelf,
    load_tasks,
    own_tasks_file,
)
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.planning import Wishes, make_plan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.sweep import sweep, sweep_all
from mystery_shopper.engine.tabular.loaded import load_run
from mystery_shopper.engine.trial import Trial, trial_schema

__all__ = [
    "RunFolder",
    "RunPlan",
    "Trial",
    "Wishes",
    "catalogue_name",
    "choose_sources",
    "load_catalogue",
    "load_run",
    "load_shelf",
    "load_tasks",
    "make_plan",
    "own_tasks_file",
    "sweep",
    "sweep_all",
    "trial_schema",
]
