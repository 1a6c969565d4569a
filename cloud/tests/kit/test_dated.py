"""Dated settings: valid declarations, and the values of a day."""

import json
from datetime import date, timedelta
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.app import SETTINGS
from stempelwerk_cloud.kit.dated import DEFAULTS, Change, History, InForce, Setting, declared

ONE, OTHER = Setting("one", int, 60, minimum=0, maximum=600), Setting("other", int, 16)
DAYS = st.dates(date(2025, 1, 1), date(2025, 1, 20))
CHANGES = st.lists(st.tuples(st.sampled_from(["one", "other", "forgotten"]), DAYS, st.integers(8, 24)))


def test_a_setting_that_two_rooms_declare_is_refused() -> None:
    with pytest.raises(ValueError, match="the setting one is declared twice"):
        declared([ONE, OTHER, Setting("one", bool, True)])


WRONG: list[Setting[Any]] = [
    Setting("one", int, 601, minimum=0, maximum=600),
    Setting("one", int, -1, minimum=0),
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


def test_the_rooms_declare_each_setting_once() -> None:
    names = [setting.name for setting in SETTINGS]
    assert len(names) == len(set(names))
    assert {"time_zone", "max_shift_hours", "employees_may_delete"} <= set(names)
    assert [DEFAULTS[setting] for setting in SETTINGS] == [setting.default for setting in SETTINGS]


@given(CHANGES, DAYS)
def test_each_setting_has_the_value_of_its_latest_change(changes: list[tuple[str, date, int]], day: date) -> None:
    latest_values = {(name, start): value for name, start, value in changes}
    rows = [Change(name, start, json.dumps(value)) for (name, start), value in latest_values.items()]
    past: dict[str, list[tuple[date, int]]] = {"one": [], "other": []}
    for (name, start), value in latest_values.items():
        if start <= day and name in past:
            past[name].append((start, value))
    for in_force in (InForce(rows, day), InForce(reversed(rows), day)):
        for setting in (ONE, OTHER):
            assert in_force[setting] == (max(past[setting.name])[1] if past[setting.name] else setting.default)
        assert in_force.newest_change_day([ONE, OTHER]) == max(
            (start for each in past.values() for start, _ in each), default=None
        )


TODAYS = st.dates(date(2026, 1, 1), date(2026, 12, 31))
SAYINGS = st.lists(st.tuples(st.none() | st.integers(0, 3), st.none() | TODAYS, TODAYS), max_size=8)


@given(SAYINGS, TODAYS)
def test_a_change_holds_from_its_day_or_today_and_the_first_from_the_beginning(
    sayings: list[tuple[int | None, date | None, date]], day: date
) -> None:
    """`sayings`: the value, the day that it names, and the day of the call, in the order of calls."""
    stored_changes: dict[date, Change] = {}
    expected_changes: list[tuple[date, int | None]] = []
    for value, named_day, today in sorted(sayings, key=lambda saying: saying[2]):
        new = History("x", [stored_changes[start] for start in sorted(stored_changes)]).set_from(
            value, named_day, today
        )
        if new is not None:
            stored_changes[new.valid_from] = new
        first = all(known_value is None and start == date.min for start, known_value in expected_changes)
        effective_day = named_day or (date.min if first else today)
        # Repeating an effective value must not end a later change from an earlier day.
        if (
            not any(start <= effective_day for start, _ in expected_changes)
            or _last(expected_changes, effective_day) != value
        ):
            expected_changes.append((effective_day, value))
        assert _stored_value(stored_changes, effective_day) == value
    if all(named_day is not None for _, named_day, _ in sayings) and sayings:
        assert (
            _stored_value(
                stored_changes,
                min(named_day for _, named_day, _ in sayings if named_day is not None) - timedelta(days=1),
            )
            is None
        )
    assert _stored_value(stored_changes, day) == _last(expected_changes, day)


def _stored_value(stored_changes: dict[date, Change], day: date) -> Any:
    """Returns the stored value of a day; None before the first."""
    begun = [start for start in sorted(stored_changes) if start <= day]
    return json.loads(stored_changes[begun[-1]].value) if begun else None


def _last(expected_changes: list[tuple[date, int | None]], day: date) -> int | None:
    """Returns the expected value by a plain rule: of the changes up to that day the newest, of one day the last."""
    begun = [(start, number, value) for number, (start, value) in enumerate(expected_changes) if start <= day]
    return max(begun)[2] if begun else None
