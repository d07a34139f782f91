"""Whether the servers that a run needs are there: asked once before the first trial."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from mystery_shopper.agents.deployed import load_deployed
from mystery_shopper.engine.casting import INSPECT, MODEL, is_address, is_deployed
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import suite_of

WAIT = 5.0
"""Seconds that a connection may take."""
_PORTS = {"http": 80, "https": 443}


def nobody_there(plan: RunPlan, wait: float = WAIT) -> str:
    """Which of the servers that the plan names by their addresses cannot be reached, and why; empty
    where each takes a connection. A server behind a proxy is not asked: only the proxy knows."""
    for option, address in _named(plan):
        if problem := _problem(address, wait):
            return f"{option} cannot be reached: {problem}"
    return ""


def _named(plan: RunPlan) -> Iterator[tuple[str, str]]:
    """(the option that names it, the address) of each server."""
    if is_address(plan.agent):
        yield "--agent", plan.agent
    elif is_deployed(plan.agent):
        deployed = load_deployed(plan.agent, os.environ, decides=suite_of(plan.suite).decides)
        yield f"--agent {plan.agent}", deployed.say.address
    elif plan.agent.startswith((MODEL, INSPECT)) and plan.model.base_url:
        yield "--base-url", plan.model.base_url
    options = plan.user_options
    if plan.user.startswith(MODEL) and options is not None and options.base_url:
        yield "--user-base-url", options.base_url


def _problem(address: str, wait: float) -> str:
    """Of the address no more than host and port is told: the rest may be secret."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return ""  # What cannot be an address is told by whoever uses it.
    if not host or not port or (parts.scheme in getproxies() and not proxy_bypass(host)):
        return ""
    shown = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    try:
        socket.create_connection((host, port), wait).close()
    except TimeoutError:
        return f"nothing answers at {shown} within {wait:g} s"
    except socket.gaierror:
        return f"nobody knows the host of {shown}"
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return f"nothing answers at {shown} ({reason})"
    return ""
