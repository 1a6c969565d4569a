"""The failures that the agent expects, as one tree; each class documents the reaction to it.

`delivery.py` decides what a CloudError means, this is only a summary: the loops get it as a value, with its meaning. An
exception outside this tree is a bug: the supervisor logs it and starts the loop again. Nothing here is ever shown as
success, and no class of this tree ever makes a clock drop a stamp.

EdgeError
├── SettingsError           the configuration cannot be read: `run` and `check` print why and end with status 2
│   └── NotSetUp            the cloud's address is missing: `is-set-up` ends with status 3, and systemd starts nothing
├── IdentityError           the key file cannot be read or written: the agent tries again, taps are kept meanwhile
├── TagUnreadable           a text that is no tag: the reader loop signals an error, nothing is kept
├── ReaderFault             the reader failed: close, back off, open again (readers/watch.py)
│   └── ReaderAbsent        there is nothing at its address: the same, but the screen shows "absent"
├── JournalError            the row is not on the disk: the tap shows "not saved", no OK tone
│   ├── JournalFull         no space: bookkeeping frees the reserve and old delivered rows, the next tap tries again
│   ├── JournalBroken       read-only, input/output error, locked: the connection is opened again for the next try
│   └── JournalDamaged      the file is no sound database: set aside, what is legible is taken over, a new one begun
├── NotTrusted              no signature vouches for a release: nothing is installed, the version that runs goes on
├── NotFetched              a release is not here as a whole: asked for again later
└── CloudError              the request brought no usable answer: the loop backs off and repeats it
    ├── NotNow              no connection, time-out, a captive portal's page, any other status: back off, 1 s to 15 min
    │   ├── NoSuchCall      404 of the service itself: it is older than this call
    │   └── Busy            429 or 503: wait as long as its Retry-After asks, else back off
    ├── MeantForAnother     nothing was sent: another server has come, or this one lost its state: build it again
    ├── TooLarge            413: halve the batch
    ├── Refused             422 with a code: keep everything, halve the batch, log it
    └── NotConnected        401 or 403: keep everything, go on stamping, show "nicht verbunden"
        ├── UnknownDevice   enrol, then send again
        ├── ClockSkew       sign again with the server's time, once a request
        └── Revoked         403 `revoked`: wipe the people, keep the stamps, go on asking
"""

from datetime import datetime


class EdgeError(Exception):
    """The root of the tree."""


class SettingsError(EdgeError):
    """The configuration is missing, unreadable or wrong; the text names the field."""


class NotSetUp(SettingsError):
    """The configuration does not name the cloud."""


class IdentityError(EdgeError):
    """The clock's key cannot be read or written."""


class TagUnreadable(EdgeError):
    """The text is not a tag's identifier."""


class ReaderFault(EdgeError):
    """The reader does not answer or answers nonsense."""


class ReaderAbsent(ReaderFault):
    """Nothing is connected where the reader should be."""


class JournalError(EdgeError):
    """The journal could not carry out a call; nothing of that call counts as saved."""


class JournalFull(JournalError):
    """No space is left on the device."""


class JournalBroken(JournalError):
    """The disk cannot be written or read at the moment."""


class JournalDamaged(JournalError):
    """The file is not a sound database any more."""


class NotTrusted(EdgeError):
    """The signatures of the channel do not cover the files as a release, or the release is not for this clock."""


class NotFetched(EdgeError):
    """A part of a release could not be fetched."""


class CloudError(EdgeError):
    """The request brought no usable answer."""


class NotNow(CloudError):
    """No connection, a time-out, a status without a meaning here, or an answer that is not ours."""


class NoSuchCall(NotNow):
    """404 by the service itself, which is of an earlier version and does not know the call."""


class Busy(NotNow):
    """429 or 503. `retry_after_s` is the requested wait, or None. `reached`: the service itself answered (429)."""

    def __init__(self, text: str, retry_after_s: float | None = None, *, reached: bool = False) -> None:
        super().__init__(text)
        self.retry_after_s = retry_after_s
        self.reached = reached


class MeantForAnother(CloudError):
    """The message was not sent: the clock has just found that the server is another one, or was restored from a
    backup.
    """


class TooLarge(CloudError):
    """413: the request's body is too large for the server."""


class Refused(CloudError):
    """The server knows the device and refuses the content of the request, with this status and error code."""

    def __init__(self, text: str, status: int, code: str | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


class NotConnected(CloudError):
    """401 or 403: the server does not accept the device or its signature; `code` is the error's code."""

    def __init__(self, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.code = code


class UnknownDevice(NotConnected):
    """The server does not know this key."""


class ClockSkew(NotConnected):
    """The signature's time is too far from the server's time, which is `server_time` (None if the answer lacks it).

    `flight` are the boot times in ms of sending the request and receiving the answer.
    """

    flight: tuple[int, int] | None = None

    def __init__(self, text: str, code: str | None, server_time: datetime | None) -> None:
        super().__init__(text, code)
        self.server_time = server_time


class Revoked(NotConnected):
    """The device may not talk to the server any more."""
