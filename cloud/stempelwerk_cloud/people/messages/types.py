"""The types of messages: pages colour by them and by the payload, notices are chosen by them."""

HANDOFF = "handoff"
HANDOFF_RESPONSE = "handoff_response"
VACATION_RESPONSE = "vacation_response"
ABSENCE = "absence"
"""Somebody did not come, or an administrator has entered a Krankmeldung for them; to that person."""
ABSENCE_RESPONSE = "absence_response"
CORRECTION_RESPONSE = "correction_response"
BOOKING = "booking"
SCHEDULE = "schedule"
REQUEST = "request"
REVIEW = "review"
"""An administrator reminds somebody to look at their times."""
NOTICES = "notices"
"""A browser of the person is not reached any more."""

TYPES = frozenset(
    {
        HANDOFF,
        HANDOFF_RESPONSE,
        VACATION_RESPONSE,
        ABSENCE,
        ABSENCE_RESPONSE,
        CORRECTION_RESPONSE,
        BOOKING,
        SCHEDULE,
        REQUEST,
        REVIEW,
        NOTICES,
    }
)
