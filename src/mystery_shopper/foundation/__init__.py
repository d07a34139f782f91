"""What every floor stands on: errors, seeds, hashes."""

from mystery_shopper.foundation.errors import (
    AgentFault,
    ContextOverflow,
    InfrastructureFault,
    InputError,
    MysteryShopperError,
    UserFault,
)
from mystery_shopper.foundation.files import read_whole, sole_writer, write_whole
from mystery_shopper.foundation.hashing import canonical_json, digest, digest_bytes
from mystery_shopper.foundation.seeds import derive_seed, generator, random_source

__all__ = [
    "AgentFault",
    "ContextOverflow",
    "InfrastructureFault",
    "InputError",
    "MysteryShopperError",
    "UserFault",
    "canonical_json",
    "derive_seed",
    "digest",
    "digest_bytes",
    "generator",
    "random_source",
    "read_whole",
    "sole_writer",
    "write_whole",
]
