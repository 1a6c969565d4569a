"""What an answer to a batch means, how long to wait, and what a request for old rows asks of the journal. Pure.

No clock, no disk and no network: the loops (`sync.py` and the others) bring the facts and carry out the result.
Whatever is not clearly an answer means "not now"; nothing here ever lets a stamp be dropped.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from .errors import Busy, ClockSkew, CloudError, NotConnected, Refused, Revoked, TooLarge, UnknownDevice
from .ports import Connection, Random
from .wire import DURABLE, NOT_STORED, Receipt, Replay, Result

__all__ = ["Effects", "Fate", "Replay", "Sent", "Then", "back_off", "judge", "replayed", "retry_after"]

_LONGEST_PAUSE_S = 900.0
_LONGEST_WAIT_S = 3600
_DOUBLINGS = 10  # from here on the pause has reached its limit


class Fate(StrEnum):
    """What becomes of the batch that was sent."""

    DONE = "done"
    REPEAT = "repeat"
    HALVE = "halve"


class Then(StrEnum):
    """What the loop does next."""

    GO_ON = "go_on"
    WAIT = "wait"
    BACK_OFF = "back_off"
    ENROL = "enrol"
    SIGN_AGAIN = "sign_again"


@dataclass(frozen=True, slots=True)
class Sent:
    """What the clock held when the answer came. `ids` are those of the batch's stamps."""

    batch: str
    ids: Sequence[str]
    server_id: str | None
    enrolled_just_now: bool = False
    signed_again: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """What an answer means. `lease` and `server_id` are None where nothing changes."""

    fate: Fate = Fate.REPEAT
    then: Then = Then.BACK_OFF
    connection: Connection = "offline"
    delivered: tuple[Result, ...] = ()
    set_aside: tuple[str, ...] = ()
    lease: int | None = None
    server_id: str | None = None
    wait_s: float | None = None
    replays: tuple[Replay, ...] = ()
    replay_all: bool = False
    wipe_people: bool = False
    log: str | None = None


def judge(sent: Sent, answer: Receipt | CloudError) -> Effects:
    """What an answer to a batch, or the failure to get one, means."""
    if isinstance(answer, Receipt):
        return _receipt(sent, answer)
    if isinstance(answer, NotConnected):
        return _not_connected(sent, answer)
    if isinstance(answer, Busy):
        then = Then.BACK_OFF if answer.retry_after_s is None else Then.WAIT
        return Effects(then=then, wait_s=answer.retry_after_s, connection="online" if answer.reached else "offline")
    if isinstance(answer, TooLarge):
        return _smaller(sent, Then.GO_ON, None)
    if isinstance(answer, Refused) and answer.code != "unknown_proto":
        return _smaller(sent, Then.BACK_OFF, "batch_unreadable")
    return Effects(connection="online", log="proto_refused") if isinstance(answer, Refused) else Effects()


def _smaller(sent: Sent, then: Then, log: str | None) -> Effects:
    """Half as many stamps at a time; a single one that is refused is set aside for a day."""
    if len(sent.ids) > 1:
        return Effects(Fate.HALVE, then, "online", log=log)
    return Effects(Fate.DONE, then, "online", set_aside=tuple(sent.ids), log="stamp_set_aside")


def _receipt(sent: Sent, receipt: Receipt) -> Effects:
    if receipt.batch != sent.batch:
        return Effects()  # a cache's or another request's answer
    durable = {result.id: result for result in receipt.results if result.outcome in DURABLE}
    kept = {result.id for result in receipt.results if result.outcome not in DURABLE}
    delivered = tuple(durable[i] for i in sent.ids if i in durable and i not in kept)
    another = sent.server_id is not None and receipt.server_id != sent.server_id
    return Effects(
        fate=Fate.DONE,
        then=Then.GO_ON if delivered else Then.BACK_OFF,
        connection="online",
        delivered=delivered,
        lease=receipt.lease,
        server_id=receipt.server_id,
        replays=receipt.replays,
        replay_all=another,
        log="stamps_not_stored" if any(r.outcome in NOT_STORED for r in receipt.results) else None,
    )


def _not_connected(sent: Sent, answer: NotConnected) -> Effects:
    then = Then.BACK_OFF
    if isinstance(answer, UnknownDevice) and not sent.enrolled_just_now:
        then = Then.ENROL
    elif isinstance(answer, ClockSkew) and answer.server_time is not None and not sent.signed_again:
        then = Then.SIGN_AGAIN
    return Effects(then=then, connection="not_connected", wipe_people=isinstance(answer, Revoked))


def back_off(failures: int, random: Random) -> float:
    """Seconds to wait after so many failures in a row: doubling from 1 to 2 s up to 15 min, drawn evenly."""
    if failures <= 0:
        return 0.0
    most = _LONGEST_PAUSE_S if failures >= _DOUBLINGS else float(2**failures)
    return most / 2 * (1 + random.random())


def retry_after(value: str | None, date: str | None, now: datetime) -> int | None:
    """Seconds that a Retry-After header asks for, between 1 and 3600; None where it cannot be read.

    A date counts from the answer's own Date, which a clock in 1970 can trust more than itself.
    """
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdecimal():
        return _LONGEST_WAIT_S if len(text) > 4 else max(1, min(int(text), _LONGEST_WAIT_S))
    until = _http_date(text)
    if until is None:
        return None
    seconds = (until - (_http_date(date) or now)).total_seconds()
    return max(1, min(int(seconds), _LONGEST_WAIT_S))


def _http_date(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


Ranges = list[tuple[int, int]]


def replayed(missing: Collection[tuple[int, int]], last_seq: int, first: int, last: int) -> tuple[Ranges, Ranges]:
    """Of the rows `first` to `last` of an epoch: the ranges to send again, and those that are lost.

    `missing` are the ranges, in order, that the journal does not hold of 1 to `last_seq`; rows beyond were never made.
    """
    first, last = max(first, 1), min(last, last_seq)
    again: Ranges = []
    lost: Ranges = []
    at = first
    for start, end in [(max(start, first), min(end, last)) for start, end in sorted(missing)]:
        if start > end:
            continue
        if at < start:
            again.append((at, start - 1))
        lost.append((start, end))
        at = end + 1
    if at <= last:
        again.append((at, last))
    return again, lost
