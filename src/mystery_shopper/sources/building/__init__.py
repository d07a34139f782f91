"""The making of a catalogue from a person's own product file, and the account of what it took."""

from mystery_shopper.sources.building.account import (
    Account,
    Dropped,
    Example,
    FieldAccount,
    OnError,
)
from mystery_shopper.sources.building.build import build_from_table

__all__ = ["Account", "Dropped", "Example", "FieldAccount", "OnError", "build_from_table"]
