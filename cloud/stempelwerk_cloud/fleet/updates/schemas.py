"""Bodies about the repository."""

from typing import Annotated

from pydantic import StringConstraints

from stempelwerk_cloud.fleet.updates.expiry import State
from stempelwerk_cloud.fleet.updates.tables import REASON_LIMIT
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class ReleaseRow(Wire):
    """A version in a channel. `reason`: why it was withdrawn; `clocks`: how many of the channel run it. `missing`: it
    has to be published again, because its files are missing, or (`publishedAt` null) clocks run a version unknown to
    the service.
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
    """The newest signed file of a role, and its expiry; null if the file is unreadable.

    `state`: `unknown` while the server's time is in doubt. `text`: the meaning of the state and the remedy; empty while
    `good`.
    """

    role: str
    by_service: bool
    expires_at: InstantField | None
    state: State
    text: str


class RootInForce(Wire):
    """`fingerprint`: SHA-256 of the file, to be compared with that of the ceremony."""

    version: int
    fingerprint: str


class Published(Wire):
    """All current releases, newest first."""

    root: RootInForce
    releases: list[ReleaseRow]


class Withdrawal(Wire):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]
