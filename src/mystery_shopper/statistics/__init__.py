"""What trials say, and how far it can be trusted: reliability, intervals, tests over families."""

from mystery_shopper.statistics.agreement import (
    Alpha,
    Scale,
    jaccard_distance,
    krippendorff_alpha,
    leave_one_out_alpha,
    masi_distance,
)
from mystery_shopper.statistics.bootstrap import (
    Interval,
    cluster_bootstrap,
    cluster_bootstrap_columns,
    resampled_means,
)
from mystery_shopper.statistics.cellplan import (
    Cell,
    Difference,
    IncomparableCells,
    Paired,
    differing,
    pair,
)
from mystery_shopper.statistics.contrasts import ContrastResult, paired_bootstrap
from mystery_shopper.statistics.corrections import holm
from mystery_shopper.statistics.correlation import Correlation, kendall, pearson, spearman
from mystery_shopper.statistics.designs import (
    Combined,
    Contrast,
    average,
    clustered_error,
    group_differences,
    interaction,
)
from mystery_shopper.statistics.exact import PairedT, SignFlip, paired_t, sign_flip
from mystery_shopper.statistics.passk import (
    pass_hat_all,
    pass_hat_interval,
    pass_hat_k,
    pass_hat_per_task,
)
from mystery_shopper.statistics.power import (
    Components,
    Detectable,
    Needed,
    Separation,
    detectable,
    minimum_detectable_effect,
    needed,
    predicted_power,
    separated_share,
    variance_components,
)

__all__ = [
    "Alpha",
    "Cell",
    "Combined",
    "Components",
    "Contrast",
    "ContrastResult",
    "Correlation",
    "Detectable",
    "Difference",
    "IncomparableCells",
    "Interval",
    "Needed",
    "Paired",
    "PairedT",
    "Scale",
    "Separation",
    "SignFlip",
    "average",
    "cluster_bootstrap",
    "cluster_bootstrap_columns",
    "clustered_error",
    "detectable",
    "differing",
    "group_differences",
    "holm",
    "interaction",
    "jaccard_distance",
    "kendall",
    "krippendorff_alpha",
    "leave_one_out_alpha",
    "masi_distance",
    "minimum_detectable_effect",
    "needed",
    "pair",
    "paired_bootstrap",
    "paired_t",
    "pass_hat_all",
    "pass_hat_interval",
    "pass_hat_k",
    "pass_hat_per_task",
    "pearson",
    "predicted_power",
    "resampled_means",
    "separated_share",
    "sign_flip",
    "spearman",
    "variance_components",
]
