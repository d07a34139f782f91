"""The terminal in which a person plays: what they see and where they type."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mystery_shopper.cli.screen_requests import how_it_scored, what_was_asked
from mystery_shopper.dialogue import Message
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.tau_rec.task import fact


class Screen:
    """A `Terminal` on stdin and stdout."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()

    def show(self, message: Message) -> None:
        """The customer's words in a panel, a tool's result as a table where it has rows."""
        if message.role == "user":
            self.console.print(Panel(Text(message.text), title="customer", title_align="left"))
            return
        found = msgspec.json.decode(message.text)
        rows = found.get("items") or found.get("history")
        if rows:
            self.console.print(_rows(rows))
        rest = {k: v for k, v in found.items() if k not in ("items", "history", "schema")}
        if rest or not rows:
            self.console.print(Text(_brief(rest if rest else found), style="dim"))

    def tell(self, text: str) -> None:
        """A remark about the game."""
        self.console.print(Text(text, style="dim"))

    def ask(self) -> str:
        """A line from the person."""
        return self.console.input("[bold]you>[/bold] ")

    def verdict(self, plan: RunPlan, trial: Trial) -> None:
        """What the customer wanted, and how the trial scored."""
        self.reveal(plan)
        self._score(plan, trial)

    def reveal(self, plan: RunPlan) -> None:
        """Which task it was, and what the customer wanted."""
        self.tell(f"This was task {plan.tasks[0]}.")
        if plan.suite == "recbench":
            for part in what_was_asked(plan):
                self.console.print(part)
            return
        task = load_tasks(plan.task_set).by_id[plan.tasks[0]]
        table = Table("requirement", "revealed", title="What the customer wanted")
        for requirement in task.requirements:
            table.add_row(Text(fact(requirement.predicate)), requirement.reveal.value)
        if task.family.formats:
            table.add_row(Text(f"formats: {', '.join(task.family.formats)}"), "")
        self.console.print(table)

    def _score(self, plan: RunPlan, trial: Trial) -> None:
        if trial.excluded:
            why = trial.transcript.ended.detail if trial.transcript.ended else ""
            self.console.print(Text(f"Not scored: {why}.", style="bold yellow"))
            return
        if isinstance(trial.score, RecBenchScore):
            for part in how_it_scored(plan, trial):
                self.console.print(part)
            return
        score = trial.disclosure
        item = load_shelf(plan.source, plan.size).catalogue.find(score.recommended or "")
        chosen = f" with {item.title}" if item is not None else ""
        if score.success:
            self.console.print(Text(f"Success{chosen}: {score.ending.value}.", style="bold green"))
        else:
            why = score.failure.value.replace("_", " ") if score.failure else "not scored"
            self.console.print(Text(f"Failed{chosen}: {why}.", style="bold red"))
        told = f"{score.turns} turns, {score.proposals} proposals, {score.calls} tool calls"
        if score.askable:
            told += f"; {score.elicited_facts} of {score.askable} askable facts heard"
        self.console.print(Text(f"{told}.", style="dim"))


def _rows(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in rows[0]:
        table.add_column(Text(name))
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row.values()))
    return table


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _brief(found: dict[str, Any]) -> str:
    text = "\n".join(f"{key}: {_cell(value)}" for key, value in found.items())
    return text if len(text) <= 2000 else f"{text[:2000]} ..."
