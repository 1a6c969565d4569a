"""The cloud's answers.

Reading is forgiving where the contract allows it (unknown members, unreadable actions) and strict where a wrong reading
would cost a stamp: anything that is not clearly an answer of this contract is `NotOurs`, which the caller takes for
"not now".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from stempelwerk_edge.cloud.wire.formats import read_day, read_instant, read_time
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.ports import ADULT, Limits

DURABLE = frozenset({"stored", "duplicate", "variant", "quarantined"})
SETTLED = frozenset({"stored", "duplicate", "rejected"})
NOT_STORED = frozenset({"variant", "quarantined"})
_EARLIEST_SERVER_TIME = datetime(2020, 1, 1, tzinfo=UTC)
_LATEST_SERVER_TIME = datetime(2200, 1, 1, tzinfo=UTC)
_LARGEST_NUMBER = 2**53 - 1
_DAY_MINUTES = 24 * 60


class NotOurs(ValueError):
    """The body is no answer of this contract."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The company and place that the clock belongs to now."""

    id: str
    company_id: str
    company_name: str


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration that the cloud sets; the defaults hold until its first answer."""

    heartbeat_s: int = 30
    max_batch: int = 50
    double_tap_s: int = 60
    max_shift_h: int = 16
    ask_after_h: int = 10
    time_zone: str = "Europe/Berlin"
    show_balance: bool = True


@dataclass(frozen=True, slots=True)
class Replay:
    """A request for rows again: of one epoch, `first` to `last`; or all since an instant (then `epoch` is empty)."""

    epoch: str = ""
    first: int = 0
    last: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A version of the clock's program that the cloud offers it.

    `now`: an administrator wants it installed at once. `quiet`: from when until when the company is closed. `channel`
    is the clock's release channel; it installs versions of this channel only.
    """

    version: str
    now: bool = False
    quiet: tuple[datetime, datetime] | None = None
    channel: str = "stable"


@dataclass(frozen=True, slots=True)
class Welcome:
    """The cloud's answer to an enrolment or a heartbeat.

    Both carry the members up to `assignment`. The others come with a heartbeat only, and are None or empty after an
    enrolment. `name` is empty as long as the clock has no name.
    """

    device_id: str
    server_id: str
    server_time: datetime | None
    lease: int | None
    assignment: Assignment | None
    name: str | None = None
    config: Config | None = None
    people_revision: str | None = None
    replays: tuple[Replay, ...] = ()
    update: Offer | None = None
    answers_mark: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one stamp; `id` None if the server could not read one."""

    id: str | None
    outcome: str
    state: str | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a batch. Its `streams` are information for people and are not read here."""

    server_id: str
    server_time: datetime | None
    lease: int
    results: tuple[Result, ...]
    replays: tuple[Replay, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person as the cloud describes them to a clock."""

    user_id: str
    name: str
    tags: tuple[str, ...]
    state: str
    since: datetime | None
    today_minutes: int | None
    week_minutes: int | None
    balance_minutes: int | None
    target_minutes: int | None = None
    open_handovers: int | None = None
    unread_messages: int | None = None
    steward: bool = False
    limits: Limits = ADULT


@dataclass(frozen=True, slots=True)
class PeopleChange:
    """The changes since the requested revision; the figures are those of `day` (None: the cloud does not name it)."""

    revision: str
    reset: bool
    people: tuple[PersonRow, ...]
    removed: tuple[str, ...]
    day: date | None = None


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The outcome of a person's answer about a missing Gehen; `code` is the reason of a rejection."""

    outcome: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class AnswersTaken:
    """The outcomes of answers, by id; `mark_before` and `mark`: the server's state when it was asked, and its state
    now.
    """

    results: Mapping[str, AnswerResult]
    mark_before: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The members of a problem document that the clock uses: the error's code, and the server's time if it is named."""

    code: str | None
    server_time: datetime | None = field(default=None)


def read_object(body: bytes) -> dict[str, Any]:
    """Returns the JSON object in a body. Raises NotOurs."""
    try:
        content = read_json(body)
    except ValueError as fault:
        raise NotOurs("no JSON") from fault
    if not isinstance(content, dict):
        raise NotOurs("no object")
    return content


def read_refusal(body: bytes) -> Refusal:
    """Reads the code of a problem document; None for another document."""
    try:
        content = read_object(body)
    except NotOurs:
        return Refusal(None)
    code = content.get("code")
    return Refusal(code if isinstance(code, str) else None, _server_time(content))


def read_welcome(body: bytes) -> Welcome:
    """Returns the answer of an enrolment or a heartbeat. Raises NotOurs."""
    content = read_object(body)
    device_id, server_id = content.get("deviceId"), content.get("serverId")
    if not isinstance(device_id, str) or not isinstance(server_id, str) or "assignment" not in content:
        raise NotOurs("no answer of a Stempelwerk server")
    name, config, revision = content.get("name"), content.get("config"), content.get("peopleRevision")
    return Welcome(
        device_id,
        server_id,
        _server_time(content),
        _number(content.get("lease"), minimum=0),
        _assignment(content["assignment"]),
        name if isinstance(name, str) else ("" if "name" in content else None),
        _config(config) if isinstance(config, dict) else None,
        None if revision is None else str(revision),
        _replays(content.get("actions")),
        _offer(content.get("update"), content.get("channel")),
        _text(content.get("answersMark")),
    )


def _offer(value: object, channel: object) -> Offer | None:
    version = value.get("version") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(version, str) or not version:
        return None
    quiet = value.get("quiet")
    bounds = [read_instant(quiet.get(name)) for name in ("from", "until")] if isinstance(quiet, dict) else []
    span = (bounds[0], bounds[1]) if len(bounds) == 2 and bounds[0] is not None and bounds[1] is not None else None
    return Offer(version, value.get("now") is True, span, channel if isinstance(channel, str) else "stable")


def read_update(body: bytes) -> str | None:
    """Returns the name of the target to request from the repository; None for an empty body (204): the clock is up to
    date.

    The name is not authenticated: the caller must verify it. Raises NotOurs.
    """
    if not body:
        return None
    target = read_object(body).get("target")
    if not isinstance(target, str):
        raise NotOurs("no release")
    return target


def _assignment(value: object) -> Assignment | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise NotOurs("assignment")
    members = [value.get(name) for name in ("id", "companyId", "companyName")]
    if not isinstance(members[0], str) or not isinstance(members[1], str):
        raise NotOurs("assignment")
    return Assignment(members[0], members[1], members[2] if isinstance(members[2], str) else "")


def _config(value: Mapping[str, Any]) -> Config:
    default = Config()

    def bounded_int(name: str, otherwise: int, minimum: int, maximum: int) -> int:
        number = _number(value.get(name), minimum=minimum)
        return otherwise if number is None else min(number, maximum)

    zone, balance = value.get("timeZone"), value.get("showBalance")
    return Config(
        bounded_int("heartbeatS", default.heartbeat_s, 1, 3600),
        bounded_int("maxBatch", default.max_batch, 1, 500),
        bounded_int("doubleTapSeconds", default.double_tap_s, 0, 3600),
        bounded_int("maxShiftHours", default.max_shift_h, 1, 48),
        bounded_int("askAfterHours", default.ask_after_h, 1, 48),
        zone if isinstance(zone, str) and zone else default.time_zone,
        balance if isinstance(balance, bool) else default.show_balance,
    )


def read_receipt(body: bytes, batch: str) -> Receipt:
    """Returns the answer to a batch. Raises NotOurs where it is not clearly one, or one to another batch (out of a
    cache).
    """
    content = read_object(body)
    identifier, server_id, results = content.get("batch"), content.get("serverId"), content.get("results")
    lease = _number(content.get("lease"), minimum=0)
    if (
        not isinstance(identifier, str)
        or not isinstance(server_id, str)
        or not isinstance(results, list)
        or lease is None
    ):
        raise NotOurs("no answer to a batch")
    if identifier.lower() != batch:
        raise NotOurs("the answer to another batch")
    return Receipt(
        server_id,
        _server_time(content),
        lease,
        tuple(_result(value) for value in results if isinstance(value, dict)),
        _replays(content.get("actions")),
    )


def _result(value: Mapping[str, Any]) -> Result:
    identifier, outcome, state = value.get("id"), value.get("outcome"), value.get("state")
    return Result(
        identifier.lower() if isinstance(identifier, str) else None,
        outcome if isinstance(outcome, str) else "",
        state if isinstance(state, str) else None,
    )


def _replays(value: object) -> tuple[Replay, ...]:
    replays = []
    for action in value if isinstance(value, list) else ():
        replay = action.get("replay") if isinstance(action, dict) else None
        if not isinstance(replay, dict):
            continue
        since = read_instant(replay.get("since"))
        if since is not None:
            replays.append(Replay(since=since))
        else:
            replays.extend(_range(replay.get("epoch"), [replay.get("from"), replay.get("to")]))
    return tuple(replays)


def _range(epoch: object, part: object) -> list[Replay]:
    if not isinstance(epoch, str) or not isinstance(part, list) or len(part) != 2:
        return []
    first, last = (_number(number, minimum=0) for number in part)
    return [] if first is None or last is None else [Replay(epoch.lower(), first, last)]


def read_people(body: bytes) -> PeopleChange:
    """Returns the changes to the clock's list of people; skips a person whose row is malformed. Raises NotOurs."""
    content = read_object(body)
    revision, people, removed = content.get("revision"), content.get("people"), content.get("removed", [])
    if revision is None or isinstance(revision, dict | list) or not isinstance(people, list):
        raise NotOurs("no people")
    return PeopleChange(
        str(revision),
        content.get("reset") is True,
        tuple(person for value in people if (person := _person(value)) is not None),
        tuple(name for name in removed if isinstance(name, str)) if isinstance(removed, list) else (),
        read_day(content.get("day")),
    )


def _person(value: object) -> PersonRow | None:
    if not isinstance(value, dict):
        return None
    user_id, name, tags = value.get("userId"), value.get("name"), value.get("tags")
    if not isinstance(user_id, str) or not isinstance(name, str) or not isinstance(tags, list):
        return None
    today, week, balance = (
        _number(value.get(key), minimum=-_LARGEST_NUMBER) for key in ("todayMinutes", "weekMinutes", "balanceMinutes")
    )
    target, handovers, messages = (
        _number(value.get(key), minimum=0) for key in ("targetMinutes", "openHandovers", "unreadMessages")
    )
    return PersonRow(
        user_id,
        name,
        tuple(tag for tag in tags if isinstance(tag, str)),
        "in" if value.get("state") == "in" else "out",
        read_instant(value.get("since")),
        today,
        week,
        balance,
        target,
        handovers,
        messages,
        value.get("steward") is True,
        read_limits(value.get("limits")),
    )


def read_limits(value: object) -> Limits:
    """Returns a person's limits of working time; an adult's if the value is no object or a figure is malformed.

    One malformed figure discards the others: a mixture would match no law.
    """
    try:
        return _limits(value)
    except NotOurs:
        return ADULT


def limits_member(limits: Limits) -> dict[str, Any]:
    """Returns limits as `read_limits` reads them."""
    return {
        "shiftMinutes": limits.shift_minutes,
        "restMinutes": limits.rest_minutes,
        "breaks": [list(step) for step in limits.breaks],
        "night": None if limits.night is None else [end.strftime("%H:%M") for end in limits.night],
    }


def _limits(value: object) -> Limits:
    if not isinstance(value, dict) or not isinstance(value.get("breaks"), list):
        raise NotOurs("limits")
    breaks = tuple(_break(step) for step in value["breaks"])
    shift, rest_minutes = (
        _minutes_of_day(value.get("shiftMinutes"), minimum=1),
        _minutes_of_day(value.get("restMinutes")),
    )
    return Limits(shift, rest_minutes, breaks, _night(value.get("night")))


def _break(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise NotOurs("break")
    return _minutes_of_day(value[0]), _minutes_of_day(value[1])


def _night(value: object) -> tuple[time, time] | None:
    if value is None:
        return None
    start, end = (read_time(text) for text in value) if isinstance(value, list) and len(value) == 2 else (None, None)
    if start is None or end is None or start == end:
        raise NotOurs("night")
    return start, end


def _minutes_of_day(value: object, minimum: int = 0) -> int:
    number = _number(value, minimum=minimum)
    if number is None or number > _DAY_MINUTES:
        raise NotOurs("minutes")
    return number


def read_log_results(body: bytes) -> frozenset[str]:
    """Returns the ids of log entries that the cloud has. Raises NotOurs."""
    results = read_object(body).get("results")
    if not isinstance(results, list):
        raise NotOurs("no results")
    parsed = (_result(value) for value in results if isinstance(value, dict))
    return frozenset(result.id for result in parsed if result.id is not None and result.outcome != "retry")


def read_answer_results(body: bytes) -> AnswersTaken:
    """Reads the outcomes of answers; leaves out an id with any result that leaves the answer waiting. Raises NotOurs.

    A result without a readable id, or for an id that was not sent, means nothing.
    """
    content = read_object(body)
    results = content.get("results")
    if not isinstance(results, list):
        raise NotOurs("no results")
    results_by_id: dict[str, AnswerResult] = {}
    waiting = set()
    for value in results:
        result = _result(value) if isinstance(value, dict) else None
        if result is None or result.id is None:
            continue
        if result.outcome not in SETTLED:
            waiting.add(result.id)
        code = value.get("code")
        results_by_id[result.id] = AnswerResult(result.outcome, code if isinstance(code, str) else None)
    final_results = {identifier: result for identifier, result in results_by_id.items() if identifier not in waiting}
    return AnswersTaken(final_results, _text(content.get("markBefore")), _text(content.get("mark")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object, minimum: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= _LARGEST_NUMBER:
        return None
    return value


def _server_time(content: Mapping[str, Any]) -> datetime | None:
    """Returns the answer's server time; None if it is missing or not between 2020 and 2200, since nonsense must not set
    a clock.
    """
    instant = read_instant(content.get("serverTime"))
    if instant is None or not _EARLIEST_SERVER_TIME <= instant <= _LATEST_SERVER_TIME:
        return None
    return instant
