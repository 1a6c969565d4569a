"""Weekly targets in force, from what the company and the person were given. Pure: values come in as rows."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal

from msgspec.json import decode

from stempelwerk_cloud.domain.targets import WeeklyTargets
from stempelwerk_cloud.kit.dated import Change, InForce, Setting

Mode = Literal["none", "uniform", "perEmployee"]
OpeningHours = dict[str, list[int] | None]
"""By weekday ("0" = Monday): the local minutes since midnight of opening and closing."""

WEEK = tuple(str(day) for day in range(7))

MODE: Setting[Mode] = Setting("hours_mode", Mode, "none")
UNIFORM_MINUTES: Setting[int | None] = Setting("hours_uniform_minutes", int | None, None)
OPENING_HOURS: Setting[OpeningHours] = Setting("opening_hours", OpeningHours, dict.fromkeys(WEEK))
SETTINGS: tuple[Setting[Any], ...] = (MODE, UNIFORM_MINUTES, OPENING_HOURS)
"""They are dated like a company's settings, and have a call of their own instead of standing among those."""

RULING = frozenset({MODE.name, UNIFORM_MINUTES.name})
"""The settings that determine a person's weekly target."""

WEEKLY_TARGET = "weekly_target"
"""The name in `directory.person_values`: minutes a week, or null."""


def given_to(person: Iterable[Change], day: date) -> int | None:
    """The weekly minutes that a person has been given of their own, as of a day."""
    own_changes = [change for change in person if change.valid_from <= day]
    minutes: int | None = decode(own_changes[-1].value) if own_changes else None
    return minutes


class Targets:
    """Weekly targets by a company's settings. Other settings are ignored."""

    __slots__ = ("_changes", "_in_force")

    def __init__(self, company: Iterable[Change]) -> None:
        self._changes = [change for change in company if change.setting in RULING]
        self._in_force: dict[date, tuple[Mode, int]] = {}

    def for_person(self, values: Iterable[Change]) -> WeeklyTargets:
        """Returns a person's targets: on each day the company's, their own, or 0, by the mode. Oldest first."""
        own_minutes = {change.valid_from: decode(change.value) for change in values if change.setting == WEEKLY_TARGET}
        steps, current_own = [], 0
        for day in sorted({*own_minutes, *(change.valid_from for change in self._changes)}):
            current_own = own_minutes.get(day, current_own) or 0
            mode, minutes = self._on(day)
            target = {"perEmployee": current_own, "uniform": minutes, "none": 0}[mode]
            steps.append((None if day == date.min else day, target))
        return WeeklyTargets(tuple(steps))

    def _on(self, day: date) -> tuple[Mode, int]:
        if day not in self._in_force:  # the same for many people
            in_force = InForce(self._changes, day)
            self._in_force[day] = in_force[MODE], in_force[UNIFORM_MINUTES] or 0
        return self._in_force[day]
