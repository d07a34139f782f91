"""A deployed agent behind its own API, described by an `agent.yaml`."""

from mystery_shopper.agents.deployed.agent import DeployedAgent
from mystery_shopper.agents.deployed.ids import IdMap
from mystery_shopper.agents.deployed.loading import (
    Deployed,
    file_digest,
    is_agent_file,
    load_deployed,
)
from mystery_shopper.agents.deployed.session import Session
from mystery_shopper.agents.deployed.setup import Setup

__all__ = [
    "Deployed",
    "DeployedAgent",
    "IdMap",
    "Session",
    "Setup",
    "file_digest",
    "is_agent_file",
    "load_deployed",
]
