"""JSON bodies and answers of the endpoints for opening hours and weekly targets."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, model_validator

from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, SentDay, TimeField, TimeInput, Wire
from stempelwerk_cloud.people.directory.callers import Role
from stempelwerk_cloud.planning.facts import hours as values
from stempelwerk_cloud.planning.facts.hours import Mode

WEEK_LIMIT = 7 * 24 * 60
PEOPLE_LIMIT = 10_000

Weekday = Literal["0", "1", "2", "3", "4", "5", "6"]
WeeklyMinutes = Annotated[int, Strict(), Field(ge=0, le=WEEK_LIMIT)]
Time = Annotated[TimeInput | None, BeforeValidator(lambda value: None if value == "" else value)]
"""A time; an empty form field is null."""


class OpenDay(Wire):
    open: TimeField
    close: TimeField


class SaidDay(Wire):
    """The opening hours of a weekday in a change. The day is open if both are set, and closes after it opens."""

    open: Time = None
    close: Time = None

    @model_validator(mode="after")
    def _in_order(self) -> "SaidDay":
        if self.open is not None and self.close is not None and self.close <= self.open:
            raise ValueError("closes before it opens")
        return self

    @property
    def stored(self) -> list[int] | None:
        return None if self.open is None or self.close is None else [self.open, self.close]


class HoursRow(Wire):
    """The settings in force on a day. `openingHours` is by weekday, "0" = Monday; null: closed."""

    mode: Mode
    uniform_weekly_target_minutes: int | None
    opening_hours: dict[Weekday, OpenDay | None]


class ChangedHours(HoursRow):
    """The settings in force on the first day of a change (`validFrom`)."""

    valid_from: DayField


class HoursChange(Wire):
    """A change of settings. Missing fields stay unchanged; a weekday that is missing in the opening hours is closed.

    It applies from `validFrom` on; without it from today, but first values apply from the beginning.
    """

    mode: Mode = "none"
    uniform_weekly_target_minutes: WeeklyMinutes | None = None
    opening_hours: dict[Weekday, SaidDay | None] | None = None
    valid_from: SentDay | None = None


class TargetRow(Wire):
    user_id: str
    username: str
    role: Role
    weekly_target_minutes: int | None


class Target(Wire):
    user_id: IdField
    weekly_target_minutes: WeeklyMinutes | None


class TargetsChange(Wire):
    """A change of people's own weekly targets: all of them, or nothing.

    It applies from `validFrom` on; without it from today, but a person's first target applies from the beginning.
    """

    items: list[Target] = Field(max_length=PEOPLE_LIMIT)
    valid_from: SentDay | None = None


class OwnTarget(Wire):
    """The caller's weekly target in minutes; 0 without one."""

    weekly_target_minutes: int


def changed_values(change: HoursChange) -> dict[str, Any]:
    """Returns the settings that a body changes, by their names and with their stored values."""
    opening = dict.fromkeys(values.WEEK) | {
        day: None if opening_day is None else opening_day.stored
        for day, opening_day in (change.opening_hours or {}).items()
    }
    settings_by_field = {
        "mode": (values.MODE.name, change.mode),
        "uniform_weekly_target_minutes": (values.UNIFORM_MINUTES.name, change.uniform_weekly_target_minutes),
        "opening_hours": (values.OPENING_HOURS.name, opening),
    }
    return dict(pair for field, pair in settings_by_field.items() if field in change.model_fields_set)


def on(in_force: InForce) -> HoursRow:
    """Returns the settings in force as an answer."""
    opening = in_force[values.OPENING_HOURS]
    return HoursRow(
        mode=in_force[values.MODE],
        uniform_weekly_target_minutes=in_force[values.UNIFORM_MINUTES],
        opening_hours={day: None if hours is None else _open(*hours) for day, hours in opening.items()},
    )


def _open(opens: int, closes: int) -> OpenDay:
    return OpenDay(open=opens, close=closes)
