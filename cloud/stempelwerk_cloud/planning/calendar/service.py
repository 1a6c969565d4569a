"""Use cases of calendar addresses. A person has one at most, and only its receiver knows the secret.

An address ends when it is replaced, when its person ends it, is deleted or is no longer an employee. It ends
permanently when the account is locked. The address of a closed company is not found.
"""

import hashlib
from calendar import monthrange
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.database.scopes import LOGIN, of_company
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import open_company, today_of
from stempelwerk_cloud.people.directory.people import find_person, find_user, lock_people
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.calendar.tables import CalendarAddress
from stempelwerk_cloud.planning.schedule import service as schedule

ADDRESS_GIVEN = Action("calendar.address_given")
ADDRESS_ENDED = Action("calendar.address_ended")


SECRET_BYTES = 32
MONTHS_BEFORE, MONTHS_AFTER = 3, 12


class Holder(NamedTuple):
    company_id: str
    user_id: str


def give(work: UnitOfWork, holder: Holder) -> str:
    """Creates a new address, replacing the earlier one; returns its secret, which is not stored.

    It locks the person, as locking an account does, so that no address is created after a lock.
    """
    work.company(holder.company_id)
    lock_people(work.session, holder.company_id, [holder.user_id])
    secret = work.platform.ids.token(SECRET_BYTES)
    row = work.session.get(CalendarAddress, holder)
    if row is None:
        row = CalendarAddress(company_id=holder.company_id, user_id=holder.user_id)
        work.session.add(row)
    row.secret_hash, row.created_at = digest(secret), work.now()
    work.session.flush()
    work.audit(holder.company_id, ADDRESS_GIVEN, holder.user_id)
    return secret


def find_address(session: Session, holder: Holder) -> CalendarAddress | None:
    return session.get(CalendarAddress, holder)


def end(work: UnitOfWork, holder: Holder) -> None:
    """Ends the person's address, if there is one."""
    work.company(holder.company_id)
    lock_people(work.session, holder.company_id, [holder.user_id])
    _end(work, holder.company_id, [holder.user_id])


def accounts_locked(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Ends the addresses of locked accounts. They stay ended after an unlock."""
    _end(work, company_id, user_ids)


def people_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Ends the addresses of people who are no longer employees."""
    users = {user_id: find_person(work.session, company_id, user_id) for user_id in user_ids}
    _end(work, company_id, [user_id for user_id, user in users.items() if user is None or user.role != USER])


def file_at(platform: Platform, secret: str) -> bytes:
    """Returns an iCalendar file with the owner's duties, from 3 months back to 12 months ahead. 404 for an unknown
    address.
    """
    with platform.database.read(LOGIN) as session:
        which = CalendarAddress.secret_hash == digest(secret)
        owner_row = session.execute(select(CalendarAddress.company_id, CalendarAddress.user_id).where(which)).first()
    if owner_row is None:
        raise not_found()
    holder = Holder(*owner_row)
    with platform.database.read(of_company(holder.company_id)) as session:
        return _file_of(UnitOfWork(session, platform), holder, secret)


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _file_of(work: UnitOfWork, holder: Holder, secret: str) -> bytes:
    session, company_id = work.session, holder.company_id
    company, user = open_company(session, company_id), find_user(session, *holder)
    address = find_address(session, holder)
    if address is None or address.secret_hash != digest(secret) or user.role != USER:
        raise not_found()
    if user.is_locked or user.has_left(work.now()):
        raise not_found()
    from stempelwerk_cloud.planning.calendar.feed import Entry, feed  # noqa: PLC0415 -- 40 ms that no start waits for

    today, zone_on = today_of(session, company_id, work.now()), schedule.zone_on(session, company_id)
    first, last = _months(today, -MONTHS_BEFORE), _months(today, MONTHS_AFTER)
    entries = [
        Entry(duty.id, Planned(duty.date, duty.start_minute, duty.end_minute), zone_on(duty.date), duty.changed_at)
        for duty in schedule.duties(session, company_id, first, last, [holder.user_id])
    ]
    return feed(entries, f"{user.username}, {company.name}")


def _end(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Ends these people's addresses. The caller has locked their rows."""
    statement = (
        delete(CalendarAddress)
        .where(CalendarAddress.company_id == company_id, CalendarAddress.user_id.in_(sorted(user_ids)))
        .returning(CalendarAddress.user_id)
    )
    for user_id in sorted(work.session.scalars(statement)):
        work.audit(company_id, ADDRESS_ENDED, user_id)


def _months(day: date, number: int) -> date:
    """Returns the same day `number` months later, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
