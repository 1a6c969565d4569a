"""The interface of the roster for other rooms: queries, the transfer of a duty, and the live topics of the plan.

There is a topic of each person, and one of the whole company, for duties, leave, absences and hand-overs.
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.roster import Planned, ZoneOn, has_begun
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.people.directory.companies import setting_changes, zones
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import Duty
from stempelwerk_cloud.planning.schedule import queries
from stempelwerk_cloud.planning.schedule.editing import publishing
from stempelwerk_cloud.planning.schedule.editing.availability import Plan

MODULES = {"schedule", "absences"}
"""An administrator whose company has one of these modules sees the company's plan."""


def topics_of(hearer: Subscriber, modules: Collection[str]) -> list[str]:
    """Returns the caller's topics: their own plan, and for an administrator of a company with one of `MODULES` all
    plans.
    """
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(modules):
        heard.append(f"plan:{hearer.company_id}")
    return heard


__all__ = ["DutyValue", "available", "begun", "duties", "move", "why_not", "zone_on"]


class DutyValue(NamedTuple):
    """A duty on a local day; its times are local minutes since midnight. An end at or before the start is on the next
    day.

    A duty without a start has no end. `changed_at`: when its present holder got it.
    """

    id: str
    user_id: str
    date: date
    start_minute: int | None
    end_minute: int | None
    changed_at: datetime


def duties(
    session: Session, company_id: str, first: date, last: date, user_ids: Iterable[str] | None = None
) -> list[DutyValue]:
    """Returns the duties from `first` to `last`, both included, of these people (None: of all), by day."""
    duty_rows = queries.duties_between(session, company_id, first, last, user_ids)
    return [
        DutyValue(duty.id, duty.user_id, duty.date, duty.start_minute, duty.end_minute, duty.changed_at)
        for duty in duty_rows
    ]


def begun(session: Session, company_id: str, given_duties: Collection[DutyValue], now: datetime) -> set[str]:
    """Returns the ids of those of these duties that have begun. A duty without a time begins at the end of its day."""
    if not given_duties:
        return set()
    zone = zone_on(session, company_id)
    return {
        duty.id
        for duty in given_duties
        if has_begun(Planned(duty.date, duty.start_minute, duty.end_minute), zone(duty.date), now)
    }


def zone_on(session: Session, company_id: str) -> ZoneOn:
    """Returns a function that gives the company's time zone on a local day."""
    return zones(setting_changes(session, company_id))


def why_not(
    session: Session,
    company_id: str,
    user_id: str,
    day: date,
    start_minute: int | None,
    end_minute: int | None,
    *,
    moving: str | None,
) -> Problem | None:
    """Returns the reason why a person cannot take a duty: role, entry or exit, another duty that day, approved leave or
    wish.

    None: they can. `moving`: the duty that would be handed over; then a locked account, illness and too short a rest
    prevent it as well. A caller that acts on the answer holds the lock of the company's plan (`Lock.PLAN`).
    """
    plan = Plan(session, company_id, [user_id], [day])
    return plan.why_not(user_id, Planned(day, start_minute, end_minute), handed_over=moving is not None)


def available(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    day: date,
    start_minute: int | None,
    end_minute: int | None,
) -> set[str]:
    """Returns the ids of those of these people who could take over a duty (`why_not`)."""
    plan, duty = Plan(session, company_id, user_ids, [day]), Planned(day, start_minute, end_minute)
    return {user_id for user_id in user_ids if plan.why_not(user_id, duty, handed_over=True) is None}


def move(work: UnitOfWork, company_id: str, duty_id: str, to_user_id: str) -> None:
    """Assigns a duty to another person and marks the change as announced.

    The caller holds the lock of the company's plan and has checked `why_not`. 404 for an unknown duty.
    """
    duty = work.session.get(Duty, (company_id, duty_id))
    if duty is None:
        raise not_found()
    previous_user, duty.user_id, duty.changed_at = duty.user_id, to_user_id, work.now()
    work.session.flush()
    # Both people of a hand-over know of it.
    unpublished = publishing.changes(work.session, company_id, duty.date, duty.date, [previous_user, to_user_id])
    publishing.record_published(work.session, company_id, unpublished)
    requests.refresh_pages(work, company_id, [previous_user, to_user_id])
