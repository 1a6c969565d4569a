"""German words of exports: in files, in the findings before one is made, and in errors of the calls."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from stempelwerk_cloud.domain.payroll import Kind
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.office.exports.month.months import OffKind, Worked
from stempelwerk_cloud.office.exports.schemas import FindingRow
from stempelwerk_cloud.office.words import FLAGS, WEEKDAYS

SUM: Final = "Summe"
DRAFT: Final = "Entwurf"
SOURCES: Final = {"clock": "Stempel", "correction": "Korrektur"}
OFF: Final[Mapping[OffKind, str]] = {
    "vacation": "Urlaub",
    "sick": "Krankheit",
    "holiday": "Feiertag",
    "special": "Abwesenheit",
}
KINDS: Final[Mapping[Kind, str]] = {
    "work": "Arbeit",
    "vacation": "Urlaub",
    "sick": "Krankheit",
    "holiday": "Feiertag",
    "absence": "Abwesenheit",
    "night": "Nachtzuschlag",
    "night40": "Nachtzuschlag (40 %)",
    "sunday": "Sonntagszuschlag",
    "holiday125": "Feiertagszuschlag",
    "holiday150": "Feiertagszuschlag (150 %)",
    "overtime": "Überstunden",
}
REASONS: Final = {
    "correction": "Korrektur",
    "deletion": "Eintrag gelöscht",
    "late_stamp": "nachträglich eingegangen",
    "leave": "Urlaub geändert",
    "absence": "Abwesenheit geändert",
    "other": "sonstige Änderung",
}
SUPPLEMENTS: Final = {
    "night": "Nacht (§ 3b EStG, 25 %)",
    "night40": "Nacht (§ 3b EStG, 40 %)",
    "sunday": "Sonntag",
    "holiday": "Feiertag (125 %)",
    "holiday150": "Feiertag (150 %)",
    "act_night": "Nacht (ArbZG)",
}
PAID: Final = {"hours": "Arbeitsstunden", "vacation": "Urlaub", "sick": "Krankheit"}
ANOTHER_WAY: Final = "LODAS übernimmt nur Stunden mit Lohnart. Bitte gib sie dem Steuerbüro auf anderem Weg weiter."
ENTER_KEY: Final = "Trag dafür einen Ausfallschlüssel ein."
FINDINGS: Final = {
    "no_personnel_number": "Die Personalnummer fehlt.",
    "duplicate_personnel_number": "Diese Personalnummer ist mehrfach vergeben.",
    "personnel_number_range": "Die Personalnummer muss zwischen 1 und 99999 liegen.",
    "missing_start": "Kommen fehlt.",
    "missing_end": "Gehen fehlt.",
    "uncertain_time": "Die Uhrzeit ist unsicher.",
    "pending_correction": "Über den Korrekturantrag ist noch nicht entschieden.",
    "held_stamps": "Stempel warten noch auf eine Entscheidung.",
    "no_adviser_number": "Die Beraternummer fehlt.",
    "no_client_number": "Die Mandantennummer fehlt.",
    "unmapped_holiday": "Für Feiertage ohne Arbeit ist keine Lohnart eingetragen: Sie stehen nicht in der Datei.",
    "worked_on_leave": "Gearbeitet an einem Tag mit Urlaub oder Krankmeldung: Bitte prüfe, ob beides stimmt.",
    "no_holiday_region": (
        "Nicht für den ganzen Monat ist ein Bundesland gewählt: "
        "Ohne Bundesland zählt kein gesetzlicher Feiertag im Zeitkonto, "
        "und Zuschläge gibt es nur für die neun Feiertage, die alle Länder haben."
    ),
    "sick_over_42_days": "Seit mehr als 42 Tagen krank: Die Entgeltfortzahlung kann enden.",
}


def day(local_date: date) -> str:
    """Returns a day as text: "Mo 02.11."."""
    return f"{WEEKDAYS[local_date.weekday()]} {local_date:%d.%m.}"


def unmapped(kind: str) -> str:
    return f"Für „{PAID[kind]}“ ist keine Lohnart eingetragen."


def unmapped_absence(reason: str | None, days: int, remedy: str) -> str:
    day_count = "ein Tag" if days == 1 else f"{days} Tage"
    return f"„{reason or KINDS['absence']}“ ({day_count}) wird bezahlt und steht nicht in der Datei. {remedy}"


def hints(entry: Worked) -> str:
    return flags(entry.flags, running=entry.running)


@lru_cache
def flags(entry_flags: tuple[str, ...], *, running: bool) -> str:
    """Returns the hints about an entry as text."""
    return "; ".join([*(["läuft"] if running else []), *(FLAGS.get(flag, flag) for flag in entry_flags)])


def not_begun() -> Problem:
    return invalid("month", "Der Monat hat noch nicht begonnen.")


def not_ended() -> Problem:
    return conflict("month_not_ended", "Der Monat ist noch nicht zu Ende.")


def blocked(findings: Sequence[FindingRow]) -> Problem:
    """Returns the error of a blocked file with its open `findings`."""
    rows = [finding.model_dump(mode="json") for finding in findings]
    sentence = "Für diese Datei ist noch etwas zu klären. Was, steht in der Prüfung des Monats."
    return Problem(409, "export_blocked", sentence, extra={"findings": rows})


def not_made() -> Problem:
    return conflict("export_not_made", "Die Datei ist noch nicht fertig.")


def period_wrong() -> Problem:
    return invalid("to", "Das Ende liegt vor dem Anfang.")


def busy(sentence: str) -> Problem:
    """Returns 429 with the reason."""
    return Problem(429, "export_busy", sentence, headers={"Retry-After": "5"})


STILL_READ = "Du lädst noch einen Nachweis der Arbeitszeiten herunter. Warte, bis er da ist, oder brich ihn ab."
SEVERAL_MADE = "Gerade werden schon mehrere Nachweise der Arbeitszeiten deiner Firma erstellt."
