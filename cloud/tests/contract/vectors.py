"""The golden vectors of the contract, as parameters of tests."""

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "contract" / "v1" / "vectors"

Case = dict[str, Any]


def read(topic: str, concerns: Callable[[Case], bool] = lambda case: True) -> list[Case]:
    """Returns the cases of a topic that concern the cloud."""
    found = json.loads((FOLDER / f"{topic}.json").read_text("utf-8"))
    assert found["version"] == 1
    cases = [case for case in found["cases"] if concerns(case)]
    assert cases
    return cases


def cases(topic: str, concerns: Callable[[Case], bool] = lambda case: True) -> pytest.MarkDecorator:
    """Parametrises a test with every case of a topic; its name shows which case failed."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in read(topic, concerns)])


def as_uuid(name: str) -> str:
    """The UUID that stands for a name like `batch-a`; in the order of the names within one kind."""
    kind, _, letter = name.rpartition("-")
    return f"{uuid.uuid5(uuid.NAMESPACE_OID, kind)!s:.24}{letter.encode().hex():0>12}"
