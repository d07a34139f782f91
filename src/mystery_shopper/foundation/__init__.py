"""What every floor stands on: errors, seeds, hashes."""

from mystery_shopper.foundation.decoding import at_most, decode_fields, decode_leaf, parse_json
from mystery_shopper.foundation.errors import (
    AgentFault,
    ContextOverflow,
    InfrastructureFault,
    InputError,
    MysteryShopperError,
    RunStopped,
    UserFault,
)
from mystery_shopper.foundation.files import read_whole, slug, sole_writer, write_whole
from mystery_shopper.foundation.hashing import canonical_json, digest, digest_bytes
from mystery_shopper.foundation.near import did_you_mean
from mystery_shopper.foundation.seeds import derive_seed, generator, random_source

__all__ = [
    "AgentFault",
    "ContextOverflow",
    "InfrastructureFault",
    "InputError",
    "MysteryShopperError",
    "RunStopped",
    "UserFault",
    "at_most",
    "canonical_json",
    "decode_fields",
    "decode_leaf",
    "derive_seed",
    "did_you_mean",
    "digest",
    "digest_bytes",
    "generator",
    "parse_json",
    "random_source",
    "read_whole",
    "slug",
    "sole_writer",
    "write_whole",
]
