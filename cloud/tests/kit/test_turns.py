"""The database of a test at every change, and at a release."""

from types import SimpleNamespace
from typing import Any

import pytest

from cloud.tests.databases import DATABASES, ON_BOTH, ON_SQLITE, is_the_others_turn


def _ran(name: str, *marks: pytest.MarkDecorator) -> list[str]:
    """Returns the databases on which a test of that name runs at every change."""

    def item(database: str) -> Any:
        return SimpleNamespace(
            nodeid=f"test_x.py::{name}[{database}]",
            callspec=SimpleNamespace(params={"database_url": database}),
            iter_markers=lambda kind: (each.mark for each in marks if each.name == kind),
            get_closest_marker=lambda kind: next((each for each in marks if each.name == kind), None),
        )

    return [database for database in DATABASES if not is_the_others_turn(item(database))]


def test_each_runs_on_one_and_half_of_them_on_each() -> None:
    ran = [_ran(f"test_{number}") for number in range(400)]
    assert {len(each) for each in ran} == {1}
    assert 160 < sum(each == ["sqlite"] for each in ran) < 240


@pytest.mark.parametrize(
    ("name", "mark"), [("test_of_two_at_once_one_does", None), ("test_a", ON_BOTH), ("test_b", ON_SQLITE)]
)
def test_a_test_with_a_marked_database_runs_there_at_every_change(name: str, mark: pytest.MarkDecorator | None) -> None:
    names = [name, *(f"{name}_{number}" for number in range(8))]
    assert all(_ran(each, *([mark] if mark else [])) == [*DATABASES] for each in names)


def test_without_a_database_nothing_waits(request: pytest.FixtureRequest) -> None:
    assert not is_the_others_turn(request.node)
