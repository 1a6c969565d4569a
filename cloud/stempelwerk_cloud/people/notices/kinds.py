"""Kinds of messages that people choose notices of, and the channels for them."""

from typing import Literal, get_args

from stempelwerk_cloud.kit.room import MessageType
from stempelwerk_cloud.people.directory.service import USER, Role

Channel = Literal["push", "mail"]
Kind = Literal["handoff", "decisions", "schedule", "requests"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KINDS: tuple[Kind, ...] = get_args(Kind)


def kind_of(type_: MessageType, role: Role) -> str:
    """Returns the kind of a message of this type for this role."""
    return type_.notification_kind if role == USER else type_.administrators_as or type_.notification_kind
