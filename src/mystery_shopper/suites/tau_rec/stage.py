"""How an episode of a disclosure task is set up."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.suites.tau_rec.desk import Desk
from mystery_shopper.suites.tau_rec.episode import DisclosureEpisode
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


def set_stage(task: Task, shelf: Shelf, setting: Setting) -> DisclosureEpisode:
    """A fresh episode of the task over the shelf's catalogue, with the rule-based user."""
    domain = shelf.catalogue.domain
    return DisclosureEpisode(
        RuleUser(task, shelf.catalogue, shelf.reader, shelf.wording, setting.as_paper),
        Desk(shelf, setting.interface, task.family.history),
        instructions(domain, setting.interface, setting.prompt, setting.tool_line),
    )
