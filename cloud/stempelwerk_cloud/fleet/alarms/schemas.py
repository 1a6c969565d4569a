"""Request and response bodies of alarms."""

from typing import Annotated

from pydantic import Strict

from stempelwerk_cloud.domain.alarms import Kind
from stempelwerk_cloud.fleet.alarms.tables import AnyKind
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, TimeInput, Wire


class AlarmRow(Wire):
    """An alarm. Alarms of the company's network (`network`) and of the installation itself (`cert`, `time`, `keys`, …)
    have no device; only the operator sees the latter.

    `until` null: the alarm is open, and `hint` describes what to do.
    """

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
    """A change of the settings: whether mails are sent, about which kinds, and the local quiet hours. Both times null:
    no quiet hours.
    """

    mail: Annotated[bool, Strict()]
    quiet_from: TimeInput | None
    quiet_to: TimeInput | None
    kinds: list[Kind]


class AlarmSettingsBody(Wire):
    """The settings of a company's mails about alarms. Every kind is mailed by default, with quiet hours from 22:00 to
    06:00.
    """

    mail: bool
    quiet_from: TimeField | None
    quiet_to: TimeField | None
    kinds: list[Kind]
