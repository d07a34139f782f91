"""What `inspect eval` is told of trials that count in no figure: warnings in Inspect's own log."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from mystery_shopper.engine.lasting.scorers import why_excluded
from mystery_shopper.engine.trial import Trial

MOST_REASONS = 5
"""Of one task that are told; the metrics count every trial."""
_log = logging.getLogger(__name__)


@dataclass
class Exclusions:
    """Hears the trials of one task, and warns of each reason once."""

    told: set[str] = field(default_factory=set[str])

    def __call__(self, heard: Trial | str) -> None:
        """A trial that ended, or why the run was given up."""
        if isinstance(heard, str):
            self._warn(heard, "no further trial is played, since the run was given up: %s", heard)
        elif why := why_excluded(heard):
            more = "metric `excluded` counts all of them"
            self._warn(why, "trial %s counts in no figure (%s): %s", heard.key, more, why)

    def _warn(self, reason: str, *message: str) -> None:
        if reason in self.told or len(self.told) >= MOST_REASONS:
            return
        self.told.add(reason)
        _log.warning(*message)
