"""The mail that says that there is a message, and not what it says."""

from stempelwerk_cloud.kit.mail_templates import Letter, written

SUBJECT = "Neue Nachricht in Stempelwerk"


def letter(username: str, link: str | None) -> Letter:
    return written("new_message", username=username, link=link)
