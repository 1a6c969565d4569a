"""A company's month as it is reported to payroll. It is read once and stored with its files, which are all made of it.

Personnel numbers and the mapping are read again for each file, because they can be completed later.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from itertools import groupby
from operator import attrgetter
from typing import Final

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import payroll
from stempelwerk_cloud.domain.account import Day, nearest
from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.calendar import month_of, shifted
from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.payroll import PAID_ILLNESS, long_illness
from stempelwerk_cloud.domain.surcharges import Surcharges
from stempelwerk_cloud.office.exports.month.months import (
    ALL_ENTRIES,
    SETTLED_ENTRIES,
    Month,
    Off,
    OffKind,
    PersonMonth,
    Term,
    Worked,
)
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.directory.companies import company_name
from stempelwerk_cloud.people.directory.people import by_name, hidden_in, names_of, usernames
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.vacation.accounts.balances import FACTS
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue
from stempelwerk_cloud.timekeeping.times.review.review import confirmed

_LOOK_BACK_DAYS: Final = PAID_ILLNESS.days + 28
"""How many days before the month are read. They reach across every gap between reports of one illness."""
SUPPLEMENTS: Final = ("night", "night40", "sunday", "holiday", "holiday150")
"""The kinds of supplements to the hours (§ 3b EStG)."""


def of_month(
    session: Session,
    company_id: str,
    first: date,
    now: datetime,
    *,
    supplements: bool = True,
    person_ids: Collection[str] | None = None,
    rule: int = SETTLED_ENTRIES,
) -> Month:
    """Reads the month as of now, including deleted people who have times in it.

    The number of statements does not depend on the number of people. `supplements`: False if the caller needs hours
    only. `person_ids`: limits the month to these people. `rule`: see `months.SETTLED_ENTRIES`.
    """
    last = month_of(first)[1]
    around = list(days.entries_around(session, company_id, first, last, now, person_ids))
    of_month_ = (entry for entry in around if first <= entry.date)
    entries_by_person = {user_id: list(group) for user_id, group in groupby(of_month_, attrgetter("user_id"))}
    names = _names(session, company_id, first, entries_by_person, person_ids)
    confirmed_flags = confirmed(session, company_id, [entry.id for entry in around if entry.flags])
    times = {entry.id: _worked(entry, confirmed_flags.get(entry.id, frozenset())) for entry in around}
    left_out = set() if rule == ALL_ENTRIES else {entry_id for entry_id, row in times.items() if not row.counts}
    nets = {
        user_id: _net(row for row in person_entries if row.id not in left_out)
        for user_id, person_entries in entries_by_person.items()
    }
    loaded_days = days.load(session, company_id, names, shifted(first, -_LOOK_BACK_DAYS), last, FACTS)
    accounts = time_account.of_month(session, company_id, first, loaded_days, nets)
    paid_beside: Mapping[str, Mapping[date, Surcharges]] = {}
    if supplements:
        paid_beside = days.surcharges_of(
            session, company_id, loaded_days, first, last, now, around, left_out, only_of_region=rule == ALL_ENTRIES
        )
    people = []
    for user_id in sorted(names, key=lambda person_id: by_name(names[person_id], person_id)):
        month, account_days = accounts[user_id]
        person, employment = loaded_days.people[user_id], loaded_days.employments[user_id]
        off = tuple(_off(person, account_days, first, last))
        credited = sum(credit.minutes for credit in month.credits)
        if rule != ALL_ENTRIES:
            off, unpaid = _as_paid(off, _pay(person, employment, nets.get(user_id, {}), first, last))
            credited -= unpaid
        worked = entries_by_person.get(user_id, [])
        idle_sick = tuple(_idle_sick(person, first, last))
        if not worked and not idle_sick and all(day_off.kind == "holiday" for day_off in off):
            continue
        people.append(
            PersonMonth(
                user_id,
                names[user_id],
                _terms(employment, first, last),
                tuple(times[entry.id] for entry in worked),
                off,
                tuple(_supplements(paid_beside.get(user_id, {}))),
                month.target,
                _overtime(person, month.actual + credited, month.target, first, last),
                _long_sick(person, first, last),
                idle_sick,
                tuple(_worked_on_leave(person, worked)),
            )
        )
    return Month(first.isoformat()[:7], company_name(session, company_id), tuple(people), rule)


def _net(of_person: Iterable[EntryValue]) -> Mapping[date, int]:
    """Returns the net minutes of a person's entries by day."""
    minutes_by_day: defaultdict[date, int] = defaultdict(int)
    for entry in of_person:
        minutes_by_day[entry.date] += (entry.raw_minutes or 0) - (entry.break_minutes or 0)
    return minutes_by_day


def _worked(entry: EntryValue, confirmed_flags: frozenset[str]) -> Worked:
    to_settle = [
        code for code, flag in (("missing_start", "missing_in"), ("missing_end", "missing_out")) if flag in entry.flags
    ]
    if entry.running:
        to_settle.append("missing_end")
    if "uncertain_time" in entry.flags and "uncertain_time" not in confirmed_flags:
        to_settle.append("uncertain_time")
    return Worked(
        entry.id,
        entry.date,
        entry.start_minute,
        entry.end_minute,
        entry.raw_minutes,
        entry.break_minutes,
        entry.source,
        entry.flags,
        entry.running,
        tuple(to_settle),
    )


def _off(person: PersonDays, account_days: Iterable[Day], first: date, last: date) -> Iterator[Off]:
    """Yields the person's days off from `first` to `last`, with the credited minutes."""
    credited = {day.date: {str(credit.kind): credit.minutes for credit in day.credits} for day in account_days}
    for date_ in sorted({*credited, *person.leave, *person.absences}):
        if not first <= date_ <= last:
            continue
        day, minutes = person.on(date_), credited.get(date_, {})
        if minutes.get("holiday"):
            yield Off(date_, "holiday", minutes["holiday"], day.holiday.halves if day.holiday else 0)
        if not person.counts(date_):
            continue
        absence = day.absence
        on_leave = 0 if absence is not None and absence.replaces else min(day.vacation("approved"), day.costs)
        if on_leave:
            yield Off(date_, "vacation", minutes.get("vacation", 0), on_leave)
        halves = day.owed_halves - on_leave
        if absence is not None and absence.status == "excused" and halves > 0:
            kind: OffKind = "sick" if absence.kind == "sick" else "special"
            yield Off(date_, kind, minutes.get("absence", 0), halves, absence.reason)


def _names(
    session: Session, company_id: str, first: date, with_entries: Collection[str], person_ids: Collection[str] | None
) -> dict[str, str]:
    """Returns the usernames of the month's people by id, including deleted people with times or days off in it."""
    names = usernames(session, company_id, datetime.combine(first, time(), UTC))
    names |= names_of(session, company_id, set(with_entries) - names.keys() - hidden_in(session, company_id))
    return names if person_ids is None else {user_id: name for user_id, name in names.items() if user_id in person_ids}


def _overtime(person: PersonDays, minutes: int, target: int, first: date, last: date) -> int:
    """Returns the minutes beyond the month's target. A target of 0 counts only if the contract rested on days of the
    month.
    """
    rested = (first <= day <= last and absence.unpaid for day, absence in person.absences.items())
    has_target = target > 0 or (person.terms.ever_due and any(rested))
    return max(0, minutes - target) if has_target else 0


def _pay(
    person: PersonDays, employment: Employment, net: Mapping[date, int], first: date, last: date
) -> dict[tuple[OffKind, date], int]:
    """Returns the minutes that holidays and vacation pay, by kind and day; for hourly people less the time worked.

    Each kind is rounded once for the month, as in the time account, so that its days sum up to the month.
    """
    pay: dict[tuple[OffKind, date], int] = {}
    sums: dict[OffKind, int] = {"holiday": 0, "vacation": 0}
    days_off = (day for day in days_between(first, last) if day in person.leave or person.holiday_on(day) is not None)
    for date_ in filter(person.counts, days_off):
        day, worked = person.on(date_), net.get(date_, 0)
        halves = day.holiday.halves if day.holiday else 0
        replaced = day.absence is not None and day.absence.replaces
        leave = 0 if replaced else min(day.vacation("approved"), 2 - halves)
        holiday, vacation = day.target * halves // 2, day.target * leave // 2
        if employment.pay_type_on(date_) == "hourly":
            if day.holiday is not None and day.holiday.legal:
                holiday = payroll.holiday_pay(day.target, halves, worked)
            vacation = payroll.vacation_pay(day.target, leave, holiday, worked)
        amounts: tuple[tuple[OffKind, int], ...] = (("holiday", holiday), ("vacation", vacation))
        for kind, amount in amounts:
            pay[kind, date_] = nearest(sums[kind] + amount) - nearest(sums[kind])
            sums[kind] += amount
    return pay


def _as_paid(off: Sequence[Off], pay: Mapping[tuple[OffKind, date], int]) -> tuple[tuple[Off, ...], int]:
    """Returns the days off with the minutes that are paid, and the sum of credited holiday minutes that are not
    paid.
    """
    paid = [msgspec.structs.replace(day, minutes=pay.get((day.kind, day.date), day.minutes)) for day in off]
    unpaid = sum(
        day.minutes - paid_day.minutes for day, paid_day in zip(off, paid, strict=True) if day.kind == "holiday"
    )
    return tuple(day for day in paid if day.minutes or day.kind != "holiday"), unpaid


def _supplements(by_day: Mapping[date, Surcharges]) -> Iterator[tuple[date, str, int]]:
    for day, surcharges in sorted(by_day.items()):
        for kind in (*SUPPLEMENTS, "act_night"):
            minutes: int = getattr(surcharges, kind)
            if minutes:
                yield day, kind, minutes


def _terms(employment: Employment, first: date, last: date) -> tuple[Term, ...]:
    change_days = {start for start, _ in (*employment.departments, *employment.pay_types) if first < start <= last}
    return tuple(
        Term(day, employment.department_on(day), employment.pay_type_on(day)) for day in sorted({first} | change_days)
    )


def _long_sick(person: PersonDays, first: date, last: date) -> date | None:
    sick = [day for day, absence in person.absences.items() if absence.kind == "sick"]
    return long_illness(sick, lambda day: person.costs(day) > 0, first, last)


def _idle_sick(person: PersonDays, first: date, last: date) -> Iterator[date]:
    """Yields the days of an excused illness without owed work, from `first` to `last`."""
    for day, absence in sorted(person.absences.items()):
        is_excused = absence.kind == "sick" and absence.status == "excused" and first <= day <= last
        if is_excused and person.costs(day) == 0 and person.employed_on(day) and person.counts(day):
            yield day


def _worked_on_leave(person: PersonDays, worked: Iterable[EntryValue]) -> Iterator[date]:
    """Yields the days of illness or approved leave that have entries."""
    for day, minutes in sorted(_net(worked).items()):
        if person.on(day).worked_on_leave(minutes):
            yield day
