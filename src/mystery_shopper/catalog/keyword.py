"""Keyword search: Okapi BM25 over several fields, from precomputed term impacts.

`catalog.impacts` has the formula. The scores are those of `rank_bm25.BM25Okapi`, one index a field,
summed over the fields; a token that a query repeats counts each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.catalogue import Catalogue
from mystery_shopper.catalog.impacts import (
    Documents,
    Scores,
    TokenField,
    column_tokens,
    field_impacts,
    joined_tokens,
    merge,
    text_tokens,
)
from mystery_shopper.catalog.places import Places
from mystery_shopper.catalog.texts import Texts
from mystery_shopper.catalog.tokens import tokenize

MAX_QUERY_TOKENS = 64
MAX_QUERY_CHARACTERS = 4096
SMALL = 65_536
"""Up to this many documents every search may touch an array of all, and frequent terms (in more
than an eighth of the documents) are kept as dense rows."""
MANY_TERMS = 1 << 18
MANY_POSTINGS, SAMPLE = 1 << 16, 1024
"""A query of more postings first scores so many documents, to bound what can be among the best."""

Hit: TypeAlias = tuple[int, float]


class _List(NamedTuple):
    """The postings of one query term and how often the query names it. The rarest sort first."""

    length: int
    code: int
    times: int
    documents: Documents
    impacts: Scores


def token_fields(catalogue: Catalogue, terms: dict[str, int]) -> list[TokenField]:
    """The documents of each indexed field, in the domain's order; new words enter `terms`."""
    fields: dict[str, list[TokenField]] = {}
    for name, spec in catalogue.domain.fields.items():
        if spec.keyword:
            group = name if spec.keyword is True else spec.keyword
            fields.setdefault(group, []).append(column_tokens(catalogue.columns[name], terms))
    return [joined_tokens(group) for group in fields.values()]


def compact_terms(terms: dict[str, int]) -> Mapping[str, int]:
    """Term -> code, where the codes are the places of the terms in their order: many terms without
    an object each, few as they are, which is faster to ask."""
    return terms if len(terms) <= MANY_TERMS else Places.build(Texts.build(terms))


@dataclass(frozen=True)
class KeywordIndex:
    """Term impacts in compressed columns: term c stands in `documents[starts[c]:starts[c + 1]]`,
    ascending, with `impacts` beside it; `peaks[c]` is its greatest impact; `rows[c]`, where there
    is one, has its impact on every document.

    `floor` is the smallest impact of all: where it is not negative, documents that cannot reach the
    best k are skipped. Searching is safe from several threads.
    """

    size: int
    terms: Mapping[str, int]
    starts: NDArray[np.int64]
    documents: Documents
    impacts: Scores
    peaks: Scores
    rows: Mapping[int, Scores]
    floor: float
    _scratch: list[Scores] = field(default_factory=list[Scores], repr=False, compare=False)

    @classmethod
    def build(cls, catalogue: Catalogue) -> KeywordIndex:
        """From the fields of the catalogue's domain that are marked `keyword`.

        The labels of an item, joined by spaces, are its document in that field; fields that share a
        name under `keyword` make one document. (`catalog.kept.keyword_index` keeps it in the folder
        of a catalogue that has one.)
        """
        terms: dict[str, int] = {}
        fields = token_fields(catalogue, terms)
        known = compact_terms(terms)
        del terms
        return cls.from_codes(known, fields, len(catalogue))

    @classmethod
    def from_documents(cls, fields: Sequence[Sequence[str]]) -> KeywordIndex:
        """From texts: `fields[f][i]` is field f of item i. Raises ValueError on unequal lengths."""
        terms: dict[str, int] = {}
        size = len(fields[0]) if fields else 0
        return cls.from_codes(terms, [text_tokens(texts, terms) for texts in fields], size)

    @classmethod
    def from_codes(
        cls, terms: Mapping[str, int], fields: Sequence[TokenField], size: int
    ) -> KeywordIndex:
        """From documents of term codes. `terms` maps each term to its code, 0 to len(terms) - 1.

        Raises ValueError where a field has not `size` documents.
        """
        if any(len(tokens.offsets) != size + 1 for tokens in fields):
            raise ValueError(f"every field must hold {size} documents")
        keys, impacts = merge([field_impacts(tokens, len(terms)) for tokens in fields])
        starts = np.searchsorted(keys, np.arange(len(terms) + 1, dtype=np.int64) * size)
        documents = (keys % max(size, 1)).astype(np.int32)
        del keys
        lengths = np.diff(starts)
        peaks = np.zeros(len(terms))
        held = np.flatnonzero(lengths)
        if held.size:
            peaks[held] = np.maximum.reduceat(impacts, starts[held])
        floor = float(impacts.min()) if impacts.size else 0.0
        rows: dict[int, Scores] = {}
        for code in np.flatnonzero(8 * lengths > size).tolist() if size <= SMALL else ():
            part = slice(starts[code], starts[code + 1])
            rows[code] = _dense(documents[part], impacts[part], size)
        return cls(size, terms, starts, documents, impacts, peaks, rows, floor)

    def search(self, query: str, k: int = 20) -> list[Hit]:
        """The best k items that hold a word of the query: (position, score), best first.

        Ties stand in the order of positions. An item that holds a word is a hit whatever its score:
        a word that half the items hold scores 0, and a field that has only frequent words can have
        a negative mean idf, and so negative scores. Only the first MAX_QUERY_CHARACTERS characters
        and MAX_QUERY_TOKENS tokens of a query count. Without a known word nothing is found.
        """
        if k < 1:
            return []
        lists = self._lists(query)
        if not lists:
            return []
        bound = self._bound(lists, k)
        return _best(*self._candidates(lists, bound), k)

    def _lists(self, query: str) -> list[_List]:
        """The postings of the query's known terms, rarest first."""
        counts: dict[int, int] = {}
        for token in tokenize(query[:MAX_QUERY_CHARACTERS])[:MAX_QUERY_TOKENS]:
            code = self.terms.get(token)
            if code is not None:
                counts[code] = counts.get(code, 0) + 1
        lists: list[_List] = []
        for code, count in counts.items():
            start, stop = self.starts[code : code + 2].tolist()
            impacts = self.impacts[start:stop]
            if count > 1:
                impacts = impacts * count
            lists.append(_List(stop - start, code, count, self.documents[start:stop], impacts))
        lists.sort()
        return lists

    def _bound(self, lists: Sequence[_List], k: int) -> float:
        """A score that k items are known to reach; minus infinity where none is known.

        It is lowered by a billionth, so that rounding cannot exclude an equal.
        """
        if self.floor < 0:
            return -np.inf
        for place, entry in enumerate(lists):
            if entry.length >= k:
                bound = _reached(entry.impacts, k)
                if len(lists) > 1 and sum(one.length for one in lists) > MANY_POSTINGS:
                    bound = max(bound, _sampled(lists, place, k))
                return bound * (1 - 1e-9)
        return -np.inf

    def _candidates(self, lists: list[_List], bound: float) -> tuple[Documents, Scores]:
        """Documents that hold a term, ascending, and their scores; all that reach `bound`.

        A term without which all others stay below the bound is held by each of the best: the rarest
        such term alone proposes documents. Else MaxScore (Turtle & Flood 1995): terms whose peaks
        together stay below the bound cannot bring a document into the best, so they only add to
        what the rarer terms propose.
        """
        peaks = {entry.code: float(self.peaks[entry.code]) * entry.times for entry in lists}
        rest = sum(peaks.values())
        needed = [entry for entry in lists if (rest - peaks[entry.code]) * (1 + 1e-9) < bound]
        if needed:
            proposing = needed[:1]
            adding = [entry for entry in lists if entry is not needed[0]]
            rest -= peaks[needed[0].code]
        else:
            rest, cut = 0.0, len(lists)
            while cut > 1 and rest + peaks[lists[cut - 1].code] < bound:
                cut -= 1
                rest += peaks[lists[cut].code]
            proposing, adding = lists[:cut], lists[cut:]
        documents, scores = self._sums(proposing, bound - rest * (1 + 1e-9))
        for entry in adding:
            scores = scores + self._looked_up(entry, documents)
            rest -= peaks[entry.code]
            kept = (scores >= bound - (rest + bound * 1e-9)).nonzero()[0]
            documents, scores = documents[kept], scores[kept]
        return documents, scores

    def _looked_up(self, entry: _List, documents: Documents) -> Scores:
        """The impact of the term on each of the documents; 0 where they do not hold it."""
        if 16 * len(documents) < entry.length:
            return _searched(entry, documents)
        scratch = self._scratch.pop() if self._scratch else np.zeros(self.size)
        held = entry.documents.astype(np.int64)
        scratch[held] = entry.impacts
        found = scratch[documents.astype(np.int64)]
        scratch[held] = 0
        self._scratch.append(scratch)
        return found

    def _sums(self, lists: Sequence[_List], bound: float) -> tuple[Documents, Scores]:
        """The documents of these lists, ascending, and their sums, where not below `bound`."""
        if len(lists) == 1:
            kept = (lists[0].impacts >= bound).nonzero()[0]
            return lists[0].documents[kept], lists[0].impacts[kept]
        if bound > 0 and self.size <= SMALL:
            sums = self._dense_sums(lists)
            found = (sums >= bound).nonzero()[0]
            return found.astype(np.int32), sums[found]
        scratch = self._scratch.pop() if self._scratch else np.zeros(self.size)
        touched = np.concatenate([entry.documents for entry in lists]).astype(np.int64)
        start = 0
        for entry in lists:
            scratch[touched[start : start + entry.length]] += entry.impacts
            start += entry.length
        sums = scratch[touched]
        scratch[touched] = 0
        self._scratch.append(scratch)
        return _distinct(touched, sums, bound)

    def _dense_sums(self, lists: Sequence[_List]) -> Scores:
        """The sum of the lists' impacts for every document, shape (size,)."""
        sparse = [entry for entry in lists if entry.code not in self.rows]
        if sparse:
            documents = np.concatenate([entry.documents for entry in sparse])
            sums = _dense(documents, np.concatenate([e.impacts for e in sparse]), self.size)
        else:
            sums = np.zeros(self.size)
        for entry in lists:
            row = self.rows.get(entry.code)
            if row is not None:
                sums += row * entry.times if entry.times > 1 else row
        return sums


def _searched(entry: _List, documents: Documents) -> Scores:
    place = entry.documents.searchsorted(documents)
    place[place == entry.length] = 0
    return np.where(entry.documents[place] == documents, entry.impacts[place], 0.0)


def _sampled(lists: Sequence[_List], place: int, k: int) -> float:
    """The k-th best whole score among some of the documents of the list at this place and all of
    the rarer lists; documents that hold several terms of the query are found so."""
    step = -(-lists[place].length // SAMPLE)
    some = [entry.documents for entry in lists[:place]] + [lists[place].documents[::step]]
    documents = np.unique(np.concatenate(some))
    if len(documents) < k:
        return -np.inf
    sums = np.zeros(len(documents))
    for entry in lists:
        sums += _searched(entry, documents)
    return float(np.sort(sums)[-k])


def _dense(documents: Documents, impacts: Scores, size: int) -> Scores:
    """The sum of impacts for each of `size` documents. There must be at least one impact."""
    return np.bincount(documents, impacts, size).astype(np.float64, copy=False)


def _distinct(touched: NDArray[np.int64], sums: Scores, bound: float) -> tuple[Documents, Scores]:
    """The documents whose sums reach the bound, ascending, each once."""
    kept = (sums >= bound).nonzero()[0]
    kept = kept[touched[kept].argsort(kind="stable")]
    documents = touched[kept].astype(np.int32)
    first = np.ones(len(documents), np.bool_)
    np.not_equal(documents[1:], documents[:-1], out=first[1:])
    return documents[first], sums[kept[first]]


def _best(documents: Documents, scores: Scores, k: int) -> list[Hit]:
    """The k best of documents in ascending order: by score, then by document."""
    if len(scores) > k:
        kept = (scores >= _kth(scores, k)).nonzero()[0]
        documents, scores = documents[kept], scores[kept]
    order = (-scores).argsort(kind="stable")[:k]
    return list(zip(documents[order].tolist(), scores[order].tolist(), strict=True))


def _kth(scores: Scores, k: int) -> float:
    """The k-th greatest of at least k scores. (`np.partition` is slow where many are equal.)"""
    while len(scores) > max(256, 16 * k):
        low = _reached(scores, k)
        above = scores[scores > low]
        if len(above) < k:
            return low
        scores = above
    return float(np.sort(scores)[-k])


def _reached(scores: Scores, k: int) -> float:
    """A score that at least k of the scores reach, near the k-th greatest.

    Of many scores it is the k-th greatest of the maxima of 8k groups.
    """
    groups = 8 * k
    if len(scores) >= 2 * groups:
        even = len(scores) - len(scores) % groups
        scores = scores[:even].reshape(-1, groups).max(axis=0)
    return float(np.sort(scores)[-k])
