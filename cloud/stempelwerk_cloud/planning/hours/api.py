"""Endpoints for opening hours and weekly targets."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField
from stempelwerk_cloud.people.access.guards import Employee, of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Altering, Reading
from stempelwerk_cloud.planning.hours import schemas, service
from stempelwerk_cloud.planning.hours.schemas import (
    ChangedHours,
    HoursChange,
    HoursRow,
    OwnTarget,
    TargetRow,
    TargetsChange,
)
from stempelwerk_cloud.planning.hours.service import Given

router = room_router("hours")

Manager = Annotated[Caller, Depends(of_company_with("hours_config"))]
"""Administrators of the company in the path who may set hours."""


@router.get("/api/companies/{companyId}/working-hours-config")
def working_hours(caller: Manager, work: Reading, on: DayField | None = None) -> HoursRow:
    """The mode, the uniform target and the opening hours in force today, or on the day `on`."""
    return schemas.on(service.hours_on(work, caller.subject_company_id, on))


@router.put("/api/companies/{companyId}/working-hours-config")
def change_working_hours(caller: Manager, work: Altering, body: HoursChange) -> ChangedHours:
    """Changes mode, uniform target or opening hours; returns those in force on the first day of the change."""
    in_force, first = service.change_hours(
        work, caller.subject_company_id, schemas.changed_values(body), body.valid_from
    )
    return ChangedHours.from_row(schemas.on(in_force), valid_from=first)


@router.get("/api/companies/{companyId}/employee-weekly-targets")
def weekly_targets(caller: Manager, work: Reading, on: DayField | None = None) -> list[TargetRow]:
    """All people except system administrators, by username, with their own weekly minutes in force today, or on the day
    `on`.
    """
    return _rows(service.targets_on(work, caller.subject_company_id, on))


@router.put("/api/companies/{companyId}/employee-weekly-targets")
def change_weekly_targets(caller: Manager, work: Altering, body: TargetsChange) -> list[TargetRow]:
    """Changes people's own weekly targets; people who are not named keep theirs. Returns all, as of the first day of
    the change.
    """
    items = [(item.user_id, item.weekly_target_minutes) for item in body.items]
    return _rows(service.change_targets(work, caller.subject_company_id, items, body.valid_from))


@router.get("/api/working-hours/my-target")
def own_weekly_target(_: Employee, work: Reading) -> OwnTarget:
    """The caller's weekly target in force today, by the company's mode."""
    return OwnTarget(weekly_target_minutes=service.own_target(work))


def _rows(person_targets: Iterable[Given]) -> list[TargetRow]:
    return [
        TargetRow(user_id=user.id, username=user.username, role=user.role, weekly_target_minutes=minutes)
        for user, minutes in person_targets
    ]
