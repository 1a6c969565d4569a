"""Answers that people gave on a touchscreen about a missing Gehen. Each is stored once, in its own transaction. Lists
in messages of clocks, such as lines of a log: they are parsed in the same way, whatever their items are.

So a stored answer stays stored if others of the same call fail; the clock then sends those again.
"""

from datetime import date
from typing import Any

from stempelwerk_cloud.device_api import wire, words
from stempelwerk_cloud.device_api.beats.contacts import mark_of
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Call, Key
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.http.schemas import parse_day, parse_minute
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_cloud.timekeeping.corrections.decisions import answers


def read(call: Call, message_kind: str, member: str, limit: int) -> list[Any]:
    """Returns the list `member` of a call's message, not empty and with unparsed items.

    Raises `unreadable_{message_kind}`, `unknown_proto`, or `batch_too_large` for more than `limit` items.
    """
    try:
        message = wire.read_object(call.request.body)
        if "proto" in message:
            wire.check_proto(message)
    except UnknownProto:
        raise words.unknown_proto() from None
    except UnreadableMessage:
        raise words.unreadable(message_kind) from None
    values = message.get(member)
    if not isinstance(values, list) or not values:
        raise words.unreadable(message_kind)
    if len(values) > limit:
        raise words.too_large()
    return values


ANSWERS_LIMIT = 500


def keep_answers(platform: Platform, call: Call) -> dict[str, Any]:
    """Stores the answers in a call, and returns the body of the response with the outcome of each."""
    key, _claim = gate.authenticate(platform, call)
    gate.admit_sender(platform, call, key)
    with platform.database.read(DEVICES) as session:
        mark_before = devices.current_lease(session, key.device_no).answers_mark
    sent_answers = read(call, "answers", "answers", ANSWERS_LIMIT)
    results = [_result(platform, key, sent_answer) for sent_answer in sent_answers]
    with platform.database.read(DEVICES) as session:
        mark_after = devices.current_lease(session, key.device_no).answers_mark
    return {"results": results, "markBefore": mark_of(mark_before), "mark": mark_of(mark_after)}


def _result(platform: Platform, key: Key, sent_answer: Any) -> dict[str, Any]:
    sent_id = sent_answer.get("id") if isinstance(sent_answer, dict) else None
    if not isinstance(sent_id, str):
        sent_id = None
    if sent_id is None or not wire.is_uuid(sent_id):
        # Without an id it cannot be distinguished from others, so it cannot be stored.
        return {"id": sent_id, "outcome": "rejected", "code": answers.UNREADABLE}
    with unit_of_work(platform, DEVICES) as work:
        is_new, code = answers.take(work, gate.device_of(work.session, key), sent_id.lower(), _answer(sent_answer))
    if code is not None:
        return {"id": sent_id, "outcome": "rejected", "code": code}
    return {"id": sent_id, "outcome": "stored" if is_new else "duplicate"}


def _answer(sent_answer: dict[str, Any]) -> answers.Answer | None:
    """Parses an answer. Returns None if it does not have the form that the contract defines."""
    stamp_id = sent_answer.get("stampId")
    if not wire.is_uuid(stamp_id):
        return None
    try:
        day: date = parse_day(sent_answer["date"])
        new_end = parse_minute(sent_answer["newEnd"])
        wire.instant_ms(sent_answer["at"])
    except (KeyError, TypeError, ValueError):
        return None
    return answers.Answer(str(stamp_id).lower(), day, new_end)
