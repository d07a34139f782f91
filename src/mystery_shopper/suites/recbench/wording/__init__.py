"""How queries are worded, checked and read back."""

from mystery_shopper.suites.recbench.wording.account import WordingAccount
from mystery_shopper.suites.recbench.wording.check import Checker, Fault, Problem
from mystery_shopper.suites.recbench.wording.openings import Openings, opening
from mystery_shopper.suites.recbench.wording.reading import (
    Claim,
    Reader,
    Reading,
    Reference,
    facts_of,
)
from mystery_shopper.suites.recbench.wording.speech import Speech
from mystery_shopper.suites.recbench.wording.templates import TemplateWriter
from mystery_shopper.suites.recbench.wording.writer import (
    CheckedTemplates,
    ModelWriter,
    Worded,
    reword,
)

__all__ = [
    "CheckedTemplates",
    "Checker",
    "Claim",
    "Fault",
    "ModelWriter",
    "Openings",
    "Problem",
    "Reader",
    "Reading",
    "Reference",
    "Speech",
    "TemplateWriter",
    "Worded",
    "WordingAccount",
    "facts_of",
    "opening",
    "reword",
]
