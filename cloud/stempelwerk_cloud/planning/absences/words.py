"""Refusals of the calls about absences, and texts of messages about them, which contain neither diagnosis nor sick
note.

A function for a message returns its title and body. `when` is the days as "am …" or "vom … bis …".
"""

from collections.abc import Iterable, Sequence
from datetime import date

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.planning.absences.queries import DECLINED, EXCUSED

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


UNKNOWN_PERSON = "Jemand"
CANCELLED = "storniert"
REOPENED = "wieder geöffnet"
_DECISIONS = {EXCUSED: "entschuldigt", DECLINED: "abgelehnt"}


def missing(day: date) -> tuple[str, str]:
    """Returns the message to the employee about a missed duty."""
    body = (
        f"Am {german.written_day(day)} warst du eingeteilt, es gibt aber keinen Stempel. Melde dich krank, lade eine"
        " Krankmeldung hoch oder schreib eine Nachricht dazu."
    )
    return "Fehlender Stempel", body


def missing_person(name: str, day: date) -> tuple[str, str]:
    """Returns the message to the administrators about a missed duty."""
    body = f"{name} war am {german.written_day(day)} eingeteilt und hat nicht gestempelt."
    return "Abwesenheit ohne Meldung", body


def sick(name: str, when: str, duties: Sequence[Planned]) -> tuple[str, str]:
    """Returns the message to the administrators about an employee's own report."""
    return "Krankmeldung", f"{name} hat sich {when} krankgemeldet.{_duties(duties)}"


def sick_in_the_name_of(name: str, when: str, duties: Sequence[Planned]) -> tuple[str, str]:
    """Returns the message to the administrators about a report that one of them entered."""
    return "Krankmeldung", f"Für {name} wurde eine Krankmeldung eingetragen: {when}.{_duties(duties)}"


def sick_entered(when: str) -> tuple[str, str]:
    """Returns the message to the employee about an illness that an administrator entered."""
    return "Krankmeldung eingetragen", f"Für dich wurde eine Krankmeldung eingetragen: {when}."


def special_entered(reason: str, when: str) -> tuple[str, str]:
    """Returns the message to the employee about a special absence that an administrator entered."""
    return "Abwesenheit eingetragen", f"Für dich wurde eine Abwesenheit eingetragen: {reason}, {when}."


def withdrawn(name: str, when: str) -> tuple[str, str]:
    """Returns the message to the administrators about a withdrawn report of illness."""
    return "Krankmeldung zurückgezogen", f"{name} hat die Krankmeldung {when} zurückgezogen."


def cancelled_or_reopened(verb: str, when: str, comment: str) -> tuple[str, str]:
    """Returns the message to the employee about an absence that was cancelled or reopened (`verb`: CANCELLED or
    REOPENED).
    """
    return f"Abwesenheit {verb}", f"Deine Abwesenheit {when} wurde {verb}. {german.remark(comment)}"


def decided(decision: str, when: str, comment: str | None) -> tuple[str, str]:
    """Returns the message to the employee about the decision (`excused` or `declined`)."""
    verb = _DECISIONS[decision]
    body = f"Deine Abwesenheit {when} wurde {verb}."
    return f"Abwesenheit {verb}", body if comment is None else f"{body} {german.remark(comment)}"


def ended(when: str) -> tuple[str, str]:
    """Returns the message to the employee about an absence that ends with their exit."""
    return "Abwesenheit entfällt", f"Deine Abwesenheit {when} entfällt wegen des Austritts."


def ended_of(name: str, when: str) -> tuple[str, str]:
    """Returns the message to the administrators about an absence that ends with an exit."""
    return "Abwesenheit entfällt", f"Die Abwesenheit von {name} {when} entfällt wegen des Austritts."


def note_uploaded(name: str, day: date, *, late: bool) -> tuple[str, str]:
    """Returns the message to the administrators about a sick note. `late`: the absence was decided before."""
    verb = "nachgereicht" if late else "hochgeladen"
    body = f"{name} hat zur Abwesenheit vom {german.written_day(day)} eine Krankmeldung {verb}."
    return f"Krankmeldung {verb}", body


def message_written(name: str, day: date) -> tuple[str, str]:
    """Returns the message to the administrators about an employee's message."""
    body = f"{name} hat zur Abwesenheit vom {german.written_day(day)} eine Nachricht geschrieben."
    return "Nachricht zur Abwesenheit", body


def duties(planned: Iterable[Planned]) -> str:
    """Returns duties as text, consecutive ones together: 16. bis 20. November 2026 07:00–16:00; 23. November 2026."""
    runs: list[list[Planned]] = []
    for duty in planned:
        if runs and _follows(runs[-1][-1], duty):
            runs[-1].append(duty)
        else:
            runs.append([duty])
    return "; ".join(f"{german.period(run[0].date, run[-1].date)}{_times(run[0])}" for run in runs)


def _duties(planned: Sequence[Planned]) -> str:
    """Returns a sentence that names the duties, so that a substitute can be found; empty without any."""
    return f" Dienste in dieser Zeit: {duties(planned)}." if planned else ""


def _follows(earlier: Planned, later: Planned) -> bool:
    return later.date - earlier.date == DAY and _times(earlier) == _times(later)


def _times(duty: Planned) -> str:
    return "" if duty.start_minute is None else f" {german.span(duty.start_minute, duty.end_minute)}"
