"""JSON of alarms."""

from typing import Annotated

from pydantic import Strict

from stempelwerk_cloud.domain.alarms import Kind
from stempelwerk_cloud.fleet.alarms.tables import AnyKind
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, TimeInput, Wire


class AlarmRow(Wire):
    """An alarm. One of the company's network (`network`) has no device, and neither has one of the installation itself
    (`cert`, `time`, `keys`, …), which the operator sees. `until` null: it goes on, and `hint` says what to do."""

    id: str
    kind: AnyKind
    device_id: str | None
    device_name: str | None
    company_id: str
    since: InstantField
    until: InstantField | None
    acknowledged_by: str | None
    hint: str | None


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
