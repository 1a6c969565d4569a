"""A company's settings as values with the days from which they hold: defaults, limits, and what holds when.

Pure: it is handed rows and hands back values. Each setting has its own history, so that a change of one from an
earlier day does not undo another's later change.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pydantic.alias_generators import to_camel

from stempelwerk_cloud.domain.settings import BreakPolicy, DatedRules, Rules

HOLIDAY_REGIONS = (
    "DE-BB",
    "DE-BE",
    "DE-BW",
    "DE-BY",
    "DE-HB",
    "DE-HE",
    "DE-HH",
    "DE-MV",
    "DE-NI",
    "DE-NW",
    "DE-RP",
    "DE-SH",
    "DE-SL",
    "DE-SN",
    "DE-ST",
    "DE-TH",
)


@dataclass(frozen=True, slots=True)
class CompanySettings:
    """What a company can choose, as in force on one day. The defaults are those of a new company."""

    time_zone: str = "Europe/Berlin"
    break_policy: BreakPolicy = "statutory"
    double_tap_seconds: int = 60
    max_shift_hours: int = 16
    ask_after_hours: int = 10
    holiday_region: str | None = None
    employees_may_delete: bool = True
    clock_shows_balance: bool = True

    def rules(self) -> Rules:
        """The part that shapes entries, as the domain wants it."""
        return Rules(
            zone=ZoneInfo(self.time_zone),
            break_policy=self.break_policy,
            double_tap_s=self.double_tap_seconds,
            max_shift_h=self.max_shift_hours,
            ask_after_h=self.ask_after_hours,
        )


SETTINGS = tuple(field.name for field in fields(CompanySettings))
SHAPING = frozenset({"time_zone", "break_policy", "double_tap_seconds", "max_shift_hours", "ask_after_hours"})
"""Settings on which entries depend: a change from a past day means that entries are derived again."""


class Change(NamedTuple):
    """A setting's value from a day on, as stored: `value` is JSON."""

    setting: str
    valid_from: date
    value: str


def encode(value: Any) -> str:
    return json.dumps(value)


def on(changes: Iterable[Change], day: date) -> CompanySettings:
    """What holds on a local day."""
    latest: dict[str, Change] = {}
    for change in changes:
        before = latest.get(change.setting)
        if change.valid_from <= day and (before is None or before.valid_from <= change.valid_from):
            latest[change.setting] = change
    return replace(CompanySettings(), **_values(latest))


def named(changes: Iterable[Change], names: Iterable[str], day: date) -> dict[str, Any]:
    """What these settings are on a local day, by the names of the API."""
    holding = on(changes, day)
    return {to_camel(name): getattr(holding, name) for name in names}


def since(changes: Iterable[Change], day: date) -> date | None:
    """The day of the newest change that holds on `day`; None if all are defaults."""
    return max((change.valid_from for change in changes if change.valid_from <= day), default=None)


def rules(changes: Iterable[Change]) -> DatedRules:
    """All settings that the company ever had or has announced, for the domain."""
    shaping = [change for change in changes if change.setting in SHAPING]
    days = sorted({change.valid_from for change in shaping})
    dated: list[tuple[date | None, Rules]] = [(None, CompanySettings().rules())]
    dated += [(day, on(shaping, day).rules()) for day in days]
    return DatedRules(dated)


def _values(changes: Mapping[str, Change]) -> dict[str, Any]:
    return {name: json.loads(change.value) for name, change in changes.items() if name in SETTINGS}
