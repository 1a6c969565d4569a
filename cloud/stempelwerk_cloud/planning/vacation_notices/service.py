"""Use cases of notices: what everybody has left of a year's vacation, and telling them that it lapses.

What is left of a year is what the next one would carry, less what is taken there by the day on which it lapses. A
notice is the proof of itself and stays; which of them let days lapse, says `vacation/balances`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.leave import Balance
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import VacationNotice
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation_notices import actions, problems, texts


@dataclass(frozen=True, slots=True)
class Left:
    """A person's vacation of a year, in half days: `days` is left of it, `taken` what is over of `balance.used`.

    `until`: when that lapses; None: never. `notice`: the newest about this year.
    """

    user: User
    department: str | None
    balance: Balance
    taken: int
    days: int
    until: date | None
    notice: VacationNotice | None

    @property
    def to_be_told(self) -> bool:
        """Whether some of it stands in no notice yet."""
        told = self.notice is not None and self.notice.until == self.until and self.notice.halves >= self.days
        return self.days > 0 and self.until is not None and not told


def of_year(session: Session, company_id: str, year: int, today: date) -> list[Left]:
    """What every employee has left, by username."""
    people = [user for user in directory.people_in(session, company_id) if user.role == USER]
    ids = [user.id for user in people]
    known = vacation.days_of(session, company_id, ids, year, year + 1)
    accounts = vacation.accounts_of(session, company_id, ids, year + 1, today, known)
    policies = vacation.policies_of(session, company_id, ids)
    until = policies.carried_until(year + 1, max(today, date(year + 1, 1, 1)))
    told = select(VacationNotice).where(
        VacationNotice.company_id == company_id, VacationNotice.user_id.in_(ids), VacationNotice.year == year
    )
    newest = {one.user_id: one for one in session.scalars(told.order_by(VacationNotice.id))}
    found = []
    for user in people:
        account = accounts[user.id]
        balance, next_year = account.next_balances(year)
        used = account.person.taken_of_carried(until or date(year + 1, 12, 31))
        days = max(0, next_year.carried - next_year.lapsed - used)
        taken = 0 if today.year < year else account.person.taken_until(min(today, date(year, 12, 31)))
        department = account.employment.department_on(today)
        found.append(Left(user, department, balance, taken, days, until, newest.get(user.id)))
    return found


def send(work: Work, company_id: str, year: int, user_ids: Collection[str] | None) -> int:
    """Tells these people (None: all of whom it was not told yet) what of the year lapses and when; how many.

    404 for people who are no employees of the company, 409 where nothing lapses, the day has come, or the year has not:
    until then nobody knows what will be left of it.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = directory.today_of(session, company_id, now)
    everybody = of_year(session, company_id, year, today)
    if user_ids is not None and not set(user_ids) <= {one.user.id for one in everybody}:
        raise not_found()
    until = next((one.until for one in everybody), None)
    if until is None:
        raise problems.nothing_lapses()
    if until <= today:
        raise problems.too_late()
    if year > today.year:
        raise problems.too_early()
    asked = [one for one in everybody if (one.to_be_told if user_ids is None else one.user.id in user_ids and one.days)]
    for one in asked:
        _tell(work, company_id, year, until, one, today)
    return len(asked)


def messages_read(work: Work, company_id: str, message_ids: Collection[str], user_id: str) -> None:
    """Whoever has read the message has read the notice."""
    found = select(VacationNotice).where(
        VacationNotice.company_id == company_id,
        VacationNotice.message_id.in_(sorted(set(message_ids))),
        VacationNotice.user_id == user_id,
        VacationNotice.read_at.is_(None),
    )
    notices: Sequence[VacationNotice] = work.session.scalars(found).all()
    for notice in notices:
        notice.read_at = work.now()


def _tell(work: Work, company_id: str, year: int, until: date, left: Left, today: date) -> None:
    body = texts.notice(left.days, year, until)
    said = {"year": year, "until": until.isoformat()}
    ids = messages.send(work, company_id, [left.user.id], "vacation_notice", texts.TITLE, body, said)
    notice = VacationNotice(
        company_id=company_id,
        id=work.new_id(),
        user_id=left.user.id,
        year=year,
        halves=left.days,
        until=until,
        sent_on=today,
        sent_at=work.now(),
        sent_by=work.by,
        message_id=ids[left.user.id],
    )
    work.session.add(notice)
    work.session.flush()
    days = f"{number_of(left.days):g}".replace(".", ",")
    work.audit(company_id, actions.SENT, left.user.id, after={**said, "days": days})
