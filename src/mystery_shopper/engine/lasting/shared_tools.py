"""Tools in Inspect's form, of which hundreds of trials in flight hold each once and not once a
call.

Inspect copies the tools of a call twice: for its log, which only reads them, and from that copy for
the provider, which may do with its own what it likes. The log's copy can always be the same. The
provider's can be once a call has shown that this provider leaves its tools as they were.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from inspect_ai.tool import ToolInfo, ToolParams
from pydantic import PrivateAttr

from mystery_shopper.dialogue import ToolSpec


@lru_cache
def copies_twice() -> bool:
    """Whether this Inspect copies a call's tools for its log and again for the provider, as 0.3.285
    does; an older one may hand a provider the tools themselves."""
    numbers = [int(part) for part in re.findall(r"\d+", version("inspect-ai"))[:3]]
    return numbers >= [0, 3, 285]


@contextmanager
def tools_of(specs: Sequence[ToolSpec], model: str) -> Generator[list[ToolInfo]]:
    """These tools for one call of this model, which nobody can spoil for the next call. The call
    is over when the block ends."""
    made = [_made(spec, model) for spec in specs]
    if not copies_twice():
        yield [_plain_copy(tool) for tool in made]
        return
    call = object()
    token = _call.set(call)
    try:
        yield list(made)
    finally:
        _call.reset(token)
        for tool in made:
            tool.logged.call_ended(call)


_call: ContextVar[object] = ContextVar("call")
"""The call under way."""


def _plain_copy(tool: ToolInfo) -> ToolInfo:
    return ToolInfo(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters.model_copy(deep=True),
    )


class _LoggedTool(ToolInfo):
    """The log's copy of a tool. A provider gets a copy of its own for each call until the first
    call has ended and left its copy unspoilt; from then on all get that one, as long as it stays
    so."""

    _lent: ToolInfo | None = PrivateAttr(default=None)
    _first: object = PrivateAttr(default=None)
    _tried: bool = PrivateAttr(default=False)
    _spoilt: bool = PrivateAttr(default=False)

    def model_copy(
        self, *, update: Mapping[str, Any] | None = None, deep: bool = False
    ) -> ToolInfo:
        """A plain tool for the provider, which copies itself as any other."""
        del update, deep
        if self._lent is None:
            self._first = _call.get(None)
            self._lent = _plain_copy(self)
            return self._lent
        return self._lent if self._may_share(self._lent) else _plain_copy(self)

    def call_ended(self, call: object) -> None:
        """Say that this call has ended."""
        self._tried = self._tried or call is self._first

    def _may_share(self, lent: ToolInfo) -> bool:
        if not self._tried or self._spoilt:
            return False
        self._spoilt = (lent.name, lent.description, lent.parameters, lent.options) != (
            self.name,
            self.description,
            self.parameters,
            self.options,
        )
        return not self._spoilt


class _SharedTool(ToolInfo):
    """A tool whose copy for the log is always the same."""

    _logged: _LoggedTool = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Make the copy, whose parameters are the tool's own."""
        del context
        self._logged = _LoggedTool(
            name=self.name, description=self.description, parameters=self.parameters
        )

    @property
    def logged(self) -> _LoggedTool:
        """The log's copy."""
        return self._logged

    def model_copy(
        self, *, update: Mapping[str, Any] | None = None, deep: bool = False
    ) -> ToolInfo:
        """The log's copy."""
        del update, deep
        return self._logged


@lru_cache(maxsize=1024)
def _made(spec: ToolSpec, model: str) -> _SharedTool:
    """Made once a tool and model, since another model's provider may spoil what this one's does
    not."""
    del model
    parameters = ToolParams.model_validate(spec.schema)
    return _SharedTool(name=spec.name, description=spec.description, parameters=parameters)
