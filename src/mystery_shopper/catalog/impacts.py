"""Term impacts: what BM25 gives a document for one token of a query, computed ahead of the query.

Formula: Robertson et al. 1994 (Okapi at TREC-3) with the floor on frequent terms that
`rank_bm25.BM25Okapi` has (Trotman et al. 2014). In one field of N documents (its empty ones
included), with tf the count of a term in a document, n the number of documents that hold it, dl the
document's length and avgdl the mean length:

    idf(t) = ln((N - n + 0.5) / (n + 0.5)); a negative one becomes 0.25 x the mean idf of all terms
    impact(t, d) = idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))

The score of an item is the sum of the impacts of the query's tokens over the fields. The sum over
fields does not depend on the query: `merge` takes it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.columns import Column, LabelColumn, TextColumn
from mystery_shopper.catalog.tokens import tokenize

K1, B, EPSILON = 1.5, 0.75, 0.25

Documents: TypeAlias = NDArray[np.int32]
Scores: TypeAlias = NDArray[np.float64]
Keyed: TypeAlias = tuple[NDArray[np.int64], Scores]
"""Ascending keys, each term code x number of documents + document, and the impact of each."""


@dataclass(frozen=True)
class TokenField:
    """One field's documents: document i holds the term codes `codes[offsets[i]:offsets[i + 1]]`."""

    offsets: NDArray[np.int64]
    codes: NDArray[np.int32]


def text_tokens(texts: Iterable[str], terms: dict[str, int]) -> TokenField:
    """The texts as term codes; new terms are added to `terms`."""
    codes, ends = array("i"), array("q", [0])
    for text in texts:
        codes.extend([terms.setdefault(token, len(terms)) for token in tokenize(text)])
        ends.append(len(codes))
    return TokenField(np.array(ends, np.int64), np.array(codes, np.int32))


def column_tokens(column: Column, terms: dict[str, int]) -> TokenField:
    """A column's documents; each label of a vocabulary is split into words only once."""
    if isinstance(column, TextColumn):
        return text_tokens((text or "" for text in column.texts), terms)
    if not isinstance(column, LabelColumn):
        values = (column.value(row) for row in range(len(column)))
        return text_tokens(("" if value is None else str(value) for value in values), terms)
    labels = text_tokens(column.labels, terms)
    lengths = np.diff(labels.offsets)[column.codes]
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    shift = np.repeat(labels.offsets[column.codes] - ends[:-1], lengths)
    return TokenField(ends[column.offsets], labels.codes[np.arange(int(ends[-1])) + shift])


def joined_tokens(fields: Sequence[TokenField]) -> TokenField:
    """Several fields as one: the documents of a row follow one another."""
    if len(fields) == 1:
        return fields[0]
    rows = np.concatenate(
        [np.repeat(np.arange(len(f.offsets) - 1), np.diff(f.offsets)) for f in fields]
    )
    codes = np.concatenate([f.codes for f in fields])
    offsets = np.stack([f.offsets for f in fields]).sum(axis=0)
    return TokenField(offsets, codes[np.argsort(rows, kind="stable")])


def field_impacts(tokens: TokenField, terms: int) -> Keyed:
    """The impacts of one field."""
    size = len(tokens.offsets) - 1
    lengths = np.diff(tokens.offsets)
    keys = tokens.codes.astype(np.int64)
    keys *= size
    keys += np.repeat(np.arange(size, dtype=np.int32), lengths)
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    if not first.size:
        return keys, np.empty(0)
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    keys = keys[first]
    del first
    codes = keys // size
    idf = _idf(np.bincount(codes, minlength=terms), size)[codes]
    del codes
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    impacts = norm[keys % size]
    impacts += counts
    np.divide(counts * (K1 + 1), impacts, out=impacts)
    impacts *= idf
    return keys, impacts


def _idf(bearers: NDArray[np.int64], size: int) -> Scores:
    """The idf of each term from the number of documents that hold it; 0 where none does."""
    held = bearers > 0
    idf = np.zeros(len(bearers))
    idf[held] = np.log(size - bearers[held] + 0.5) - np.log(bearers[held] + 0.5)
    idf[idf < 0] = EPSILON * idf[held].mean()
    return idf


def merge(fields: Sequence[Keyed]) -> Keyed:
    """The fields' impacts with those of equal keys summed, in ascending order of keys."""
    if not fields:
        return np.empty(0, np.int64), np.empty(0)
    keys = np.concatenate([entry[0] for entry in fields])
    keys.sort()
    keys = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
    impacts = np.zeros(len(keys))
    for field_keys, field_impacts in fields:
        impacts[keys.searchsorted(field_keys)] += field_impacts
    return keys, impacts
