"""Messages of the login, and its mail."""

from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.people.login.steps import EMAIL_INPUT, EMAIL_OTP, PASSWORD_CHANGE, TOTP, Step

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
