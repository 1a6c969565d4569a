"""Endpoints for the monthly mail."""

from typing import Annotated

from fastapi import Depends, Form, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from stempelwerk_cloud.kit.http.addresses import origin_of
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import SessionlessGuard, room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.monthly_mail import service
from stempelwerk_cloud.office.monthly_mail.mails import declining
from stempelwerk_cloud.office.monthly_mail.mails.live import MODULE
from stempelwerk_cloud.office.monthly_mail.schemas import (
    ExportMailRow,
    ExportSettingsBody,
    ExportSettingsChange,
    MailLink,
    OneClick,
    SendNow,
    SubscriptionBody,
    SubscriptionChoice,
    Token,
)
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("monthly mail")

_GUARD = of_company_with(MODULE)
Manager = Annotated[Caller, Depends(_GUARD)]
"""Administrators of the company in the path who may export."""
Sender = Annotated[Caller, Depends(_GUARD.at_most("20/hour", shared=True))]
Looker = Annotated[Caller, Depends(_GUARD.at_most("60/minute").showing("times"))]
Holder = Annotated[None, Depends(SessionlessGuard("anyone", rate="30/minute"))]
"""A caller without a session who has the link of a mail."""
MailProgram = Annotated[None, Depends(SessionlessGuard("anyone", rate="600/minute"))]
"""The servers of a mail provider, with a high rate limit: they decline for all their customers from few addresses."""


@router.get("/api/companies/{id}/export-settings")
def export_settings(caller: Manager, work: Reading) -> ExportSettingsBody:
    return service.settings_of(work, caller.subject_company_id)


@router.put("/api/companies/{id}/export-settings")
def change_export_settings(caller: Manager, work: Writing, body: ExportSettingsChange) -> ExportSettingsBody:
    """Changes the recipients of the automatic monthly export, and its form."""
    return service.change(work, caller.subject_company_id, body)


@router.post("/api/companies/{id}/export-send-now", status_code=202)
def send_now(caller: Sender, work: Writing, request: Request, body: SendNow) -> list[ExportMailRow]:
    """Sends a month's export to all recipients. The list of mails shows the progress."""
    origin = origin_of(work.platform.settings.public_url, request)
    return [_row(mail) for mail in service.send_now(work, caller.subject_company_id, body.month, origin)]


@router.get("/api/companies/{id}/export-mails")
def export_mails(caller: Manager, work: Reading, paging: PagingDep) -> list[ExportMailRow]:
    """Returns every mail of the last two years, one for each recipient, newest first."""
    return [_row(mail) for mail in paging.cut(service.page(work, caller.subject_company_id, paging.page_request))]


@router.get("/api/companies/{id}/export-mails/{mailId}/file", response_class=Response)
def mailed_file(caller: Looker, work: Reading, mail_id: Annotated[IdField, Path(alias="mailId")]) -> Response:
    """The file of a mail; stored for 30 days."""
    content, name, media_type = service.file_of(work, caller.subject_company_id, mail_id)
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/api/export-mails/subscription")
def subscription(_: Holder, platform: PlatformDep, body: MailLink) -> SubscriptionBody:
    """Describes the company and recipient of a link, and changes nothing. 404 for an unknown link."""
    return SubscriptionBody.model_validate(declining.subscription(platform, body.token))


@router.put("/api/export-mails/subscription")
def choose(_: Holder, platform: PlatformDep, body: SubscriptionChoice) -> SubscriptionBody:
    """Stops further mails to the recipient, or resumes them. 404 for an unknown link."""
    decide = declining.decline if body.declined else declining.resume
    return SubscriptionBody.model_validate(decide(platform, body.token))


@router.post(declining.ONE_CLICK, status_code=204)
def one_click(
    _: MailProgram, platform: PlatformDep, token: Annotated[Token, Query()], _body: Annotated[OneClick, Form()]
) -> Response:
    """Stops further mails when a mail program calls it (RFC 8058). 404 for an unknown link."""
    declining.decline(platform, token)
    return Response(status_code=204)


@router.get(declining.ONE_CLICK, status_code=303, response_class=RedirectResponse)
def open_page(_: Holder, token: Annotated[Token, Query()]) -> RedirectResponse:
    """Redirects browsers to the page that asks for confirmation; declines nothing itself."""
    return RedirectResponse(f"{declining.PAGE}#{token}", status_code=303)


def _row(mail: ExportMail) -> ExportMailRow:
    return ExportMailRow(
        id=mail.id,
        month=mail.month,
        at=mail.at,
        recipients=[mail.recipient],
        state=mail.state,
        detail=mail.detail,
        draft=mail.draft,
        delivery=mail.delivery,
        has_file=mail.file_id is not None,
    )
