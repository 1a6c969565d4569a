"""Refusals of a chosen password and of calls that only the company may make, and names of browsers in the list of
logins.
"""

from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.security.passwords import Refusal


def new_password_refused(refusal: Refusal) -> Problem:
    return invalid("newPassword", refusal.sentence, refusal.code)


def same_password() -> Problem:
    return invalid("newPassword", "Das neue Passwort muss ein anderes sein als das bisherige.", "same_password")


def not_by_system_administrators() -> Problem:
    return Problem(403, "forbidden", "Das kann nur die Verwaltung der Firma selbst.")


UNKNOWN_DEVICE = "Unbekanntes Gerät"


def browser_on(browser: str, system: str) -> str:
    return f"{browser} auf {system}"
