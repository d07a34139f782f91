"""Your own agent: any object with `act(view)`. Run it from this folder:

mystery-shopper run tau_rec --agent own_agent:AsksOnce --tasks panel --out runs/mine
mystery-shopper run recbench --agent own_agent:AnswersOnce --tasks panel --out runs/requests

In recbench there is one request, nobody to ask back and no tool `recommend`: what an agent says is
its answer. So AsksOnce serves tau_rec alone, and AnswersOnce recbench alone.
"""

import json

from mystery_shopper import CallTools, Say, ToolCall


class AsksOnce:
    """Asks about everything, takes the first search result, and recommends it unproposed."""

    def __init__(self):
        self.turn = 0

    def act(self, view):
        """One act: words to the customer, or tool calls. `view` holds the instructions, the tools
        with their JSON Schemas, and all messages so far; `view.messages[view.seen:]` are new."""
        self.turn += 1
        if self.turn == 1:
            return Say("Which genre, language, country, release year and format do you want?")
        if self.turn == 2:
            return CallTools((ToolCall("search", {"genre": "Drama"}),))
        films = json.loads(view.messages[-1].text)["items"]
        return CallTools((ToolCall("recommend", {"item_id": films[0]["item_id"]}),))


class AnswersOnce:
    """Searches by the request's own words, and answers with the first five results."""

    def act(self, view):
        """The request is in `view.messages` first; the words said are the answer."""
        last = view.messages[-1]
        if last.role == "user":
            return CallTools((ToolCall("search", {"keywords": last.text}),))
        films = json.loads(last.text).get("items", [])
        named = [{"title": film["title"], "id": film["item_id"]} for film in films[:5]]
        return Say(json.dumps({"recommendations": named, "concerns": []}))
