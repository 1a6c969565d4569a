"""Lists in messages of clocks, such as lines of a log: they are parsed in the same way, whatever their items are."""

from typing import Any

from stempelwerk_cloud.device_api import problems, wire
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage


def read(call: Call, message_kind: str, member: str, limit: int) -> list[Any]:
    """Returns the list `member` of a call's message, not empty and with unparsed items.

    Raises `unreadable_{message_kind}`, `unknown_proto`, or `batch_too_large` for more than `limit` items.
    """
    try:
        message = wire.read_object(call.request.body)
        if "proto" in message:
            wire.check_proto(message)
    except UnknownProto:
        raise problems.unknown_proto() from None
    except UnreadableMessage:
        raise problems.unreadable(message_kind) from None
    values = message.get(member)
    if not isinstance(values, list) or not values:
        raise problems.unreadable(message_kind)
    if len(values) > limit:
        raise problems.too_large()
    return values
