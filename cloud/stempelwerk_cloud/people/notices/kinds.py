"""Which messages people choose to be noticed of, by what they are about, and by which way."""

from typing import Literal, get_args

from stempelwerk_cloud.people.directory.service import USER, Role
from stempelwerk_cloud.people.messages import service as messages

Channel = Literal["push", "mail"]
Kind = Literal["handoff", "decisions", "schedule", "requests"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KINDS: tuple[Kind, ...] = get_args(Kind)

_BY_TYPE: dict[str, Kind] = {
    "handoff": "handoff",
    "handoff_response": "handoff",
    "vacation_response": "decisions",
    "absence": "decisions",
    "absence_response": "decisions",
    "correction_response": "decisions",
    "booking": "decisions",
    "schedule": "schedule",
    "request": "requests",
    "notices": "decisions",
    "review": "decisions",
}
assert _BY_TYPE.keys() == messages.TYPES


def kind_of(type_: str, role: Role) -> Kind:
    """What a message of this type is about for somebody of this role: administrators read of others' hand-overs."""
    return "requests" if type_ == "handoff" and role != USER else _BY_TYPE[type_]
