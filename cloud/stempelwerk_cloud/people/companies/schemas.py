"""Bodies of the companies' calls."""

from typing import Literal
from zoneinfo import available_timezones

from pydantic import ConfigDict, Field, StrictBool, StrictInt, field_validator

from stempelwerk_cloud.kit.http.schemas import DayField, Wire
from stempelwerk_cloud.people.directory.service import HOLIDAY_REGIONS
from stempelwerk_cloud.people.directory.tables import NAME_LIMIT

_ZONES = frozenset(available_timezones())


class CompanyRow(Wire):
    id: str
    name: str


class NewCompany(Wire):
    name: str = Field(max_length=NAME_LIMIT)


class FeatureRow(Wire):
    id: str
    key: str
    label: str


class FeatureChoice(Wire):
    feature_ids: list[str] = Field(max_length=100)


class SettingsRow(Wire):
    """What holds on a day; `validFrom` is the day of the newest change in it, null if all are defaults."""

    time_zone: str
    break_policy: Literal["statutory", "none"]
    double_tap_seconds: int
    max_shift_hours: int
    ask_after_hours: int
    holiday_region: str | None
    employees_may_delete: bool
    clock_shows_balance: bool
    valid_from: DayField | None


class SettingsChange(Wire):
    """Any of the settings, to hold from `validFrom` (default today) on."""

    # The documented spelling only: with any other, a setting would be taken that the page calls unknown.
    model_config = ConfigDict(extra="forbid", populate_by_name=False)

    time_zone: str = "Europe/Berlin"
    break_policy: Literal["statutory", "none"] = "statutory"
    double_tap_seconds: StrictInt = Field(default=60, ge=0, le=600)
    max_shift_hours: StrictInt = Field(default=16, ge=8, le=24)
    ask_after_hours: StrictInt = Field(default=10, ge=4, le=24)
    holiday_region: str | None = None
    employees_may_delete: StrictBool = True
    clock_shows_balance: StrictBool = True
    valid_from: DayField | None = None

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in _ZONES:
            raise ValueError("unknown zone")
        return value

    @field_validator("holiday_region")
    @classmethod
    def _known_region(cls, value: str | None) -> str | None:
        if value is not None and value not in HOLIDAY_REGIONS:
            raise ValueError("unknown region")
        return value
