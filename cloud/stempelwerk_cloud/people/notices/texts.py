"""The mail that announces a message without its content."""

from stempelwerk_cloud.kit.mail_templates import Letter, render

NOT_REACHED = "Ein Gerät wird nicht erreicht"
NAME_IT_AGAIN = (
    "Benachrichtigungen an eines deiner Geräte kommen seit einem Tag nicht an und sind angehalten. Schalte sie dort"
    " unter Nachrichten aus und wieder ein."
)
SUBJECT = "Neue Nachricht in Stempelwerk"


def letter(username: str, link: str | None) -> Letter:
    return render("new_message", username=username, link=link)
