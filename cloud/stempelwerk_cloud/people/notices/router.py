"""Calls about the caller's notices by push and mail."""

from typing import Annotated

from fastapi import Depends, Response

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AnySession, any_session
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.notices import service
from stempelwerk_cloud.people.notices.kinds import Channel
from stempelwerk_cloud.people.notices.schemas import (
    KindsChange,
    NoticesChange,
    NoticesRow,
    Subscription,
    SubscriptionRow,
)
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("notices")


async def _public(platform: PlatformDep, body: Subscription) -> Subscription:
    """Checks the endpoint before the transaction, which must not wait for a resolver."""
    await service.must_be_public(platform, body.endpoint)
    return body


@router.get("/api/notifications")
def notices(_: AnySession, work: Reading) -> NoticesRow:
    """Returns which messages the caller gets notices of by push and by mail; initially no kind is chosen."""
    return NoticesRow.model_validate(service.notices_of_caller(work))


@router.put("/api/notifications")
def change_notices(_: AnySession, work: Writing, body: NoticesChange) -> NoticesRow:
    """Changes the given choices; others stay. Mail requires a linked address."""
    changes: dict[Channel, KindsChange | None] = {"push": body.push, "mail": body.mail}
    choices = {channel: kinds.changed_kinds() for channel, kinds in changes.items() if kinds is not None}
    return NoticesRow.model_validate(service.choose(work, choices))


@router.post("/api/push/subscriptions", status_code=201)
def subscribe(
    _: Annotated[Caller, Depends(any_session.at_most("60/minute"))],
    subscription: Annotated[Subscription, Depends(_public)],
    work: Writing,
) -> SubscriptionRow:
    """Subscribes this browser to push for the caller until the current session ends. Repeating it in a later session
    extends it to that one.
    """
    return SubscriptionRow(id=service.subscribe(work, subscription.endpoint))


@router.delete("/api/push/subscriptions/{id}", status_code=204)
def unsubscribe(_: AnySession, subscription_id: PathId, work: Writing) -> Response:
    """Ends the browser's push subscription."""
    service.unsubscribe(work, subscription_id)
    return Response(status_code=204)
