"""The meaning of an answer, the pauses, and the rows that a request for old rows concerns. Pure.

No clock, no disk and no network. `judge` reads the answer of any call for the clock as a whole, and `session.py`
carries that out; `judge_batch` reads the same answer for the stamps of a batch, and `sync.py` carries that out. No
other module decides. An answer that is not clear means "not now"; nothing here ever lets a stamp be dropped.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from stempelwerk_edge.cloud.wire import DURABLE, NOT_STORED, Receipt, Replay, Result, Welcome
from stempelwerk_edge.errors import (
    Busy,
    ClockSkew,
    CloudError,
    MeantForAnother,
    NoSuchCall,
    NotConnected,
    Refused,
    Revoked,
    TooLarge,
    UnknownDevice,
)
from stempelwerk_edge.ports import Connection, Random

__all__ = [
    "Effects",
    "Fate",
    "Meaning",
    "Replay",
    "RequestContext",
    "Then",
    "back_off",
    "judge",
    "judge_batch",
    "pause",
    "replayed",
    "retry_after",
    "with_jitter",
]

_LONGEST_PAUSE_S = 900.0
_LONGEST_APART_S = 30.0
_LONGEST_WAIT_S = 3600
_DOUBLINGS = 10  # from here on the pause has reached its limit


class Fate(StrEnum):
    """The outcome for the batch that was sent."""

    DONE = "done"
    REPEAT = "repeat"
    HALVE = "halve"


class Then(StrEnum):
    """The clock's next action."""

    GO_ON = "go_on"
    WAIT = "wait"
    BACK_OFF = "back_off"
    ENROL = "enrol"
    SIGN_AGAIN = "sign_again"


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The context of a request: the server that the clock remembers, and what it has already done for this request.

    `may_be_unknown`: a cloud that does not know the call is an older one, which is no fault. `lease`: the clock's lease
    when it sent the request, None without one.
    """

    server_id: str | None
    enrolled_just_now: bool = False
    signed_again: bool = False
    may_be_unknown: bool = False
    lease: int | None = None
    answers_mark: str | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of an answer for the clock, whatever the request was. `wait_s` goes with `Then.WAIT` only.

    `set_back`: the server has gone back to a backup, and lacks what the clock delivered since. `answers_again`: it may
    lack answers of people that it was sent.
    """

    then: Then
    connection: Connection
    wait_s: float | None = None
    another_server: bool = False
    set_back: bool = False
    answers_again: bool = False
    wipe_people: bool = False
    log: str | None = None


@dataclass(frozen=True, slots=True)
class Effects:
    """The meaning of an answer for the stamps of a batch and for the delivery. `lease` None: nothing changes."""

    fate: Fate
    then: Then
    delivered: tuple[Result, ...] = ()
    set_aside: tuple[str, ...] = ()
    lease: int | None = None
    replays: tuple[Replay, ...] = ()
    log: str | None = None


def judge(context: RequestContext, answer: object) -> Meaning:
    """Returns the meaning for the clock of a call's readable answer, or of the CloudError in its place."""
    if isinstance(answer, NotConnected):
        return _not_connected(context, answer)
    if isinstance(answer, Busy):
        then = Then.BACK_OFF if answer.retry_after_s is None else Then.WAIT
        return Meaning(then, "online" if answer.reached else "offline", answer.retry_after_s)
    if isinstance(answer, MeantForAnother):
        return Meaning(Then.GO_ON, "online")
    if isinstance(answer, CloudError):
        is_online = isinstance(answer, Refused | TooLarge) or (
            context.may_be_unknown and isinstance(answer, NoSuchCall)
        )
        return Meaning(Then.BACK_OFF, "online" if is_online else "offline")
    another = isinstance(answer, Receipt | Welcome) and context.server_id not in (None, answer.server_id)
    is_answer_lacking = isinstance(answer, Welcome) and lacks_answers(context.answers_mark, answer.answers_mark)
    set_back = _is_set_back(context, answer)
    return Meaning(Then.GO_ON, "online", another_server=another, set_back=set_back, answers_again=is_answer_lacking)


def lacks_answers(held_mark: str | None, server_mark: str | None) -> bool:
    """Returns whether a server with this mark may lack answers that it took until it gave the other mark.

    A mark is never given twice, except by a restored backup. A mark that differs may also mean that an answer got lost.
    """
    return server_mark is not None and server_mark != held_mark


def _is_set_back(context: RequestContext, answer: object) -> bool:
    """Returns whether the server gives a lower lease than it had given before the request: leases only grow.

    The answer may be late, so a lease that the clock was given meanwhile proves nothing; nor does an answer to a batch,
    because the server takes over a higher lease from it.
    """
    if not isinstance(answer, Welcome) or context.server_id != answer.server_id:
        return False
    return context.lease is not None and answer.lease is not None and answer.lease < context.lease


def _not_connected(context: RequestContext, answer: NotConnected) -> Meaning:
    """Returns the meaning of a refusal. A clock that is still unknown right after its enrolment does not enrol again,
    and one that has just signed with the server's time does not sign again.
    """
    if isinstance(answer, UnknownDevice) and not context.enrolled_just_now:
        return Meaning(Then.ENROL, "not_connected")
    if isinstance(answer, ClockSkew) and answer.server_time is not None and not context.signed_again:
        return Meaning(Then.SIGN_AGAIN, "not_connected")
    wipe = isinstance(answer, Revoked)
    return Meaning(Then.BACK_OFF, "not_connected", wipe_people=wipe, log="not_connected")


def judge_batch(ids: Sequence[str], answer: Receipt | CloudError, meaning: Meaning) -> Effects:
    """Returns the meaning of an answer for the batch of these stamps; `meaning` is its meaning for the clock."""
    if isinstance(answer, Receipt):
        return _receipt(ids, answer)
    if isinstance(answer, TooLarge):
        return _halve(ids, Then.GO_ON, None)
    if isinstance(answer, Refused) and answer.code != "unknown_proto":
        return _halve(ids, meaning.then, "batch_unreadable")
    return Effects(Fate.REPEAT, meaning.then, log="proto_refused" if isinstance(answer, Refused) else None)


def _halve(ids: Sequence[str], then: Then, log: str | None) -> Effects:
    """Returns the effects of a refused batch: the next one has half as many stamps; a single refused stamp is set aside
    for a day.
    """
    if len(ids) > 1:
        return Effects(Fate.HALVE, then, log=log)
    return Effects(Fate.DONE, then, set_aside=tuple(ids), log="stamp_set_aside")


def _receipt(ids: Sequence[str], receipt: Receipt) -> Effects:
    durable = {result.id: result for result in receipt.results if result.outcome in DURABLE}
    undurable = {result.id for result in receipt.results if result.outcome not in DURABLE}
    delivered = tuple(durable[i] for i in ids if i in durable and i not in undurable)
    return Effects(
        Fate.DONE,
        Then.GO_ON if delivered else Then.BACK_OFF,
        delivered=delivered,
        lease=receipt.lease,
        replays=receipt.replays,
        log="stamps_not_stored" if any(r.outcome in NOT_STORED for r in receipt.results) else None,
    )


def pause(meaning: Meaning, failures: int, random: Random) -> float:
    """Returns the seconds before the next attempt: the server's wait, else the back-off after these failures."""
    return back_off(failures, random) if meaning.wait_s is None else with_jitter(meaning.wait_s, random)


def with_jitter(wait_s: float, random: Random) -> float:
    """Returns a wait that the server asked of many clocks, with jitter, so that they do not come back together."""
    return wait_s + random.random() * min(wait_s, _LONGEST_APART_S)


def back_off(failures: int, random: Random) -> float:
    """Returns the seconds to wait after these failures in a row: doubling from 1 to 2 s up to 15 min, uniform."""
    if failures <= 0:
        return 0.0
    longest_s = _LONGEST_PAUSE_S if failures >= _DOUBLINGS else float(2**failures)
    return longest_s / 2 * (1 + random.random())


def retry_after(value: str | None, date: str | None, now: datetime) -> int | None:
    """Returns the seconds that a Retry-After header asks for, between 1 and 3600; None where it cannot be read.

    A date counts from the answer's own Date, which a clock in 1970 can trust more than itself.
    """
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdecimal():
        return _LONGEST_WAIT_S if len(text) > 4 else max(1, min(int(text), _LONGEST_WAIT_S))
    retry_at = _http_date(text)
    if retry_at is None:
        return None
    seconds = (retry_at - (_http_date(date) or now)).total_seconds()
    return max(1, min(int(seconds), _LONGEST_WAIT_S))


def _http_date(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        parsed = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)


Ranges = list[tuple[int, int]]


def replayed(missing: Collection[tuple[int, int]], last_seq: int, first: int, last: int) -> tuple[Ranges, Ranges]:
    """Returns the ranges to send again and the lost ranges among the rows `first` to `last` of an epoch.

    `missing` are the ranges, in order, that the journal does not hold of 1 to `last_seq`; rows beyond were never made.
    """
    first, last = max(first, 1), min(last, last_seq)
    to_resend: Ranges = []
    lost: Ranges = []
    next_seq = first
    for start, end in [(max(start, first), min(end, last)) for start, end in sorted(missing)]:
        if start > end:
            continue
        if next_seq < start:
            to_resend.append((next_seq, start - 1))
        lost.append((start, end))
        next_seq = end + 1
    if next_seq <= last:
        to_resend.append((next_seq, last))
    return to_resend, lost
