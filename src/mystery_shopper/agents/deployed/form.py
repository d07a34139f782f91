"""What may stand in an `agent.yaml`: its keys, their types and their usual values."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mystery_shopper.agents.deployed.ids import IdRule


class RequestForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One request. `body` is sent as JSON, or `form` as fields of a form. `session`: what is kept
    of the answer for later requests, name -> a path, `cookie:NAME` or `header:NAME`."""

    path: str = ""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: dict[str, str] = {}
    body: Any = None
    form: dict[str, str] | None = None
    session: dict[str, str] = {}


class FromText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ids that are read from the agent's words: a pattern with a group (?P<id>…)."""

    pattern: str


class CallsForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent's own tool calls: a path to each, and from there to its parts."""

    path: str
    name: str = "name"
    arguments: str | None = "arguments?"
    result: str | None = None


class AnswerForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the answer to `say` holds what. `text`: the words to the customer. `shown`: ids of the
    items that it shows; where its first answer is its last, those that it recommends. `choice`: the
    id of its final choice; where there is none, the item shown last when it is done. `done`: a flag
    without which a choice is not final. `abstain`: a flag, or phrases in the words, by which it
    says that nothing fits."""

    text: str
    shown: str | FromText | None = None
    choice: str | FromText | None = None
    calls: CallsForm | None = None
    done: str | None = None
    abstain: str | tuple[str, ...] | None = None


class AgentForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `timeout`: seconds that one answer may take. `tries`: how often a request is
    sent while the server is busy. `expired`: the statuses by which it says that the session is
    over. `proposes`: whether the first item shown counts as proposed to the customer, or the choice
    while it is not final. `words`: what is put in the place of a text wherever the customer says
    it, so that an agent need not know the marks by which ours accept and reject."""

    address: str
    say: RequestForm
    answer: AnswerForm
    headers: dict[str, str] = {}
    timeout: float = 60.0
    tries: int = 4
    open: RequestForm | None = None
    close: RequestForm | None = None
    expired: tuple[int, ...] = (401,)
    ids: IdRule | None = None
    proposes: Literal["shown", "choice"] = "shown"
    words: dict[str, str] = {}
