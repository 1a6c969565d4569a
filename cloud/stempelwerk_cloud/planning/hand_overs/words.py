"""Refusals of the calls about hand-overs, and texts of messages about them, each as title and body."""

from datetime import date

from stempelwerk_cloud.kit.german import written_day
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def nobody_chosen() -> Problem:
    return invalid("to", "Bitte Kollegin/Kollegen auswählen.")


def not_oneself() -> Problem:
    return invalid("to", "Der Dienst kann nicht an dich selbst übergeben werden.")


def only_own() -> Problem:
    return invalid("from", "Du kannst nur deine eigenen Dienste übergeben.")


def no_employee() -> Problem:
    return invalid("to", "Dienste können nur an Mitarbeitende mit Rolle „user“ übergeben werden.", "not_an_employee")


def no_duty() -> Problem:
    return Problem(404, "no_duty", "An diesem Tag hast du keinen Dienst.")


def day_is_over() -> Problem:
    return conflict("day_is_over", "Ein Dienst, der schon begonnen hat, kann nicht mehr übergeben werden.")


def already_requested() -> Problem:
    return conflict("already_requested", "Für diesen Dienst ist bereits eine Übergabe angefragt.")


def not_available() -> Problem:
    """Returns 409 without the reason, which is not disclosed to colleagues."""
    return conflict("not_available", "Die ausgewählte Person ist an diesem Tag nicht verfügbar.")


def already_decided(decided_by: str) -> Problem:
    return Problem(
        409, "already_decided", "Über diese Anfrage wurde bereits entschieden.", extra={"decidedBy": decided_by}
    )


def withdrawn() -> Problem:
    return conflict("withdrawn", "Diese Anfrage wurde zurückgezogen.")


def void() -> Problem:
    return conflict("void", "Diese Anfrage ist hinfällig: Den Dienst gibt es so nicht mehr.")


def not_any_more(why: Problem) -> Problem:
    """Returns 409 for a duty that can no longer be accepted. `why`: the refusal, which may have another status."""
    return conflict(why.code, why.message)


def accepted(username: str, day: date) -> tuple[str, str]:
    """Returns the message to the previous holder of a duty that a colleague has taken over."""
    return "Übergabe angenommen", f"{username} übernimmt deinen Dienst am {written_day(day)}."


def declined(username: str, day: date) -> tuple[str, str]:
    """Returns the message to the requester about a declined request."""
    return "Übergabe abgelehnt", f"{username} kann deinen Dienst am {written_day(day)} nicht übernehmen."


def taken_over(from_whom: str, day: date) -> tuple[str, str]:
    """Returns the message to the new holder of a duty."""
    return "Dienst übernommen", f"Du hast den Dienst von {from_whom} am {written_day(day)} übernommen."


def handed_over(from_whom: str, to_whom: str, day: date) -> tuple[str, str]:
    """Returns the message to the administrators about a duty that was handed over."""
    return "Dienst übergeben", f"{to_whom} übernimmt den Dienst von {from_whom} am {written_day(day)}."


def void_for_requester(day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Deine Übergabeanfrage für den {written_day(day)} ist hinfällig."


def void_for_recipient(username: str, day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Die Übergabeanfrage von {username} für den {written_day(day)} ist hinfällig."
