"""Problems (refusals) of the endpoints for absences."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

PERIOD_DAYS = 400
"""The largest number of days of a list, as in other rooms."""
REPORT_DAYS = 183
PARENTS_DAYS = 3660
"""The law sets no limit for Elternzeit and Mutterschutz; this one catches typing errors."""
DAYS_AHEAD = 183
MESSAGE_LIMIT = 2000


def already_decided(decided_by: str | None) -> Problem:
    sentence = "Über diese Abwesenheit wurde bereits entschieden."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})


def no_longer_open() -> Problem:
    return conflict("not_open", "Zu dieser Abwesenheit ist keine Nachricht mehr möglich: Sie ist bereits entschieden.")


def taken_back() -> Problem:
    return conflict("taken_back", "Diese Abwesenheit wurde zurückgenommen, sie braucht keine Krankmeldung mehr.")


def already_reported(day: date) -> Problem:
    return conflict("already_reported", f"Für den {german.written_day(day)} gibt es bereits eine Abwesenheit.")


def user_missing() -> Problem:
    return invalid("userId", "Bitte eine Person wählen.")


def never_ill() -> Problem:
    return invalid("userId", "Systemadministratoren können nicht krankgemeldet werden.")


def days_reversed() -> Problem:
    return invalid("endDate", "Das Ende liegt vor dem Anfang.")


def before_entry() -> Problem:
    return invalid("startDate", "Der Zeitraum liegt vor dem Eintritt.")


def after_exit() -> Problem:
    return invalid("endDate", "Der Zeitraum liegt nach dem Austritt.")


def too_many_days() -> Problem:
    return invalid("endDate", f"Eine Krankmeldung umfasst höchstens {REPORT_DAYS} Tage.")


def too_many_days_away() -> Problem:
    sentence = f"Eine Abwesenheit umfasst höchstens {REPORT_DAYS} Tage. Nur Elternzeit und Mutterschutz dauern länger."
    return invalid("endDate", sentence)


def too_many_days_as_parent() -> Problem:
    return invalid("endDate", "Das sind mehr als zehn Jahre. Bitte prüfe die beiden Tage.")


def too_long_ago() -> Problem:
    return invalid("startDate", "Der Anfang liegt mehr als ein Jahr zurück.")


def too_far_ahead() -> Problem:
    return invalid("startDate", f"Der Anfang liegt mehr als {DAYS_AHEAD} Tage in der Zukunft.")


def period_reversed() -> Problem:
    return invalid("from", "Der Anfang liegt nach dem Ende.")


def period_too_long() -> Problem:
    return invalid("to", f"Höchstens {PERIOD_DAYS} Tage auf einmal.")


def message_missing() -> Problem:
    return invalid("message", "Bitte eine Nachricht eingeben.")


def message_too_long() -> Problem:
    return invalid("message", f"Die Nachricht ist zu lang (höchstens {MESSAGE_LIMIT} Zeichen).")


def note_unreadable() -> Problem:
    return Problem(404, "note_unreadable", "Die Krankmeldung kann nicht mehr gelesen werden.")


def not_withdrawn(decided_by: str | None) -> Problem:
    sentence = "Über diese Krankmeldung wurde bereits entschieden. Sprich bitte mit deiner Verwaltung."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})


def not_reported() -> Problem:
    return conflict("not_reported", "Für diesen Tag gibt es keine Krankmeldung.")


def not_decided() -> Problem:
    return conflict("not_decided", "Diese Abwesenheit ist nicht entschieden.")


def reason_missing() -> Problem:
    return invalid("reason", "Bitte einen Grund angeben.")


def no_reason_wanted() -> Problem:
    return invalid("reason", "Nach dem Grund einer Krankheit fragt niemand.")
