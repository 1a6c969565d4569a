"""Use cases of vacation notices: all employees' remaining vacation of a year, and the notice that it lapses.

The remaining days of a year are those that the next year would carry, less the days taken there up to the day of their
lapse. A notice is its own proof and is never removed. `vacation/balances` decides which notices let days lapse.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.leave import Balance
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import VacationNotice
from stempelwerk_cloud.planning.vacation.accounts.balances import accounts_of, days_of
from stempelwerk_cloud.planning.vacation.accounts.policy import policies_of
from stempelwerk_cloud.planning.vacation_notices import words

SENT = Action("vacation_notice.sent")


@dataclass(frozen=True, slots=True)
class Left:
    """A person's vacation of a year, in half days. `days` remain; `taken_halves` is the past part of `balance.used`.

    `lapses_on`: the last day for taking them; None: they do not lapse. `notice`: the newest notice about this year.
    """

    user: User
    department: str | None
    balance: Balance
    taken_halves: int
    days: int
    lapses_on: date | None
    notice: VacationNotice | None

    @property
    def to_be_told(self) -> bool:
        """Whether some of the remaining days are in no notice yet."""
        is_told = self.notice is not None and self.notice.until == self.lapses_on and self.notice.halves >= self.days
        return self.days > 0 and self.lapses_on is not None and not is_told


def of_year(session: Session, company_id: str, year: int, today: date) -> list[Left]:
    """Returns the remaining vacation of every employee, by username."""
    people = [user for user in people_in(session, company_id) if user.role == USER]
    ids = [user.id for user in people]
    known_days = days_of(session, company_id, ids, year, year + 1)
    accounts = accounts_of(session, company_id, ids, today, known_days)
    policies = policies_of(session, company_id, ids)
    lapses_on = policies.carried_until(year + 1, max(today, date(year + 1, 1, 1)))
    statement = select(VacationNotice).where(
        VacationNotice.company_id == company_id, VacationNotice.user_id.in_(ids), VacationNotice.year == year
    )
    newest = {notice.user_id: notice for notice in session.scalars(statement.order_by(VacationNotice.id))}
    rows = []
    for user in people:
        account = accounts[user.id]
        balance, next_year = account.next_balances(year)
        used = account.person.taken_of_carried(lapses_on or date(year + 1, 12, 31))
        days = max(0, next_year.carried - next_year.lapsed - used)
        taken_halves = 0 if today.year < year else account.person.taken_until(min(today, date(year, 12, 31)))
        department = account.employment.department_on(today)
        rows.append(Left(user, department, balance, taken_halves, days, lapses_on, newest.get(user.id)))
    return rows


def send(work: UnitOfWork, company_id: str, year: int, user_ids: Collection[str] | None) -> int:
    """Sends notices of the lapsing days of the year to these people (None: to all without one); returns how many.

    404 for people who are no employees of the company. 409 if nothing lapses, if the last day has come, or if the year
    has not begun: until then the remaining days are unknown.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = today_of(session, company_id, now)
    everybody = of_year(session, company_id, year, today)
    if user_ids is not None and not set(user_ids) <= {person_left.user.id for person_left in everybody}:
        raise not_found()
    lapses_on = next((person_left.lapses_on for person_left in everybody), None)
    if lapses_on is None:
        raise words.nothing_lapses()
    if lapses_on <= today:
        raise words.too_late()
    if year > today.year:
        raise words.too_early()
    recipients = [
        person_left
        for person_left in everybody
        if (person_left.to_be_told if user_ids is None else person_left.user.id in user_ids and person_left.days)
    ]
    for person_left in recipients:
        _notify(work, company_id, year, lapses_on, person_left, today)
    return len(recipients)


def messages_read(work: UnitOfWork, company_id: str, message_ids: Collection[str], user_id: str) -> None:
    """Records that a person has read the messages with these notices."""
    statement = select(VacationNotice).where(
        VacationNotice.company_id == company_id,
        VacationNotice.message_id.in_(sorted(set(message_ids))),
        VacationNotice.user_id == user_id,
        VacationNotice.read_at.is_(None),
    )
    notices: Sequence[VacationNotice] = work.session.scalars(statement).all()
    for notice in notices:
        notice.read_at = work.now()


def _notify(work: UnitOfWork, company_id: str, year: int, lapses_on: date, person_left: Left, today: date) -> None:
    body = words.notice(person_left.days, year, lapses_on)
    payload = {"year": year, "until": lapses_on.isoformat()}
    ids = messages.send(work, company_id, [person_left.user.id], "vacation_notice", words.TITLE, body, payload)
    notice = VacationNotice(
        company_id=company_id,
        id=work.new_id(),
        user_id=person_left.user.id,
        year=year,
        halves=person_left.days,
        until=lapses_on,
        sent_on=today,
        sent_at=work.now(),
        sent_by=work.actor_id,
        message_id=ids[person_left.user.id],
    )
    work.session.add(notice)
    work.session.flush()
    days = f"{number_of(person_left.days):g}".replace(".", ",")
    work.audit(company_id, SENT, person_left.user.id, new_values={**payload, "days": days})
