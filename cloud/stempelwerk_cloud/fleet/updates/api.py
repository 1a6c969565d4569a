"""Endpoints of releases: list, publish and withdraw."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi import Path as InPath
from pydantic import StringConstraints
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.domain.releases import unknown
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import BeatsWritten
from stempelwerk_cloud.fleet.updates import expiry, service, words
from stempelwerk_cloud.fleet.updates.expiry import State
from stempelwerk_cloud.fleet.updates.intake import bundles, publishing
from stempelwerk_cloud.fleet.updates.intake.bundles import Bundle
from stempelwerk_cloud.fleet.updates.service import Release
from stempelwerk_cloud.fleet.updates.tables import REASON_LIMIT
from stempelwerk_cloud.kit.http.routing import StreamedRoute, room_router
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.http.uploads import ROOM_FOR_FORM, file_on_disk
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing


class ReleaseRow(Wire):
    """A version in a channel. `reason`: why it was withdrawn. `clocks`: how many clocks of the channel run it.

    `missing`: it has to be published again, because files of it are missing, or because clocks run it although the
    service does not know it (`publishedAt` is null).
    """

    version: str
    channel: str
    published_at: InstantField | None
    notes: str
    withdrawn: bool
    reason: str
    platforms: list[str]
    clocks: int
    missing: bool


class SignatureRow(Wire):
    """The newest signed file of a role and the instant when it expires; null if the file is unreadable.

    `state` is `unknown` while the server's time is in doubt. `text`: the consequence of the state and the remedy; empty
    while the state is `good`.
    """

    role: str
    by_service: bool
    expires_at: InstantField | None
    state: State
    text: str


class RootInForce(Wire):
    """The root in force after a publication. `fingerprint`: the SHA-256 of its file, to be compared with that of the
    ceremony.
    """

    version: int
    fingerprint: str


class Published(Wire):
    """The result of a publication: the root in force and all current releases, newest first."""

    root: RootInForce
    releases: list[ReleaseRow]


class Withdrawal(Wire):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]


router = room_router("updates")

RELEASES = "/api/updates/releases"
UPLOAD_BYTES = bundles.MOST_BYTES + ROOM_FOR_FORM
_FORM: dict[str, Any] = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {"file": {"type": "string", "format": "binary", "description": "A zip, at most 100 MB."}},
            }
        }
    },
}


@router.get(RELEASES)
def releases(_: AdminOnly, _beats: BeatsWritten, work: Reading) -> list[ReleaseRow]:
    """Lists all releases ever published, newest first, including withdrawn ones. Versions that clocks run but the
    service does not know come before them.
    """
    return _all(work)


@router.get("/api/updates/signatures")
def signatures(_: AdminOnly, work: Reading) -> list[SignatureRow]:
    """Lists when the newest signed file of each role expires; empty before the first publication."""
    return [
        SignatureRow(
            role=end.role,
            by_service=end.role in expiry.BY_SERVICE,
            expires_at=end.ends_at,
            state=state,
            text=words.explanation(end.role, state, end.ends_at),
        )
        for end, state in expiry.states(work.session, work.platform, work.now())
    ]


async def _unpack_upload(request: Request, platform: PlatformDep) -> AsyncIterator[Bundle]:
    folder = await run_in_threadpool(tempfile.TemporaryDirectory, prefix="stempelwerk-bundle-")
    try:
        async with file_on_disk(request, "file") as file:
            with await bundles.take_slot(platform) as slot:
                bundle = await run_in_threadpool(bundles.unpack, platform.subprocesses, file, Path(folder.name), slot)
        yield bundle
    finally:
        await run_in_threadpool(folder.cleanup)


async def publish(
    caller: AdminOnly, bundle: Annotated[Bundle, Depends(_unpack_upload)], _beats: BeatsWritten, work: Writing
) -> Published:
    """Verifies a signed bundle (`docs/contract/v1/update.md`) and publishes it as a whole. If any part is invalid,
    nothing is published.
    """
    async with work.platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
        return await run_in_threadpool(_publish, work, bundle)


router.add_api_route(
    RELEASES,
    publish,
    methods=["POST"],
    status_code=201,
    openapi_extra={"requestBody": _FORM},
    route_class_override=StreamedRoute,
)


@router.post(RELEASES + "/{version}/withdraw")
def withdraw(
    _: AdminOnly,
    _beats: BeatsWritten,
    work: Writing,
    version: Annotated[str, InPath(max_length=100)],
    body: Withdrawal,
) -> ReleaseRow:
    """Withdraws a version in every channel that has it. Returns its release in the channel that published it last."""
    return _rows(work, [publishing.withdraw(work, version, body.reason)])[0]


def _publish(work: UnitOfWork, bundle: Bundle) -> Published:
    version, fingerprint = publishing.publish(work, bundle)
    return Published(
        root=RootInForce(version=version, fingerprint=fingerprint),
        releases=_all(work),
    )


def _all(work: UnitOfWork) -> list[ReleaseRow]:
    all_releases, running = service.published(work.session), devices.running(work.session)
    empty_fields: dict[str, Any] = {
        "published_at": None,
        "notes": "",
        "withdrawn": False,
        "reason": "",
        "platforms": [],
        "missing": True,
    }
    missing_versions = unknown([(release.channel, release.version) for release in all_releases], running)
    rows = [
        ReleaseRow(channel=channel, version=version, clocks=missing_versions[channel, version], **empty_fields)
        for channel, version in sorted(missing_versions)
    ]
    return rows + _rows(work, all_releases)


def _rows(work: UnitOfWork, shown_releases: list[Release]) -> list[ReleaseRow]:
    running, incomplete = devices.running(work.session), service.without_files(work.session, work.platform)
    return [
        ReleaseRow(
            version=release.version,
            channel=release.channel,
            published_at=release.published_at,
            notes=release.notes,
            withdrawn=release.withdrawn,
            reason=release.reason,
            platforms=list(release.platforms),
            clocks=running.get((release.channel, release.version), 0),
            missing=(release.channel, release.version) in incomplete,
        )
        for release in shown_releases
    ]
