"""Refusals and texts of the login and of its mail.

Unknown company, unknown user and wrong password look alike.
"""

from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.people.login.steps import EMAIL_INPUT, EMAIL_OTP, PASSWORD_CHANGE, TOTP, Step


def wrong() -> Problem:
    return Problem(401, "login_failed", "Firma, Benutzername oder Passwort ist falsch.")


def locked() -> Problem:
    return Problem(403, "account_locked", "Account locked (TOS Violation/ Safety)")


def expired() -> Problem:
    """Builds the refusal of an unknown token, a finished login, or another due step: the client learns no more."""
    return Problem(401, "login_expired", "Die Anmeldung ist abgelaufen. Bitte neu einloggen.")


def wrong_mail_code() -> Problem:
    return Problem(401, "wrong_code", "Code ungültig oder abgelaufen")


def wrong_app_code() -> Problem:
    return Problem(401, "wrong_code", "Code ungültig")


def own_session_only() -> Problem:
    return invalid("sessions", "Wer angemeldet ist, beendet hier nur die eigene Sitzung.", "own_session_only")


def no_address() -> Problem:
    return invalid("email", "Bitte eine gültige E-Mail-Adresse eingeben.")


def mail_failed() -> Problem:
    return Problem(503, "mail_failed", "Fehler beim Senden des Codes", headers={"Retry-After": "5"})


def mail_put_off() -> Problem:
    """Builds the refusal for a mailbox that accepts mail of an unknown server only on a later attempt."""
    sentence = "Dein Postfach nimmt den Code gerade nicht an. Bitte versuche es in fünf Minuten noch einmal."
    return Problem(503, "mail_failed", sentence, headers={"Retry-After": "300"})


DONE = "Angemeldet."
CODE_SENT = "Der Code ist unterwegs."
NEXT: dict[Step, str] = {
    PASSWORD_CHANGE: "Bitte ein neues Passwort wählen.",
    TOTP: "Bitte den Code aus der Authenticator-App eingeben.",
    EMAIL_OTP: "Bitte den Code aus der E-Mail eingeben.",
    EMAIL_INPUT: "Bitte eine E-Mail-Adresse verknüpfen.",
}
SUBJECT = "Dein Code für die Anmeldung"


def letter(code: str, username: str, company: str) -> Letter:
    """Builds the mail with a code, for a linked address and for one that is being linked."""
    return render("login_code", code=code, username=username, company=company)
