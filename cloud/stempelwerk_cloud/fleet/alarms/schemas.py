"""JSON of alarms."""

from typing import Annotated

from pydantic import Strict

from stempelwerk_cloud.domain.alarms import Kind
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, TimeInput, Wire


class AlarmRow(Wire):
    """An alarm. Of the company's network (`network`) it has no device. `until` null: it goes on."""

    id: str
    kind: Kind
    device_id: str | None
    device_name: str | None
    company_id: str
    since: InstantField
    until: InstantField | None
    acknowledged_by: str | None


class AlarmSettingsChange(Wire):
    """Whether mails go out, of which kinds, and between which local times none do; both null: at any time."""

    mail: Annotated[bool, Strict()]
    quiet_from: TimeInput | None
    quiet_to: TimeInput | None
    kinds: list[Kind]


class AlarmSettingsBody(Wire):
    """What is set, or the beginning: mails of every kind, none between 22:00 and 06:00."""

    mail: bool
    quiet_from: TimeField | None
    quiet_to: TimeField | None
    kinds: list[Kind]
