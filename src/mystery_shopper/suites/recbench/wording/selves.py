"""How a person of a group describes themselves, and reading it back."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import lru_cache

from mystery_shopper.suites.recbench.wording.phrases import filled
from mystery_shopper.suites.recbench.wording.speech import People, plain, shipped


def self_described(group: Mapping[str, str], source: random.Random) -> str:
    """For example "a woman aged 25 to 34 who works as a writer"."""
    people = shipped("people", People)
    left = dict(group)
    age = people.age.get(left.get("age", ""))
    sex = people.gender.get(left.get("gender", ""))
    who = sex or people.nobody
    parts = [who.young if age is not None and age.young else who.noun]
    if sex is not None:
        del left["gender"]
    if age is not None:
        parts.append(source.choice(age.say))
        del left["age"]
    work = people.occupation.get(left.get("occupation", ""))
    if work is not None:
        parts.append(source.choice(work))
        del left["occupation"]
    told = [
        filled(people.otherwise, {"attribute": plain(name), "value": value})
        for name, value in left.items()
    ]
    return " ".join([*parts, " and ".join(told)]).strip()


def read_self(text: str) -> dict[str, str]:
    """The group that a text's speaker belongs to, as far as the tables tell; attributes in the
    order gender, age, occupation, others."""
    found: dict[str, str] = {}
    for attribute, phrases in _phrases():
        for phrase, value in phrases:
            if re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", text, re.IGNORECASE):
                found.setdefault(attribute, value)
                break
    people = shipped("people", People)
    head, tail = re.escape(people.otherwise).split(re.escape("{attribute}"))
    middle, end = tail.split(re.escape("{value}"))
    for said in re.finditer(rf"{head}([\w ]+?){middle}(.+?){end}", text):
        found.setdefault(said[1], said[2])
    return found


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """For each attribute: (what is said, value), longest first."""
    people = shipped("people", People)
    tables = {
        "gender": [(n, v) for v, sex in people.gender.items() for n in (sex.noun, sex.young)],
        "age": [(say, value) for value, age in people.age.items() for say in age.say],
        "occupation": [(say, value) for value, says in people.occupation.items() for say in says],
    }
    return tuple(
        (name, tuple(sorted(pairs, key=lambda pair: -len(pair[0]))))
        for name, pairs in tables.items()
    )
