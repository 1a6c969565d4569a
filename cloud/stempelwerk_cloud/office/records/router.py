"""Calls about what is kept of a person."""

from typing import Annotated

from fastapi import Depends, Path, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import zips
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.records import data, erasing, problems
from stempelwerk_cloud.office.records.schemas import Erasing, ErasureRow
from stempelwerk_cloud.people.access.guards import administrators_with, self_or_company_admin
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Writing

router = room_router("records")

UserId = Annotated[IdField, Path(alias="userId")]
LONGEST_S = 600
"""Whoever takes longer to receive it begins anew."""


@router.get("/api/users/{userId}/data", response_class=Response, responses=zips.DESCRIBED)
async def data_of(
    caller: Annotated[Caller, Depends(self_or_company_admin.at_most("10/minute").showing("times"))],
    platform: PlatformDep,
    user_id: UserId,
) -> Response:
    """Everything that is kept about the person, as a zip: a page to read, each table as JSON, and files.

    One at a time for a company, so that others need not wait. It holds no secrets, and of others their usernames.
    """
    place = await places.take_turn(platform, caller.subject_company_id, problems.one_at_a_time)
    try:
        async with platform.page_turns.of(caller.user_id):
            person = await run_in_threadpool(data.begin, platform, caller, user_id)
    except BaseException:
        place.close()
        raise
    headers = attachment(f"daten-{person.username}", "zip")
    return zips.Sending(platform, place, data.pieces(platform, person), LONGEST_S, headers)


@router.post("/api/users/{userId}/erasure")
def erasure(
    _: Annotated[Caller, Depends(administrators_with("manage_employees"))],
    work: Writing,
    user_id: UserId,
    body: Erasing,
) -> ErasureRow:
    """Erases what may go of somebody who has left, and says what stays, until when and why. 409 while employed."""
    return ErasureRow.model_validate(erasing.erase(work, user_id, body.comment))
