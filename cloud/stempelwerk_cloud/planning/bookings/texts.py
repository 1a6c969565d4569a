"""What people are told of bookings, and how the log speaks of who is not the company's."""

from datetime import date

from stempelwerk_cloud.domain.half_days import number_of

TITLE = "Buchung auf deinem Konto"
SYSTEM_ADMINISTRATOR = "System-Admin"
"""A system administrator, to a company: which one is not its business."""


def body(day: date, minutes: int | None, vacation_halves: int | None, reason: str) -> str:
    """What was booked, for which day and why."""
    return f"{_amount(minutes, vacation_halves)} zum {day:%d.%m.%Y}: {reason}"


def _amount(minutes: int | None, vacation_halves: int | None) -> str:
    if minutes is not None:
        return f"{_sign(minutes)}{abs(minutes) // 60}:{abs(minutes) % 60:02d} Std."
    halves = vacation_halves or 0
    number = str(number_of(abs(halves))).replace(".", ",")
    return f"{_sign(halves)}{number} {'Urlaubstag' if abs(halves) <= 2 else 'Urlaubstage'}"


def _sign(amount: int) -> str:
    return "−" if amount < 0 else "+"
