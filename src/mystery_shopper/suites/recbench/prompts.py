"""What the agent is told before the request, worded by us.

`PROMPTS_VERSION` changes with any word of it; a run records the hash of what its agent was told.
"""

from __future__ import annotations

from mystery_shopper.catalog import Domain
from mystery_shopper.suites.recbench.shelf import Interface

PROMPTS_VERSION = 2

_BASE = """\
You recommend {nouns}. A customer sends one request, and your next words to them are your answer: \
you cannot ask back.

Rules:
- Recommend only {nouns} that meet everything the customer asks for, the most fitting first. A \
{noun} that the request itself mentions is known already, and is no answer.
- {number}{history}
- What the customer takes for granted may be mistaken. If so, say what is wrong with it under \
"concerns", and recommend what serves the wish behind the request.
- If no {noun} fits, say so with an empty list of recommendations.{tools}

Answer in JSON and with nothing else:
{{"recommendations": [{{"title": "…", "year": 2000, "id": "…"}}], "concerns": ["…"]}}
"year" and "id" may be left out where you do not know them. A plain list, one {noun} a line, is \
read too."""
_FREE = """\
How many you name is up to you: all that fit well. Whether the request speaks of one {noun}, of \
a few, or of two or three is a manner of speech and no limit."""
_ONE = """\
Name 1 {noun}, whatever other number the request speaks of; none only where none fits."""
_ASKED = """\
Name {k} {nouns}, whatever other number the request speaks of; fewer only where fewer fit."""
_HISTORY = """
- The customer also tells what they have had before. It shows their taste; what they ask for comes \
first."""
_TOOLS = """
- `search` and `get_metadata` look into the catalogue of {nouns}. Only {nouns} of the catalogue \
count, so look before you answer."""
_HISTORY_TOOL = """
- `get_history` lists what the customer has had before, with ids."""
_BARE = """
- You have no tools: answer from what you know."""


def instructions_for(domain: Domain, interface: Interface, history: bool, k: int) -> str:
    """The agent's instructions for a domain. `k`: so many items are asked for, 0 for any number."""
    tools = _BARE if interface is Interface.BARE else _TOOLS + (_HISTORY_TOOL if history else "")
    noun, nouns = domain.noun.singular, domain.noun.plural
    number = _FREE if not k else _ONE if k == 1 else _ASKED
    return _BASE.format(
        noun=noun,
        nouns=nouns,
        number=number.format(k=k, noun=noun, nouns=nouns),
        history=_HISTORY if history else "",
        tools=tools.format(nouns=nouns),
    )
