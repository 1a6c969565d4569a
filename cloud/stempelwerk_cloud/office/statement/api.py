"""Calls about statements, and about the key that they are checked by. The content of a statement is defined in
`domain/statement.py`.
"""

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import Depends, Path, Query, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.routing import Anyone, room_router
from stempelwerk_cloud.kit.http.schemas import IdField, Wire
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.statement import service
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.office.statement.paper.pdf import StatementPages
from stempelwerk_cloud.people.access.guards import self_user
from stempelwerk_cloud.people.directory.callers import Caller


class KeyRow(Wire):
    """A key that signs statements; `publicKey` are its 32 bytes as base64url without padding."""

    kid: str
    alg: Literal["Ed25519"]
    public_key: str
    since: Annotated[str, Field(alias="from")]


class KeyList(Wire):
    keys: list[KeyRow]


router = room_router("statements")
KEYS_KEPT = "public, max-age=3600"
_JSON, _PDF = "application/json", "application/pdf"
_FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {_JSON: {"schema": {"type": "object"}}, _PDF: {"schema": {"type": "string", "format": "binary"}}}}
}

UserId = Annotated[IdField, Path(alias="userId")]
Self = Annotated[Caller, Depends(self_user.at_most("120/minute").showing("statement"))]
"""`SelfUser`, not too often: each may be signed, and drawn."""


@router.get("/api/users/{userId}/statement", response_class=Response, responses=_FILES)
async def statement(
    caller: Self,
    platform: PlatformDep,
    user_id: UserId,
    month: Annotated[str | None, Query(examples=["2026-11"])] = None,
    form: Annotated[Literal["json", "pdf"], Query(alias="format")] = "json",
) -> Response:
    """Returns a person's month as a signed file (`json`), or on paper (`pdf`). The default is the current month.

    The first request makes it; while nothing changes, all callers get the same bytes.
    """
    installation = _origin(platform.settings.public_url)
    async with platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
        statement_file = await run_in_threadpool(service.statement_of, platform, caller, user_id, month, installation)
    headers = attachment(f"zeitnachweis-{statement_file.month}-{statement_file.username}", form)
    if form == "pdf":
        pages = StatementPages(statement_file.content.decode())
        pdf = await subprocess_render.render_for_person(platform, caller.company_id, caller.user_id, pages)
        return Response(pdf, media_type=_PDF, headers=headers)
    return Response(statement_file.content, media_type=_JSON, headers=headers)


@router.get("/.well-known/stempelwerk-keys.json")
def keys(_guard: Anyone, platform: PlatformDep, response: Response) -> KeyList:
    """Returns the keys that verify this installation's statements."""
    response.headers["Cache-Control"] = KEYS_KEPT
    return KeyList(keys=[KeyRow.model_validate(own_key(platform).published())])


def _origin(public_url: str | None) -> str:
    """Returns scheme, host and port of the installation. It is empty unless the public address is set: a request header
    must not be signed.
    """
    parts = urlsplit(public_url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
