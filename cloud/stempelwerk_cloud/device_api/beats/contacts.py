"""Members that several answers to clocks have in common."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.directory.companies import company_name

NO_ANSWERS = "0"


def assignment_member(session: Session, assignment: DeviceAssignment | None) -> dict[str, Any] | None:
    """Returns the member `assignment`, or None if the device has no company. `assignment` is the device's
    current one.
    """
    if assignment is None:
        return None
    name = company_name(session, assignment.company_id)
    return {"id": assignment.id, "companyId": assignment.company_id, "companyName": name}


def mark_of(answers_mark: str | None) -> str:
    """Returns `answersMark`: an opaque text that changes whenever an answer of the clock's people is stored. The clock
    compares it with the one that it has.
    """
    return answers_mark or NO_ANSWERS


def replay_actions(replay_since: datetime | None, missing: list[tuple[str, int, int]]) -> list[dict[str, Any]]:
    """Returns the member `actions`, which asks the clock to send stamps again: all since `replay_since`, and missing
    ranges.
    """
    actions: list[dict[str, Any]] = []
    if replay_since is not None:
        actions.append({"replay": {"since": format_instant(replay_since)}})
    actions += [{"replay": {"epoch": epoch, "from": first, "to": last}} for epoch, first, last in missing]
    return actions
