"""Weekly targets in force, computed from the stored settings of the company and the values of the person. Pure."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal

from msgspec.json import decode

from stempelwerk_cloud.domain.targets import WeeklyTargets
from stempelwerk_cloud.kit.dated import Change, InForce, Setting

Mode = Literal["none", "uniform", "perEmployee"]
OpeningHours = dict[str, list[int] | None]
"""Opening and closing time by weekday ("0" = Monday), in local minutes since midnight; None: closed."""

WEEK = tuple(str(day) for day in range(7))

MODE: Setting[Mode] = Setting("hours_mode", Mode, "none")
UNIFORM_MINUTES: Setting[int | None] = Setting("hours_uniform_minutes", int | None, None)
OPENING_HOURS: Setting[OpeningHours] = Setting("opening_hours", OpeningHours, dict.fromkeys(WEEK))
SETTINGS: tuple[Setting[Any], ...] = (MODE, UNIFORM_MINUTES, OPENING_HOURS)
"""The settings of this room. They are dated like a company's other settings, but have an endpoint of their own."""

RULING = frozenset({MODE.name, UNIFORM_MINUTES.name})
"""The settings that determine a person's weekly target."""

WEEKLY_TARGET = "weekly_target"
"""The name of a person's own target in `directory.person_values`: minutes a week, or null."""


def given_to(person: Iterable[Change], day: date) -> int | None:
    """Returns the weekly minutes that were set for the person in particular, as of a day; None: not set."""
    own_changes = [change for change in person if change.valid_from <= day]
    minutes: int | None = decode(own_changes[-1].value) if own_changes else None
    return minutes


class Targets:
    """The weekly targets by a company's settings over time. Other settings are ignored."""

    __slots__ = ("_changes", "_in_force")

    def __init__(self, company: Iterable[Change]) -> None:
        self._changes = [change for change in company if change.setting in RULING]
        self._in_force: dict[date, tuple[Mode, int]] = {}

    def for_person(self, values: Iterable[Change]) -> WeeklyTargets:
        """Returns a person's targets over time, oldest first: by the mode the company's, their own, or 0."""
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
