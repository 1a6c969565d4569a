"""What a login says on its way, and its mail."""

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


def letter(code: str, username: str, company: str) -> str:
    return (
        f"Hallo {username},\n\n"
        f"dein Code für die Anmeldung bei Stempelwerk ({company}):\n\n"
        f"    {code}\n\n"
        "Er gilt 10 Minuten und nur einmal.\n\n"
        "Du meldest dich gerade nicht an? Dann kennt jemand dein Passwort: Gib den Code niemandem und ändere dein "
        "Passwort.\n"
    )
