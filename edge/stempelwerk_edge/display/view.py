"""The view model of the touchscreen, made from the screen's state. Pure: the moment comes in as an argument.

The page computes nothing but its own clock's hands: local times, what has expired and which screen it is are decided
here, so that they can be tested without a browser. No German: the page has the words.
"""

import zoneinfo
from datetime import UTC, datetime, tzinfo
from typing import Any

from stempelwerk_edge.display.state import Snapshot
from stempelwerk_edge.ports import Answer, Limits


def zone_of(name: str) -> tzinfo:
    """Returns the zone by its name; UTC for a name that this machine does not know, so that the screen stays alive."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return UTC


def iso(instant: datetime) -> str:
    """Returns the instant in UTC with milliseconds and `Z`."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def view(state: Snapshot, monotonic_s: float, now: datetime) -> dict[str, Any]:
    """Returns the view model at the monotonic second `monotonic_s`, which is the instant `now`.

    The page sets its clock to `now`, which may be better than the system's time. A press sends `moment` (ms of the
    monotonic clock) and `after` back, to state when it was made and which answer was shown.
    """
    status = state.status
    zone = zone_of(status.zone)
    answer = state.answer if state.answer is not None and monotonic_s < state.answer_ends else None
    adopting = status.adopting_until if monotonic_s < state.adopting_ends else None
    chosen_direction = status.chosen if status.chosen is not None and monotonic_s < state.chosen_ends else None
    return {
        "screen": "answer" if answer else "idle" if status.assigned else "unassigned",
        "now": iso(now),
        "moment": int(monotonic_s * 1000),
        "after": state.after,
        "zone": status.zone,
        "clockName": status.clock_name,
        "companyName": status.company_name,
        "claimCode": status.claim_code,
        "connection": status.connection,
        "queued": status.queued,
        "reader": status.reader,
        "storage": status.storage,
        "timeTrusted": status.time_trusted,
        "update": None if status.update is None else dict(zip(("state", "version"), status.update, strict=True)),
        "chosen": chosen_direction,
        "chosenUntil": iso(status.chosen_until) if chosen_direction and status.chosen_until else None,
        "adopting": None
        if adopting is None
        else {"until": iso(adopting), "adopted": list(status.adopted), "scanners": list(status.scanners)},
        "notice": state.notice if monotonic_s < state.notice_ends else None,
        "answer": _answer(answer, zone) if answer else None,
    }


def _answer(answer: Answer, zone: tzinfo) -> dict[str, Any]:
    return {
        "key": answer.key,
        "kind": str(answer.kind),
        "name": answer.name,
        "time": _local(answer.at, zone),
        "todayMinutes": answer.today_minutes,
        "balanceMinutes": answer.balance_minutes,
        "openHandovers": answer.open_handovers,
        "unreadMessages": answer.unread_messages,
        "sent": answer.sent,
        "tag": answer.tag,
        "since": _local(answer.since, zone) if answer.since else None,
        "stampId": answer.stamp_id,
        "question": str(answer.question) if answer.question else None,
        "questionDate": answer.question_date.isoformat() if answer.question_date else None,
        "openSince": iso(answer.open_since) if answer.open_since else None,
        "warnings": list(answer.warnings),
        "limits": _limits(answer.limits) if answer.warnings else None,
        "requested": answer.requested,
        "steward": answer.steward,
        "until": iso(answer.until),
    }


def _limits(limits: Limits) -> dict[str, Any]:
    """Returns the limits that the sentences of the warnings name."""
    night = None if limits.night is None else [end.strftime("%H:%M") for end in limits.night]
    return {"shiftMinutes": limits.shift_minutes, "restMinutes": limits.rest_minutes, "night": night}


def _local(instant: datetime, zone: tzinfo) -> str:
    return instant.astimezone(zone).strftime("%H:%M")
