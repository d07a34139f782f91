"""What the agent is told: four prompts and a line about its search tool, worded by us.

What each conveys follows τ-Rec-Books, Table 1 and §4.1. `PROMPTS_VERSION` changes with any word of
them; a run records the hash of what its agent was told.
"""

from __future__ import annotations

from enum import StrEnum

from mystery_shopper.catalog import Domain, Policies
from mystery_shopper.suites.tau_rec.policies import CHECK_CONTENT
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.wording import ACCEPTED, REJECTED, field_labels, listed

PROMPTS_VERSION = 1


class Prompt(StrEnum):
    """How much the agent is told of what helps."""

    BASE = "base"
    ASK = "ask"
    ASK_AND_VERIFY = "ask-and-verify"
    PROTOCOL = "protocol"


class ToolLine(StrEnum):
    """The line on search: the interface's own, or the keyword line with the list of fields."""

    OWN = "own"
    FIELDS = "fields"


_BASE = """\
You help a customer to find one {noun} in a catalogue. You have tools to look into the catalogue, \
and the customer answers what you say.

Rules:
- Finish by calling `recommend` once: with the id of one {noun}, or with null if no {noun} in \
the catalogue meets what the customer requires. Naming a {noun} in words recommends nothing.
- A recommendation that misses any requirement of the customer fails, and so does recommending \
none when the catalogue holds a {noun} that fits.
- Never recommend a {noun} that the customer already knows; `get_history` lists those.{formats}
- You may propose a {noun} before you decide: write its id as [[candidate_id:ID]] in your words. \
The customer answers {accepted} or {rejected}. Propose one at a time, and let a rejection lead \
you to a better candidate."""
_FORMATS = """
- Once the customer names the formats they can use, check with `check_formats` that your choice \
can be had in one of them."""
_SPONSORED = """
- If your choice is sponsored (its {sponsored} says so), tell the customer before they decide."""
_RESTRICTED = """
- Before you recommend a {noun} whose {restricted} is {labels}, call `{check}` with it."""
_ASK = """
- Before you search, ask the customer about every field that a requirement may concern: {fields}. \
One question that names them all will do."""
_VERIFY = """
- Propose a {noun} and wait for {accepted} before you recommend it."""
_PROTOCOL = """
- If the customer would rather not speak of a field, there is a requirement on it whose value you \
have to find out by proposing.
- A rejected {noun} fails at least one requirement, stated or not; use this to rule out what the \
unstated requirements may be. An accepted one meets them all."""
_STRUCTURED = """
- `search` filters on {fields}, and pages through all matches."""
_KEYWORD = """
- `search` takes keywords and returns the 20 best matches."""
_KEYWORD_FIELDS = """
- `search` takes keywords and returns the 20 best matches. The catalogue's fields are {fields}."""


def instructions(
    domain: Domain, interface: Interface, prompt: Prompt, line: ToolLine = ToolLine.OWN
) -> str:
    """The agent's instructions for a domain."""
    parts = [_BASE]
    roles = domain.policies or Policies()
    if roles.sponsored is not None:
        parts.append(_SPONSORED)
    if roles.restricted is not None:
        parts.append(_RESTRICTED)
    if prompt is not Prompt.BASE:
        parts.append(_ASK)
    if prompt in (Prompt.ASK_AND_VERIFY, Prompt.PROTOCOL):
        parts.append(_VERIFY)
    if prompt is Prompt.PROTOCOL:
        parts.append(_PROTOCOL)
    if interface is Interface.STRUCTURED:
        parts.append(_STRUCTURED)
    else:
        parts.append(_KEYWORD_FIELDS if line is ToolLine.FIELDS else _KEYWORD)
    return "".join(parts).format(
        noun=domain.noun.singular,
        fields=listed(field_labels(domain), "and"),
        formats=_FORMATS if domain.formats is not None else "",
        sponsored=domain.label(roles.sponsored) if roles.sponsored else "",
        restricted=domain.label(roles.restricted) if roles.restricted else "",
        labels=" or ".join(roles.restricted_labels),
        check=CHECK_CONTENT,
        accepted=ACCEPTED,
        rejected=REJECTED,
    )
