"""Texts about support messages."""

TITLE = "Antwort vom Support"


def subject(original_subject: str) -> str:
    """Returns the subject of the mail, in one line."""
    return f"Re: {' '.join(original_subject.split())}"
