"""What trials say, and how far it can be trusted: reliability and intervals over families."""

from mystery_shopper.statistics.bootstrap import (
    Interval,
    cluster_bootstrap,
    cluster_bootstrap_columns,
    resampled_means,
)
from mystery_shopper.statistics.passk import pass_hat_all, pass_hat_k, pass_hat_per_task

__all__ = [
    "Interval",
    "cluster_bootstrap",
    "cluster_bootstrap_columns",
    "pass_hat_all",
    "pass_hat_k",
    "pass_hat_per_task",
    "resampled_means",
]
