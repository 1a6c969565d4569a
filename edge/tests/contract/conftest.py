"""The contract's golden vectors, one parameter a case."""

import json
from pathlib import Path
from typing import Any

import pytest

CONTRACT = Path(__file__).parents[3] / "docs" / "contract" / "v1"


def cases(topic: str) -> list[Any]:
    """Every case of a topic as a parameter named by its id."""
    content = json.loads((CONTRACT / "vectors" / f"{topic}.json").read_text("utf-8"))
    assert content["cases"], f"no cases in {topic}"
    return [pytest.param(case["input"], case["expected"], id=case["id"]) for case in content["cases"]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test marked `@vectors(topic)` with the cases of its topic."""
    topic = getattr(metafunc.function, "topic", None)
    if topic is not None:
        metafunc.parametrize(("given", "expected"), cases(topic))
