"""Problems (refusals) of the endpoints for vacation and wishes."""

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

DAYS_LIMIT = 366

MOST_OPEN = 100
"""The largest number of open requests that a person may have."""


def end_before_start() -> Problem:
    return invalid("endDate", "Das Ende liegt vor dem Anfang.")


def too_long() -> Problem:
    return invalid("endDate", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def too_far() -> Problem:
    return invalid("endDate", "Das Datum liegt zu weit in der Zukunft.")


def too_long_ago() -> Problem:
    return invalid("startDate", "Das Datum liegt zu weit zurück.")


def no_half_left() -> Problem:
    return invalid("endHalf", "An einem einzelnen Tag kann nur eine Hälfte gewählt werden.")


def no_workday() -> Problem:
    return invalid("startDate", "Im Zeitraum liegt kein Arbeitstag.")


def before_entry() -> Problem:
    return invalid("startDate", "Der Zeitraum liegt vor dem Eintritt.")


def after_exit() -> Problem:
    return invalid("endDate", "Der Zeitraum liegt nach dem Austritt.")


def employee_missing() -> Problem:
    return invalid("userId", "Bitte Mitarbeiter auswählen.")


def no_leave() -> Problem:
    return invalid("userId", "Systemadministratoren können weder Urlaub noch Wunschfrei haben.")


def too_many_open() -> Problem:
    return conflict("too_many_open", f"Du hast schon {MOST_OPEN} offene Anträge. Bitte warte auf eine Entscheidung.")


def overlaps(existing: str) -> Problem:
    """Returns 409. `existing` describes the other request: "Wunschfrei am 24. Dezember 2026"."""
    return conflict("overlap", f"Im Zeitraum liegt bereits ein offener oder genehmigter Antrag: {existing}.")


def closed() -> Problem:
    return conflict(
        "company_closed",
        "In diesem Zeitraum ist die Firma ohnehin geschlossen: Die Betriebsferien sind schon als Urlaub eingetragen."
        " Bitte wähle Tage davor oder danach.",
    )


def disabled() -> Problem:
    return conflict("vacation_disabled", "Urlaub ist derzeit deaktiviert.")


def already_decided(decided_by: str | None) -> Problem:
    sentence = "Über diesen Antrag wurde bereits entschieden."
    return Problem(409, "already_decided", sentence, extra={"decidedBy": decided_by})


def over_allowance(remaining: int, days: int) -> Problem:
    """Returns 409 with the days that remain and those of the request; both arguments are half days."""
    left_text, asked_text = (f"{number_of(halves):g}".replace(".", ",") for halves in (remaining, days))
    return Problem(
        409,
        "over_allowance",
        f"Der Antrag übersteigt den Resturlaub. Beantragte Tage: {asked_text}, übrige Tage: {left_text}.",
        extra={"remaining": number_of(remaining), "days": number_of(days)},
    )


def not_approved(decided_by: str | None) -> Problem:
    return Problem(409, "not_approved", "Dieser Antrag ist nicht genehmigt.", extra={"decidedBy": decided_by})


def all_passed() -> Problem:
    return conflict("all_passed", "Alle Tage sind schon vergangen.")


def already_wished() -> Problem:
    return conflict("already_wished", "Um die Stornierung hast du schon gebeten. Bitte warte auf eine Entscheidung.")


def not_wished() -> Problem:
    return conflict("not_wished", "Niemand bittet um die Stornierung.")
