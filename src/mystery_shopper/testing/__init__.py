"""For tests of agents and suites: the conformance kit, three toy episodes, an agent that plays a
script, small helpers."""

from mystery_shopper.testing.conformance import (
    AgentConformance,
    EpisodeConformance,
    SuiteConformance,
)
from mystery_shopper.testing.replayed import ReplayedEpisode
from mystery_shopper.testing.scripted import (
    ScriptedAgent,
    SteppedClock,
    call,
    events_of,
    tool_errors,
)
from mystery_shopper.testing.shop import ShopEpisode
from mystery_shopper.testing.stages import StagedEpisode

__all__ = [
    "AgentConformance",
    "EpisodeConformance",
    "ReplayedEpisode",
    "ScriptedAgent",
    "ShopEpisode",
    "StagedEpisode",
    "SteppedClock",
    "SuiteConformance",
    "call",
    "events_of",
    "tool_errors",
]
