"""How an episode of a disclosure task is set up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from mystery_shopper.suites.tau_rec.desk import Desk
from mystery_shopper.suites.tau_rec.episode import DisclosureEpisode, User
from mystery_shopper.suites.tau_rec.prompts import Prompt, ToolLine, instructions
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.task import Task
from mystery_shopper.suites.tau_rec.user import RuleUser


@dataclass(frozen=True)
class Setting:
    """What may differ between runs of the same tasks."""

    interface: Interface = Interface.STRUCTURED
    prompt: Prompt = Prompt.BASE
    tool_line: ToolLine = ToolLine.OWN
    as_paper: bool = False


UserFactory: TypeAlias = Callable[[RuleUser, Shelf], User]
"""The rule-based user of a task and the shelf -> who speaks in its place."""


def set_stage(
    task: Task, shelf: Shelf, setting: Setting, speaker: UserFactory | None = None
) -> DisclosureEpisode:
    """A fresh episode of the task over the shelf's catalogue, with the rule-based user or with a
    speaker in its place."""
    domain = shelf.catalogue.domain
    user = RuleUser(task, shelf.catalogue, shelf.reader, shelf.wording, setting.as_paper)
    return DisclosureEpisode(
        user if speaker is None else speaker(user, shelf),
        Desk(shelf, setting.interface, task.family.history),
        instructions(domain, setting.interface, setting.prompt, setting.tool_line),
    )
