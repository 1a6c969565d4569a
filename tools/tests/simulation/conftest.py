"""What the simulated service does is held to the order of locks as well."""

from collections.abc import Iterator

import pytest
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import WrongOrder


@pytest.fixture(autouse=True)
def wrong_orders() -> Iterator[None]:
    """No lock comes in the wrong order."""
    found: list[WrongOrder] = []
    locks.watch(found.append)
    yield
    locks.watch(None)
    assert found == []
