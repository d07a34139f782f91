"""Console output of `check` and `measure`: what was proved, and what was missed."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from mystery_shopper.metrics.asks import AskScores
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.validate import CheckReport
