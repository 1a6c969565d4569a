"""Dated settings: what a room may declare, and what holds on a day."""

import json
from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.app import SETTINGS
from stempelwerk_cloud.kit.dated import DEFAULTS, Change, InForce, Setting, declared

ONE, OTHER = Setting("one", int, 60, least=0, most=600), Setting("other", int, 16)
DAYS = st.dates(date(2025, 1, 1), date(2025, 1, 20))
CHANGES = st.lists(st.tuples(st.sampled_from(["one", "other", "forgotten"]), DAYS, st.integers(8, 24)))


def test_a_setting_that_two_rooms_declare_is_refused() -> None:
    with pytest.raises(ValueError, match="the setting one is declared twice"):
        declared([ONE, OTHER, Setting("one", bool, True)])


WRONG: list[Setting[Any]] = [
    Setting("one", int, 601, least=0, most=600),
    Setting("one", int, -1, least=0),
    Setting("one", int, True),
    Setting("one", bool, 1),
    Setting("one", Literal["a", "b"], "c"),
    Setting("one", str, "Europe/Bielefeld", among={"Europe/Berlin"}),
    Setting("one", str, None),
    Setting("a_name_that_the_table_of_settings_cannot_keep", int, 1),
]


@pytest.mark.parametrize("setting", WRONG, ids=lambda setting: f"{setting.name} {setting.default!r}")
def test_a_setting_with_a_default_outside_its_limits_is_refused(setting: Setting[Any]) -> None:
    with pytest.raises(ValueError, match=f"the .*setting {setting.name} "):
        declared([setting])


def test_what_the_rooms_declare_is_each_of_them_once() -> None:
    names = [setting.name for setting in SETTINGS]
    assert len(names) == len(set(names))
    assert {"time_zone", "max_shift_hours", "employees_may_delete"} <= set(names)
    assert [DEFAULTS[setting] for setting in SETTINGS] == [setting.default for setting in SETTINGS]


@given(CHANGES, DAYS)
def test_each_setting_has_the_value_of_its_latest_change(said: list[tuple[str, date, int]], day: date) -> None:
    kept = {(name, since): value for name, since, value in said}
    rows = [Change(name, since, json.dumps(value)) for (name, since), value in kept.items()]
    past: dict[str, list[tuple[date, int]]] = {"one": [], "other": []}
    for (name, since), value in kept.items():
        if since <= day and name in past:
            past[name].append((since, value))
    for in_force in (InForce(rows, day), InForce(reversed(rows), day)):
        for setting in (ONE, OTHER):
            assert in_force[setting] == (max(past[setting.name])[1] if past[setting.name] else setting.default)
        assert in_force.since([ONE, OTHER]) == max((since for each in past.values() for since, _ in each), default=None)
