"""For tests of agents and suites: two toy episodes, an agent that plays a script, small helpers."""

from mystery_shopper.testing.replayed import ReplayedEpisode
from mystery_shopper.testing.scripted import (
    ScriptedAgent,
    SteppedClock,
    call,
    events_of,
    tool_errors,
)
from mystery_shopper.testing.stages import StagedEpisode

__all__ = [
    "ReplayedEpisode",
    "ScriptedAgent",
    "StagedEpisode",
    "SteppedClock",
    "call",
    "events_of",
    "tool_errors",
]
