"""Bodies about the repository."""

from typing import Annotated

from pydantic import StringConstraints

from stempelwerk_cloud.fleet.updates.expiry import State
from stempelwerk_cloud.fleet.updates.tables import REASON_LIMIT
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class ReleaseRow(Wire):
    """A version in a channel. `reason`: why it was withdrawn; `clocks`: how many of the channel run it. `missing`: it
    has to be published again: its files are not there, or (`publishedAt` null) clocks run it and nobody here knows it.
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
    """The newest signed file of a role, and its end; null if the file is unreadable.

    `state`: `unknown` while the server's time is in doubt. `text`: what the state means and the way out; empty while
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
    """All releases as they are now, newest first."""

    root: RootInForce
    releases: list[ReleaseRow]


class Withdrawal(Wire):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]
