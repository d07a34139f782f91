"""Of Inspect AI only the public names are used: a private one may be gone with the next release."""

from __future__ import annotations

import ast
import importlib
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

ROOT = Path(__file__).parents[3]
PLACES = ("src", "tests", "benchmarks", "scripts", "examples")
INSPECT = "inspect_ai"


def problems_of(source: str) -> list[str]:
    """What a module takes from Inspect that is not public, each as `line: what`. Code in texts, as
    tests write it to files, is looked at too."""
    tree = ast.parse(source)
    found = [*_imports(tree), *_attributes(tree)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if f"import {INSPECT}" not in node.value and f"from {INSPECT}" not in node.value:
                continue
            try:
                inner = ast.parse(textwrap.dedent(node.value))
            except SyntaxError:
                continue
            found += [f"{node.lineno}+{told}" for told in (*_imports(inner), *_attributes(inner))]
    return found


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if _is_inspects(name.name) and _hidden(name.name):
                    yield f"{node.lineno}: module {name.name}"
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_inspects(node.module):
            assert node.module
            if _hidden(node.module):
                yield f"{node.lineno}: module {node.module}"
                continue
            module = importlib.import_module(node.module)
            public = getattr(module, "__all__", None)
            for name in (one.name for one in node.names):
                if name.startswith("_") or (public is not None and name not in public):
                    yield f"{node.lineno}: {node.module}.{name}"


def _attributes(tree: ast.AST) -> Iterator[str]:
    """`inspect_ai.x._y`, and `name._y` or `name()._y` of a name that was imported from Inspect."""
    names = {INSPECT} | {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and _is_inspects(node.module)
        for one in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            inner: ast.expr = node.value
            while isinstance(inner, ast.Attribute | ast.Call):
                inner = inner.value if isinstance(inner, ast.Attribute) else inner.func
            if isinstance(inner, ast.Name) and inner.id in names and node.attr[1:2] != "_":
                yield f"{node.lineno}: attribute {ast.unparse(node)}"


def _is_inspects(module: str | None) -> bool:
    return module is not None and module.split(".")[0] == INSPECT


def _hidden(module: str) -> bool:
    return any(part.startswith("_") for part in module.split("."))


def test_only_public_names_are_used() -> None:
    told: list[str] = []
    users = 0
    for path in sorted(path for place in PLACES for path in (ROOT / place).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if INSPECT in source and path != Path(__file__):
            users += 1
            told += [f"{path.relative_to(ROOT)}:{problem}" for problem in problems_of(source)]
    assert told == []
    assert users >= 10


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("from inspect_ai.model._model import Model", "module inspect_ai.model._model"),
        ("import inspect_ai._eval.eval", "module inspect_ai._eval.eval"),
        ("from inspect_ai.model import _model", "inspect_ai.model._model"),
        ("from inspect_ai.model import tool_choice_gone", "inspect_ai.model.tool_choice_gone"),
        ("from inspect_ai.log import transcript\ntranscript()._event(1)", "transcript()._event"),
        ("import inspect_ai\ninspect_ai.log._file.x()", "attribute inspect_ai.log._file"),
        ("CODE = '''\n  from inspect_ai.util._span import x\n'''", "module inspect_ai.util._span"),
        ("if True:\n  def f():\n    from inspect_ai._util import x", "module inspect_ai._util"),
    ],
)
def test_a_planted_private_name_is_caught(line: str, wanted: str) -> None:
    [told] = problems_of(line)
    assert told.endswith(wanted)


@pytest.mark.parametrize(
    "line",
    [
        "from inspect_ai.model import Model, get_model",
        "from inspect_ai import eval as inspect_eval\nself._own(inspect_eval)",
        "import inspect\ninspect._private",
    ],
)
def test_what_is_public_passes(line: str) -> None:
    assert problems_of(line) == []
