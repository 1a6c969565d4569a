"""Calls about what is kept of a person."""

from contextlib import ExitStack
from typing import Annotated

from fastapi import Depends, Path, Response
from pydantic import StringConstraints
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.records import data, erasing, words
from stempelwerk_cloud.people.access.guards import administrators_with, self_or_company_admin
from stempelwerk_cloud.people.access.identity.streams import session_goes_on
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Writing


class ErasedRow(Wire):
    """`count` rows of `what` (German)."""

    what: str
    count: int


class KeptRow(ErasedRow):
    """`until`: the last day of its retention; null: while the company exists."""

    until: DayField | None
    why: str


class ErasureRow(Wire):
    erased: list[ErasedRow]
    kept: list[KeptRow]


class Erasing(Wire):
    comment: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


router = room_router("records")

UserId = Annotated[IdField, Path(alias="userId")]
LONGEST_S = 600
"""A download ends after this time, whole or not."""


@router.get("/api/users/{userId}/data", response_class=Response, responses=downloads.DESCRIBED)
async def data_of(
    caller: Annotated[Caller, Depends(self_or_company_admin.at_most("10/minute").showing("times"))],
    platform: PlatformDep,
    user_id: UserId,
) -> Response:
    """Returns the data of the person as a zip: a page to read, each table as JSON, and files.

    The person gets all of it. An administrator does not get the person's private data (sessions, messages, choices),
    nor the data of modules that the company does not have. Each caller reads one at a time. The zip has no secrets, and
    only the usernames of other people.
    """
    company_id = caller.subject_company_id
    with ExitStack() as permits:
        turn = permits.enter_context(await places.take_own(platform, caller.user_id, "data", words.STILL_READ))
        place = permits.enter_context(await places.take_packer(platform, company_id, "data", words.SEVERAL_MADE))
        async with platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
            person = await run_in_threadpool(data.begin, platform, caller, user_id)
        permits.pop_all()
    headers = attachment(f"daten-{person.username}", "zip")
    steps = downloads.in_turn(platform, company_id, data.steps(platform, [person]))
    pieces = downloads.packed(platform, place, data.PACKS, steps)
    return downloads.Sending(platform, turn, pieces, LONGEST_S, session_goes_on(caller, platform), headers)


@router.post("/api/users/{userId}/erasure")
def erasure(
    _: Annotated[Caller, Depends(administrators_with("manage_employees"))],
    work: Writing,
    user_id: UserId,
    body: Erasing,
) -> ErasureRow:
    """Erases the erasable data of a person who has left, and returns the rest with its retention and the reason. 409
    while employed.
    """
    return ErasureRow.model_validate(erasing.erase(work, user_id, body.comment))
