"""German words of a statement on paper (days, times, hints), and errors of making one."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.office.words import DIRECTIONS, FLAGS, UNCOUNTED, WEEKDAYS

__all__ = ["DIRECTIONS", "UNCOUNTED"]

CREDITS = {"holiday": "Feiertag", "vacation": "Urlaub", "absence": "Entschuldigte Abwesenheit"}


def month_name(month: str) -> str:
    return german.month(date.fromisoformat(f"{month}-01"))


def day(text: str) -> str:
    """Returns a day (ISO) as text: "Mo 02.11."."""
    local_date = date.fromisoformat(text)
    return f"{WEEKDAYS[local_date.weekday()]} {local_date:%d.%m.}"


def moment(text: str, zone: ZoneInfo) -> str:
    """Returns an instant in local time, for a table."""
    local_time = _local(text, zone)
    return f"{german.day_in_table(local_time)}, {local_time:%H:%M} Uhr"


def written_moment(text: str, zone: ZoneInfo) -> str:
    """Returns an instant in local time, for a sentence."""
    local_time = _local(text, zone)
    return f"{german.written_day(local_time)}, {local_time:%H:%M} Uhr"


def tap(text: str, zone: ZoneInfo) -> str:
    local_time = _local(text, zone)
    return f"{WEEKDAYS[local_time.weekday()]} {local_time:%d.%m., %H:%M:%S}"


def hints(entry: dict[str, Any]) -> str:
    notes = ["läuft"] if entry["end"] is None and "missing_out" not in entry["flags"] else []
    notes += ["Korrektur"] if entry["source"] == "correction" else []
    return "; ".join([*notes, *entry["reasons"], *(FLAGS.get(flag, flag) for flag in entry["flags"])])


def _local(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)


def not_begun() -> Problem:
    return invalid("month", "Der Monat hat noch nicht begonnen.")
