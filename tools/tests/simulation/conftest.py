"""The simulated service must follow the order of locks, too."""

from collections.abc import Iterator

import pytest
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import WrongOrder


@pytest.fixture(autouse=True)
def wrong_orders() -> Iterator[None]:
    """Fails if a lock comes in the wrong order."""
    violations: list[WrongOrder] = []
    locks.enable_order_check(violations.append)
    yield
    locks.enable_order_check(None)
    assert violations == []
