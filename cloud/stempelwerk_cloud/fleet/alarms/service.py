"""Use cases of alarms: listing and acknowledging alarms, and the settings of the mails about them."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Strict
from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import COMPANY_KINDS, KINDS, OPERATOR_KINDS, SILENT_AFTER, Kind, ends_soon
from stempelwerk_cloud.fleet.alarms import words
from stempelwerk_cloud.fleet.alarms.tables import Alarm, AlarmSettings, AnyKind
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.database.pages import page as page_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, TimeInput, Wire
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN
from stempelwerk_cloud.people.directory.companies import company_name, is_operator, operator_id
from stempelwerk_cloud.people.directory.people import deciders_of
from stempelwerk_cloud.people.work import UnitOfWork

ACKNOWLEDGED = Action("alarm.acknowledged")
SETTINGS = Action("alarm.settings")


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


MODULE = "devices"
_EARLIER_KINDS = ("silent", "network", "few_stamps", "gap", "queue", "disk")
"""The kinds that the previous release of this service can read in `AlarmSettings.kinds`. Both releases run side by side
during an update, and the previous one may be restored afterwards.
"""
QUIET = (22 * 60, 6 * 60)
"""Default begin and end of quiet hours, in minutes since local midnight."""


def page(work: UnitOfWork, page_request: PageRequest, *, is_open: bool) -> list[Alarm]:
    """Returns a page of alarms, newest first, and one more row if more follow. System administrators get the alarms of
    all companies, others those of their own company.
    """
    statement = _visible_to(work)
    if work.caller.role != ADMIN:
        statement = statement.where(Alarm.company_id == work.caller.company_id)
    conditions = [Alarm.until.is_(None)] if is_open else []
    page_rows = page_of(work.session, statement, conditions, (Alarm.since, Alarm.id), page_request, descending=True)
    return [alarm for (alarm,) in page_rows]


def open_count(platform: Platform) -> int:
    """Counts alarms of clocks and networks that are not over and that no administrator has acknowledged."""
    statement = select(func.count()).where(
        Alarm.raised, Alarm.until.is_(None), Alarm.acknowledged_at.is_(None), Alarm.kind.in_(KINDS)
    )
    with platform.database.read(SYSTEM) as session:
        return session.scalar(statement) or 0


def open_in_company(work: UnitOfWork, company_id: str) -> list[AlarmRow]:
    """Returns the company's open alarms that the caller may see, newest first."""
    return _open(work, Alarm.company_id == company_id)


def open_of_device(work: UnitOfWork, device_no: int) -> list[AlarmRow]:
    """Returns the clock's open alarms, newest first, whichever company they belong to."""
    return _open(work, Alarm.device_no == device_no)


def _open(work: UnitOfWork, which: ColumnElement[bool]) -> list[AlarmRow]:
    newest = _visible_to(work).where(which, Alarm.until.is_(None)).order_by(Alarm.since.desc(), Alarm.id.desc())
    return rows(work, work.session.scalars(newest).all())


def _visible_to(work: UnitOfWork) -> Select[Alarm]:
    """Selects the alarms that the caller may see. Companies do not see the kinds that only the operator can end."""
    statement = select(Alarm).where(Alarm.raised)
    return statement if work.caller.role == ADMIN else statement.where(Alarm.kind.not_in(OPERATOR_KINDS))


def rows(work: UnitOfWork, alarms: Sequence[Alarm]) -> list[AlarmRow]:
    """Converts alarms to rows of the API."""
    clock_names = find_clock_names(work.session, alarms)
    ids = devices.identified(work.session, {alarm.device_no for alarm in alarms})
    deciders = {
        company_id: deciders_of(
            work.session, company_id, (alarm.acknowledged_by for alarm in alarms if alarm.company_id == company_id)
        )
        for company_id in {alarm.company_id for alarm in alarms}
    }
    return [
        AlarmRow(
            id=alarm.id,
            kind=alarm.kind,
            device_id=ids[alarm.device_no][0] if alarm.device_no in ids else None,
            device_name=clock_names.get(alarm.id),
            company_id=alarm.company_id,
            since=alarm.since,
            until=alarm.until,
            acknowledged_by=deciders[alarm.company_id].get(alarm.acknowledged_by),
            hint=hint(work.session, alarm, work.now()) if alarm.until is None else None,
        )
        for alarm in alarms
    ]


def hint(session: Session, alarm: Alarm, now: datetime) -> str:
    """Returns a German text with instructions what to do about the alarm. For a certificate it also names the clock
    whose certificate expires first, because only the operator reads it.
    """
    if alarm.kind != "cert":
        return words.HINTS[alarm.kind]
    clocks = devices.watched(session, now)
    heard = [clock for clock in clocks if abs(now - clock.seen_at) < SILENT_AFTER] or clocks
    expiring = [(clock.certificate[0], clock) for clock in heard if clock.certificate and ends_soon(*clock.certificate)]
    if not expiring:
        return words.HINTS[alarm.kind]
    days_left, first = min(expiring, key=lambda pair: (pair[0], pair[1].no))
    serial = devices.identified(session, {first.no})[first.no][1]
    company = company_name(session, first.company_id)
    return words.certificate_hint(serial, company, days_left, len(expiring), len(heard))


def find_clock_names(session: Session, alarms: Iterable[Alarm]) -> dict[str, str]:
    """Returns a mapping from alarm id to the clock's name in its company, or else its serial. Alarms of a network or of
    the installation have no entry.
    """
    device_no_by_alarm = {alarm.id: alarm.device_no for alarm in alarms}
    statement = select(Alarm.id, devices.name_at(Alarm.company_id, Alarm.device_no, Alarm.since))
    assigned_names = dict(session.execute(statement.where(Alarm.id.in_(list(device_no_by_alarm)))).all())
    identities = devices.identified(session, set(device_no_by_alarm.values()))
    return {
        id_: assigned_names.get(id_) or identities[no][1] for id_, no in device_no_by_alarm.items() if no in identities
    }


def acknowledge(work: UnitOfWork, alarm_id: str) -> Alarm:
    """Records the caller as the person who handles the alarm, unless another one was recorded before. Raises 404 for an
    alarm of another company.
    """
    alarm = work.session.scalar(select(Alarm).where(Alarm.id == alarm_id, Alarm.raised))
    if alarm is None or (alarm.kind in OPERATOR_KINDS and work.caller.role != ADMIN):
        raise not_found()
    work.caller.must_reach(alarm.company_id)
    lock_alarms(work, alarm.company_id)
    work.session.refresh(alarm)
    if alarm.acknowledged_by is None:
        alarm.acknowledged_by, alarm.acknowledged_at = work.actor_id, work.now()
        work.session.flush()
        work.audit(alarm.company_id, ACKNOWLEDGED, alarm.id, new_values={"kind": alarm.kind})
        refresh_pages(work, alarm.company_id)
    return alarm


def lock_alarms(work: UnitOfWork, company_id: str) -> None:
    """Locks the company's alarms until this transaction ends, and keeps the company from being closed meanwhile."""
    work.company(company_id)
    locks.take(work.session, Lock.ALARMS, company_id)


def settings_of(session: Session, company_id: str) -> AlarmSettings:
    settings = session.get(AlarmSettings, company_id)
    if settings is not None:
        return settings
    return AlarmSettings(
        company_id=company_id,
        mail=True,
        quiet_from=QUIET[0],
        quiet_to=QUIET[1],
        kinds=json.dumps(_EARLIER_KINDS),
        muted="[]",
    )


def settings_body(work: UnitOfWork, company_id: str) -> AlarmSettingsBody:
    row = settings_of(work.session, company_id)
    offered = _offered_kinds(work.session, company_id)
    kinds = [kind for kind in mailed_kinds(row) if kind in offered]
    return AlarmSettingsBody(mail=row.mail, quiet_from=row.quiet_from, quiet_to=row.quiet_to, kinds=kinds)


def _offered_kinds(session: Session, company_id: str) -> Sequence[Kind]:
    return KINDS if is_operator(session, company_id) else COMPANY_KINDS


def mailed_kinds(row: AlarmSettings) -> list[Kind]:
    """Returns the kinds of alarms about which these settings allow mails."""
    muted = json.loads(row.muted)
    return [kind for kind in KINDS if kind not in muted]


def change_settings(work: UnitOfWork, company_id: str, change: AlarmSettingsChange) -> AlarmSettingsBody:
    """Stores the settings. Raises 422 if only one end of the quiet hours is given, or both are equal."""
    if (change.quiet_from is None) != (change.quiet_to is None):
        raise words.half_a_span("quietTo" if change.quiet_to is None else "quietFrom")
    if change.quiet_from is not None and change.quiet_from == change.quiet_to:
        raise words.empty_span()
    lock_alarms(work, company_id)
    old_settings = settings_body(work, company_id)
    row = settings_of(work.session, company_id)
    row.mail, row.quiet_from, row.quiet_to = change.mail, change.quiet_from, change.quiet_to
    offered = _offered_kinds(work.session, company_id)
    row.muted = json.dumps([kind for kind in offered if kind not in change.kinds])
    row.kinds = json.dumps([kind for kind in _EARLIER_KINDS if kind in change.kinds])
    work.session.add(row)
    work.session.flush()
    new_settings = settings_body(work, company_id)
    if new_settings != old_settings:
        states = (settings.model_dump(mode="json", by_alias=True) for settings in (old_settings, new_settings))
        work.audit(company_id, SETTINGS, None, *states)
    return new_settings


def company_closed(work: UnitOfWork, company_id: str) -> None:
    """Ends all open alarms of the company. The caller holds the exclusive lock under which companies are closed, so no
    other process works on these alarms.
    """
    open_alarms = update(Alarm).where(Alarm.company_id == company_id, Alarm.until.is_(None))
    work.session.execute(open_alarms.values(until=work.now()))


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of alarms that a subscriber receives: for administrators that of their company. The operator's
    topic, which system administrators receive, has the alarms of all companies.
    """
    return [_topic(hearer.company_id)] if hearer.role in (ADMIN, COMPANY_ADMIN) else []


def refresh_pages(work: UnitOfWork, company_id: str) -> None:
    topics = sorted({company_id, operator_id(work.platform) or company_id})
    work.platform.live.publish(work.session, [_topic(audience_id) for audience_id in topics], {"type": "alarms_update"})


def _topic(company_id: str) -> str:
    return f"alarms:{company_id}"
