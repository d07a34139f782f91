"""A metric of your own: how much of the request the agent knew when it first proposed something.

mystery-shopper report runs/popularity --metric own_metric:Informed

Of runs of tau_rec. A metric of recbench is shown each trial with its query
(`mystery_shopper.suites.recbench.query.Query`), and `trial.requested` is its score.
"""

from __future__ import annotations

from mystery_shopper import Trial
from mystery_shopper.dialogue import Ended, UserSaid, Verdict
from mystery_shopper.suites.tau_rec.task import Task, fact


class Informed:
    """The share of the task's requirements that the customer had named by the first proposal, or
    by the recommendation where nothing was proposed; None where there was neither."""

    name = "known at the first proposal"

    def measure(self, trial: Trial, task: Task) -> float | None:
        """From the transcript, in order; the task says what there was to know."""
        wanted = {fact(requirement.predicate) for requirement in task.requirements}
        known: set[str] = set()
        for event in trial.transcript.events:
            if isinstance(event, UserSaid):
                known.update(event.disclosed)
            elif isinstance(event, Verdict | Ended) and event.item_id is not None:
                return len(wanted & known) / len(wanted)
        return None
