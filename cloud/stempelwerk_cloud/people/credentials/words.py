"""Refusals and texts of the calls about a login. A wrong code is a 422 here: a 401 would end the page's session."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def wrong_code() -> Problem:
    return invalid("code", "Code ungültig.", "wrong_code")


def code_missing() -> Problem:
    return invalid("code", "Bitte 6-stelligen App-Code eingeben.")


def active_already() -> Problem:
    return conflict("authenticator_active", "Der Authenticator ist bereits aktiv.")


def not_active() -> Problem:
    return conflict("authenticator_inactive", "Der Authenticator ist nicht aktiv.")


def no_setup() -> Problem:
    return conflict("no_setup", "Bitte die Einrichtung des Authenticators neu beginnen.")


def password_needed() -> Problem:
    return Problem(403, "password_needed", "Bitte gib dein Passwort ein: Deine Anmeldung ist schon eine Weile her.")


def password_missing(field: str) -> Problem:
    return invalid(field, "Bitte alle Felder ausfüllen.")


def wrong_password(field: str) -> Problem:
    return invalid(field, "Das aktuelle Passwort ist falsch.", "wrong_password")


AUTHENTICATOR_ACTIVE = "Der Authenticator ist aktiv."
AUTHENTICATOR_NOT_ACTIVE = "Der Authenticator ist nicht aktiv."
CHANGED = "Passwort erfolgreich geändert."
