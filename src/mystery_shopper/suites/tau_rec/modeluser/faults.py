"""What a user's words are freed of, and what shows that the simulation failed.

A failed simulation is no answer of a customer's: no words at all, reasoning or parts of our own
prompt instead of words, or the assistant's part played in the customer's place.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata

from mystery_shopper.dialogue.limits import clean_text
from mystery_shopper.suites.tau_rec.modeluser.prompt import TAGS

LONGEST_REPLY = 4_000
"""Characters of a reply that are kept; the guard reads all of them."""

_PLAIN = str.maketrans({"\\": None, "‘": "'", "’": "'", "“": '"', "”": '"'})

_MARK = re.compile(
    r"(?<![*_~`])[*_~`]*+(?:#{2,}\s*[A-Za-z_]{3,20}\s*#{2,}|(?<![A-Za-z])#{3,}(?![A-Za-z]))[*_~`]*"
)
_NAME = re.compile(
    r"\A\s*(?:\**(?:the )?(?:customer|user|shopper|client)\**\s*:\s*)+", re.IGNORECASE
)
_EMPTY = re.compile(
    r"\W*(?:null|undefined|nan|n/a)\W*"
    r"|[(\[<*]\s*(?:empty|silence|silent|blank|no (?:reply|response|answer|message))\s*[)\]>*]",
    re.IGNORECASE,
)
_SCRATCH = re.compile(
    r"</?\s*(?:think|thinking|thought|reason|reasoning|scratchpad|analysis|reflection)\b"
    r"|<\|[^|<>]{0,40}\|>"
    r"|[◁⟨‹«\[{(*]\s*/?\s*(?:think|thinking|thought|reasoning|internal)\s*[▷⟩›»\]}):]"
    r"|(?:^|\n)\W*(?:(?:my|inner|internal|final) )?(?:thoughts?|thinking|reasoning|analysis"
    r"|scratchpad|monologue|draft|response|reply|answer|output|say)\W*:"
    r"|\bas the (?:user|customer|shopper|client),? (?:i|my)\b"
    r"|\bas (?:a|the) simulated\b"
    r"|(?:^|\n)\s*(?:(?:okay|ok|alright|so|hmm|now),?\s+)?(?:the|this) (?:assistant|agent|model) "
    r"(?:is|has|wants?|asks?|asked|says|said|just|proposed|proposes)\b"
    r"|\bthe (?:user|customer|shopper) (?:is|has|wants?|says|said|should|would|will|asks|replies)\b"
    r"|\bhere(?:'s| is) (?:the|my|a) (?:customer|user|shopper|reply|response|(?:first )?message)\b"
    r"|\bi(?:'m| am) (?:supposed|instructed|told) (?:not )?to\b"
    r"|\b(?:my|the) (?:hidden|secret) (?:requirement|fact|preference)s?\b"
    r"|\(\s*(?:note: (?:what|you do not|several)|the chat is open|this message cannot)"
    r"|```",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?([a-z_][\w.:-]*)[^<>]{0,200}>|<<\s*/?\s*sys\b|\[\s*/?\s*inst\s*\]", re.I)
_FORMATTING = frozenset("a b br code del em i li ol p small span strong sub sup u ul".split())
_CALL = re.compile(
    r"\{\s*[\"'][^\"'{}]{1,60}[\"']\s*:|\A\s*[\"']\w{1,30}[\"']\s*:\s*[\"'{\[\d]"
    r"|\[\s*/?\s*tool_?(?:call|use|result|request|s)?s?\b|\bfunctions\.\w"
    r"|\b[a-z_]\w{2,40}\(\s*(?:\w{1,40}\s*=|[\"'{)])"
    r"|(?:^|\n)\W*(?:action input|observation|tool call|function call)\W*:",
    re.IGNORECASE,
)
_VERDICT = re.compile(r"#[\W_]*(?:accept|reject)ed|(?:accept|reject)ed[\W_]*#", re.IGNORECASE)
_ASSISTANT = (
    r"(?:shopping |shop |ai |sales )?(?:assistant|agent|seller|clerk|chatbot|bot|ai|system)"
)
_SWAP = re.compile(
    r"\bcandidate_id\b"
    rf"|(?:\A|\n|[.!?\"”]\s)\W*(?:the )?{_ASSISTANT}\W*:"
    r"|\n\W*(?:the )?(?:customer|user|shopper|client)\W*:"
    r"|\b(?:i am|i'm|as) an? (?:large |ai |virtual |digital |helpful |shopping |shop |sales )*"
    r"(?:ai|language model|chatbot|bot|assistant)\b(?!\s+(?:to|manager|professor|\w+er|\w+or)\b)"
    r"|\bas an ai\b"
    r"|\b(?:can't|cannot|can not) assist (?:you )?with\b"
    r"|\b(?:happy|glad|here) to (?:help|assist)\b"
    r"|\bhow (?:can|may) i (?:help|assist)\b"
    r"|\bi(?:'d|'ll| would| can| could| will)? (?:recommend|suggest)\b"
    r"|\bmay i (?:recommend|suggest)\b"
    r"|\byou(?:'d|'ll| might| may| will| would) (?:also |really )?(?:enjoy|love)\b"
    r"|\byou (?:might|may) (?:also )?like\b"
    r"|\bmy (?:recommendation|suggestion)s?\b"
    r"|\blet me (?:search|look|check|find|see what)\b"
    r"|\bi(?:'ll| will| can) (?:search|look (?:it )?up|find you|help you|check (?:the|our))\b"
    r"|\bfound\b[^.!?]{0,60}\bfor you\b"
    r"|\bwould you like me to\b"
    r"|\bhere (?:are|is) (?:some|a few|my|the) (?:\w+ )?(?:recommendation|suggestion|option|film|"
    r"book|product|item)s?\b"
    r"|\bdo you have (?:a |any )?(?:specific |particular )?(?:preferred \w+|preferences?)\b"
    r"|\bwhat are you (?:looking for|in the mood for)\b"
    r"|\bwhat (?:\w+ ){1,4}(?:do|would|are) you (?:prefer|like|want|looking)\b",
    re.IGNORECASE,
)


def cleaned(text: object) -> str:
    """The words of a reply: cut to length, without verdict tokens or other markers of that kind and
    without a name before them. Doing it twice changes nothing."""
    words, _ = clean_text(text, LONGEST_REPLY)
    while True:
        fewer = _NAME.sub("", _MARK.sub(" ", words)).strip()
        if fewer == words:
            return words
        words = fewer


def fault_of(words: str) -> str | None:
    """Why these words are no customer's; None if they may be. Invisible characters, letters of
    other widths and escapes make no difference."""
    bare = undisguised(words)
    if not any(letter.isalnum() for letter in bare) or _EMPTY.fullmatch(bare.strip()):
        return "it is empty"
    if _VERDICT.search(bare):
        return "it gives a verdict, which is not its to give"
    if _SCRATCH.search(bare) or _tagged(bare) or _quotes_rules(bare):
        return "it holds thoughts or instructions, not words to the assistant"
    if _CALL.search(bare) or _is_json(bare):
        return "it is JSON, or calls a tool"
    if _SWAP.search(bare):
        return "it speaks as the assistant"
    return None


def undisguised(words: str) -> str:
    """The words in plain letters: no escapes of HTML's or Markdown's, no invisible characters."""
    plain = unicodedata.normalize("NFKC", html.unescape(words)).translate(_PLAIN)
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")


def _tagged(words: str) -> bool:
    """Whether there is markup other than that which sets a text in bold and the like."""
    return any((found[1] or "").lower() not in _FORMATTING for found in _TAG.finditer(words))


def _quotes_rules(words: str) -> bool:
    folded = words.upper()
    return any(tag in words or f"[{tag}]" in folded for tag in TAGS.values())


def _is_json(words: str) -> bool:
    if words[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(words), dict | list)
    except (ValueError, RecursionError):
        return False
