"""Endpoints for the end of a company: its archive, the consequences of closing it, and the closed companies."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.closing import archive, purging, words
from stempelwerk_cloud.office.closing.schemas import ArchiveRow, ClosedRow, ClosingRow
from stempelwerk_cloud.office.closing.tables import CompanyArchive
from stempelwerk_cloud.people.access.guards import AdminOnly, of_company_admin_with
from stempelwerk_cloud.people.access.identity.streams import session_goes_on
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import open_company
from stempelwerk_cloud.people.directory.people import deciders_of
from stempelwerk_cloud.people.work import Reading

router = room_router("closing")

LONGEST_S = 3600
"""A download is stopped after this many seconds, finished or not."""


@router.get("/api/companies/{id}/archives")
def archives(caller: Annotated[Caller, Depends(of_company_admin_with())], work: Reading) -> list[ArchiveRow]:
    """The company's archives, finished or not, newest first, with their progress."""
    company_id = caller.subject_company_id
    rows = archive.list_archives(work.session, company_id)
    names = deciders_of(work.session, company_id, {row.begun_by for row in rows})
    return [_row(row, names.get(row.begun_by)) for row in rows]


@router.get("/api/companies/{id}/closing")
def closing(_: AdminOnly, work: Reading, company_id: PathId) -> ClosingRow:
    """The consequences of closing the company now, and its last complete archive."""
    company = open_company(work.session, company_id)
    complete = [row for row in archive.list_archives(work.session, company_id) if row.ended_at is not None]
    return ClosingRow(
        purge_on=purging.kept_until(work.session, company, work.now()),
        archive=_row(complete[0], None) if complete else None,
    )


@router.get("/api/closed-companies")
def closed_companies(_: AdminOnly, work: Reading, paging: PagingDep) -> list[ClosedRow]:
    """The closed companies, newest first, with the last day of retention or the tombstone."""
    return list(paging.cut_whole(purging.closed(work.session, work.now())))


def archive_router(settings: Sequence[Setting[Any]]) -> APIRouter:
    """Returns the router for downloading the archive. Its papers list the company's settings."""
    archive_of = room_router("closing")

    @archive_of.get("/api/companies/{id}/archive", response_class=Response, responses=downloads.DESCRIBED)
    async def take_archive(
        caller: Annotated[Caller, Depends(of_company_admin_with().at_most("10/minute").showing("times"))],
        platform: PlatformDep,
    ) -> Response:
        """Returns all data of the company as a zip: people's data, exports, times and papers. Each administrator reads
        one at a time.
        """
        company_id = caller.subject_company_id
        with ExitStack() as permits:
            turn = permits.enter_context(await places.take_own(platform, caller.user_id, "archive", words.STILL_READ))
            place = permits.enter_context(await places.take_packer(platform, company_id, "archive", words.SEVERAL_MADE))
            async with platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
                begun = await run_in_threadpool(archive.begin, platform, caller)
            permits.pop_all()
        steps = archive.steps(platform, begun, settings)
        pieces = downloads.packed(platform, place, archive.PACKS, downloads.in_turn(platform, company_id, steps))
        headers = attachment(f"archiv-{begun.name}", "zip")
        watch = archive.watched(platform, begun)
        return downloads.Sending(
            platform, turn, pieces, LONGEST_S, session_goes_on(caller, platform), headers, watch=watch
        )

    return archive_of


def _row(row: CompanyArchive, begun_by: str | None) -> ArchiveRow:
    return ArchiveRow(
        id=row.id,
        begun_at=row.begun_at,
        begun_by=begun_by,
        done=row.done,
        of=row.total,
        ended_at=row.ended_at,
        sha256=None if row.digest is None else row.digest.hex(),
        bytes=row.size,
    )
