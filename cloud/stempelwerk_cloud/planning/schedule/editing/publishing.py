"""Publishing of the roster: decides when people are notified of changes.

Duties are visible at once. Changes are announced when they are published, in one message for each person. Changes of
today or tomorrow are announced at once, or on the morning of the day before, because publishing might come too late.
`told_duties` stores the duties that were last announced to each person. A change is a difference to it, so a change
that was undone meanwhile does not count. Every writer holds the lock of the company's plan.
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
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import feature_keys, open_companies, today_of, zone_of
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.planning.schedule import queries, words
from stempelwerk_cloud.planning.schedule.tables import PublishedDuty

ASSIGNED = Action("schedule.assigned")
REMOVED = Action("schedule.removed")
CHANGED = Action("schedule.changed")
PUBLISHED = Action("schedule.published")
ENDED = Action("schedule.ended")


Kind = Literal["added", "removed", "times"]
MODULE = "schedule"
AWAKE = range(8, 20)
"""The local hours for announcements of near duties that no current change causes."""

log = structlog.get_logger(__name__)


class Change(NamedTuple):
    """A day of a person whose duty differs from the announced one; None: no duty."""

    user_id: str
    date: date
    published_duty: Planned | None
    current_duty: Planned | None

    @property
    def kind(self) -> Kind:
        return "added" if self.published_duty is None else "removed" if self.current_duty is None else "times"


def changes(
    session: Session, company_id: str, first: date, last: date, user_ids: Iterable[str] | None = None
) -> list[Change]:
    """Returns the unannounced changes of these people (None: all) from `first` to `last`, by day and person."""
    person_ids = None if user_ids is None else sorted(set(user_ids))
    current, published = (
        {
            (row.date, row.user_id): Planned(row.date, row.start_minute, row.end_minute)
            for row in find(session, company_id, first, last, person_ids)
        }
        for find in (queries.duties_between, queries.published_between)
    )
    days = sorted(current.keys() | published.keys())
    compared = [Change(key[1], key[0], published.get(key), current.get(key)) for key in days]
    return [change for change in compared if change.published_duty != change.current_duty]


def publish(work: UnitOfWork, company_id: str, first: date, last: date, message: str | None) -> int:
    """Notifies all people of their unannounced changes from `first` (today at the earliest) to `last`; returns their
    number.
    """
    work.plan(company_id)
    today = today_of(work.session, company_id, work.now())
    notified_ids = notify(work, company_id, max(first, today), last, message=message)
    audit_values = {"startDate": first.isoformat(), "endDate": last.isoformat(), "told": len(notified_ids)}
    work.audit(company_id, PUBLISHED, new_values=audit_values)
    requests.refresh_pages(work, company_id, notified_ids)
    return len(notified_ids)


def notify_urgent(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Notifies these people of unannounced changes of today and tomorrow."""
    today = today_of(work.session, company_id, work.now())
    notify(work, company_id, today, today + DAY, user_ids)


def notify_near(platform: Platform) -> None:
    """Announces the unpublished duties of today and tomorrow in every company, including those planned long before."""
    with platform.database.read(SYSTEM) as session:
        company_ids = [company.id for company in open_companies(session) if not company.is_operator]
    for company_id in company_ids:
        try:
            _notify_near(platform, company_id)
        except Exception as error:
            log.error("job_failed", job="tell_near_duties", company_id=company_id, exc_info=error)


def _notify_near(platform: Platform, company_id: str) -> None:
    now = platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        local_now = local(now, zone_of(session, company_id, now))
        if local_now.hour not in AWAKE or MODULE not in feature_keys(session, company_id):
            return
        if not changes(session, company_id, local_now.date(), local_now.date() + DAY):
            return
    with unit_of_work(platform, of_company(company_id)) as work:
        work.plan(company_id)
        requests.refresh_pages(work, company_id, notify(work, company_id, local_now.date(), local_now.date() + DAY))


def notify(
    work: UnitOfWork,
    company_id: str,
    first: date,
    last: date,
    user_ids: Collection[str] | None = None,
    message: str | None = None,
) -> Collection[str]:
    """Notifies these people (None: all), if they are employees, of unannounced changes from `first` to `last`.

    Returns the ids of those it notified.
    """
    pending_changes = changes(work.session, company_id, first, last, user_ids)
    record_published(work.session, company_id, pending_changes)
    employees = {user.id for user in people_in(work.session, company_id) if user.role == USER}
    theirs: dict[str, list[Change]] = {}
    for change in pending_changes:
        if change.user_id in employees:
            theirs.setdefault(change.user_id, []).append(change)
    days = {user_id: [change.date.isoformat() for change in own_changes] for user_id, own_changes in theirs.items()}
    body_by_user = {
        user_id: words.changes([change[1:] for change in own_changes], message)
        for user_id, own_changes in theirs.items()
    }
    messages.send_or_extend(work, company_id, days, "schedule", words.CHANGED, words.LOOK, "dates", body_by_user)
    return days.keys()


def mark_published(session: Session, company_id: str, first: date, user_ids: Iterable[str]) -> None:
    """Marks these people's duties from `first` on as announced, so that their later removal counts as a change."""
    unpublished = changes(session, company_id, first, date.max, user_ids)
    record_published(session, company_id, [change for change in unpublished if change.current_duty is not None])


def record_published(session: Session, company_id: str, known_changes: Sequence[Change]) -> None:
    """Records these changes as announced to their people."""
    if not known_changes:
        return
    days, people = [change.date for change in known_changes], {change.user_id for change in known_changes}
    rows = queries.published_between(session, company_id, min(days), max(days), people)
    rows_by_key = {(row.user_id, row.date): row for row in rows}
    for change in known_changes:
        row = rows_by_key.get((change.user_id, change.date))
        if change.current_duty is None:
            session.delete(row)
        elif row is None:
            session.add(PublishedDuty(company_id=company_id, user_id=change.user_id, **change.current_duty._asdict()))
        else:
            row.start_minute, row.end_minute = change.current_duty.start_minute, change.current_duty.end_minute
    session.flush()
