"""Remaining vacation: carried, used, given back and booked, and the view of other rooms."""

from datetime import UTC, date, datetime

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.ledger.tables import PersonNumber, TimeEntry
from structlog.contextvars import bound_contextvars

from cloud.tests.planning.leaving import (
    MINE,
    allow,
    approved,
    balance,
    book,
    employ,
    falls_ill,
    keep_holidays,
    vacation_of,
    was_employed,
)
from cloud.tests.world import Firm, World


def test_sick_days_with_a_note_inside_approved_vacation_return(firm: Firm) -> None:
    allow(firm)
    approved(firm, firm.anna, "2026-11-02", "2026-11-06", endHalf=True)
    falls_ill(firm.anna, date(2026, 11, 5), date(2026, 11, 8))
    assert (vacation_of(firm.anna)["used"], vacation_of(firm.anna)["remainingDays"]) == (3, 27)
    falls_ill(firm.anna, date(2026, 11, 2), date(2026, 11, 2), noted=False)
    falls_ill(firm.anna, date(2026, 11, 3), date(2026, 11, 3), status="declined")
    falls_ill(firm.anna, date(2026, 11, 9), date(2026, 11, 9))
    falls_ill(firm.ben, date(2026, 11, 4), date(2026, 11, 4))
    assert vacation_of(firm.anna)["used"] == 3
    falls_ill(firm.anna, date(2026, 11, 4), date(2026, 11, 4), status="excused")
    assert vacation_of(firm.anna)["used"] == 2
    row = firm.anna.get(MINE).json()[0]
    assert (row["days"], row["returned"]) == (4.5, 2.5)


def test_last_years_rest_is_carried_from_the_entry_year_on_with_the_opening_days(firm: Firm) -> None:
    allow(firm)
    employ(firm.anna, entryDate="2024-07-01", openingVacationDays=3.5)
    approved(firm, firm.anna, "2024-08-05", "2024-08-09")
    approved(firm, firm.anna, "2025-12-29", "2026-01-02")
    book(firm.anna, "2025-03-01", 1.5)
    book(firm.anna, "2026-03-01", -0.5)
    book(firm.anna, "2027-01-01", 10)
    assert balance(firm.anna, 2023) == (0, 0, 0, 0, 0, 0, 0)
    assert balance(firm.anna, 2024) == (15, 3.5, 5, 0, 13.5, 0, 0)
    assert balance(firm.anna, 2025) == (30, 13.5, 3, 0, 42, 1.5, 0)
    assert balance(firm.anna, 2026) == (30, 42, 2, 0, 69.5, -0.5, 0)
    assert balance(firm.anna, 2027).carried == 69.5
    assert (
        vacation_of(firm.anna)["carried"],
        vacation_of(firm.anna)["booked"],
        vacation_of(firm.anna)["remainingDays"],
    ) == (42, -0.5, 69.5)


def test_without_an_entry_date_carrying_begins_with_the_first_time_entry(firm: Firm, platform: Platform) -> None:
    allow(firm, 20)
    employ(firm.anna, openingVacationDays=2)
    approved(firm, firm.anna, "2025-08-04", "2025-08-08")
    assert balance(firm.anna, 2026) == (20, 2, 0, 0, 22, 0, 0)
    with platform.database.write(SYSTEM) as session:
        number = session.query(PersonNumber.no).filter_by(company_id=firm.id, user_id=firm.anna.id).scalar()
        for first in (date(2026, 2, 2), date(2025, 9, 1)):
            session.add(
                TimeEntry(
                    company_id=firm.id,
                    person_no=number,
                    date=first,
                    id=platform.ids.new(),
                    start_at=datetime(first.year, first.month, first.day, 8, tzinfo=UTC),
                    end_at=datetime(first.year, first.month, first.day, 16, tzinfo=UTC),
                    start_minute=480,
                    end_minute=960,
                    raw_minutes=480,
                    break_minutes=30,
                    flags=0,
                    is_correction=False,
                )
            )
    assert balance(firm.anna, 2025) == (20, 2, 5, 0, 17, 0, 0)
    assert balance(firm.anna, 2026) == (20, 17, 0, 0, 37, 0, 0)
    assert balance(firm.ben, 2027) == (20, 20, 0, 0, 40, 0, 0)
    assert balance(firm.ben, 2026) == (20, 0, 0, 0, 20, 0, 0)


def test_a_changed_workweek_and_holidays_change_what_vacation_costs(firm: Firm) -> None:
    allow(firm)
    employ(firm.anna, workdays=[0, 1, 2])
    employ(firm.anna, workdays=[4], validFrom="2026-12-28")
    approved(firm, firm.anna, "2026-12-21", "2027-01-03")
    assert (balance(firm.anna, 2026).used, balance(firm.anna, 2027).used) == (3, 1)
    keep_holidays(firm)
    assert (balance(firm.anna, 2026).used, balance(firm.anna, 2027).used) == (3, 0)


def test_vacation_after_a_later_exit_costs_nothing(firm: Firm) -> None:
    allow(firm)
    request_id = approved(firm, firm.anna, "2026-12-28", "2027-01-08")
    was_employed(firm.anna, exit_date="2026-12-30")
    assert next(row["days"] for row in firm.anna.get(MINE).json() if row["id"] == request_id) == 3
    assert balance(firm.anna, 2026).used == 3


def test_many_balances_are_those_of_each_by_as_many_statements(firm: Firm, world: World, asked: list[str]) -> None:
    allow(firm)
    employ(firm.ben, entryDate="2025-05-01")
    approved(firm, firm.anna, "2026-11-02", "2026-11-06")
    approved(firm, firm.ben, "2026-11-03", "2026-11-06")
    people = [firm.anna.id, firm.ben.id, *(world.user(firm.id, f"person {number}").id for number in range(20))]
    today = date(2026, 11, 20)
    with world.platform.database.read(SYSTEM) as session, bound_contextvars(request_id="direct"):
        statement_counts: list[int] = []
        for some in (people[:2], people):
            asked.clear()
            vacation.year_of(session, firm.id, some, 2026, today)
            statement_counts.append(len(asked))
        assert statement_counts[1] <= statement_counts[0] <= 10  # the first of a transaction begins it
        many = vacation.year_of(session, firm.id, people, 2026, today)
        assert many == {user_id: vacation.balance_of(session, firm.id, user_id, 2026, today) for user_id in people}
    assert (many[firm.anna.id].used, many[firm.ben.id].used, many[firm.ben.id].carried) == (5, 4, 20)
