"""Opening a model by Inspect's name, with what its provider says against it in plain words."""

from __future__ import annotations

import re
from typing import Any

from inspect_ai.model import Model, get_model

from mystery_shopper.engine.lasting.outage import bounded
from mystery_shopper.foundation import InputError

PAGE = "https://inspect.aisi.org.uk/providers.html"
_STYLES = "bold|italic|underline|dim|black|red|green|yellow|blue|magenta|cyan|white"
_MARKUP = re.compile(rf"\[/?(?:{_STYLES})(?: (?:{_STYLES}))*\]|\[/\]")
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:KEY|TOKEN|URL)\b")


def open_named(name: str, base_url: str | None, where: str) -> Model:
    """Inspect's model of this name; a server that is away is given up in time. Raises InputError,
    told as of `where`, with what Inspect says of a provider that is unknown or lacks its package or
    key."""
    more: dict[str, Any] = {"base_url": base_url} if base_url else {}
    try:
        return bounded(get_model(name, memoize=False, **more))
    except Exception as error:
        raise cannot_be_opened(error, where) from None


def cannot_be_opened(error: Exception, where: str) -> InputError:
    """What to raise where Inspect cannot make a model."""
    text = " ".join(plain(str(error)).split())
    missing = _VARIABLE.search(text)  # The usual one is named first.
    line = f"\n  export {missing[0]}=…" if missing else ""
    remedy = (
        "Write it as model:PROVIDER/NAME, install the provider's package and set its key, as "
        f"{PAGE} says for each provider."
    )
    return InputError(f"the model cannot be opened: {text}", where=where, remedy=remedy + line)


def plain(text: str) -> str:
    """A text without the marks by which a terminal would colour it."""
    return _MARKUP.sub("", text)
