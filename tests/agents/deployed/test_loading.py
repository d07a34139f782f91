"""The file: everything wrong in it is said at once, before anything is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.agents.deployed import file_digest, load_deployed
from mystery_shopper.engine.casting import agent_problems, cast, is_deployed, talks
from mystery_shopper.engine.planning import COMMAND, Wishes, make_plan
from mystery_shopper.foundation import InputError

GOOD = """
address: https://shop.example/api/
say: {path: /chat, body: {q: "{text}"}}
answer: {text: a, choice: c}
"""

TENFOLD = ", ".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 10 if before else ['x'] * 10)}]"
    for before, name in zip(["", *"abcde"], "abcdef", strict=True)
)
LAUGHS = f'{{q: "{{text}}", {TENFOLD}}}'
"""A small text that stands for a million entries."""


def write(folder: Path, text: str) -> str:
    path = folder / "agent.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_least_file(tmp_path: Path) -> None:
    one = load_deployed(write(tmp_path, GOOD), {})
    assert one.say.request({"text": "hi"})[:2] == ("https://shop.example/api/chat", b'{"q": "hi"}')
    assert (one.open, one.close, one.patience.timeout) == (None, None, 60.0)


def test_all_problems_at_once(tmp_path: Path) -> None:
    text = """
address: ftp://shop
headers: {"bad name": x, key: "${GONE}"}
timeout: 0
tries: 99
open: {path: login, body: {q: "{text}"}, session: {token: "a..b"}}
say: {path: /chat, body: {q: "{tex}"}, form: {a: b}}
close: {session: {x: y}}
answer: {text: "a[", shown: {pattern: "x"}, choice: "c[*]", abstain: [""]}
proposes: choice
words: {"": x}
ids: {file: gone.csv}
"""
    with pytest.raises(InputError) as wrong:
        load_deployed(write(tmp_path, text), {})
    told = "\n".join(wrong.value.problems)
    for part in (
        "words: the empty text",
        "address: 'ftp://shop'", "'bad name' is no header", "'GONE' is not set", "timeout: 0",
        "tries: 99", "open.path: 'login'", "open: {text} is not known",
        "open.session.token: 'a..b'",
        "{tex} is unknown", "either a body or a form", "neither {text} nor {history}",
        "close.session", "answer.text: 'a['", "answer.shown.pattern", "answer.choice: 'c[*]'",
        "answer.abstain: a phrase is empty", "proposes:", "gone.csv",
    ):  # fmt: skip
        assert part in told
    assert wrong.value.where == str(tmp_path / "agent.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Expected `object`"),
        ("- a", "Expected `object`"),
        ("a: [", "agent.yaml"),
        (
            GOOD + "adress: x",
            "line 5, adress: there is no such key; did you mean 'address'? the keys are address",
        ),
        (GOOD.replace("text: a, ", ""), "missing required field `text`"),
        (GOOD.replace("path: /chat", "path: 5"), "$.say.path"),
        (GOOD.replace("choice: c", "shown: c"), "name `choice`, or `shown` and `done`"),
        (GOOD.replace("https://", "https://me:pw@"), "put credentials into a header"),
        (GOOD.replace("api/", "api?x=1"), "holds a query"),
        (GOOD.replace("shop.example", "shop.example:99999"), "its port cannot be"),
        (GOOD.replace("https://shop.example/api/", "'https://a b'"), "holds a blank"),
        (GOOD.replace('"{text}"', '"{text.__class__}"'), "{text.__class__} is unknown"),
        (GOOD.replace('"{text}"', '"{text!r} {text[0]}"'), "{text[0]} is unknown"),
        (GOOD.replace('"{text}"', '"{text} ${HOME:-x}"'), "'HOME:-x' is not set"),
        (GOOD.replace('{q: "{text}"}', '&all {q: "{text}", more: *all}'), "holds itself"),
        (GOOD.replace('{q: "{text}"}', '&all ["{text}", *all]'), "holds itself"),
        (GOOD.replace('"{text}"', "[" * 60 + '"{text}"' + "]" * 60), "deeper than 32 levels"),
        (GOOD.replace('"{text}"', "[" * 5_000 + "]" * 5_000), "agent.yaml"),
        (GOOD.replace('{q: "{text}"}', LAUGHS), "more than 10,000 parts"),
        (GOOD.replace('"{text}"}', '"{text}", n: .nan}'), "say.body.n: JSON has no number nan"),
        (GOOD.replace('"{text}"}', '"{text}", n: !!binary aGk=}'), "JSON has no bytes"),
        (GOOD + 'headers: {x: "a\\r\\nhost: b"}', "characters that a header cannot"),
        (GOOD + 'headers: {Content-Length: "5"}', "is set by what is sent"),
        (GOOD.replace("text: a,", "text: " + "a." * 200 + "a,"), "more than 100 steps"),
        (GOOD + "tag: !!python/object/apply:os.getcwd []", "agent.yaml"),
    ],
)
def test_one_problem(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as wrong:
        load_deployed(write(tmp_path, text), {})
    assert told in str(wrong.value)
    assert "pw" not in str(wrong.value)


def test_a_secret_in_the_address_is_not_told(tmp_path: Path) -> None:
    text = GOOD.replace("https://shop.example", "${WHERE}")
    with pytest.raises(InputError) as wrong:
        load_deployed(write(tmp_path, text), {"WHERE": "nowhere-s3cret"})
    assert "${WHERE}" in str(wrong.value)
    assert "s3cret" not in str(wrong.value)


def test_an_agent_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = write(tmp_path, GOOD.replace("https", "${SCHEME}"))
    monkeypatch.delenv("SCHEME", raising=False)
    assert is_deployed(name)
    assert talks(name)
    [*problems, _] = agent_problems(name)
    assert any("'SCHEME' is not set" in problem for problem in problems)
    monkeypatch.setenv("SCHEME", "https")
    assert agent_problems(name) == []
    gone = str(tmp_path / "gone.yaml")
    assert not talks(gone)
    assert "no such file" in agent_problems(gone)[0]
    with pytest.raises(InputError, match="no such file"):
        cast(gone)
    assert not is_deployed("a\x00.yaml")


def test_the_digest_follows_the_file_and_its_table(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("theirs,ours\na,b\n", encoding="utf-8")
    name = write(tmp_path, GOOD + "ids: {file: m.csv}")
    first = file_digest(name)
    assert file_digest(name) == first
    (tmp_path / "m.csv").write_text("theirs,ours\na,c\n", encoding="utf-8")
    second = file_digest(name)
    write(tmp_path, GOOD + "ids: {file: m.csv} #")
    assert len({first, second, file_digest(name)}) == 3


def test_every_unknown_key_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    text = GOOD + "timout: 5\nids: {prefix: a, strip_prefx: b}\n5: x\n"
    with pytest.raises(InputError) as wrong:
        load_deployed(write(tmp_path, text), {})
    assert [problem.split(";")[0] for problem in wrong.value.problems] == [
        f"line {line}, {name}: there is no such key"
        for line, name in ((5, "timout"), (6, "ids.prefix"), (6, "ids.strip_prefx"), (7, "5"))
    ]
    first, _, third, _ = wrong.value.problems
    assert "did you mean 'timeout'? the keys are address, say, answer, headers, timeout, " in first
    assert "did you mean 'strip_prefix'? the keys of `ids` are strip_prefix, " in third


@pytest.mark.parametrize("part", ["answer", "say", "answer.shown"])
def test_also_within_a_part(part: str, tmp_path: Path) -> None:
    text = (
        "address: https://shop.example/api\n"
        "say: {path: /a, body: {q: '{text}'}, bdy: 1}\n"
        "answer: {text: a, choice: b, chioce: b, shown: {pattern: '(?P<id>x)', patern: 1}}\n"
    )
    with pytest.raises(InputError) as wrong:
        load_deployed(write(tmp_path, text), {})
    name = {"answer": "chioce", "say": "bdy", "answer.shown": "patern"}[part]
    line = 2 if part == "say" else 3
    start = f"line {line}, {part}.{name}: "
    [told] = [one for one in wrong.value.problems if one.startswith(start)]
    assert f"the keys of `{part}` are" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD + 'headers: {a: "${PW}", b: "${USER_ID} ${PW}"}', ["export PW=… USER_ID=…"]),
        (GOOD + 'headers: {a: "${PW}"}\ntries: 99', ["export PW=…", "Correct {file};"]),
        (GOOD + 'headers: {a: "${HOME:-x}"}', ["Correct {file};"]),
        (GOOD.replace("say:", "sya:"), ["Correct {file};"]),
        (GOOD.replace("say: {", "say: ["), ["Correct {file};"]),
    ],
)
def test_the_remedy_is_of_the_file_and_its_variables(
    text: str, told: list[str], tmp_path: Path
) -> None:
    name = write(tmp_path, text)
    with pytest.raises(InputError) as wrong:
        load_deployed(name, {})
    remedies = (wrong.value.remedy or "").split("\n")
    assert len(remedies) == len(told)
    for remedy, part in zip(remedies, told, strict=True):
        assert part.format(file=name) in remedy


def test_a_command_that_is_right_is_not_to_be_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PW", raising=False)
    name = write(tmp_path, GOOD + 'headers: {a: "${PW}"}')
    with pytest.raises(InputError) as wrong:
        make_plan(Wishes(agent=name))
    assert wrong.value.remedy == "Set what is not set: export PW=…"
    with pytest.raises(InputError) as wrong:
        make_plan(Wishes(agent=name, trials=0))
    assert wrong.value.remedy == f"Set what is not set: export PW=…\n{COMMAND}"
