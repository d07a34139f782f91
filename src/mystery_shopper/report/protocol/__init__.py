"""The paper's protocol for those who report results: what it asks, and the figures it lists."""

from mystery_shopper.report.protocol.figures import find
from mystery_shopper.report.protocol.reading import check_name, read_protocol
from mystery_shopper.report.protocol.records import Protocol
from mystery_shopper.report.protocol.remedies import Commands
from mystery_shopper.report.protocol.tables import protocol_tables
from mystery_shopper.report.protocol.terminal import protocol_lines

__all__ = [
    "Commands",
    "Protocol",
    "check_name",
    "find",
    "protocol_lines",
    "protocol_tables",
    "read_protocol",
]
