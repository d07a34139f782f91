"""What is no customer's reply, and what a reply is freed of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.suites.tau_rec.modeluser.faults import LONGEST_REPLY, cleaned, fault_of

FAULTY = [
    "",
    "   \n",
    "###ACCEPTED###",
    "…!",
    "<think>The assistant asks. ###STOP###</think> Hello.",
    "<think>I was cut off",
    "</think> Hello",
    "As the user, I should not reveal the genre.",
    "As the customer I must say hello.",
    "Okay, the assistant is asking about the genre. I need to decline.",
    "I'm not supposed to tell you; I'm supposed to keep it hidden.",
    "My hidden requirement stays mine.",
    "- [NEVER SAY] It should include Horror.",
    '{"say": "Hello"}',
    '["Hello"]',
    "```\nHello\n```",
    "<|im_start|>user",
    "How about [[candidate_id:tt1]]?",
    "Assistant: what would you like?",
    "How can I help you today?",
    "As an AI language model I cannot watch films.",
    "I'd recommend Nosferatu.",
    "Let me search the catalogue.",
    "Would you like me to look for another?",
    "Here are some suggestions for you.",
    "What genre do you prefer?",
]
FINE = [
    "Hello! I'm looking for one film. It should include Horror.",
    "Could you recommend something else?",
    "I'd rather not say.",
    "How about something older?",
    "Yes, that one suits me.",
    "Do you have anything on DVD?",
    "I think that will do.",
    "Let me think about it.",
    "Can you help me to find one?",
    "No, what else do you have?",
    "I need to be home by ten, so be quick.",
]


@pytest.mark.parametrize("text", FAULTY)
def test_no_customers_words(text: str) -> None:
    assert fault_of(cleaned(text)) is not None


@pytest.mark.parametrize("text", FINE)
def test_a_customers_words(text: str) -> None:
    assert fault_of(cleaned(text)) is None
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("###ACCEPTED###\nThat one, please.", "That one, please."),
        ("Fine. ###REJECTED### ###STOP###", "Fine."),
        ("###ACC###ACCEPTED###EPTED### Fine", "ACCEPTED Fine"),
        ("Customer: Hello.", "Hello."),
        ("**User**: Customer: Hello.", "Hello."),
        ("Well\ud800", "Well\ufffd"),
    ],
)
def test_what_is_taken_out(text: str, left: str) -> None:
    assert " ".join(cleaned(text).split()) == " ".join(left.split())
    assert "ACCEPTED###" not in cleaned(text)


PIECES = st.lists(
    st.sampled_from(["###", "ACCEPTED", "REJECTED", "##", " ", "User:", "customer : ", "\n", "yes"])
)


@given(PIECES.map("".join) | st.text(max_size=200) | st.just("x " * LONGEST_REPLY))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once
    assert len(once) <= LONGEST_REPLY
    assert "###ACCEPTED###" not in once
    assert "###REJECTED###" not in once
