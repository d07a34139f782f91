"""An Inspect agent. Run it from this folder, with the model that it asks behind its name:

mystery-shopper run tau_rec --agent inspect:inspect_agent:shopkeeper:openai/gpt-5-mini \
    --task f004-mixed --out runs/inspect

It serves both suites, since the rules and the tools are the suite's: for recbench say
`run recbench` and `--task explicit-1-001`.
"""

from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import execute_tools, get_model
from inspect_ai.tool import Tool


@agent
def shopkeeper(tools: list[Tool]) -> Agent:
    """Asked each time the customer speaks; what it answers without a tool call is said."""

    async def execute(state: AgentState) -> AgentState:
        while True:
            state.output = await get_model().generate(state.messages, tools)
            state.messages.append(state.output.message)
            if not state.output.message.tool_calls:
                return state
            results, _ = await execute_tools(state.messages, tools)
            state.messages.extend(results)

    return execute
