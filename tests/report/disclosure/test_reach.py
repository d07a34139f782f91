"""How many families a fixed keyword query reaches, and how many answers there are."""

from __future__ import annotations

from statistics import median

from mystery_shopper.catalog import all_match, fold
from mystery_shopper.report.disclosure.reach import fixed_query, reach
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set

SIZES = (5_000, 10_000, 16_852)


def test_the_query_is_the_wanted_labels() -> None:
    family = shipped_task_set("tau_rec/films@1").families[10]
    assert fixed_query(family.predicates) == "Drama English"


def test_it_is_the_plain_count_over_the_first_twenty_hits() -> None:
    tasks, films = shipped_task_set("tau_rec/films@1"), load_films()
    catalogues = [films.nested(size) for size in SIZES]
    found = reach(tasks, catalogues)
    assert [one.size for one in found] == list(SIZES)
    assert [one.families for one in found] == [135] * 3
    fitting = [family for family in tasks.families if family.satisfiable]
    for one, catalogue in zip(found, catalogues, strict=True):
        counts = [
            sum(all_match(family.predicates, catalogue.item(at)) for at in range(len(catalogue)))
            for family in fitting[:3]
        ]
        assert counts == [family.answers[one.size] for family in fitting[:3]]
        assert one.median_answers == median(family.answers[one.size] for family in fitting)
    shares = [one.reached for one in found]
    assert shares[0] >= shares[1] >= shares[2] > 0
    assert shares[0] < 135
    assert found[0].share == shares[0] / 135


def test_an_item_that_is_read_or_cannot_be_had_is_not_reached() -> None:
    tasks, films = shipped_task_set("tau_rec/films@1"), load_films()
    with_formats = next(f for f in tasks.families if f.satisfiable and f.formats and f.history)
    assert fold(with_formats.formats[0])
    import msgspec

    only = msgspec.structs.replace(tasks, families=(with_formats,))
    refused = msgspec.structs.replace(
        only, families=(msgspec.structs.replace(with_formats, formats=("papyrus",)),)
    )
    assert reach(refused, [films])[0].reached == 0
    read = msgspec.structs.replace(
        only, families=(msgspec.structs.replace(with_formats, history=films.ids),)
    )
    assert reach(read, [films])[0].reached == 0
    assert reach(msgspec.structs.replace(tasks, families=()), [films])[0].share is None
