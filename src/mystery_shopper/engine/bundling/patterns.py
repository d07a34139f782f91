"""What in a text is a secret or says who or where somebody is, found by its form.

Every repetition is bounded, so that no text makes a search slow. A form that ordinary words and
numbers share (a card's digits, an account, an address) is checked further: by its check digits, its
length, or the key it stands beside. Loopback addresses are nobody's and stay.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

KINDS = ("header", "key", "token", "credentials", "email", "iban", "card", "phone", "ip", "home")
Keep: TypeAlias = Callable[[str], bool]
"""Whether a text is an id of the catalogue, which stays whatever it looks like."""


class Form(NamedTuple):
    """`pattern`: its group `it`, or the whole where it has none, is replaced if `holds`."""

    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = lambda _: True


def mark(kind: str) -> str:
    """What stands in the place of what was taken out."""
    return f"[redacted:{kind}]"


MARK = re.compile(rf"\[redacted:(?:{'|'.join((*KINDS, 'address'))})\]")


def taken_out(text: str, counts: dict[str, int], keep: Keep = lambda _: False) -> str:
    """The text without them; `counts` is raised by kind."""
    for form in _FORMS:
        grouped = "it" in form.pattern.groupindex

        def put(found: re.Match[str], form: Form = form, grouped: bool = grouped) -> str:
            it = found["it"] if grouped else found[0]
            if MARK.search(it) or keep(it) or not form.holds(it):
                return found[0]
            counts[form.kind] = counts.get(form.kind, 0) + 1
            start, end = found.span("it") if grouped else found.span()
            before, after = found[0][: start - found.start()], found[0][end - found.start() :]
            return f"{before}{mark(form.kind)}{after}"

        text = form.pattern.sub(put, text)
    return text


def is_card(text: str) -> bool:
    """Whether these digits are a payment card's: an issuer's beginning and length, and Luhn."""
    digits = re.sub(r"\D", "", text)
    fits = any(
        re.match(start, digits) and len(digits) in lengths for start, lengths in _ISSUERS.items()
    )
    total = sum(
        sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(digits[::-1])
    )
    return fits and total % 10 == 0


_ISSUERS: Mapping[str, tuple[int, ...]] = {
    "4": (16, 19),
    "5[1-5]|2[2-7]": (16,),
    "3[47]": (15,),
    "3[068]": (14,),
    "6011|65|64[4-9]|35": (16,),
    "62": (16, 19),
}


def is_iban(text: str) -> bool:
    """Whether this is an international account number: its length, and 1 modulo 97."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _is_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    plain = address.is_loopback or address.is_unspecified
    return not plain and any(letter.isdigit() for letter in text)


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _is_secret(text: str) -> bool:
    return _has_digit(text) or any(not letter.isalnum() for letter in text)


def _is_phone(text: str) -> bool:
    return 8 <= sum(letter.isdigit() for letter in text) <= 15


def _is_national(text: str) -> bool:
    return 9 <= sum(letter.isdigit() for letter in text) <= 12


_HEADERS = (
    "(?:proxy-)?authorization|(?:set-)?cookie2?|x-api-key|api-key|x-auth-token|x-csrf-token|"
    "x-amz-security-token|x-goog-api-key|x-forwarded-for|x-real-ip"
)
_SECRETS = (
    "api[_-]?key|apikey|(?:access|refresh|auth|id|session|bearer)[_-]?token|client[_-]?secret|"
    "secret[_-]?(?:access[_-]?)?key|aws_secret_access_key|private[_-]?key|passwd|password|passphrase"
)
SECRET_NAMES = re.compile(
    rf"headers?|{_HEADERS}|{_SECRETS}|token|secret|pwd|credentials?|cookies", re.IGNORECASE
)
"""Keys of objects under which every value is taken out."""
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"

_FORMS = (
    Form(
        "key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"
            r"[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
        ),
    ),
    Form(
        "token",
        re.compile(
            r"\beyJ[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{5,8000}(?:\.[A-Za-z0-9_-]{0,2000})?"
        ),
    ),
    Form(
        "header",
        re.compile(
            r"\b(?:(?:proxy-)?authorization|x-[a-z-]{0,30}(?:key|token)|api-key)"
            r"[\"']?[ \t]?[:=][ \t]?[\"']?(?P<it>(?:[A-Za-z]{2,20} )?[^\s\"',;]{6,4000})",
            re.IGNORECASE,
        ),
        _is_secret,
    ),
    Form(
        "header",
        re.compile(
            r"\b(?:set-)?cookie[\"']?[ \t]?:[ \t]?[\"']?(?P<it>[\w.-]{1,100}=[^\s;,\"']{1,4000}"
            r"(?:;[ \t]?[\w.-]{1,100}(?:=[^\s;,\"']{1,4000})?){0,50})",
            re.IGNORECASE,
        ),
    ),
    Form("token", re.compile(r"(?i:\bbearer) (?P<it>[A-Za-z0-9._~+/=-]{8,4000})"), _has_digit),
    Form(
        "key",
        re.compile(
            r"(?<![\w-])(?:sk-[A-Za-z0-9_-]{0,200}[A-Za-z0-9]{16}[A-Za-z0-9_-]{0,200}"
            r"|[rs]k_(?:live|test)_[A-Za-z0-9]{10,200}"
            r"|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{22,255}|glpat-[\w-]{20,100}"
            r"|(?:AKIA|ASIA|AROA|AIDA|AGPA)[0-9A-Z]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,400}"
            r"|xox[abeoprs]-[\w-]{10,250}|hf_[A-Za-z0-9]{30,60}|npm_[A-Za-z0-9]{36}"
            r"|pypi-[\w-]{50,400}|SG\.[\w-]{16,64}\.[\w-]{16,64})(?![\w-])"
        ),
    ),
    Form(
        "key",
        re.compile(
            rf"\b(?:{_SECRETS})[\"']?[ \t]?[:=][ \t]?[\"']?(?P<it>[^\s\"'&,;<>\[\]]{{6,1000}})",
            re.IGNORECASE,
        ),
        _is_secret,
    ),
    Form(
        "key",
        re.compile(
            r"\b(?:token|secret|pwd|key|sig|signature)=(?P<it>[^\s\"'&,;<>\[\]]{6,1000})",
            re.IGNORECASE,
        ),
        _is_secret,
    ),
    Form(
        "credentials",
        re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://(?P<it>[^\s/@\"'\[\]]{1,200})@", re.IGNORECASE),
    ),
    Form(
        "email",
        re.compile(
            r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])"
        ),
    ),
    Form(
        "iban",
        re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])"),
        is_iban,
    ),
    Form("card", re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])"), is_card),
    Form(
        "ip",
        re.compile(rf"(?<![\w.])(?<![vV]ersion )(?:{_OCTET}\.){{3}}{_OCTET}(?!\.?\w)"),
        _is_address,
    ),
    Form(
        "ip",
        re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])"),
        _is_address,
    ),
    Form("phone", re.compile(r"(?<![\w+])\+\d{1,3}(?:[ .()/-]{0,2}\d){6,13}(?!\w)"), _is_phone),
    Form(
        "phone",
        re.compile(r"(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[.-]\d{4}(?![\w-])"),
        _is_phone,
    ),
    Form(
        "phone",
        re.compile(r"(?<![\w.,-])(?<!\d )0\d{1,4}[ /-]\d{3,8}(?:[ -]\d{2,5}){0,3}(?![\w-])"),
        _is_national,
    ),
    Form(
        "phone",
        re.compile(
            r"\b(?:phone|mobile|whatsapp|tel|fax|call me (?:at|on))[.: ]{1,3}"
            r"(?P<it>\(?\d(?:[ .()/-]{0,2}\d){6,13})(?!\w)",
            re.IGNORECASE,
        ),
        _is_phone,
    ),
    Form(
        "home",
        re.compile(r"(?:/home/|/Users/|\b[A-Za-z]:\\Users\\)(?P<it>[^/\\\s\"':;,\[\]]{1,100})"),
    ),
)
