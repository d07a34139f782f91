"""A scripted provider of Inspect: models that need no network, no key and no tokenizer.

`scripted/shopkeeper` asks once, searches, proposes result after result and recommends what is
accepted; in JSON mode it writes the same as text. `scripted/critic` answers a request: it searches
where it can, and recommends what it finds. `scripted/NAME` with a function registered in
`POLICIES` answers as that says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

Policy = Callable[[Sequence[ChatMessage], Sequence[ToolInfo], GenerateConfig], ModelOutput]
QUESTION = "Do you have any requirements on genre, language, country, release year or format?"


def said(text: str) -> ModelOutput:
    return ModelOutput.from_content("scripted", text)


def called(name: str, arguments: dict[str, Any], number: int) -> ModelOutput:
    return ModelOutput.for_tool_call("scripted", name, arguments, tool_call_id=f"c{number}")


def shopkeeper(
    messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], config: GenerateConfig
) -> ModelOutput:
    as_text = not tools and config.response_schema is not None

    def act(name: str, **arguments: Any) -> ModelOutput:
        if as_text:
            return said(json.dumps({"call": name, "arguments": arguments}))
        return called(name, arguments, len(messages))

    def speak(text: str) -> ModelOutput:
        return said(json.dumps({"say": text}) if as_text else text)

    own = [m.text for m in messages if m.role == "assistant"]
    results = [m.text for m in messages if m.role != "system" and '"items":' in m.text]
    proposed = [found for text in own for found in re.findall(r"candidate_id:(\w+)", text)]
    if not any(QUESTION in text for text in own):
        return speak(QUESTION)
    if not results:
        heard = "\n".join(m.text for m in messages if m.role == "user")
        wanted: dict[str, Any] = {}
        for field, pattern in (
            ("genre", r"include (\w+)"),
            ("country", r"come from (\w+)"),
            ("language", r"be in (\w+)"),
        ):
            if found := re.findall(pattern, heard):
                wanted[field] = found
        for field, pattern in (("year_min", r"in (\d+) or later"), ("year_max", r"than (\d+)")):
            if found := re.findall(pattern, heard):
                wanted[field] = int(found[0])
        formats = re.findall(r"these formats: (.+)", heard)
        if formats:
            wanted["formats"] = formats[0].rstrip(".").split(", ")
        return act("search", **wanted)
    ids = re.findall(r'"item_id": ?"(\w+)"', results[-1])
    last = messages[-1].text
    if "###ACCEPTED###" in last:
        return act("check_formats", item_id=proposed[-1])
    if '"formats":[' in last:
        return act("recommend", item_id=proposed[-1])
    left = [one for one in ids if one not in proposed][:1]
    if not left or len(proposed) >= 5:
        return act("recommend", item_id=None)
    return speak(f"How about this one? [[candidate_id:{left[0]}]]")


def critic(
    messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], config: GenerateConfig
) -> ModelOutput:
    """A bare one knows a few titles by heart; so does one whose search finds nothing."""
    as_text = not tools and config.response_schema is not None
    asked = next(m.text for m in messages if m.role == "user")
    results = [m.text for m in messages if m.role != "system" and '"items":' in m.text]
    if (tools or as_text) and not results:
        arguments = {"keywords": " ".join(re.findall(r"[A-Z]\w+", asked)[1:6])}
        if as_text:
            return said(json.dumps({"call": "search", "arguments": arguments}))
        return called("search", arguments, len(messages))
    found = json.loads(results[-1][results[-1].index("{") :])["items"] if results else []
    titles = [{"title": row["title"], "id": row["item_id"]} for row in found[:5]]
    if not titles:
        return said("1. Heat (1995)\n2. Alien (1979)\n3. The Film That Nobody Made (1999)")
    answer = json.dumps({"recommendations": titles, "concerns": []})
    return said(json.dumps({"say": answer}) if as_text else answer)


POLICIES: dict[str, Policy] = {"shopkeeper": shopkeeper, "critic": critic}


@modelapi(name="scripted")
def scripted() -> type[ModelAPI]:
    class Scripted(ModelAPI):
        calls = 0

        async def generate(
            self,
            input: list[ChatMessage],
            tools: list[ToolInfo],
            tool_choice: ToolChoice,
            config: GenerateConfig,
        ) -> ModelOutput:
            del tool_choice
            Scripted.calls += 1
            output = POLICIES[self.model_name](input, tools, config)
            words = sum(len(message.text.split()) for message in input)
            output.usage = ModelUsage(
                input_tokens=words, output_tokens=len(output.completion.split()) + 1,
                input_tokens_cache_read=3, total_tokens=words + 4,
            )  # fmt: skip
            return output

    return Scripted
