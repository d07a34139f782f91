"""A table of unknown columns -> the draft of a domain, with what was guessed and why."""

from mystery_shopper.sources.infer.draft import Draft, infer_domain

__all__ = ["Draft", "infer_domain"]
