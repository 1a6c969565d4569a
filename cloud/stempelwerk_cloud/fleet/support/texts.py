"""What is told of support messages."""

TITLE = "Antwort vom Support"


def subject(about: str) -> str:
    """Of the mail, in one line."""
    return f"Re: {' '.join(about.split())}"
