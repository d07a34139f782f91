"""The exception tree.

`InputError` is for people: what is wrong, where, and what to do. The three faults are for trials:
an agent's fault counts against the agent, the other two do not.
"""

from __future__ import annotations

from collections.abc import Sequence


class MysteryShopperError(Exception):
    """The root of every error this package raises on purpose."""


class InputError(MysteryShopperError):
    """A file, an argument or a configuration that cannot be used. The command exits with 2.

    `problems` holds every problem found, each with its place; `where` names the file or argument;
    `remedy` says what to do.
    """

    def __init__(
        self, problems: str | Sequence[str], *, where: str | None = None, remedy: str | None = None
    ) -> None:
        self.problems = [problems] if isinstance(problems, str) else list(problems)
        self.where = where
        self.remedy = remedy
        head = f"{where}: " if where else ""
        if len(self.problems) == 1:
            text = head + self.problems[0]
        else:
            text = f"{head}{len(self.problems)} problems\n" + "\n".join(
                f"  - {problem}" for problem in self.problems
            )
        super().__init__(f"{text}\n{remedy}" if remedy else text)


class RunStopped(MysteryShopperError):
    """A run that was given up, since what it needs failed again and again. It keeps what it has and
    can go on. The command exits with 3."""


class AgentFault(MysteryShopperError):
    """The system under test did something that ends its trial; it counts against it."""


class ContextOverflow(AgentFault):
    """The agent's context window is full. Adapters raise it; the trial ends as `overflow`."""


class UserFault(MysteryShopperError):
    """The simulated user failed. The trial is retried, then excluded and shown."""


class InfrastructureFault(MysteryShopperError):
    """Something between us and the agent failed. The trial is retried, then excluded and shown."""
