"""What a model that plays the customer is told, worded by us.

What it conveys follows τ-Rec-Books §4.1: the same rules, facts and reveal tags that the rule-based
user goes by, and the verdicts, which it does not decide. `USER_PROMPT_VERSION` changes with any
word of it; a run records it.
"""

from __future__ import annotations

from mystery_shopper.dialogue import Verdict
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Reveal, Task
from mystery_shopper.suites.tau_rec.wishes import wishes_said
from mystery_shopper.suites.tau_rec.wording import Wording, field_labels, listed

USER_PROMPT_VERSION = 1

TAGS = {
    Reveal.STATED: "SAY AT ONCE",
    Reveal.ON_ASK: "SAY WHEN ASKED",
    Reveal.HIDDEN: "NEVER SAY",
}
BEGIN = "(The chat is open. Write your first message to the assistant.)"
_RULES = """\
You play a customer in a chat with a shopping assistant. You want one {noun}. Write only what the \
customer says next, in one to three plain English sentences.

What you require, each with a tag that says when it may be told:
{facts}

How you behave:
- First message: say that you look for one {noun}, and tell every requirement tagged {stated}. \
Tell nothing else.
- A requirement tagged {asked} is told when the assistant asks about its field, or asks whether \
there is anything else. Then tell it exactly, with its value. Until then do not mention it.
- A requirement tagged {hidden} is never told, hinted at, confirmed or denied. Asked about its \
field, say that you would rather not say.
- The fields are {fields}. On a field with no requirement above you have no preference. Add no \
requirement of your own.
- When the assistant proposes {a} {noun}, a note after its message gives your verdict. It is \
settled: agree with it in your own words and give no reasons. Write no markers or ids.
- You are the customer and nobody else: suggest no {noun}, offer no help, look nothing up.
- No notes, no thinking aloud, no JSON, no name before your words.{persona}"""
_PERSONA = """
- This is who you are; let it be heard in how you write, not in what you require: {persona}"""
_VERDICTS = {
    True: "(Note: what was proposed is accepted.)",
    False: "(Note: what was proposed is rejected.)",
    None: "(Note: you do not know what was proposed, so you cannot judge it.)",
}
_SEVERAL = "(Note: several were proposed at once; only the first was judged.)"
_AGAIN = "(This message cannot be sent: {why}. Write it anew, and only the customer's words.)"
GIVES_AWAY = "it tells something that must not be told now"


def user_rules(task: Task, wording: Wording, *, persona: bool = False) -> str:
    """The rules and facts of one task; with `persona` the family's persona is to be voiced."""
    noun = wording.domain.noun.singular
    lines = [
        f"- [{TAGS[one.reveal]}] {wording.requirement(one.predicate)}" for one in task.requirements
    ]
    if task.family.formats:
        tag = Reveal.ON_ASK if FORMATS_FACT in task.askable else Reveal.STATED
        lines.append(f"- [{TAGS[tag]}] {wording.formats(task.family.formats)}")
    lines += [f"- [{TAGS[Reveal.ON_ASK]}] {wish}" for wish in wishes_said(task)]
    return _RULES.format(
        noun=noun,
        a="an" if noun[:1].lower() in "aeiou" else "a",
        facts="\n".join(lines),
        stated=TAGS[Reveal.STATED],
        asked=TAGS[Reveal.ON_ASK],
        hidden=TAGS[Reveal.HIDDEN],
        fields=listed(field_labels(wording.domain), "and"),
        persona=_PERSONA.format(persona=task.family.persona) if persona else "",
    )


def heard(text: str, verdict: Verdict | None) -> str:
    """The assistant's words as the model is given them, with the verdict."""
    notes = [] if verdict is None else [_VERDICTS[verdict.accepted]]
    if verdict is not None and verdict.others:
        notes.append(_SEVERAL)
    return "\n".join((text or "(The assistant says nothing.)", *notes))


def again(why: str) -> str:
    """Why a draft was not let out, and that another is wanted."""
    return _AGAIN.format(why=why)
