"""What people are told of hand-overs."""

from datetime import date

from stempelwerk_cloud.kit.german import written_day


def accepted(who: str, day: date) -> tuple[str, str]:
    """To who handed it over."""
    return "Übergabe angenommen", f"{who} übernimmt deinen Dienst am {written_day(day)}."


def declined(who: str, day: date) -> tuple[str, str]:
    """To who asked."""
    return "Übergabe abgelehnt", f"{who} kann deinen Dienst am {written_day(day)} nicht übernehmen."


def taken_over(from_whom: str, day: date) -> tuple[str, str]:
    """To who took it over."""
    return "Dienst übernommen", f"Du hast den Dienst von {from_whom} am {written_day(day)} übernommen."


def handed_over(from_whom: str, to_whom: str, day: date) -> tuple[str, str]:
    """To the administrators."""
    return "Dienst übergeben", f"{to_whom} übernimmt den Dienst von {from_whom} am {written_day(day)}."


def void_for_requester(day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Deine Übergabeanfrage für den {written_day(day)} ist hinfällig."


def void_for_recipient(who: str, day: date) -> tuple[str, str]:
    return "Übergabe hinfällig", f"Die Übergabeanfrage von {who} für den {written_day(day)} ist hinfällig."
