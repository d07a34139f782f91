"""Fixtures of the report's tests."""

from __future__ import annotations

from .browsing import browser

__all__ = ["browser"]
