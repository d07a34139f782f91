"""What a message of the agent asks: fields, further requirements, verdicts on proposals."""

from mystery_shopper.suites.tau_rec.asks.lexicon import FORMATS_FIELD
from mystery_shopper.suites.tau_rec.asks.reader import AskReader, Reading

__all__ = ["FORMATS_FIELD", "AskReader", "Reading"]
