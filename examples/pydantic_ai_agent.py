"""A Pydantic AI agent (pip install 'pydantic-ai-slim[openai]'). Run it from this folder:

mystery-shopper run tau_rec --agent inspect:pydantic_ai_agent:shopkeeper:openai/gpt-5-mini \
    --task f004-mixed --out runs/pydantic

It serves both suites, since the rules and the tools are the suite's: for recbench say
`run recbench` and `--task explicit-1-001`.
"""

import pydantic_ai
from inspect_ai.agent import Agent, AgentState, agent, agent_bridge
from inspect_ai.tool import Tool, ToolDef
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


@agent
def shopkeeper(tools: list[Tool]) -> Agent:
    """Within the bridge the model "inspect" is the one that the run names."""
    said: list = []

    async def execute(state: AgentState) -> AgentState:
        async with agent_bridge(state) as bridge:
            theirs = pydantic_ai.Agent(
                OpenAIChatModel("inspect", provider=OpenAIProvider(api_key="none")),
                instructions=state.messages[0].text,
                tools=[converted(tool) for tool in tools],
            )
            answer = await theirs.run(state.messages[-1].text, message_history=said)
            said[:] = answer.all_messages()
            return bridge.state

    return execute


def converted(tool: Tool) -> pydantic_ai.Tool:
    """One of the suite's tools as Pydantic AI's."""
    known = ToolDef(tool)
    return pydantic_ai.Tool.from_schema(
        tool, known.name, known.description, known.parameters.model_dump(exclude_none=True)
    )
