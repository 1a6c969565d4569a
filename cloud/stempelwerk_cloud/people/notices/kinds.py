"""Which messages people choose to be noticed of, by what they are about, and by which way."""

from typing import Literal, get_args

from stempelwerk_cloud.kit.room import MessageType
from stempelwerk_cloud.people.directory.service import USER, Role

Channel = Literal["push", "mail"]
Kind = Literal["handoff", "decisions", "schedule", "requests"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KINDS: tuple[Kind, ...] = get_args(Kind)


def kind_of(type_: MessageType, role: Role) -> str:
    """What a message of this type is about for somebody of this role."""
    return type_.told_as if role == USER else type_.administrators_as or type_.told_as
