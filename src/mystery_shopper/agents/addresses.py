"""Whether anything can be sent to an address: told before a run, not by each of its trials."""

from __future__ import annotations

from urllib.parse import urlsplit


def address_problem(address: str) -> str | None:
    """Why an address of a server cannot be used; None where it can. What it tells holds no part of
    the address, which may be secret."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host.encode("idna")
    except (ValueError, UnicodeError):
        return "is no address: its host or its port cannot be"
    if parts.scheme not in ("http", "https") or not host:
        return "is no address such as https://shop.example/agent"
    if port == 0 or not address.isprintable() or any(letter.isspace() for letter in address):
        return "is no address: it holds a blank, or the port 0"
    if parts.username is not None or parts.password is not None:
        return "holds a user's name; put credentials into a header, from a variable"
    return None
