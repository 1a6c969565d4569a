"""Calls about a company's end: its archive, what closing means, and the companies that are closed."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import zips
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.closing import archive, problems, purging
from stempelwerk_cloud.office.closing.schemas import ArchiveRow, ClosedRow, ClosingRow
from stempelwerk_cloud.office.closing.tables import CompanyArchive
from stempelwerk_cloud.people.access.guards import AdminOnly, of_company_admin_with
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading

router = room_router("closing")

LONGEST_S = 3600
"""Whoever takes longer to receive an archive begins anew."""


@router.get("/api/companies/{id}/archives")
def archives(caller: Annotated[Caller, Depends(of_company_admin_with())], work: Reading) -> list[ArchiveRow]:
    """The archives that were taken or are being taken, newest first, and how far they are."""
    company_id = caller.subject_company_id
    rows = archive.listed(work.session, company_id)
    names = directory.deciders_of(work.session, company_id, {row.begun_by for row in rows})
    return [_row(row, names.get(row.begun_by)) for row in rows]


@router.get("/api/companies/{id}/closing")
def closing(_: AdminOnly, work: Reading, company_id: PathId) -> ClosingRow:
    """What closing the company now would mean, and the archive that it took last, whole."""
    company = directory.open_company(work.session, company_id)
    whole = [row for row in archive.listed(work.session, company_id) if row.ended_at is not None]
    return ClosingRow(
        purge_on=purging.kept_until(work.session, company, work.now()),
        archive=_row(whole[0], None) if whole else None,
    )


@router.get("/api/closed-companies")
def closed_companies(_: AdminOnly, work: Reading, paging: PagingDep) -> list[ClosedRow]:
    """Companies that were closed, newest first: until when something is kept of them, and what stays after that."""
    return list(paging.cut_whole(purging.closed(work.session, work.now())))


def archive_router(settings: Sequence[Setting[Any]]) -> APIRouter:
    """Taking the archive, whose papers name what the company has set."""
    archive_of = room_router("closing")

    @archive_of.get("/api/companies/{id}/archive", response_class=Response, responses=zips.DESCRIBED)
    async def take_archive(
        caller: Annotated[Caller, Depends(of_company_admin_with().at_most("10/minute").showing("times"))],
        platform: PlatformDep,
    ) -> Response:
        """All data of the company as a zip: everybody's, exports, times and papers. One at a time."""
        place = await places.take_one(platform, [f"archive {caller.subject_company_id}"], problems.one_at_a_time)
        try:
            async with platform.page_turns.of(caller.user_id):
                begun = await run_in_threadpool(archive.begin, platform, caller)
        except BaseException:
            place.close()
            raise
        pieces = archive.pieces(platform, begun, settings)
        return zips.Sending(platform, place, pieces, LONGEST_S, attachment(f"archiv-{begun.name}", "zip"))

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
