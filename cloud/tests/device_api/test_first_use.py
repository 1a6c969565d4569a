"""The first batches after a start are read by many threads at once, and nothing is built at that moment."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import stempelwerk_cloud
import stempelwerk_edge

from cloud.tests.device_api import first_batches

PACKAGES = [Path(package.__file__).parent for package in (stempelwerk_cloud, stempelwerk_edge)]
CHILDREN = 80
"""About fifteen of them died while decoders were built at first use."""
BUILDERS = {"Decoder", "TypeAdapter", "convert"}
ONE_THREAD = {"kit/subprocesses/orders.py", "kit/files/packing/frames.py", "kit/dated.py"}
"""The processes that draw and pack decode on one thread; settings are checked while the program is put together."""


def test_threads_that_read_the_first_batches_together_do_not_crash_the_service() -> None:
    command = [sys.executable, first_batches.__file__, str(CHILDREN)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_decoders_are_built_at_import(package: Path) -> None:
    late = [
        f"{path.relative_to(package)}:{line}"
        for path in sorted(package.rglob("*.py"))
        if str(path.relative_to(package)) not in ONE_THREAD
        for line in built_in_functions(ast.parse(path.read_text()))
    ]
    assert late == []


@pytest.mark.parametrize(
    "code",
    [
        "def read(raw):\n    return msgspec.json.decode(raw, type=Batch)",
        "def read(value):\n    return msgspec.convert(value, Batch)",
        "class Reader:\n    def read(self, raw):\n        return msgspec.json.Decoder(Batch).decode(raw)",
    ],
)
def test_a_decoder_that_is_built_at_first_use_is_found(code: str) -> None:
    assert list(built_in_functions(ast.parse(code)))


def built_in_functions(tree: ast.Module) -> Iterator[int]:
    """Yields the lines of calls inside functions that build a decoder or a validator."""
    names = {"msgspec"} | {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("msgspec", "pydantic"))
        for alias in node.names
    }
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and builds(call, names):
                yield call.lineno


def builds(call: ast.Call, names: set[str]) -> bool:
    """Whether the call makes msgspec or pydantic build tables for a type."""
    path = ast.unparse(call.func).split(".")
    if path[0] not in names:
        return False
    return path[-1] in BUILDERS or (path[-1] == "decode" and any(keyword.arg == "type" for keyword in call.keywords))
