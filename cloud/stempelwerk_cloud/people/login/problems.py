"""What the login refuses. Unknown company, unknown user and wrong password are told alike."""

from stempelwerk_cloud.kit.problems import Problem


def wrong() -> Problem:
    return Problem(401, "login_failed", "Firma, Benutzername oder Passwort ist falsch.")


def locked() -> Problem:
    return Problem(403, "account_locked", "Account locked (TOS Violation/ Safety)")
