"""Tasks of τ-Rec v1, read from its files as a task set of this suite."""

from mystery_shopper.suites.tau_rec.v1.importing import SOURCE, import_tau_rec_v1

__all__ = ["SOURCE", "import_tau_rec_v1"]
