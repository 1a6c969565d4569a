"""How the papers name settings and periods: a German line for each that the rooms declare."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from stempelwerk_cloud.kit import german

_BREAKS = {
    "statutory": "gesetzlich (§ 4 ArbZG, § 11 JArbSchG): fehlende Pausen werden abgezogen",
    "none": "kein Abzug, fehlende Pausen werden nur gemeldet",
}

SETTINGS: Final[Mapping[str, str]] = {
    "time_zone": "Zeitzone",
    "break_policy": "Pausen",
    "double_tap_seconds": "Doppeltes Stempeln zählt nicht innerhalb von (Sekunden)",
    "max_shift_hours": "Längste Schicht, die ein Gehen noch schließt (Stunden)",
    "ask_after_hours": "Die Uhr fragt „Kommen oder Gehen?“ nach (Stunden)",
    "holiday_region": "Gesetzliche Feiertage",
    "rules_from": "Neue Regeln für Konten und Urlaub gelten ab",
    "employees_may_delete": "Mitarbeiter dürfen eigene Einträge löschen",
    "clock_shows_balance": "Die Uhr zeigt Stunden und Saldo",
    "sick_note_months": "Bescheinigungen zu Krankmeldungen bleiben nach der Entscheidung (Monate)",
    "times_years": "Zeiten bleiben über das Jahresende hinaus mindestens (Jahre)",
}

REGIONS: Final[Mapping[str, str]] = {
    **{"BW": "Baden-Württemberg", "BY": "Bayern", "BE": "Berlin", "BB": "Brandenburg", "HB": "Bremen"},
    **{"HH": "Hamburg", "HE": "Hessen", "MV": "Mecklenburg-Vorpommern", "NI": "Niedersachsen"},
    **{"NW": "Nordrhein-Westfalen", "RP": "Rheinland-Pfalz", "SL": "Saarland", "SN": "Sachsen"},
    **{"ST": "Sachsen-Anhalt", "SH": "Schleswig-Holstein", "TH": "Thüringen"},
}

PERIODS: Final[Mapping[str, str]] = {
    "session": "Sitzungen",
    "remembered": "Gemerkte Geräte",
    "unfinishedLogin": "Angefangene Anmeldungen",
    "familiarAddress": "Bekannte Internetadressen von Konten (als Hash)",
    "keptAnswers": "Antworten auf wiederholbare Anfragen",
    "failedMails": "Nicht zustellbare Hinweise",
    "deviceLogs": "Protokolle der Uhren",
    "unclaimedStamps": "Stempel, die keinem Unternehmen gehören, und unlesbare (ab dem Ende ihres Jahres)",
    "messages": "Nachrichten im Posteingang",
    "corrections": "Entschiedene Korrekturanträge",
    "vacationRequests": "Abgelehnte und stornierte Urlaubsanträge, Wünsche",
    "handovers": "Übergabeanfragen",
    "absences": "Abgelehnte und zurückgezogene Abwesenheiten",
    "accessLooks": "Wer wessen Zeiten angesehen hat",
    "operatorLog": "Was der Betreiber getan hat",
    "clockHistory": "Verlauf der Uhren",
    "alarms": "Alarme der Uhren, und wer sie bestätigt hat",
    "support": "Anfragen an den Support",
    "exports": "Exporte und abgeschlossene Monate",
    "mailedExports": "Liste der E-Mails mit Exporten",
    "inquiries": "Anfragen über die Website",
}


KEPT: Final[Mapping[str, tuple[str, str]]] = {
    "times_years": ("Zeiten, Stempel und Abwesenheiten (ab dem Ende ihres Jahres mindestens)", "Jahre"),
    "sick_note_months": ("Bescheinigungen zu Krankmeldungen (nach der Entscheidung)", "Monate"),
}
"""Data whose retention is a company setting, with the unit of the setting."""

DUTIES: Final = (
    "Mitarbeiter und Chips anlegen, Austritte eintragen",
    "Korrekturen und zurückgehaltene Stempel entscheiden",
    "Urlaub und Abwesenheiten entscheiden",
    "Einstellungen und Rechte ändern",
    "Den Monat prüfen und sperren",
    "Exporte an die Lohnabrechnung geben",
    "Diese Dokumentation pflegen",
)
"""Duties in a company. Only the company knows the persons."""


def in_order(row: Sequence[str]) -> str:
    """Returns the sort key: umlauts sort with their vowels, as in German dictionaries."""
    return german.alphabetical(row[0])


def setting(name: str, value: Any) -> str:
    """Returns the value of a company's setting for the paper."""
    if name == "break_policy":
        return _BREAKS[value]
    if name == "holiday_region":
        return "nicht gewählt: Feiertage zählen als Solltage" if value is None else f"{REGIONS[value[3:]]} ({value})"
    if name == "rules_from":
        return "von Anfang an" if value is None else german.day_in_table(date.fromisoformat(value))
    if isinstance(value, bool):
        return "ja" if value else "nein"
    return str(value)


def period(life: timedelta | int) -> str:
    """Returns a retention period in the largest unit that fits; an int counts months."""
    if isinstance(life, int):
        return f"{life} Monate"
    hours = life // timedelta(hours=1)
    if life.days % 366 == 0 and life.days:
        return f"{life.days // 366} Jahre"
    if life.days:
        return "1 Tag" if life.days == 1 else f"{life.days} Tage"
    return f"{hours} Stunden" if hours else f"{life // timedelta(minutes=1)} Minuten"
