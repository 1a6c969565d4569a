"""What a clock sends several of in one message, like lines of its log: read alike, whatever it is."""

from typing import Any

from stempelwerk_cloud.device_api import problems, wire
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage


def read(call: Call, message_kind: str, member: str, limit: int) -> list[Any]:
    """The message's `member`, a list that is not empty, each thing of it as it was sent.

    Raises Problem: unreadable_{what}, unknown_proto, or too_large for more than `limit`.
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
