"""Use cases of alarms: seen, acknowledged, and who wants to be mailed of which."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import COMPANY_KINDS, KINDS, OPERATOR_KINDS, SILENT_AFTER, Kind, ends_soon
from stempelwerk_cloud.fleet.alarms import actions, problems, texts
from stempelwerk_cloud.fleet.alarms.schemas import AlarmRow, AlarmSettingsBody, AlarmSettingsChange
from stempelwerk_cloud.fleet.alarms.tables import Alarm, AlarmSettings, AnyKind
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.database.pages import page as page_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, COMPANY_ADMIN
from stempelwerk_cloud.people.work import Work

__all__ = [
    "MODULE",
    "AlarmRow",
    "AnyKind",
    "acknowledge",
    "alone",
    "change_settings",
    "company_closed",
    "hears",
    "hint",
    "names",
    "open_in_company",
    "open_of_device",
    "page",
    "refresh_pages",
    "rows",
    "settings_of",
    "told_settings",
    "wanted_kinds",
]
MODULE = "devices"
_EARLIER_KINDS = ("silent", "network", "few_stamps", "gap", "queue", "disk")
"""What a process of the release before can read in `AlarmSettings.kinds`, during an update and after going back."""
QUIET = (22 * 60, 6 * 60)
"""In a company that has set nothing."""


def page(work: Work, wanted: Wanted, *, is_open: bool) -> list[Alarm]:
    """The caller's company's, of a system administrator everybody's, newest first, and one more where more follow."""
    every = _seen_by(work)
    if work.caller.role != ADMIN:
        every = every.where(Alarm.company_id == work.caller.company_id)
    conditions = [Alarm.until.is_(None)] if is_open else []
    found = page_of(work.session, every, conditions, (Alarm.since, Alarm.id), wanted, descending=True)
    return [one for (one,) in found]


def open_count(platform: Platform) -> int:
    """Counts alarms of clocks and networks that are not over and that no administrator has acknowledged."""
    open_ones = select(func.count()).where(
        Alarm.raised, Alarm.until.is_(None), Alarm.acknowledged_at.is_(None), Alarm.kind.in_(KINDS)
    )
    with platform.database.read(SYSTEM) as session:
        return session.scalar(open_ones) or 0


def open_in_company(work: Work, company_id: str) -> list[AlarmRow]:
    """Returns the company's open alarms that the caller may see, newest first."""
    return _open(work, Alarm.company_id == company_id)


def open_of_device(work: Work, device_no: int) -> list[AlarmRow]:
    """Returns the clock's open alarms in every company, newest first."""
    return _open(work, Alarm.device_no == device_no)


def _open(work: Work, which: ColumnElement[bool]) -> list[AlarmRow]:
    newest = _seen_by(work).where(which, Alarm.until.is_(None)).order_by(Alarm.since.desc(), Alarm.id.desc())
    return rows(work, work.session.scalars(newest).all())


def _seen_by(work: Work) -> Select[Alarm]:
    """Excludes, for a company, the kinds that only the operator can end."""
    every = select(Alarm).where(Alarm.raised)
    return every if work.caller.role == ADMIN else every.where(Alarm.kind.not_in(OPERATOR_KINDS))


def rows(work: Work, found: Sequence[Alarm]) -> list[AlarmRow]:
    """As pages show them."""
    named = names(work.session, found)
    ids = devices.identified(work.session, {one.device_no for one in found})
    deciders = {
        company_id: directory.deciders_of(
            work.session, company_id, (one.acknowledged_by for one in found if one.company_id == company_id)
        )
        for company_id in {one.company_id for one in found}
    }
    return [
        AlarmRow(
            id=one.id,
            kind=one.kind,
            device_id=ids[one.device_no][0] if one.device_no in ids else None,
            device_name=named.get(one.id),
            company_id=one.company_id,
            since=one.since,
            until=one.until,
            acknowledged_by=deciders[one.company_id].get(one.acknowledged_by),
            hint=hint(work.session, one, work.now()) if one.until is None else None,
        )
        for one in found
    ]


def hint(session: Session, alarm: Alarm, now: datetime) -> str:
    """Returns what to do; about the certificate also which clock sees the one that ends first, for operators."""
    if alarm.kind != "cert":
        return texts.HINTS[alarm.kind]
    clocks = devices.watched(session, now)
    heard = [clock for clock in clocks if abs(now - clock.seen_at) < SILENT_AFTER] or clocks
    seen = [(clock.certificate[0], clock) for clock in heard if clock.certificate and ends_soon(*clock.certificate)]
    if not seen:
        return texts.HINTS[alarm.kind]
    days_left, first = min(seen, key=lambda pair: (pair[0], pair[1].no))
    serial = devices.identified(session, {first.no})[first.no][1]
    company = directory.company_name(session, first.company_id)
    return texts.certificate_hint(serial, company, days_left, len(seen), len(heard))


def names(session: Session, found: Iterable[Alarm]) -> dict[str, str]:
    """By alarm: what its company calls the clock, else its serial. The network has none."""
    wanted = {one.id: one.device_no for one in found}
    called = select(Alarm.id, devices.name_at(Alarm.company_id, Alarm.device_no, Alarm.since))
    given = dict(session.execute(called.where(Alarm.id.in_(list(wanted)))).all())
    known = devices.identified(session, set(wanted.values()))
    return {id_: given.get(id_) or known[no][1] for id_, no in wanted.items() if no in known}


def acknowledge(work: Work, alarm_id: str) -> Alarm:
    """Notes who sees to it, unless somebody does. 404 for another company's."""
    one = work.session.scalar(select(Alarm).where(Alarm.id == alarm_id, Alarm.raised))
    if one is None or (one.kind in OPERATOR_KINDS and work.caller.role != ADMIN):
        raise not_found()
    work.caller.must_reach(one.company_id)
    alone(work, one.company_id)
    work.session.refresh(one)
    if one.acknowledged_by is None:
        one.acknowledged_by, one.acknowledged_at = work.by, work.now()
        work.session.flush()
        work.audit(one.company_id, actions.ACKNOWLEDGED, one.id, after={"kind": one.kind})
        refresh_pages(work, one.company_id)
    return one


def alone(work: Work, company_id: str) -> None:
    """Nobody else changes the company's alarms before this transaction ends; nobody closes it."""
    work.company(company_id)
    locks.take(work.session, Lock.ALARMS, company_id)


def settings_of(session: Session, company_id: str) -> AlarmSettings:
    found = session.get(AlarmSettings, company_id)
    if found is not None:
        return found
    return AlarmSettings(
        company_id=company_id,
        mail=True,
        quiet_from=QUIET[0],
        quiet_to=QUIET[1],
        kinds=json.dumps(_EARLIER_KINDS),
        muted="[]",
    )


def told_settings(work: Work, company_id: str) -> AlarmSettingsBody:
    row = settings_of(work.session, company_id)
    offered = _offered_kinds(work.session, company_id)
    kinds = [kind for kind in wanted_kinds(row) if kind in offered]
    return AlarmSettingsBody(mail=row.mail, quiet_from=row.quiet_from, quiet_to=row.quiet_to, kinds=kinds)


def _offered_kinds(session: Session, company_id: str) -> Sequence[Kind]:
    return KINDS if directory.is_operator(session, company_id) else COMPANY_KINDS


def wanted_kinds(row: AlarmSettings) -> list[Kind]:
    """Returns the kinds that mails go out of."""
    muted = json.loads(row.muted)
    return [kind for kind in KINDS if kind not in muted]


def change_settings(work: Work, company_id: str, wanted: AlarmSettingsChange) -> AlarmSettingsBody:
    """422 for half a span of quiet hours, or an empty one."""
    if (wanted.quiet_from is None) != (wanted.quiet_to is None):
        raise problems.half_a_span("quietTo" if wanted.quiet_to is None else "quietFrom")
    if wanted.quiet_from is not None and wanted.quiet_from == wanted.quiet_to:
        raise problems.empty_span()
    alone(work, company_id)
    before = told_settings(work, company_id)
    row = settings_of(work.session, company_id)
    row.mail, row.quiet_from, row.quiet_to = wanted.mail, wanted.quiet_from, wanted.quiet_to
    offered = _offered_kinds(work.session, company_id)
    row.muted = json.dumps([kind for kind in offered if kind not in wanted.kinds])
    row.kinds = json.dumps([kind for kind in _EARLIER_KINDS if kind in wanted.kinds])
    work.session.add(row)
    work.session.flush()
    after = told_settings(work, company_id)
    if after != before:
        states = (one.model_dump(mode="json", by_alias=True) for one in (before, after))
        work.audit(company_id, actions.SETTINGS, None, *states)
    return after


def company_closed(work: Work, company_id: str) -> None:
    """Nothing of it goes on. It is closed alone, so nobody is at its alarms."""
    mine = update(Alarm).where(Alarm.company_id == company_id, Alarm.until.is_(None))
    work.session.execute(mine.values(until=work.now()))


def hears(hearer: Hearer, _modules: Collection[str]) -> list[str]:
    """A company's administrators of their own alarms, system administrators of all."""
    return [_topic(hearer.company_id)] if hearer.role in (ADMIN, COMPANY_ADMIN) else []


def refresh_pages(work: Work, company_id: str) -> None:
    topics = sorted({company_id, directory.operator_id(work.platform) or company_id})
    work.platform.live.publish(work.session, [_topic(one) for one in topics], {"type": "alarms_update"})


def _topic(company_id: str) -> str:
    return f"alarms:{company_id}"
