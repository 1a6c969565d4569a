"""The domain knows no clock, no database, no HTTP and no randomness, as its imports and calls prove."""

import ast
import sys
from pathlib import Path

import pytest
import stempelwerk_cloud.domain

MODULES = sorted(Path(stempelwerk_cloud.domain.__file__).parent.rglob("*.py"))
FORBIDDEN = {"time", "random", "secrets", "os", "socket", "sqlite3", "http", "urllib", "subprocess", "logging"}
LIBRARIES = {"holidays.py": {"holidays"}, "mail_addresses.py": {"idna"}}
"""Calendars and the letters of domains are much to write down, and know no clock either."""


def imported(tree: ast.AST) -> set[str]:
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "-".join(path.parts[-2:]))
def test_a_module_imports_the_standard_library_and_the_domain_alone(path: Path) -> None:
    for name in imported(ast.parse(path.read_text())):
        root = name.split(".")[0]
        allowed = (sys.stdlib_module_names - FORBIDDEN) | LIBRARIES.get(path.name, set())
        assert name.startswith("stempelwerk_cloud.domain") or root in allowed, name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "-".join(path.parts[-2:]))
def test_a_module_asks_neither_for_the_time_nor_for_randomness(path: Path) -> None:
    called = {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not called & {"now", "utcnow", "today", "uuid4", "uuid1"}


def test_there_is_a_domain_to_look_at() -> None:
    assert len(MODULES) > 15
