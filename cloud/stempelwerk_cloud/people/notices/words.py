"""Refusals of the calls about notices, and the mail that announces a message without its content."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.kit.mail_templates import Letter, render


def not_public() -> Problem:
    return invalid(
        "endpoint",
        "Diese Adresse ist für Push-Nachrichten nicht zulässig. Erlaubt sind https-Adressen öffentlicher Push-Dienste.",
    )


def no_address() -> Problem:
    return conflict(
        "no_mail_address",
        "Mit deinem Konto ist keine E-Mail-Adresse verknüpft. Benachrichtigungen per E-Mail sind so nicht möglich.",
    )


NOT_REACHED = "Ein Gerät wird nicht erreicht"
NAME_IT_AGAIN = (
    "Benachrichtigungen an eines deiner Geräte kommen seit einem Tag nicht an und sind angehalten. Schalte sie dort"
    " unter Nachrichten aus und wieder ein."
)
SUBJECT = "Neue Nachricht in Stempelwerk"


def letter(username: str, link: str | None) -> Letter:
    return render("new_message", username=username, link=link)
