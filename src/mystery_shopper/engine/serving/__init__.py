"""One task handed to an MCP client: the client is the agent, its tool calls are the acts.

The MCP library is imported when a server starts, not before; without it the extra that is missing
is named.
"""

from mystery_shopper.engine.serving.serve import plan_served, serve_task

__all__ = ["plan_served", "serve_task"]
