"""Fields that nobody can ask about by the very label they bear."""

from __future__ import annotations

from mystery_shopper.catalog.domain import FORMATS_FIELD, Domain
from mystery_shopper.suites.tau_rec.asks import AskReader

REQUEST = "Do you have any requirements on the {label}?"
"""How the reference agents ask."""


def labels_of(domain: Domain) -> dict[str, str]:
    """Field -> label, of the fields that carry requirements, then of the formats."""
    labels = {name: domain.label(name) for name in domain.requirement_fields}
    if domain.formats is not None:
        labels[FORMATS_FIELD] = domain.formats.label
    return labels


def mute_fields(domain: Domain, reader: AskReader | None = None) -> tuple[str, ...]:
    """The fields that carry requirements, or the formats, whose own label is not heard or is heard
    as another field: a label like "the", or one that two fields bear. In the domain's order.

    `reader`: one of this domain, if there is one already.
    """
    reader = reader or AskReader(domain, {})
    labels = labels_of(domain)
    return tuple(
        name
        for name, label in labels.items()
        if reader.read(REQUEST.format(label=label)).asks != (name,)
    )
