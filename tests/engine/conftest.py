from __future__ import annotations

import pytest

from .helpers import write_tasks


@pytest.fixture(scope="session")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small set over the films, in a file."""
    return write_tasks(tmp_path_factory.mktemp("tasks"))
