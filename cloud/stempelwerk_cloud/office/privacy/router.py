"""Calls about the privacy notice, and about a company's papers."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.office.privacy import papers, service
from stempelwerk_cloud.office.privacy.schemas import Consenting, ConsentRow
from stempelwerk_cloud.office.privacy.service import Consent
from stempelwerk_cloud.people.access.guards import of_company_admin_with, of_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("privacy")

MODULE = "privacy"
Administrator = Annotated[Caller, Depends(of_company_with(MODULE))]
Agreeing = Annotated[Caller, Depends(of_company_admin_with(MODULE))]
"""What a company consents to, nobody consents to in its place."""
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/api/companies/{id}/privacy-consent")
def consent(caller: Administrator, work: Reading) -> ConsentRow:
    """Whether the company has agreed to the privacy notice, and since when."""
    return _row(service.current(work, caller.subject_company_id))


@router.put("/api/companies/{id}/privacy-consent")
def agree(caller: Agreeing, work: Writing, body: Consenting) -> ConsentRow:
    """Agrees for the company, for good. Who does so again is told of the first time."""
    return _row(service.accept(work, caller.subject_company_id, body.version, accepted=body.accepted))


def _row(found: Consent) -> ConsentRow:
    row = found.row
    return ConsentRow(
        accepted=row is not None,
        version=service.VERSION,
        accepted_at=row and row.accepted_at,
        accepted_by=found.by,
    )


def papers_router(settings: Sequence[Setting[Any]]) -> APIRouter:
    """The company's papers, which name what it has set."""
    papers_of = room_router("privacy")

    @papers_of.get("/api/companies/{id}/documents/{name}.pdf", response_class=Response, responses=_FILE)
    def document(
        caller: Annotated[Caller, Depends(of_company_with(MODULE).at_most("30/minute"))],
        work: Reading,
        name: Annotated[str, Path(examples=list(papers.TITLES))],
    ) -> Response:
        """`verfahrensdokumentation` or `auftragsverarbeitung`, as of today."""
        content = papers.made(work, caller.subject_company_id, name, settings)
        headers = {"Content-Disposition": f'attachment; filename="{name}.pdf"', "Cache-Control": "no-store"}
        return Response(content, media_type="application/pdf", headers=headers)

    return papers_of
