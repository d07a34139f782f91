"""A LangChain agent (pip install langchain langchain-openai). Run it from this folder:

mystery-shopper run tau_rec --agent inspect:langchain_agent:shopkeeper:openai/gpt-5-mini \
    --task f004-mixed --out runs/langchain

It serves both suites, since the rules and the tools are the suite's: for recbench say
`run recbench` and `--task explicit-1-001`.
"""

from inspect_ai.agent import Agent, AgentState, agent, agent_bridge
from inspect_ai.tool import Tool, ToolDef
from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI


@agent
def shopkeeper(tools: list[Tool]) -> Agent:
    """Within the bridge the model "inspect" is the one that the run names."""
    said: list = []

    async def execute(state: AgentState) -> AgentState:
        async with agent_bridge(state) as bridge:
            theirs = create_agent(
                ChatOpenAI(model="inspect", api_key="none"),
                [converted(tool) for tool in tools],
                system_prompt=rules(state),
            )
            said.append({"role": "user", "content": state.messages[-1].text})
            answer = await theirs.ainvoke({"messages": said})
            said[:] = answer["messages"]
            return bridge.state

    return execute


def rules(state: AgentState) -> str:
    """The suite's instructions: the first message."""
    return state.messages[0].text


def converted(tool: Tool) -> StructuredTool:
    """One of the suite's tools as LangChain's."""
    known = ToolDef(tool)
    return StructuredTool(
        name=known.name,
        description=known.description,
        args_schema=known.parameters.model_dump(exclude_none=True),
        coroutine=tool,
    )
