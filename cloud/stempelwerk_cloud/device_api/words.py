"""Errors that calls of clocks raise, and German lines for a device's log. A batch is never refused because of its
stamps.
"""

from datetime import datetime

from stempelwerk_cloud.device_api.wire import PROTO
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.schemas import format_instant


def bad_signature() -> Problem:
    return Problem(401, "bad_signature", "Die Anfrage ist nicht gültig unterschrieben.")


def unknown_device() -> Problem:
    return Problem(401, "unknown_device", "Diese Stempeluhr ist nicht angemeldet.")


def clock_skew(now: datetime) -> Problem:
    return Problem(
        401,
        "clock_skew",
        "Die Uhrzeit der Stempeluhr weicht zu weit ab.",
        extra={"serverTime": format_instant(now)},
    )


def revoked() -> Problem:
    return Problem(403, "revoked", "Diese Stempeluhr wurde gesperrt.")


def unreadable(message_kind: str) -> Problem:
    """Returns the error for an unreadable message. `message_kind` is `batch`, `enrolment`, `heartbeat`, `logs` or
    `answers`.
    """
    return Problem(422, f"unreadable_{message_kind}", "Die Nachricht der Stempeluhr ist nicht lesbar.")


def unknown_proto() -> Problem:
    return Problem(
        422,
        "unknown_proto",
        "Diese Version der Stempeluhr wird nicht verstanden.",
        extra={"supported": [PROTO]},
    )


def too_large() -> Problem:
    return Problem(413, "batch_too_large", "Zu viele Einträge in einer Nachricht (höchstens 500).")


def too_many_bytes() -> Problem:
    return Problem(413, "batch_too_large", "Die Nachricht der Stempeluhr ist zu groß.")


def time_in_doubt() -> Problem:
    return Problem(
        503,
        "time_in_doubt",
        "Die Uhrzeit des Servers ist zweifelhaft. Die Stempeluhr behält ihre Stempel, bis das geklärt ist.",
        headers={"Retry-After": "60"},
    )


def too_many(retry_after_s: int) -> Problem:
    return Problem(
        429,
        "too_many",
        "Zu viele Anfragen von nicht zugeordneten Stempeluhren.",
        headers={"Retry-After": str(max(1, retry_after_s))},
    )


FORKED = "Diese Stempeluhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand."
SET_BACK = "Der Server ist auf einem früheren Stand; die Stempeluhr liefert nach, was ihm fehlt."
LOST = "Die Stempeluhr hat Stempel endgültig verloren."
