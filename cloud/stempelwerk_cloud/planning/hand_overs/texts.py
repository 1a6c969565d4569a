"""German texts of messages about hand-overs. Each function returns the title and the body."""

from datetime import date

from stempelwerk_cloud.kit.german import written_day


def accepted(username: str, day: date) -> tuple[str, str]:
    """Returns the message to the previous holder of a duty that a colleague has taken over."""
    return "Übergabe angenommen", f"{username} übernimmt deinen Dienst am {written_day(day)}."


def declined(username: str, day: date) -> tuple[str, str]:
    """Returns the message to the requester about a declined request."""
    return "Übergabe abgelehnt", f"{username} kann deinen Dienst am {written_day(day)} nicht übernehmen."


def taken_over(from_whom: str, day: date) -> tuple[str, str]:
    """Returns the message to the new holder of a duty."""
    return "Dienst übernommen", f"Du hast den Dienst von {from_whom} am {written_day(day)} übernommen."


def handed_over(from_whom: str, to_whom: str, day: date) -> tuple[str, str]:
    """Returns the message to the administrators about a duty that was handed over."""
    return "Dienst übergeben", f"{to_whom} übernimmt den Dienst von {from_whom} am {written_day(day)}."


def void_for_requester(day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Deine Übergabeanfrage für den {written_day(day)} ist hinfällig."


def void_for_recipient(username: str, day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Die Übergabeanfrage von {username} für den {written_day(day)} ist hinfällig."
