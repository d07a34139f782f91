"""Which tasks and which settings the paper asks for, as the task set tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.disclosure.settings import Played, Setting
from mystery_shopper.report.words import whole
from mystery_shopper.suites.tau_rec.prompts import ToolLine
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet


@dataclass(frozen=True)
class Asked:
    """What the task set says the panel and the whole catalogue are."""

    task_set: TaskSet | None

    @cached_property
    def size(self) -> int | None:
        return None if self.task_set is None else max(self.task_set.catalogue.sizes)

    @cached_property
    def tasks(self) -> Mapping[str, tuple[str, ...]]:
        """Condition -> the panel's tasks."""
        if self.task_set is None:
            return {}
        return {
            condition.value: tuple(t.id for t in self.task_set.select("panel", [condition]))
            for condition in Condition
        }

    def unfit(self, setting: Setting) -> tuple[str, ...]:
        told: list[str] = []
        if self.size is not None and setting.size != self.size:
            told.append(f"{whole(setting.size)} of {whole(self.size)} items")
        if setting.user != RULE_BASED:
            told.append(f"the user {setting.user}")
        if setting.tool_line != ToolLine.OWN:
            told.append(f"the line on search {setting.tool_line!r}")
        return tuple(told)

    def within(self, played: Played) -> Played:
        """The panel's tasks only; all where the panel is unknown or none of it was played."""
        wanted = {task for tasks in self.tasks.values() for task in tasks}
        kept = tuple(task for task in played.tasks if task.task in wanted)
        return replace(played, tasks=kept) if kept else played
