"""Whole runs in a browser: an index over their files, and a server on loopback that reads them."""

from mystery_shopper.report.viewing.server import Viewer, open_viewer

__all__ = ["Viewer", "open_viewer"]
