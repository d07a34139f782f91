"""Probe questions made from a domain's own words, and how the simulated user reads them."""

from mystery_shopper.suites.tau_rec.probe.mute import mute_fields
from mystery_shopper.suites.tau_rec.probe.probing import (
    FieldProbe,
    Misread,
    ProbeReport,
    Shared,
    Tally,
    probe,
)
from mystery_shopper.suites.tau_rec.probe.questions import Question, questions_for

__all__ = [
    "FieldProbe",
    "Misread",
    "ProbeReport",
    "Question",
    "Shared",
    "Tally",
    "mute_fields",
    "probe",
    "questions_for",
]
