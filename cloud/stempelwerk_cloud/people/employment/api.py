"""Calls about employments."""

from typing import Annotated

from fastapi import Depends, Path

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField
from stempelwerk_cloud.people.access.guards import administrators_with, of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.employment import schemas, service
from stempelwerk_cloud.people.employment.schemas import (
    ChangedEmployment,
    EmploymentChange,
    EmploymentRow,
    NumberRow,
    NumbersChange,
)
from stempelwerk_cloud.people.work import Altering, Reading, UnitOfWork, Writing

router = room_router("employment")

Manager = Annotated[Caller, Depends(administrators_with("hours_config"))]
"""Administrators who may configure working hours; the service checks the company of the person."""
OfCompany = Annotated[Caller, Depends(of_company_with("hours_config"))]
UserId = Annotated[IdField, Path(alias="userId")]


@router.get("/api/companies/{companyId}/personnel-numbers")
def personnel_numbers(caller: OfCompany, work: Reading) -> list[NumberRow]:
    """Lists all personnel numbers, by username; at the end those of deleted people who still have a name here."""
    return _numbers(work, caller.subject_company_id)


@router.put("/api/companies/{companyId}/personnel-numbers")
def change_personnel_numbers(caller: OfCompany, work: Writing, body: NumbersChange) -> list[NumberRow]:
    """Sets all numbers or nothing. 409 `duplicate_personnel_number` with `userIds`: two people would share a number."""
    company_id = caller.subject_company_id
    service.change_numbers(work, company_id, {item.user_id: item.personnel_number for item in body.items})
    return _numbers(work, company_id)


def _numbers(work: UnitOfWork, company_id: str) -> list[NumberRow]:
    staff_numbers = service.numbers_of(work.session, company_id)
    return [
        NumberRow(
            user_id=user.id,
            username=user.username,
            personnel_number=number,
            deleted=user.deleted_at is not None,
        )
        for user, number in staff_numbers
    ]


@router.get("/api/users/{userId}/employment")
def employment(_: Manager, work: Reading, user_id: UserId, on: DayField | None = None) -> EmploymentRow:
    """Returns the employment in force today, or on the day `on`."""
    record, day = service.employment_on(work, user_id, on)
    return schemas.on(record, day)


@router.put("/api/users/{userId}/employment")
def change_employment(_: Manager, work: Altering, user_id: UserId, body: EmploymentChange) -> ChangedEmployment:
    """Changes the employment and returns it as of the first day of the change. 409 `plans_after_exit` if plans follow
    the exit.
    """
    record, day = service.change(work, user_id, schemas.changed_values(body), body.valid_from, end_plans=body.end_plans)
    return ChangedEmployment.from_row(schemas.on(record, day), valid_from=day)
