"""An agent of the OpenAI Agents SDK (pip install openai-agents). Run it from this folder:

mystery-shopper run tau_rec --agent inspect:openai_agents_agent:shopkeeper:openai/gpt-5-mini \
    --task f004-mixed --out runs/openai-agents

It serves both suites, since the rules and the tools are the suite's: for recbench say
`run recbench` and `--task explicit-1-001`.
"""

import json
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent, agent_bridge
from inspect_ai.tool import Tool, ToolDef
from openai import AsyncOpenAI

import agents


@agent
def shopkeeper(tools: list[Tool]) -> Agent:
    """Within the bridge the model "inspect" is the one that the run names."""
    agents.set_tracing_disabled(True)
    said: list = []

    async def execute(state: AgentState) -> AgentState:
        async with agent_bridge(state) as bridge:
            theirs = agents.Agent(
                name="shopkeeper",
                instructions=state.messages[0].text,
                tools=[converted(tool) for tool in tools],
                model=agents.OpenAIResponsesModel("inspect", AsyncOpenAI(api_key="none")),
            )
            said.append({"role": "user", "content": state.messages[-1].text})
            answer = await agents.Runner.run(theirs, said)
            said[:] = answer.to_input_list()
            return bridge.state

    return execute


def converted(tool: Tool) -> agents.FunctionTool:
    """One of the suite's tools as the SDK's."""
    known = ToolDef(tool)

    async def invoke(_: Any, arguments: str) -> Any:
        return await tool(**json.loads(arguments))

    schema = known.parameters.model_dump(exclude_none=True)
    return agents.FunctionTool(
        known.name, known.description, schema, invoke, strict_json_schema=False
    )
