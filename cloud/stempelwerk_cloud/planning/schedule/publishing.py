"""Publishing: who is told which changes of the roster, and when.

Duties are visible at once; of what changes people are told when it is published, each in one message. What concerns
today or tomorrow they are told at once, or on the morning of the day before, for publishing might come too late. What
somebody was last told stands in `told_duties`; a change is what differs from it, so one that was undone meanwhile is
none. Whoever writes has the company's plan.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Literal, NamedTuple

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, local
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work, working
from stempelwerk_cloud.planning.schedule import actions, repository, texts
from stempelwerk_cloud.planning.schedule.tables import ToldDuty

Kind = Literal["added", "removed", "times"]
MODULE = "schedule"
AWAKE = range(8, 20)
"""The local hours in which people are told of what nobody has just changed."""

log = structlog.get_logger(__name__)


class Change(NamedTuple):
    """A person's day that is not as they were told: `before` what they know, `after` what stands; None: no duty."""

    user_id: str
    date: date
    before: Planned | None
    after: Planned | None

    @property
    def kind(self) -> Kind:
        return "added" if self.before is None else "removed" if self.after is None else "times"


def changes(
    session: Session, company_id: str, first: date, last: date, user_ids: Iterable[str] | None = None
) -> list[Change]:
    """What these people (None: all) have not been told of these days, by day and person."""
    asked = None if user_ids is None else sorted(set(user_ids))
    there, told = (
        {
            (row.date, row.user_id): Planned(row.date, row.start_minute, row.end_minute)
            for row in find(session, company_id, first, last, asked)
        }
        for find in (repository.between, repository.told_between)
    )
    days = sorted(there.keys() | told.keys())
    found = [Change(key[1], key[0], told.get(key), there.get(key)) for key in days]
    return [one for one in found if one.before != one.after]


def publish(work: Work, company_id: str, first: date, last: date, message: str | None) -> int:
    """Tells everybody what has changed for them on these days, as far as they are not over; how many were told."""
    work.plan(company_id)
    today = directory.today_of(work.session, company_id, work.now())
    told = tell(work, company_id, max(first, today), last, message=message)
    said = {"startDate": first.isoformat(), "endDate": last.isoformat(), "told": len(told)}
    work.audit(company_id, actions.PUBLISHED, after=said)
    requests.refresh_pages(work, company_id, told)
    return len(told)


def tell_urgent(work: Work, company_id: str, user_ids: Collection[str]) -> None:
    """Tells these people what concerns today and tomorrow."""
    today = directory.today_of(work.session, company_id, work.now())
    tell(work, company_id, today, today + DAY, user_ids)


def tell_near(platform: Platform) -> None:
    """Tells of today and tomorrow what was planned long before and never published, in every company."""
    with platform.database.read(SYSTEM) as session:
        company_ids = [company.id for company in directory.open_companies(session) if not company.is_operator]
    for company_id in company_ids:
        try:
            _tell_near(platform, company_id)
        except Exception as error:
            log.error("job_failed", job="tell_near_duties", company_id=company_id, exc_info=error)


def _tell_near(platform: Platform, company_id: str) -> None:
    now = platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        here = local(now, directory.zone_of(session, company_id, now))
        if here.hour not in AWAKE or MODULE not in directory.feature_keys(session, company_id):
            return
        if not changes(session, company_id, here.date(), here.date() + DAY):
            return
    with working(platform, of_company(company_id)) as work:
        work.plan(company_id)
        requests.refresh_pages(work, company_id, tell(work, company_id, here.date(), here.date() + DAY))


def tell(
    work: Work,
    company_id: str,
    first: date,
    last: date,
    user_ids: Collection[str] | None = None,
    message: str | None = None,
) -> Collection[str]:
    """Tells these people (None: all) what they do not know yet of these days, but who is no employee; whom it told."""
    found = changes(work.session, company_id, first, last, user_ids)
    note(work.session, company_id, found)
    employees = {user.id for user in directory.people_in(work.session, company_id) if user.role == USER}
    theirs: dict[str, list[Change]] = {}
    for one in found:
        if one.user_id in employees:
            theirs.setdefault(one.user_id, []).append(one)
    days = {user_id: [one.date.isoformat() for one in own] for user_id, own in theirs.items()}
    more = {user_id: texts.changes([one[1:] for one in own], message) for user_id, own in theirs.items()}
    messages.send_or_extend(work, company_id, days, "schedule", texts.CHANGED, texts.LOOK, "dates", more)
    return days.keys()


def know(session: Session, company_id: str, first: date, user_ids: Iterable[str]) -> None:
    """Takes these people's duties from this day on for told, since they are visible at once: when they end, that is."""
    there = changes(session, company_id, first, date.max, user_ids)
    note(session, company_id, [one for one in there if one.after is not None])


def note(session: Session, company_id: str, found: Sequence[Change]) -> None:
    """Keeps that whoever these changes concern knows of them."""
    if not found:
        return
    days, people = [one.date for one in found], {one.user_id for one in found}
    rows = repository.told_between(session, company_id, min(days), max(days), people)
    known = {(row.user_id, row.date): row for row in rows}
    for one in found:
        row = known.get((one.user_id, one.date))
        if one.after is None:
            session.delete(row)
        elif row is None:
            session.add(ToldDuty(company_id=company_id, user_id=one.user_id, **one.after._asdict()))
        else:
            row.start_minute, row.end_minute = one.after.start_minute, one.after.end_minute
    session.flush()
