"""The ear in domains that give nothing but the labels of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import SHIPPED, Domain, load_domain, parse_domain
from mystery_shopper.catalog.words import FieldWords, shared_block
from mystery_shopper.suites.tau_rec.asks import AskReader
from mystery_shopper.suites.tau_rec.asks.lexicon import Lexicon
from mystery_shopper.suites.tau_rec.asks.naming import everyday
from mystery_shopper.suites.tau_rec.asks.tokens import tokenise


def domain_of(*fields: Mapping[str, Any]) -> Domain:
    """A domain of these fields, called f0, f1 and so on, all of which carry requirements."""
    plain: dict[str, Any] = {
        "name": "things",
        "noun": {"singular": "gadget", "plural": "gadgets"},
        "title": "title",
        "fields": {"title": {"kind": "text"}},
    }
    for at, spec in enumerate(fields):
        plain["fields"][f"f{at}"] = {"kind": "category", "requirement": True, **spec}
    return parse_domain(msgspec.yaml.encode(plain), "things")


def labelled(*labels: str, kind: str = "category") -> AskReader:
    return AskReader(domain_of(*({"label": label, "kind": kind} for label in labels)), {})


_SIGNS = st.sampled_from([*"abcdefghijklmnopqrstuvwxyzABCXYZ0123456789", *" -'()[] "])
_FUNCTION = frozenset("a an the or and of in on to is it i you if so as at by do no not be".split())


def _is_fair(label: str) -> bool:
    """Whether a label is more than signs and words of grammar, and begins and ends in no gap."""
    tokens = [token for token in tokenise(label)[0] if token[0].isalnum()]
    return label == label.strip() and bool(tokens) and not set(tokens) <= everyday() | _FUNCTION


LABELS = st.text(_SIGNS, min_size=2, max_size=16).filter(_is_fair)


def _key(label: str) -> str:
    return "".join(letter for letter in label.lower() if letter.isalnum())


@settings(max_examples=60, deadline=None)
@given(st.lists(LABELS, min_size=1, max_size=6, unique_by=_key))
def test_every_field_is_heard_by_its_label(labels: list[str]) -> None:
    listed = ", ".join(f"the {label}" for label in labels)
    found = labelled(*labels).read(f"Do you have any requirements on {listed}, or the format?")
    assert found.asks == tuple(f"f{at}" for at in range(len(labels)))
    assert not found.generic


AWKWARD = (
    "Size (cm)", "men's", "made to order", "ready to ship", "not for sale", "in stock", "is vegan",
    "no. of doors", "condition", "order", "A-B", "'tis", "dogs'", "(b) rated", "[x] marked",
    "size or fit", "must have", "why not", "so far gone", "sold as", "O'Neill's", "Vegan?", "a|b",
    "{item}", "w/o sugar", "price*", "C&C", "Größe", "e.g. this", "range limit",
)  # fmt: skip


@pytest.mark.parametrize("label", AWKWARD)
def test_labels_of_signs_and_grammar_are_heard(label: str) -> None:
    reader = labelled("zorba", label, "quux")
    text = f"Do you have any requirements on the zorba, the {label}, or the quux?"
    assert reader.read(text).asks == ("f0", "f1", "f2")
    assert reader.read(f"Do you have any requirements on the {label}?").asks == ("f1",)
    assert reader.read(f"I won't ask about the {label}.").asks == ()


ASKING = (
    "What {x} would you like?", "Do you have a preferred {x}?", "Is the {x} important?",
    "Any requirements on the {x} or the {y}?", "Which {x}?", "Tell me the {x}.", "{x}?", "{x}: ___",
    "What about the {x}?", 'Which "{x}" do you want?', "Which '{x}' do you want?",
    "Do you care about the {x}?", "Does the {x} matter?", "Please specify: {y}, {x}",
    "Could you tell me your preferred {x}, {y} and so on?", "Any preference for the {x}?",
)  # fmt: skip
SILENT = (
    "I won't ask about the {x}.", "The {x} is blue.", "It comes in {x}.", "The {x} is 12.",
    "No need to tell me the {x}.", "I have noted the {x}.", "It has a {x} of 5.",
    "This one is {x}.", "Thanks for the {x}.",
)  # fmt: skip
GUISES = ("{}", "{} plural", "upper", "title", "hyphen", "underscore")
KINDS = {"finish": "category", "heel height": "number", "gluten free": "flag", "wheel": "integer"}


def guise(label: str, how: str) -> str:
    return {
        "upper": label.upper(),
        "title": label.title(),
        "hyphen": label.replace(" ", "-"),
        "underscore": label.replace(" ", "_"),
        "{} plural": label if label.endswith(("sh", "free")) else label + "s",
    }.get(how, label)


@pytest.mark.parametrize("how", GUISES)
@pytest.mark.parametrize("label", KINDS)
def test_forms_of_questions_and_statements(label: str, how: str) -> None:
    fields = [{"label": name, "kind": kind} for name, kind in KINDS.items()]
    reader = AskReader(domain_of(*fields), {})
    names = list(KINDS)
    own, other = f"f{names.index(label)}", names[names.index(label) - 1]
    word = guise(label, how)
    missed = [t for t in ASKING if own not in reader.read(t.format(x=word, y=other)).asks]
    taken = [t for t in SILENT if reader.read(t.format(x=word)).asks]
    assert (missed, taken) == ([], [])


@pytest.mark.parametrize("label", ["second_hand", "second-hand", "Second Hand", "secondHand"])
@pytest.mark.parametrize("said", ["second hand", "second-hand", "second_hand", "SECOND HAND"])
def test_spellings_of_a_label(label: str, said: str) -> None:
    assert labelled(label, "zorba").read(f"What {said} would you like?").asks == ("f0",)


@pytest.mark.parametrize(
    "text",
    [
        "Should it be vegan?", "Does it have to be vegan?", "vegan or not?", "Is it to be vegan?",
        "Do you need vegan?", "Must it be vegan?", "Vegan, yes or no?",
    ],
)  # fmt: skip
@pytest.mark.parametrize("label", ["vegan", "is vegan", "is_vegan", "Vegan"])
def test_flags(label: str, text: str) -> None:
    assert labelled(label, kind="flag").read(text).asks == ("f0",)


def test_what_a_flag_is_said_to_be_stands_for_it() -> None:
    said = {"wanted": "it should be second-hand", "unwanted": "it should be new"}
    reader = AskReader(domain_of({"label": "wear", "kind": "flag", "say": said}), {})
    assert reader.read("New or second-hand?").asks == ("f0",)
    assert reader.read("Should I look for something new?").asks == ()


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("width", "How wide may it be?"), ("seat height", "How high should it be?"),
        ("weight (kg)", "How heavy can it be?"), ("pages", "How many pages should it have?"),
        ("price", "How expensive may it be?"), ("load", "What load range?"),
        ("load", "What is the minimum load?"), ("load", "maximum load?"),
        ("load_kg", "Which load do you need?"),
    ],
)  # fmt: skip
def test_ordered_fields(label: str, text: str) -> None:
    assert labelled(label, "zorba", kind="number").read(text).asks == ("f0",)


LABELLED: Mapping[str, Sequence[str]] = {
    "f0": ("Matt", "Glossy", "Next", "Cream", "Orange", "Red Wine Stains"),
    "f1": ("Orange", "Steel", "Yes", "No"),
}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Matt or glossy?", ("f0",)), ("Next or cream?", ("f0",)), ("Should it be Next?", ("f0",)),
        ("Should it be cream?", ("f0",)), ("Is it for next week?", ()), ("Glossy?", ("f0",)),
        ("Should it be orange or steel?", ("f1",)), ("Orange or glossy?", ("f0",)),
        ("Which finish: orange or cream?", ("f0",)), ("Yes or no?", ()),
        ("Red wine stain or glossy?", ("f0",)), ("It is orange.", ()),
    ],
)  # fmt: skip
def test_labels_that_are_words_or_shared(text: str, asks: tuple[str, ...]) -> None:
    reader = AskReader(domain_of({"label": "finish"}, {"label": "body"}), LABELLED)
    assert reader.read(text).asks == asks


def test_a_name_that_another_field_bears_stands_for_that_field() -> None:
    plain = msgspec.to_builtins(domain_of({"label": "shade"}, {"label": "zorba"}))
    plain["fields"]["shade"] = plain["fields"].pop("f1")
    plain["fields"]["zorba"] = plain["fields"].pop("f0")
    reader = AskReader(msgspec.convert(plain, Domain), {})
    assert reader.read("Which shade?").asks == ("zorba",)
    assert reader.read("Which zorba?").asks == ("shade",)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_labels_are_read_as_they_stand(name: str) -> None:
    assert Lexicon(load_domain(name), {}).aliases.nouns == {}


BLOCKS = (
    "age", "brand", "colour", "condition", "creator", "cuisine", "delivery", "department",
    "flavour", "gender", "length", "material", "occasion", "pages", "price", "publisher", "rating",
    "size", "weight",
)  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_every_noun_of_a_shipped_block_is_heard(name: str) -> None:
    words = {"also": [name]}
    reader = AskReader(domain_of({"label": "zorba", "words": words}), {})
    nouns = [noun for noun in shared_block(name).nouns if not set(noun) & set("(|*{")]
    assert nouns
    heard = [noun for noun in nouns if reader.read(f"What {noun} would you like?").asks == ("f0",)]
    assert len(heard) >= 0.95 * len(nouns), set(nouns) - set(heard)
    known = [noun for noun in nouns if reader.read(f"Never mind the {noun}.").asks]
    assert known == []


def test_every_shipped_file_of_words_is_a_list_or_a_block() -> None:
    folder = resources.files("mystery_shopper") / "data" / "words"
    for file in folder.iterdir():
        if file.name != "english.yaml":
            kind = tuple[str, ...] | FieldWords
            assert msgspec.yaml.decode(file.read_bytes(), type=kind), file.name
