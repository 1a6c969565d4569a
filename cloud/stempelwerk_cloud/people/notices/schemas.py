"""Bodies of the calls about notices."""

from pydantic import ConfigDict, Field, StrictBool

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.outward import URL_LIMIT
from stempelwerk_cloud.people.notices.kinds import KINDS, Kind


class KindsRow(Wire):
    """By kind, whether it is wanted. `requests`: what waits for administrators."""

    handoff: bool
    decisions: bool
    schedule: bool
    requests: bool


class SubscriptionState(Wire):
    """A browser that takes push for the caller. `failingSince`: since when nothing arrives there; null if it does."""

    id: str
    failing_since: InstantField | None


class NoticesRow(Wire):
    """What the caller is noticed of beside the inbox.

    `publicKey`: what browsers subscribe to, an uncompressed point as base64url. `mailAddress`: the linked address as
    its owner recognises it ("m…@holzmann.de"), null if none is linked. `mailAvailable`: the installation sends mail.
    """

    push: KindsRow
    mail: KindsRow
    public_key: str
    mail_address: str | None
    push_available: bool
    mail_available: bool
    subscriptions: list[SubscriptionState]


class KindsChange(Wire):
    """What is left out stays."""

    model_config = ConfigDict(extra="forbid")

    handoff: StrictBool | None = None
    decisions: StrictBool | None = None
    schedule: StrictBool | None = None
    requests: StrictBool | None = None

    def changed_kinds(self) -> dict[Kind, bool]:
        """The kinds that are not left out."""
        return {kind: is_wanted for kind in KINDS if (is_wanted := getattr(self, kind)) is not None}


class NoticesChange(Wire):
    """What is left out stays."""

    push: KindsChange | None = None
    mail: KindsChange | None = None


class PushKeys(Wire):
    """What a push with content would be encrypted for. Ours have none: they are not kept."""

    p256dh: str = Field(alias="p256dh", max_length=500)
    auth: str = Field(max_length=500)


class Subscription(Wire):
    """What a browser's `PushSubscription.toJSON()` says."""

    endpoint: str = Field(max_length=URL_LIMIT)
    keys: PushKeys


class SubscriptionRow(Wire):
    """A browser that takes push for the caller."""

    id: str
