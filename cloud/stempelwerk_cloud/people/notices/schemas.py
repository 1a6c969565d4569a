"""Bodies of the calls about notices."""

from pydantic import ConfigDict, Field, StrictBool

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.outward import URL_LIMIT
from stempelwerk_cloud.people.notices.kinds import KINDS, Kind


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
