"""Use cases of the roster: duties are assigned and removed, one by one or many at once.

All of them make a draft of the changes, which is checked as a whole before anything is written. `publishing` decides
when people are notified.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from stempelwerk_cloud.domain import roster
from stempelwerk_cloud.domain.calendar import long_ago
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import DUTIES_ENDED
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.kit.http.schemas import canonical_id, format_minute
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import find_person
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import Duty
from stempelwerk_cloud.planning.schedule import queries, words
from stempelwerk_cloud.planning.schedule.editing import publishing
from stempelwerk_cloud.planning.schedule.editing.availability import Found, Plan, in_order
from stempelwerk_cloud.planning.schedule.queries import Listed


class Wanted(NamedTuple):
    """A requested duty, with its times in local minutes since midnight. `user_id` may be missing or unknown."""

    date: date
    user_id: str | None
    start: int | None
    end: int | None


@dataclass(slots=True)
class Draft:
    """The result of checking changes: duties to add and to remove, and the new warnings of the plan.

    `refused` has the problem of each impossible item, by its place in the request (`add.3`).
    """

    added: list[Duty] = field(default_factory=list)
    removed: list[Duty] = field(default_factory=list)
    refused: list[tuple[str, Problem]] = field(default_factory=list)
    warnings: list[Found] = field(default_factory=list)


def assign(work: UnitOfWork, company_id: str, duty_request: Wanted) -> tuple[Listed, list[Found]]:
    """Assigns a duty. Returns its row, and the new warnings of the person's plan.

    - 422 without a person, for a person who is no employee, on a day before their entry or after their exit, for
      impossible times, or too far ahead.
    - 404 for an unknown person.
    - 409 if they have a duty or approved leave on that day.
    """
    draft = _drafted(work, company_id, [duty_request], [])
    for _, problem in draft.refused:
        raise problem
    (duty,) = draft.added
    _carry_out(work, company_id, draft)
    work.audit(company_id, publishing.ASSIGNED, duty.id, new_values=_audit_values(duty))
    today = today_of(work.session, company_id, work.now())
    (row,) = queries.list_duties(work.session, company_id, duty.date, duty.date, today, duty.user_id)
    return row, draft.warnings


def remove(work: UnitOfWork, company_id: str, duty_id: str) -> None:
    """Removes a duty. 404 for an unknown one."""
    draft = _drafted(work, company_id, [], [duty_id])
    for _, problem in draft.refused:
        raise problem
    (duty,) = draft.removed
    _carry_out(work, company_id, draft)
    work.audit(company_id, publishing.REMOVED, duty.id, old_values=_audit_values(duty))


def change(work: UnitOfWork, company_id: str, add: Sequence[Wanted], remove: Sequence[str]) -> Draft:
    """Removes duties and then adds others: all of them, or nothing. An item is refused for the same reasons as in
    `assign` and `remove`.
    """
    if len(add) + len(remove) > words.ITEMS_LIMIT:
        raise words.too_many_items()
    draft = _drafted(work, company_id, add, remove)
    if draft.refused:
        raise words.refused_items(draft.refused)
    _carry_out(work, company_id, draft)
    if draft.added or draft.removed:
        done = {"added": len(draft.added), "removed": len(draft.removed)}
        work.audit(company_id, publishing.CHANGED, new_values=done)
    return draft


def people_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Removes the duties, from today on, of people who are no longer employees of the company."""
    users = {user_id: find_person(work.session, company_id, user_id) for user_id in user_ids}
    former_ids = [user_id for user_id, user in users.items() if user is None or user.role != USER]
    if not former_ids:
        return
    locks.take(work.session, Lock.PLAN, company_id)
    today = today_of(work.session, company_id, work.now())
    behind = queries.duties_between(work.session, company_id, today, date.max, former_ids)
    if behind:
        _end(work, company_id, behind)


def exit_set(
    work: UnitOfWork, company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], *, end: bool
) -> None:
    """Adds the duties after a person's exit to `found`; removes them if `end` is set.

    The person is notified of each removed duty, even if it was never announced.
    """
    locks.take(work.session, Lock.PLAN, company_id)
    behind = queries.duties_between(work.session, company_id, last_day + DAY, date.max, [user_id])
    found += [("duty", duty.id, duty.date) for duty in behind]
    if end and behind:
        publishing.mark_published(work.session, company_id, last_day + DAY, [user_id])
        _end(work, company_id, behind)


def _end(work: UnitOfWork, company_id: str, duties: list[Duty]) -> None:
    _carry_out(work, company_id, Draft(removed=duties))
    days_of = _days_of(duties)
    today = today_of(work.session, company_id, work.now())
    first = min(duty.date for duty in duties)  # the plan before that day stays unpublished
    publishing.notify(work, company_id, max(first, today), date.max, days_of.keys())
    for user_id, days in days_of.items():
        work.audit(company_id, publishing.ENDED, user_id, old_values={"dates": days})


def _drafted(work: UnitOfWork, company_id: str, add: Sequence[Wanted], remove: Sequence[str]) -> Draft:
    """Locks the company's plan and returns the checked draft of the changes."""
    work.plan(company_id)
    draft = Draft()
    existing = queries.by_ids(work.session, company_id, filter(None, map(_id_of, remove)))
    for place, duty_id in enumerate(remove):
        if _id_of(duty_id) not in existing:
            draft.refused.append((f"remove.{place}", not_found()))
    draft.removed = list(existing.values())
    if add:
        _draft_added(work, company_id, draft, add)
    return draft


def _draft_added(work: UnitOfWork, company_id: str, draft: Draft, add: Sequence[Wanted]) -> None:
    people = [_id_of(duty_request.user_id) for duty_request in add]
    concerned = {user_id for user_id in people if user_id is not None}
    now = work.now()
    today = today_of(work.session, company_id, now)
    # A day that will be refused must not load a plan of thousands of years.
    days = [today if _too_far(duty_request.date, today) else duty_request.date for duty_request in add]
    plan = Plan(work.session, company_id, concerned, days)
    for duty in draft.removed:
        plan.take_out(duty.user_id, duty.date)
    warnings_before = plan.warnings(concerned)
    for place, (duty_request, user_id) in enumerate(zip(add, people, strict=True)):
        planned = Planned(duty_request.date, duty_request.start, duty_request.end)
        refusal = _malformed(duty_request, today) or (
            not_found() if user_id is None else plan.why_not(user_id, planned)
        )
        if refusal is not None or user_id is None:
            draft.refused.append((f"add.{place}", refusal or not_found()))
            continue
        duty = Duty(
            company_id=company_id,
            id=work.new_id(),
            user_id=user_id,
            date=duty_request.date,
            start_minute=duty_request.start,
            end_minute=duty_request.end,
            created_at=now,
            created_by=work.actor_id,
            changed_at=now,
        )
        plan.put(user_id, planned)
        draft.added.append(duty)
    draft.warnings = in_order(plan.warnings(concerned) - warnings_before)


def _malformed(duty_request: Wanted, today: date) -> Problem | None:
    if not (duty_request.user_id or "").strip():
        return words.nobody_named()
    if roster.times_fit(duty_request.start, duty_request.end):
        return _too_far(duty_request.date, today)
    return words.start_missing() if duty_request.start is None else words.no_duration()


def _too_far(day: date, today: date) -> Problem | None:
    last_year = today.year + words.YEARS_AHEAD
    if day.year > last_year:
        return words.too_far_ahead(last_year)
    return words.too_long_ago() if long_ago(day, today) else None


def _carry_out(work: UnitOfWork, company_id: str, draft: Draft) -> None:
    session = work.session
    for duty in draft.removed:
        session.delete(duty)
    session.flush()  # first, because a person whose duty is removed may get another one on the same day
    session.add_all(draft.added)
    session.flush()
    if draft.removed:
        work.emit(DUTIES_ENDED, company_id=company_id, duty_ids=[duty.id for duty in draft.removed])
    concerned = {duty.user_id for duty in (*draft.removed, *draft.added)}
    if concerned:
        publishing.notify_urgent(work, company_id, concerned)
        requests.refresh_pages(work, company_id, concerned)


def _days_of(duties: Collection[Duty]) -> dict[str, list[str]]:
    """Returns the days (ISO) of these duties by person, sorted."""
    days_by_user: dict[str, set[str]] = defaultdict(set)
    for duty in duties:
        days_by_user[duty.user_id].add(duty.date.isoformat())
    return {user_id: sorted(days) for user_id, days in days_by_user.items()}


def _audit_values(duty: Duty) -> dict[str, Any]:
    """Returns the values of a duty for the audit log."""
    times = {"start": duty.start_minute, "end": duty.end_minute}
    known_times = {name: format_minute(minute) for name, minute in times.items() if minute is not None}
    return {"userId": duty.user_id, "date": duty.date.isoformat()} | known_times


def _id_of(raw_id: str | None) -> str | None:
    """Returns the id in its canonical spelling; None for a text that cannot be an id."""
    try:
        return None if raw_id is None else canonical_id(raw_id)
    except Problem:
        return None
