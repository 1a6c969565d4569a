"""Calls about what is kept of a person."""

from contextlib import ExitStack
from typing import Annotated

from fastapi import Depends, Path, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.bulkheads import page_shares
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import zips
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.records import data, erasing, problems
from stempelwerk_cloud.office.records.schemas import Erasing, ErasureRow
from stempelwerk_cloud.people.access.guards import administrators_with, self_or_company_admin
from stempelwerk_cloud.people.access.service import session_goes_on
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Writing

router = room_router("records")

UserId = Annotated[IdField, Path(alias="userId")]
LONGEST_S = 600
"""A download ends after this time, whole or not."""


@router.get("/api/users/{userId}/data", response_class=Response, responses=zips.DESCRIBED)
async def data_of(
    caller: Annotated[Caller, Depends(self_or_company_admin.at_most("10/minute").showing("times"))],
    platform: PlatformDep,
    user_id: UserId,
) -> Response:
    """What is kept about the person, as a zip: a page to read, each table as JSON, and files.

    The person gets all of it. An administrator does not get what is the person's own (sessions, messages, choices), nor
    what belongs to a module that the company does not have. Each caller reads one at a time. It holds no secrets, and
    of others their usernames.
    """
    company_id = caller.subject_company_id
    with ExitStack() as held:
        turn = held.enter_context(await places.take_own(platform, caller.user_id, "data", problems.STILL_READ))
        place = held.enter_context(await places.take_packer(platform, company_id, "data", problems.SEVERAL_MADE))
        async with platform.page_turns.of(*page_shares(caller.company_id, caller.user_id)):
            person = await run_in_threadpool(data.begin, platform, caller, user_id)
        held.pop_all()
    headers = attachment(f"daten-{person.username}", "zip")
    steps = zips.in_turn(platform, company_id, data.steps(platform, [person]))
    pieces = zips.packed(platform, place, data.PACKS, steps)
    return zips.Sending(platform, turn, pieces, LONGEST_S, session_goes_on(caller, platform), headers)


@router.post("/api/users/{userId}/erasure")
def erasure(
    _: Annotated[Caller, Depends(administrators_with("manage_employees"))],
    work: Writing,
    user_id: UserId,
    body: Erasing,
) -> ErasureRow:
    """Erases what may go of somebody who has left, and says what stays, until when and why. 409 while employed."""
    return ErasureRow.model_validate(erasing.erase(work, user_id, body.comment))
