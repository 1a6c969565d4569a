"""A plugin of pytest. Under coverage it records which test runs which line, and how long each takes; otherwise it runs
the tests that the file names, in its order. The variants on PostgreSQL are left out: they cover the same code.
"""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

FILE = "MUTANTS_TESTS"
"""The variable with the path of the file: the duration of each test, or the tests to run. It must not look like a
setting of the service.
"""
_took: dict[str, float] = {}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if not _needs_postgresql(item)]
    if Coverage.current() is None:
        order = {test: number for number, test in enumerate(json.loads(Path(os.environ[FILE]).read_text("utf-8")))}
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


def _needs_postgresql(item: pytest.Item) -> bool:
    values: list[Any] = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    wants_postgresql = any(name.startswith("postgres") for name in getattr(item, "fixturenames", ()))
    return "postgresql" in values or (wants_postgresql and "sqlite" not in values)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    covering, begun = Coverage.current(), time.perf_counter()
    if covering is not None:
        covering.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        _took[item.nodeid] = time.perf_counter() - begun


def pytest_sessionfinish() -> None:
    if Coverage.current() is not None:
        Path(os.environ[FILE]).write_text(json.dumps(_took), "utf-8")
