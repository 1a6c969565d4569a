"""Bodies of the companies' calls."""

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict, Field, create_model

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.schemas import DayField, SentDay, Wire
from stempelwerk_cloud.people.directory.tables import NAME_LIMIT


class CompanyRow(Wire):
    id: str
    name: str


class OwnCompanyRow(CompanyRow):
    """A company for its own people. `timeZone`: its current time zone (IANA)."""

    time_zone: str


class NewCompany(Wire):
    name: str = Field(max_length=NAME_LIMIT)


class FeatureRow(Wire):
    id: str
    key: str
    label: str


class FeatureChoice(Wire):
    feature_ids: list[str] = Field(max_length=100)


class _Change(Wire):
    # The documented spelling only: with any other, a setting would be taken that the page calls unknown.
    model_config = ConfigDict(extra="forbid", populate_by_name=False)


def settings_row(settings: Sequence[Setting[Any]]) -> type[Wire]:
    """Creates the schema of the settings in force on a day."""
    members: dict[str, Any] = {setting.name: (setting.type, ...) for setting in settings}
    text = (
        "The settings in force on a day; `validFrom`: the day of the newest change in them, null if all are defaults."
    )
    return create_model("SettingsRow", __base__=Wire, __doc__=text, **members, valid_from=(DayField | None, ...))


def settings_change(settings: Sequence[Setting[Any]]) -> type[Wire]:
    """Creates the schema of the body that changes some of the settings."""
    members: dict[str, Any] = {setting.name: (setting.accepted, setting.default) for setting in settings}
    text = "Any of the settings, to hold from `validFrom` (default today) on."
    return create_model("SettingsChange", __base__=_Change, __doc__=text, **members, valid_from=(SentDay | None, None))
