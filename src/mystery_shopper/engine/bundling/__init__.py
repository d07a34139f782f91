"""Runs as one file that others can check: packed, redacted, verified."""

from mystery_shopper.engine.bundling.packing import Bundled, Wanted, bundle
from mystery_shopper.engine.bundling.verifying import Verified, verify

__all__ = ["Bundled", "Verified", "Wanted", "bundle", "verify"]
