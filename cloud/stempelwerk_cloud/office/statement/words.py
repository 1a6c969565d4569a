"""How a statement speaks on paper: German words, days, times and durations."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.office.words import DIRECTIONS, FLAGS, UNCOUNTED, WEEKDAYS

__all__ = ["DIRECTIONS", "UNCOUNTED"]

CREDITS = {"holiday": "Feiertag", "vacation": "Urlaub", "absence": "Entschuldigte Abwesenheit"}


def month_name(month: str) -> str:
    return german.month(date.fromisoformat(f"{month}-01"))


def day(text: str) -> str:
    """ "Mo 02.11."."""
    found = date.fromisoformat(text)
    return f"{WEEKDAYS[found.weekday()]} {found:%d.%m.}"


def moment(text: str, zone: ZoneInfo) -> str:
    """An instant as a wall clock in the zone shows it, in a table."""
    found = _local(text, zone)
    return f"{german.day_in_table(found)}, {found:%H:%M} Uhr"


def written_moment(text: str, zone: ZoneInfo) -> str:
    """The same in a sentence."""
    found = _local(text, zone)
    return f"{german.written_day(found)}, {found:%H:%M} Uhr"


def tap(text: str, zone: ZoneInfo) -> str:
    found = _local(text, zone)
    return f"{WEEKDAYS[found.weekday()]} {found:%d.%m., %H:%M:%S}"


def hints(entry: dict[str, Any]) -> str:
    told = ["läuft"] if entry["end"] is None and "missing_out" not in entry["flags"] else []
    told += ["Korrektur"] if entry["source"] == "correction" else []
    return "; ".join([*told, *entry["reasons"], *(FLAGS.get(flag, flag) for flag in entry["flags"])])


def _local(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)
