"""From an `agent.yaml` to an agent that can be played, with everything wrong said at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from mystery_shopper.agents.addresses import address_problem
from mystery_shopper.agents.deployed.answers import AnswerReader, read_answer_form
from mystery_shopper.agents.deployed.form import AgentForm, RequestForm
from mystery_shopper.agents.deployed.ids import Affixes, IdMap, read_ids
from mystery_shopper.agents.deployed.keys import unknown_keys
from mystery_shopper.agents.deployed.requests import (
    GIVEN,
    SESSION,
    Exchange,
    read_exchange,
    used_slots,
)
from mystery_shopper.agents.deployed.templates import TemplateReader, is_variable, not_set
from mystery_shopper.agents.deployed.veil import Veil
from mystery_shopper.agents.http import Patience
from mystery_shopper.foundation import InputError, digest_bytes, read_whole

REMEDY = "docs/agents-deployed.md describes every key of the file."


@dataclass(frozen=True)
class Deployed:
    """An agent's file, read: `where` names it in errors, `veil` hides its secrets."""

    where: str
    say: Exchange
    open: Exchange | None
    close: Exchange | None
    answer: AnswerReader
    ids: IdMap
    veil: Veil
    patience: Patience
    expired: tuple[int, ...]
    proposes: Literal["shown", "choice"]
    words: Mapping[str, str]


def is_agent_file(name: str) -> bool:
    """Whether an agent's name is that of a YAML file."""
    return name.lower().endswith((".yaml", ".yml"))


def file_digest(path: str) -> str:
    """The digest of an agent's file and of its map of ids: two runs with equal digests ask in the
    same way. The values of variables are no part of it."""
    raw = read_whole(FilePath(path), REMEDY)
    form = _decode(raw, path)
    table = form.ids.file if form.ids is not None else None
    more = read_whole(FilePath(path).parent / table, REMEDY) if table is not None else b""
    return digest_bytes(digest_bytes(raw).encode() + digest_bytes(more).encode())


def load_deployed(path: str, environment: Mapping[str, str], *, decides: bool = True) -> Deployed:
    """The agent of a file. `decides`: it must be able to decide on one item; else its words may be
    all that it answers. Raises InputError that names every fault, missing variables included."""
    form = _decode(read_whole(FilePath(path), REMEDY), path)
    problems: list[str] = []
    secrets = TemplateReader(environment, _slots(form), problems)
    address = secrets.text(form.address, "address").text({}).rstrip("/")
    _check_address(address, secrets.secrets, problems)
    exchanges = {
        name: read_exchange(name, request, address, form.headers, secrets)
        for name, request in (("open", form.open), ("say", form.say), ("close", form.close))
        if request is not None
    }
    _check_slots(exchanges, problems)
    answer = read_answer_form(form.answer, problems)
    if decides and form.answer.choice is None and None in (form.answer.shown, form.answer.done):
        problems.append(
            "answer: name `choice`, or `shown` and `done`: else nothing is ever recommended"
        )
    if form.proposes == "choice" and (form.answer.done is None or form.answer.choice is None):
        problems.append(
            "proposes: a choice can be proposed only where `choice` and `done` are named"
        )
    if not 0 < form.timeout <= 3600:
        problems.append(f"timeout: {form.timeout:g} is not within 0 and 3600 seconds")
    if not 1 <= form.tries <= 10:
        problems.append(f"tries: {form.tries} is not within 1 and 10")
    if "" in form.words:
        problems.append("words: the empty text stands everywhere")
    ids: IdMap = Affixes()
    try:
        ids = read_ids(form.ids, FilePath(path).parent)
    except InputError as error:
        problems.extend(f"{error.where or 'ids'}: {problem}" for problem in error.problems)
    if problems:
        found = list(dict.fromkeys(problems))
        raise InputError(found, where=path, remedy=_remedy(found, path, secrets.secrets))
    return Deployed(
        path,
        exchanges["say"],
        exchanges.get("open"),
        exchanges.get("close"),
        answer,
        ids,
        Veil.over(secrets.secrets),
        Patience(timeout=form.timeout, tries=form.tries),
        form.expired,
        form.proposes,
        form.words,
    )


def _decode(raw: bytes, where: str) -> AgentForm:
    try:
        if problems := unknown_keys(msgspec.yaml.decode(raw), raw):
            raise InputError(problems, where=where, remedy=_correct(where))
        return msgspec.yaml.decode(raw, type=AgentForm)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        raise InputError(str(error), where=where, remedy=_correct(where)) from None


def _correct(path: str) -> str:
    return f"Correct {path}; {REMEDY}"


def _remedy(problems: Sequence[str], path: str, secrets: Mapping[str, str]) -> str:
    """What to do: set the variables that are not set, and correct what is left."""
    unset = [name for name, value in secrets.items() if not value and is_variable(name)]
    of_these = tuple(not_set(name) for name in unset)
    left = [problem for problem in problems if not problem.endswith(of_these)]
    export = f"Set what is not set: export {' '.join(f'{name}=…' for name in unset)}"
    return "\n".join([*([export] if unset else []), *([_correct(path)] if left else [])])


def _slots(form: AgentForm) -> list[str]:
    requests: Sequence[RequestForm | None] = (form.open, form.say)
    names = [name for request in requests if request is not None for name in request.session]
    return [*GIVEN, *(f"{SESSION}{name}" for name in dict.fromkeys(names))]


def _check_address(address: str, secrets: Mapping[str, str], problems: list[str]) -> None:
    problem = address_problem(address)
    if problem is None:
        parts = urlsplit(address)
        if parts.query or parts.fragment:
            problem = "holds a query; put it into the requests' paths"
        else:
            return
    # Credentials that are no variable's are not in the veil.
    shown = "" if "@" in address else f"{Veil.over(secrets).text(address)!r} "
    problems.append(f"address: {shown}{problem}")


def _check_slots(exchanges: Mapping[str, Exchange], problems: list[str]) -> None:
    used = used_slots(exchanges["say"])
    if not used & {"text", "history"}:
        problems.append("say: the request holds neither {text} nor {history}")
    if "open" in exchanges:
        early = used_slots(exchanges["open"]) & {"text", "history"}
        problems.extend(f"open: {{{name}}} is not known when the session opens" for name in early)
    if exchanges.get("close") is not None and exchanges["close"].session:
        problems.append("close.session: nothing is asked after the last request")
