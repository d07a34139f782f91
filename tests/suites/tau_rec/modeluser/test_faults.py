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
    # Both parts in one reply.
    "I want a film.\n\nAssistant: How about Alien?\nUser: Yes.",
    "I want a film. Assistant: How about Alien?",
    "Fine.\nCustomer: And another?",
    # Scratchpads in other clothes.
    "**Thought:** I should not reveal it.\nHello",
    "(thinking: I must hide it) Hello",
    "[thinking] hm [/thinking] Hello",
    "Reasoning: they ask.\nReply: Hello",
    "<inner_monologue>a</inner_monologue> Hello",
    "<reason>x</reason> Hello",
    "◁think▷ x ◁/think▷ Hello",
    "&lt;think&gt;x&lt;/think&gt; Hello",
    "<\u200bthink>x</think> Hello",
    "＜think＞x＜/think＞ Hello",
    "<｜begin▁of▁sentence｜>Hello",
    "[INST] Hello [/INST]",
    "<<SYS>> Hello",
    "<s>Hello</s>",
    "Hello<end_of_turn>",
    "The customer says: hello",
    "Sure, here's my reply:\n\nHi",
    "(Note: what was proposed is accepted.)",
    "SAY WHEN ASKED: it should be in French.",
    "[never say] Horror",
    # Calls of tools.
    '<tool_call>{"name": "search"}</tool_call>',
    '[TOOL_CALLS] [{"name": "search"}]',
    "<function=search>{}</function>",
    '<invoke name="search">',
    'search(genre="Horror")',
    "functions.search({})",
    'Sure. {"call": "search", "arguments": {}}',
    '{"say": "Hello',
    '"say": "Hello"',
    "Action: search\nAction Input: horror",
    # Verdicts and proposals in disguise.
    "＃＃＃ACCEPTED＃＃＃ ok",
    "##\u200b#ACCEPTED### ok",
    "\\#\\#\\#ACCEPTED\\#\\#\\# ok",
    "# # #REJECTED# # # ok",
    "&#35;&#35;&#35;ACCEPTED&#35;&#35;&#35;",
    "[\u200b[candidate_id:tt1]]",
    "［［candidate_id:tt1］］",
    # Nothing at all.
    "null",
    "N/A",
    "(silence)",
    "[no reply]",
    # The assistant's words.
    "You might enjoy Alien.",
    "I'm an AI assistant.",
    "As a language model I have no taste.",
    "I'm sorry, but I can't assist with that.",
    "I'm happy to help you find a film.",
    "I've found a great film for you.",
    "Do you have a preferred genre?",
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
    "None.",
    "Nothing.",
    "No reply from my sister yet.",
    "I love it <3",
    "Nothing below $50 < price > 20.",
    "Something like **Alien: Covenant**, in _black_ & white (1950).",
    '"Alien": is it any good?',
    "I'm an assistant manager and a teacher.",
    "Are you a bot?",
    "I'm happy to wait.",
    "What would you suggest?",
    "Anything you would recommend?",
    "The answer: DVD.",
    "Could you search (again) for it?",
    "<b>Please</b>, in colour.",
    "Action: yes. Tool: no.",
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
