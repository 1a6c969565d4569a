"""A month's accounts of everybody in a company, by so many statements whatever the number of people."""

from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.entries.flags import in_order
from stempelwerk_cloud.office.account import gathering
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.entries import service as entries


class PersonsMonth(NamedTuple):
    """A person's month in minutes; `vacation_remaining` is the year's, in days."""

    user_id: str
    username: str
    target_minutes: int
    actual_minutes: int
    credit_minutes: int
    balance_minutes: int
    balance_to_date_minutes: int
    vacation_remaining: float
    flags: tuple[str, ...]


def of_month(
    session: Session, company_id: str, first: date, last: date, today: date, now: datetime
) -> list[PersonsMonth]:
    """By username: all employees, and those administrators who have times of their own."""
    people = {user.id: user for user in directory.staff_in(session, company_id)}
    known = vacation.days_of(session, company_id, people, first.year, first.year)
    facts = gathering.of_people(session, company_id, people, last, everybody=True, read=known)
    left = vacation.year_of(session, company_id, people, first.year, today, known)
    flags = entries.flags_between(session, company_id, first, last, now)
    # What was worked before an account begins within the month is none of its facts.
    worked = {user_id: own.actual for user_id, own in facts.items() if own.counts(first)}
    for user_id, _ in days.worked_on_leave_between(session, company_id, known.days, first, last, worked):
        flags.setdefault(user_id, set()).add("worked_on_leave")
    rows = []
    for user_id, user in people.items():
        own = facts[user_id]
        if user.role != USER and own.first_entry is None and own.kept is None:
            continue
        (month,) = account.months(own, first, first, today)
        credited = sum(credit.minutes for credit in month.credits)
        figures = (month.target, month.actual, credited, month.balance, month.balance_to_date)
        rows.append(
            PersonsMonth(user_id, user.username, *figures, left[user_id].remaining, in_order(flags.get(user_id, ())))
        )
    return rows


def figures(session: Session, company_id: str, today: date) -> dict[tuple[str, date], tuple[int, ...]]:
    """By person and first day of the month, from the account's begin to this month."""
    people = [user.id for user in directory.people_in(session, company_id)]
    facts = gathering.of_people(session, company_id, people, today, everybody=True, from_ever=True)
    return {
        (user_id, month.first): (month.target, month.actual, month.balance)
        for user_id, own in facts.items()
        for month in account.months(own, own.begins or today, today, today)
    }
