"""Calls about the monthly mail."""

from typing import Annotated

from fastapi import Depends, Path, Response

from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.office.monthly_mail import service
from stempelwerk_cloud.office.monthly_mail.schemas import (
    ExportMailRow,
    ExportSettingsBody,
    ExportSettingsChange,
    SendNow,
)
from stempelwerk_cloud.office.monthly_mail.sending import MODULE
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("monthly mail")

_GUARD = of_company_with(MODULE)
Manager = Annotated[Caller, Depends(_GUARD)]
"""Administrators of the company in the path who may export."""
Sender = Annotated[Caller, Depends(_GUARD.at_most("20/hour"))]
Looker = Annotated[Caller, Depends(_GUARD.at_most("60/minute").showing("times"))]


@router.get("/api/companies/{id}/export-settings")
def export_settings(caller: Manager, work: Reading) -> ExportSettingsBody:
    return service.settings_of(work, caller.subject_company_id)


@router.put("/api/companies/{id}/export-settings")
def change_export_settings(caller: Manager, work: Writing, body: ExportSettingsChange) -> ExportSettingsBody:
    """Who gets the export of each month by itself, and how."""
    return service.change(work, caller.subject_company_id, body)


@router.post("/api/companies/{id}/export-send-now", status_code=202)
def send_now(caller: Sender, work: Writing, body: SendNow) -> list[ExportMailRow]:
    """Has a month's export sent to all recipients; what becomes of it stands in the list of mails."""
    return [_row(one) for one in service.send_now(work, caller.subject_company_id, body.month)]


@router.get("/api/companies/{id}/export-mails")
def export_mails(caller: Manager, work: Reading, paging: PagingDep) -> list[ExportMailRow]:
    """Every mail of the last two years, one a recipient, newest first."""
    return [_row(one) for one in paging.cut(service.page(work, caller.subject_company_id, paging.wanted))]


@router.get("/api/companies/{id}/export-mails/{mailId}/file", response_class=Response)
def mailed_file(caller: Looker, work: Reading, mail_id: Annotated[IdField, Path(alias="mailId")]) -> Response:
    """What a mail brings, for 30 days."""
    content, name, media_type = service.file_of(work, caller.subject_company_id, mail_id)
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _row(one: ExportMail) -> ExportMailRow:
    return ExportMailRow(
        id=one.id,
        month=one.month,
        at=one.at,
        recipients=[one.recipient],
        state=one.state,
        detail=one.detail,
        draft=one.draft,
        delivery=one.delivery,
        has_file=one.file_id is not None,
    )
