"""Request and response bodies of the update repository."""

from typing import Annotated

from pydantic import StringConstraints

from stempelwerk_cloud.fleet.updates.expiry import State
from stempelwerk_cloud.fleet.updates.tables import REASON_LIMIT
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


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
