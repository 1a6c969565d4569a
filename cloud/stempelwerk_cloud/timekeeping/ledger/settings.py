"""A company's settings for times, and the domain's rules that follow from them."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.settings import BreakPolicy, DatedRules, Rules
from stempelwerk_cloud.kit.dated import DEFAULTS, Change, InForce, Setting
from stempelwerk_cloud.people.directory.companies import TIME_ZONE, setting_changes

REGIONS: Final[Mapping[str, str]] = {
    **{"BW": "Baden-Württemberg", "BY": "Bayern", "BE": "Berlin", "BB": "Brandenburg", "HB": "Bremen"},
    **{"HH": "Hamburg", "HE": "Hessen", "MV": "Mecklenburg-Vorpommern", "NI": "Niedersachsen"},
    **{"NW": "Nordrhein-Westfalen", "RP": "Rheinland-Pfalz", "SL": "Saarland", "SN": "Sachsen"},
    **{"ST": "Sachsen-Anhalt", "SH": "Schleswig-Holstein", "TH": "Thüringen"},
}
_BREAKS: Final[Mapping[BreakPolicy, str]] = {
    "statutory": "gesetzlich (§ 4 ArbZG, § 11 JArbSchG): fehlende Pausen werden abgezogen",
    "none": "kein Abzug, fehlende Pausen werden nur gemeldet",
}


def _region_in_words(region: str | None) -> str:
    if region is None:
        return "nicht gewählt: Feiertage zählen als Solltage"
    return f"{REGIONS[region.removeprefix('DE-')]} ({region})"


BREAK_POLICY: Setting[BreakPolicy] = Setting(
    "break_policy", BreakPolicy, "statutory", shapes_entries=True, label="Pausen", in_words=_BREAKS.__getitem__
)
DOUBLE_TAP_SECONDS = Setting(
    "double_tap_seconds",
    int,
    60,
    minimum=0,
    maximum=600,
    shapes_entries=True,
    label="Doppeltes Stempeln zählt nicht innerhalb von (Sekunden)",
)
MAX_SHIFT_HOURS = Setting(
    "max_shift_hours",
    int,
    16,
    minimum=8,
    maximum=24,
    shapes_entries=True,
    label="Längste Schicht, die ein Gehen noch schließt (Stunden)",
)
ASK_AFTER_HOURS = Setting(
    "ask_after_hours",
    int,
    10,
    minimum=4,
    maximum=24,
    shapes_entries=True,
    label="Die Uhr fragt „Kommen oder Gehen?“ nach (Stunden)",
)
HOLIDAY_REGION: Setting[str | None] = Setting(
    "holiday_region",
    str | None,
    None,
    among={f"DE-{land}" for land in REGIONS},
    label="Gesetzliche Feiertage",
    in_words=_region_in_words,
)
EMPLOYEES_MAY_DELETE = Setting("employees_may_delete", bool, True, label="Mitarbeiter dürfen eigene Einträge löschen")
CLOCK_SHOWS_BALANCE = Setting("clock_shows_balance", bool, True, label="Die Uhr zeigt Stunden und Saldo")

SETTINGS = (
    BREAK_POLICY,
    DOUBLE_TAP_SECONDS,
    MAX_SHIFT_HOURS,
    ASK_AFTER_HOURS,
    HOLIDAY_REGION,
    EMPLOYEES_MAY_DELETE,
    CLOCK_SHOWS_BALANCE,
)

_RULED_BY = {
    setting.name for setting in (TIME_ZONE, BREAK_POLICY, DOUBLE_TAP_SECONDS, MAX_SHIFT_HOURS, ASK_AFTER_HOURS)
}


def rules_of(session: Session, company_id: str) -> DatedRules:
    """Returns all past, current and future rules of the company. A writer calls `directory.lock_rules_shared` first."""
    return dated_rules(setting_changes(session, company_id))


def dated_rules(changes: Iterable[Change]) -> DatedRules:
    ruling = [change for change in changes if change.setting in _RULED_BY]
    days = sorted({change.valid_from for change in ruling})
    dated: list[tuple[date | None, Rules]] = [(None, _rules(DEFAULTS))]
    dated += [(day, _rules(InForce(ruling, day))) for day in days]
    return DatedRules(dated)


def _rules(in_force: InForce) -> Rules:
    return Rules(
        zone=ZoneInfo(in_force[TIME_ZONE]),
        break_policy=in_force[BREAK_POLICY],
        double_tap_s=in_force[DOUBLE_TAP_SECONDS],
        max_shift_h=in_force[MAX_SHIFT_HOURS],
        ask_after_h=in_force[ASK_AFTER_HOURS],
    )
