"""Month accounts of all people of a company. The number of statements does not depend on the number of people."""

from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.entries.flags import in_order
from stempelwerk_cloud.office.time_account import gathering
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.people import people_in, staff_in
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.accounts.balances import days_of
from stempelwerk_cloud.timekeeping.times.reading.worked import flags_between


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
    """Returns all employees, and the administrators who have times of their own, sorted by username."""
    people = {user.id: user for user in staff_in(session, company_id)}
    known_days = days_of(session, company_id, people, first.year, first.year)
    facts = gathering.of_people(session, company_id, people, last, everybody=True, read=known_days)
    balances = vacation.year_of(session, company_id, people, first.year, today, known_days)
    flags = flags_between(session, company_id, first, last, now)
    # Work before an account's begin within the month is not among its facts.
    worked = {user_id: person_facts.actual for user_id, person_facts in facts.items() if person_facts.counts(first)}
    for user_id, _ in days.worked_on_leave_between(session, company_id, known_days.days, first, last, worked):
        flags.setdefault(user_id, set()).add("worked_on_leave")
    rows = []
    for user_id, user in people.items():
        person_facts = facts[user_id]
        if user.role != USER and person_facts.first_entry is None and person_facts.kept is None:
            continue
        (month,) = account.months(person_facts, first, first, today)
        credited = sum(credit.minutes for credit in month.credits)
        figures = (month.target, month.actual, credited, month.balance, month.balance_to_date)
        rows.append(
            PersonsMonth(
                user_id, user.username, *figures, balances[user_id].remaining, in_order(flags.get(user_id, ()))
            )
        )
    return rows


def figures(session: Session, company_id: str, today: date) -> dict[tuple[str, date], tuple[int, ...]]:
    """Returns target, actual and balance by person and first day of the month, from the account's begin until today."""
    people = [user.id for user in people_in(session, company_id)]
    facts = gathering.of_people(session, company_id, people, today, everybody=True, from_ever=True)
    return {
        (user_id, month.first): (month.target, month.actual, month.balance)
        for user_id, person_facts in facts.items()
        for month in account.months(person_facts, person_facts.begins or today, today, today)
    }
