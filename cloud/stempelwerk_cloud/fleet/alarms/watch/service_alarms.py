"""Alarms about the installation itself, listed in the operator's company.

They are raised at once and mailed at any hour, whatever the settings of the company, because their causes may lose
data. Several machines may differ in their time, so an alarm ends only an hour after any process last saw its cause.
While the server's time is in doubt, alarms about expiry neither begin nor end.
"""

from datetime import datetime, timedelta

from sqlalchemy import Select, select

from stempelwerk_cloud.domain.alarms import NETWORK
from stempelwerk_cloud.fleet.alarms import service
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.alarms.watch import notifications
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations import faults, key_registry, service_time
from stempelwerk_cloud.kit.operations.faults import KINDS, Kind
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

CALM = timedelta(hours=1)


def run_round(platform: Platform) -> None:
    """Compares the current faults of the installation with its open alarms. Raises and ends alarms where they
    differ.
    """
    service_time.observe(platform)
    key_registry.look_after(platform.database, platform.settings.data_dir, platform.keys)
    kinds = {fault.kind for fault in (*faults.find(platform), *faults.find_ahead(platform))}
    operator_id = companies.operator_id(platform)
    if operator_id is None:
        return
    with platform.database.read(SYSTEM) as session:
        raised = session.scalars(_open(operator_id)).all()
    if not kinds and not raised:
        return
    with unit_of_work(platform, SYSTEM) as work:
        service.lock_alarms(work, operator_id)
        for kind in KINDS:
            if "time" not in kinds or kind not in faults.BY_TIME:
                _write(work, operator_id, kind, shows=kind in kinds)


def _open(operator_id: str) -> Select[Alarm]:
    return select(Alarm).where(Alarm.company_id == operator_id, Alarm.kind.in_(KINDS), Alarm.until.is_(None))


def _write(work: UnitOfWork, operator_id: str, kind: Kind, *, shows: bool) -> None:
    now = work.now()
    alarm = work.session.scalar(_open(operator_id).where(Alarm.kind == kind))
    if alarm is None:
        if not shows:
            return
        alarm = Alarm(company_id=operator_id, id=work.new_id(), device_no=NETWORK, kind=kind, since=now, raised=True)
        work.session.add(alarm)
    elif shows:
        alarm.calm_since = None
        return
    else:
        alarm.calm_since = alarm.calm_since or now
        if not _is_over(alarm.calm_since, now):
            return
        alarm.until = alarm.calm_since
    work.session.flush()
    notifications.plan(work, alarm)
    service.refresh_pages(work, operator_id)


def _is_over(calm_since: datetime, now: datetime) -> bool:
    return abs(now - calm_since) >= CALM
