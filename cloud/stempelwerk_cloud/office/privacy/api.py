"""Calls about the privacy notice, and about a company's papers."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field, StrictBool

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import InstantField, SentInstant, Wire
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.privacy import service
from stempelwerk_cloud.office.privacy.documents import papers
from stempelwerk_cloud.office.privacy.documents.written import WrittenPaper
from stempelwerk_cloud.office.privacy.service import Consent
from stempelwerk_cloud.people.access.guards import of_company_admin_with, of_company_with, scope_of
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing


class ConsentRow(Wire):
    """`accepted_at`, `accepted_by` (a username): null before the company has agreed to this version."""

    accepted: bool
    version: str
    accepted_at: InstantField | None
    accepted_by: str | None


class Consenting(Wire):
    """`accepted_at` is accepted but ignored: the server's own time is stored."""

    accepted: StrictBool
    version: str = Field(max_length=20)
    accepted_at: SentInstant | None = None


router = room_router("privacy")

MODULE = "privacy"
Administrator = Annotated[Caller, Depends(of_company_with(MODULE))]
Agreeing = Annotated[Caller, Depends(of_company_admin_with(MODULE))]
"""A company gives its own consent: no other caller consents for it."""
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/api/companies/{id}/privacy-consent")
def consent(caller: Administrator, work: Reading) -> ConsentRow:
    """Returns the company's consent to the privacy notice, and its date."""
    return _row(service.current(work, caller.subject_company_id))


@router.put("/api/companies/{id}/privacy-consent")
def agree(caller: Agreeing, work: Writing, body: Consenting) -> ConsentRow:
    """Agrees for the company, for good. A repetition returns the first consent."""
    return _row(service.accept(work, caller.subject_company_id, body.version, accepted=body.accepted))


def _row(consent: Consent) -> ConsentRow:
    row = consent.row
    return ConsentRow(
        accepted=row is not None,
        version=service.VERSION,
        accepted_at=row and row.accepted_at,
        accepted_by=consent.accepted_by,
    )


def papers_router(settings: Sequence[Setting[Any]]) -> APIRouter:
    """Returns the router for the company's papers, which list its settings."""
    papers_of = room_router("privacy")

    @papers_of.get("/api/companies/{id}/documents/{name}.pdf", response_class=Response, responses=_FILE)
    async def document(
        caller: Annotated[Caller, Depends(of_company_with(MODULE).at_most("30/minute"))],
        platform: PlatformDep,
        name: Annotated[str, Path(examples=list(papers.TITLES))],
    ) -> Response:
        """Returns `verfahrensdokumentation` or `auftragsverarbeitung`, as of today."""

        def gather() -> WrittenPaper:
            with platform.database.read(scope_of(caller)) as session:
                return papers.ordered(UnitOfWork(session, platform, caller), caller.subject_company_id, name, settings)

        async with platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
            order = await run_in_threadpool(gather)
        content = await subprocess_render.render_for_person(platform, caller.company_id, caller.user_id, order)
        headers = {"Content-Disposition": f'attachment; filename="{name}.pdf"', "Cache-Control": "no-store"}
        return Response(content, media_type="application/pdf", headers=headers)

    return papers_of
