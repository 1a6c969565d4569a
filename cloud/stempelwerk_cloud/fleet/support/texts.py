"""What is told of support messages."""

TITLE = "Antwort vom Support"


def subject(original_subject: str) -> str:
    """Of the mail, in one line."""
    return f"Re: {' '.join(original_subject.split())}"
