"""The public names: all there, documented, and free of charge to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mystery_shopper

EXPECTED = """
Act Agent AgentFault CallTools Catalogue ContextOverflow Domain InfrastructureFault InputError Item
Limits Message MysteryShopperError Predicate RunFolder RunPlan Say ToolCall Transcript Trial
UserFault View Wishes build_catalogue load_domain load_films load_run make_plan rollout sweep
write_report
"""


def test_the_public_names_are_these() -> None:
    assert sorted(mystery_shopper.__all__) == sorted(EXPECTED.split())
    assert dir(mystery_shopper) == sorted(EXPECTED.split())


@pytest.mark.parametrize("name", EXPECTED.split())
def test_every_name_is_there(name: str) -> None:
    found = getattr(mystery_shopper, name)
    assert getattr(found, "__doc__", None)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mystery_shopper.nothing


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'duckdb', 'pyarrow'}"
    code = f"import sys, mystery_shopper; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
