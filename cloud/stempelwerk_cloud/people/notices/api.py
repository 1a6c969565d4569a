"""Calls about the caller's notices by push and mail."""

from typing import Annotated

from fastapi import Depends, Response
from pydantic import ConfigDict, Field, StrictBool

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import InstantField, PathId, Wire
from stempelwerk_cloud.kit.outward import URL_LIMIT
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AnySession, any_session
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.notices import service
from stempelwerk_cloud.people.notices.tables import KINDS, Channel, Kind
from stempelwerk_cloud.people.work import Reading, Writing


class KindsRow(Wire):
    """Whether the caller wants notices of each kind. `requests`: requests that wait for administrators."""

    handoff: bool
    decisions: bool
    schedule: bool
    requests: bool


class SubscriptionState(Wire):
    """A browser that takes push for the caller. `failingSince`: since when nothing arrives there; null if it does."""

    id: str
    failing_since: InstantField | None


class NoticesRow(Wire):
    """The caller's notices outside the inbox.

    `publicKey`: the key for browsers' subscriptions, an uncompressed point as base64url. `mailAddress`: the linked
    address as its owner recognises it ("m…@holzmann.de"), null if no address is linked. `mailAvailable`: the
    installation sends mail.
    """

    push: KindsRow
    mail: KindsRow
    public_key: str
    mail_address: str | None
    push_available: bool
    mail_available: bool
    subscriptions: list[SubscriptionState]


class KindsChange(Wire):
    """A change of some kinds; omitted ones stay."""

    model_config = ConfigDict(extra="forbid")

    handoff: StrictBool | None = None
    decisions: StrictBool | None = None
    schedule: StrictBool | None = None
    requests: StrictBool | None = None

    def changed_kinds(self) -> dict[Kind, bool]:
        """Returns the kinds that the body sets."""
        return {kind: is_wanted for kind in KINDS if (is_wanted := getattr(self, kind)) is not None}


class NoticesChange(Wire):
    """A change of some channels; omitted ones stay."""

    push: KindsChange | None = None
    mail: KindsChange | None = None


class PushKeys(Wire):
    """The keys for encrypting a push with content. Ours have no content: the keys are not stored."""

    p256dh: str = Field(alias="p256dh", max_length=500)
    auth: str = Field(max_length=500)


class Subscription(Wire):
    """The JSON of a browser's `PushSubscription.toJSON()`."""

    endpoint: str = Field(max_length=URL_LIMIT)
    keys: PushKeys


class SubscriptionRow(Wire):
    """A browser that takes push for the caller."""

    id: str


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
