"""German texts of messages about absences; no text contains the diagnosis or the sick note.

A function returns the title and the body. `when` is the days as "am …" or "vom … bis …".
"""

from collections.abc import Iterable, Sequence
from datetime import date

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.planning.absences.repository import DECLINED, EXCUSED

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


def taken_back(verb: str, when: str, comment: str) -> tuple[str, str]:
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
