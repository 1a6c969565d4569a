"""What people are told of trips."""

from datetime import date

from stempelwerk_cloud.kit import german

_VERBS = {"approved": "genehmigt", "declined": "abgelehnt"}


def asked(who: str, day: date, destination: str, kilometres: int) -> tuple[str, str]:
    """To the administrators."""
    went = f"am {german.written_day(day)} nach {destination} ({kilometres}\N{NO-BREAK SPACE}km)"
    return "Neue Dienstfahrt", f"{who} reicht eine Dienstfahrt ein: {went}."


def decided(status: str, day: date, destination: str, comment: str | None) -> tuple[str, str]:
    """To who asked."""
    verb = _VERBS[status]
    body = f"Deine Dienstfahrt am {german.written_day(day)} nach {destination} wurde {verb}."
    return f"Dienstfahrt {verb}", body if comment is None else f"{body} {german.remark(comment)}"
