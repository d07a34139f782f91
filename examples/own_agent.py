"""Your own agent: any object with `act(view)`. Run it from this folder:

mystery-shopper run tau_rec --agent own_agent:AsksOnce --tasks panel --out runs/mine
mystery-shopper run recbench --agent own_agent:AnswersOnce --tasks panel --out runs/requests

In recbench there is one request, nobody to ask back and no tool `recommend`: what an agent says is
its answer. So AsksOnce serves tau_rec alone, and AnswersOnce recbench alone.
"""

import json
import re

from mystery_shopper import CallTools, Say, ToolCall

WISHES = {
    "genre": r"should include (.+)\.",
    "language": r"should be in (.+)\.",
    "country": r"should come from (.+)\.",
    "year_min": r"in (\d+) or later\.",
    "year_max": r"no later than (\d+)\.",
    "formats": r"in these formats: (.+)\.",
}


class AsksOnce:
    """Asks about everything, searches for what it is told, and recommends the most popular film
    that fits, unproposed. It recommends none where the search finds none."""

    def __init__(self):
        self.turn = 0

    def act(self, view):
        """One act: words to the customer, or tool calls. `view` holds the instructions, the tools
        with their JSON Schemas, and all messages so far; `view.messages[view.seen:]` are new."""
        self.turn += 1
        if self.turn == 1:
            return Say("Which genre, language, country, release year and format do you want?")
        if self.turn == 2:
            told = {name: re.findall(form, view.messages[-1].text) for name, form in WISHES.items()}
            wishes = {name: ", ".join(found).split(", ") for name, found in told.items() if found}
            wishes |= {name: int(wishes[name][0]) for name in wishes if name.startswith("year")}
            return CallTools((ToolCall("get_history", {}), ToolCall("search", wishes)))
        known, found = (json.loads(one.text) for one in view.messages if one.role == "tool")
        films = [film for film in found.get("items", []) if film["item_id"] not in str(known)]
        best = films[0]["item_id"] if films else None
        check = (ToolCall("check_formats", {"item_id": best}),) if best else ()
        return CallTools((*check, ToolCall("recommend", {"item_id": best})))


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
