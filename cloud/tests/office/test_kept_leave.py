"""Stored leave carries: lists that start from them equal those of all facts, and read no row of earlier years."""

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.domain.account import Kept
from stempelwerk_cloud.domain.calendar import days, month_of
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.office.time_account import all_people
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.office.time_account.cache import balance_cache, cache_refresh
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.planning.days import reading
from stempelwerk_cloud.planning.facts.tables import (
    Absence,
    BalanceCache,
    Booking,
    FreeDay,
    VacationNotice,
    VacationRequest,
)
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.accounts import balances, carrying
from stempelwerk_cloud.planning.vacation.accounts.balances import days_of
from stempelwerk_cloud.planning.vacation_notices import service as notices

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.office.people import (
    ALWAYS,
    booked,
    deciding,
    employ,
    emptied,
    on_leave,
    set_company,
    set_weekly,
    worked,
)
from cloud.tests.room import given
from cloud.tests.stamping import EVENING, Site
from cloud.tests.waiting import until_waiting
from cloud.tests.world import Firm

FIRST, LAST = 2022, 2029
WRITTEN = (
    "corrections voids entries vacation_requests vacation_notices absences bookings free_days person_values"
    " company_settings kept_balances"
)
DAYS = [date(2023, 2, 6), date(2024, 3, 25), date(2024, 12, 23), date(2025, 3, 3), date(2025, 12, 29), date(2026, 2, 9)]
TURNS = [datetime(2027, 1, 4, 9, tzinfo=UTC), datetime(2027, 4, 5, 9, tzinfo=UTC), datetime(2028, 4, 5, 9, tzinfo=UTC)]


def today_of(firm: Firm, session: Session) -> date:
    return companies.today_of(session, firm.id, firm.world.platform.clock.now())


def own_account(firm: Firm, session: Session, first: date, last: date) -> object:
    """Returns Anna's own account of these months, with the vacation of their year."""
    accounts = time_account.of_months(session, firm.id, firm.anna.id, first, last, today_of(firm, session))
    return accounts.months, accounts.vacation


def lists(firm: Firm, session: Session) -> list[object]:
    """Returns the lists of all employees and Anna's own account, for each year and one month of it."""
    today, now = today_of(firm, session), firm.world.platform.clock.now()
    people = [firm.anna.id, firm.ben.id]
    results: list[object] = []
    for year in range(FIRST, LAST + 1):
        notice_rows = notices.of_year(session, firm.id, year, today)
        month = month_of(date(year, 4, 1))
        results += [
            vacation.year_of(session, firm.id, people, year, today),
            [
                (notice.user.id, notice.balance, notice.taken_halves, notice.days, notice.lapses_on, notice.to_be_told)
                for notice in notice_rows
            ],
            all_people.of_month(session, firm.id, *month, today, now),
            own_account(firm, session, *month),
            own_account(firm, session, date(year, 1, 1), date(year, 12, 31)),
        ]
    return results


def of_all_facts(firm: Firm, session: Session) -> dict[int, object]:
    """Returns Anna's balances by year, computed from all facts."""
    today = today_of(firm, session)
    known_days = balances.all_days_of(session, firm.id, [firm.anna.id], LAST)
    account = balances.accounts_of(session, firm.id, [firm.anna.id], today, known_days)[firm.anna.id]
    return {year: account.balance(year) for year in range(FIRST, LAST + 1)}


def assert_kept_are_those_of_all_facts(firm: Firm) -> None:
    with firm.world.platform.database.write(SYSTEM) as session:
        kept_lists = lists(firm, session)
        facts = of_all_facts(firm, session)
        of_years = {
            year: vacation.year_of(session, firm.id, [firm.anna.id], year, today_of(firm, session))[firm.anna.id]
            for year in facts
        }
        assert of_years == {year: vacation.in_days(balance) for year, balance in facts.items()}
        session.execute(delete(BalanceCache))
        assert kept_lists == lists(firm, session)
        session.rollback()


def leave_starts(firm: Firm) -> dict[int, int]:
    """Returns the half days with which each kept year of Anna's leave begins."""
    of_anna = select(BalanceCache.first, BalanceCache.leave_halves).where(BalanceCache.user_id == firm.anna.id)
    january = of_anna.order_by(BalanceCache.first)
    with firm.world.platform.database.read(SYSTEM) as session:
        return {first.year - 1: halves for first, halves in session.execute(january) if halves is not None}


def absent(firm: Firm, day: date, length: int, **values: object) -> None:
    row = {"status": "excused", "report_id": firm.world.platform.ids.new()} | values
    for absent_day in days(day, day + timedelta(days=length - 1)):
        with deciding(firm.world) as work:
            query = select(Absence).where(Absence.user_id == firm.anna.id, Absence.date == absent_day)
            for absence in work.session.scalars(query):
                work.session.delete(absence)
        given(firm.anna, Absence, date=absent_day, **row)


def send_notice(firm: Firm, day: date, halves: int = 12, sent: tuple[int, int] = (10, 1)) -> None:
    """Stores a notice that leave lapses in the year of the day."""
    sent_on = date(day.year - 1, *sent)
    values = {"until": date(day.year, 3, 31), "sent_on": sent_on, "year": day.year - 1, "halves": halves}
    given(firm.anna, VacationNotice, message_id=firm.world.platform.ids.new(), **values)


def freed(firm: Firm, day: date) -> None:
    with deciding(firm.world) as work:
        work.session.merge(FreeDay(company_id=firm.id, date=day, name="Betriebsfeier", half=day.day % 2 == 0))


def taken_back(firm: Firm, day: date) -> None:
    """Cancels the first approved leave that begins on the day or later."""
    with deciding(firm.world) as work:
        later = select(VacationRequest).where(VacationRequest.start_date >= day, VacationRequest.status == "approved")
        for request in work.session.scalars(later.order_by(VacationRequest.start_date, VacationRequest.id).limit(1)):
            request.status = "cancelled"


def moved(firm: Firm, day: date) -> None:
    """Moves the first booking to that day."""
    with deciding(firm.world) as work:
        for booking in work.session.scalars(select(Booking).order_by(Booking.date, Booking.id).limit(1)):
            booking.date = day


def text_of(day: date, extra: int = 0) -> str:
    return (day + timedelta(days=extra)).isoformat()


FACTS: dict[str, Callable[[Firm, date], object]] = {
    "leave": lambda firm, day: on_leave(firm.anna, text_of(day), text_of(day, 11)),
    "leave that is asked for": lambda firm, day: on_leave(firm.anna, text_of(day), text_of(day, 4), status="pending"),
    "leave that is taken back": taken_back,
    "illness": lambda firm, day: absent(firm, day, 60, kind="sick"),
    "a sick note": lambda firm, day: absent(firm, day, 3, kind="sick", noted_at=EVENING, status="open"),
    "parental leave": lambda firm, day: absent(firm, day, 45, kind="special", reason="Elternzeit", credited=False),
    "a notice": send_notice,
    "a notice that is late": lambda firm, day: send_notice(firm, day, 40, (12, 31)),
    "booked days": lambda firm, day: booked(firm.anna, text_of(day), None, halves=-5),
    "more booked days": lambda firm, day: booked(firm.anna, text_of(day), None, halves=7),
    "a booking that moves": moved,
    "another allowance": lambda firm, day: set_company(firm, "vacation_uniform_halves", str(40 + day.day), day),
    "another end of carrying": lambda firm, day: set_company(
        firm, "vacation_carry_until", f'"0{day.month % 9 + 1}-15"', day
    ),
    "no end of carrying": lambda firm, day: set_company(firm, "vacation_carry_until", "null", day),
    "days by workdays": lambda firm, day: set_company(firm, "vacation_scale_by_workdays", "true", day),
    "other workdays": lambda firm, day: employ(firm.anna, day, workdays=[0, 1, day.day % 5]),
    "an entry": lambda firm, day: employ(firm.anna, entry_date=text_of(day), opening_vacation_days=9),
    "no entry": lambda firm, _: employ(firm.anna, entry_date=None),
    "an exit": lambda firm, day: employ(firm.anna, exit_date=text_of(day)),
    "a begin": lambda firm, day: employ(firm.anna, account_from=text_of(day)),
    "a free day": freed,
    "a Bundesland": lambda firm, day: set_company(firm, "holiday_region", '"DE-BY"', day),
    "present rules": lambda firm, day: set_company(firm, "rules_from", f'"{day.isoformat()}"'),
    "a correction": lambda firm, day: worked(firm.anna, text_of(day), "16:00", "18:30"),
}
STEPS = st.tuples(st.sampled_from([*FACTS, *["keep"] * 8, *["a turn"] * 3]), st.sampled_from(DAYS))


def begin(site: Site) -> Firm:
    """Thirty days a year since 2022, which lapse with March of the next; nothing is kept."""
    firm = site.firm
    site.clock.set(EVENING)
    emptied(firm, WRITTEN)
    set_weekly(firm, 2400)
    set_company(firm, "vacation_uniform_halves", "60")
    set_company(firm, "vacation_carry_until", '"03-31"')
    employ(firm.anna, ALWAYS, entry_date="2022-03-01")
    return firm


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@drawn(steps=st.lists(STEPS, min_size=3, max_size=10))
def test_lists_that_go_on_from_what_is_kept_are_those_of_all_facts(site: Site, steps: list[tuple[str, date]]) -> None:
    firm, turns = begin(site), iter(TURNS)
    for name, day in steps:
        if name == "keep":
            cache_refresh.refresh(firm.world.platform)
        elif name == "a turn":
            site.clock.set(next(turns, TURNS[-1]))
        else:
            FACTS[name](firm, day)
        assert_kept_are_those_of_all_facts(firm)


@ON_SQLITE
@pytest.mark.parametrize("reason", ["illness", "Elternzeit"])
def test_what_was_kept_back_from_lapsing_before_the_years_that_are_read_lapses_in_them(site: Site, reason: str) -> None:
    """The leave of 2025 lapses by what was kept back in 2024, and that of 2026 is read from 2025 on."""
    firm = begin(site)
    send_notice(firm, date(2024, 3, 1))
    send_notice(firm, date(2025, 3, 1))
    if reason == "illness":
        absent(firm, date(2024, 1, 1), 91, kind="sick")
        absent(firm, date(2025, 1, 1), 90, kind="sick")
    else:
        absent(firm, date(2024, 1, 1), 91, kind="special", reason=reason, credited=False)
        on_leave(firm.anna, "2025-01-01", "2025-02-10")
    cache_refresh.refresh(firm.world.platform)
    with firm.world.platform.database.read(SYSTEM) as session:
        known_days = days_of(session, firm.id, [firm.anna.id], 2026, 2026)
        account = balances.accounts_of(session, firm.id, [firm.anna.id], EVENING.date(), known_days)[firm.anna.id]
        assert account.balance(2025).lapsed > 0
    assert_kept_are_those_of_all_facts(firm)


@pytest.fixture
def firm(site: Site) -> Firm:
    """Each year since 2022 has leave and illness; what they carry is kept."""
    firm = begin(site)
    for year in range(2022, 2027):
        on_leave(firm.anna, f"{year}-07-04", f"{year}-07-15")
        absent(firm, date(year, 8, 1), 3, kind="sick")
        send_notice(firm, date(year, 3, 1))
    cache_refresh.refresh(firm.world.platform)
    assert list(leave_starts(firm)) == [2022, 2023, 2024, 2025]
    return firm


@pytest.mark.parametrize(
    ("fact", "left"),
    [
        ("leave", [2022, 2023]),
        ("leave that is asked for", [2022, 2023]),
        ("leave that is taken back", [2022, 2023, 2024]),  # that of July 2025
        ("illness", [2022, 2023]),
        ("a notice", [2022, 2023]),
        ("booked days", [2022, 2023]),
        ("another allowance", [2022, 2023]),
        ("other workdays", [2022, 2023]),
        ("a free day", [2022, 2023]),
        ("a Bundesland", [2022, 2023]),
        ("an exit", []),
        ("a begin", []),
    ],
)
def test_a_late_fact_takes_along_what_leave_carries_from_its_year_on(firm: Firm, fact: str, left: list[int]) -> None:
    FACTS[fact](firm, date(2025, 3, 3) if fact == "leave that is taken back" else DAYS[2])
    assert list(leave_starts(firm)) == left
    assert_kept_are_those_of_all_facts(firm)
    cache_refresh.refresh(firm.world.platform)
    assert list(leave_starts(firm)) == ([2024, 2025] if fact == "a begin" else [2022, 2023, 2024, 2025])
    assert_kept_are_those_of_all_facts(firm)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[reading.Written]:
    """Records the rows that are read of people's days, one item for each statement."""
    reads: list[reading.Written] = []
    read_all = reading.read

    def record(*arguments: Any) -> reading.Written:
        reads.append(read_all(*arguments))
        return reads[-1]

    monkeypatch.setattr(reading, "read", record)
    return reads


@ON_BOTH
def test_lists_and_own_pages_read_no_leave_and_no_absence_of_closed_years(
    firm: Firm, site: Site, read: list[reading.Written]
) -> None:
    today = EVENING.date()
    employ(firm.ben, ALWAYS, entry_date="2022-03-01")
    employ(firm.boss, ALWAYS, entry_date="2022-03-01")
    cache_refresh.refresh(firm.world.platform)
    anna = site.somebody(firm.anna)
    with firm.world.platform.database.read(SYSTEM) as session:
        for read_list in (
            lambda: notices.of_year(session, firm.id, 2026, today),
            lambda: all_people.of_month(session, firm.id, *month_of(today), today, EVENING),
            lambda: vacation.year_of(session, firm.id, [firm.anna.id], 2026, today),
            lambda: own_account(firm, session, *month_of(today)),
            lambda: own_account(firm, session, date(2026, 1, 1), date(2026, 12, 31)),
            lambda: anna.get("/api/vacation-policy/mine").json()["remainingDays"],
        ):
            read.clear()
            read_list()
            assert sum(len(read_rows.leave) for read_rows in read) == 2
            assert {row.start.year for read_rows in read for row in read_rows.leave} == {2025, 2026}
            assert sum(len(read_rows.absences) for read_rows in read) == 6
            assert {row.date.year for read_rows in read for row in read_rows.absences} == {2025, 2026}


@ON_BOTH
def test_a_page_of_requests_reads_the_days_of_these_requests_alone(
    firm: Firm, site: Site, read: list[reading.Written]
) -> None:
    on_leave(firm.anna, "2026-08-01", "2026-08-02", status="pending")
    read.clear()
    answer = site.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=pending")
    assert len(answer.json()) == 1
    assert [row.date.isoformat() for read_rows in read for row in read_rows.absences] == ["2026-08-01", "2026-08-02"]


@ON_POSTGRESQL
def test_what_leave_carries_waits_for_facts_that_are_being_written(firm: Firm) -> None:
    platform = firm.world.platform
    booked(firm.anna, "2023-10-05", 1)
    with ThreadPoolExecutor(1) as pool, platform.database.write(SYSTEM) as session:
        locks.take(session, Lock.PLAN, firm.id)
        request_row = {"company_id": firm.id, "id": platform.ids.new(), "user_id": firm.anna.id, "created_at": EVENING}
        days_off = {"start_date": date(2023, 9, 4), "end_date": date(2023, 9, 8), "status": "approved"}
        session.add(VacationRequest(kind="vacation", **request_row, **days_off))
        session.flush()
        round_ = pool.submit(cache_refresh.refresh, platform)
        until_waiting(platform)
        session.commit()
        round_.result(60)
    assert list(leave_starts(firm)) == [2022, 2023, 2024, 2025]
    assert_kept_are_those_of_all_facts(firm)


@ON_POSTGRESQL
def test_a_late_fact_that_waits_for_what_is_being_kept_takes_it_along(firm: Firm) -> None:
    platform = firm.world.platform
    booked(firm.anna, "2023-10-05", 1)
    with ThreadPoolExecutor(1) as pool, platform.database.write(SYSTEM) as session:
        locks.take(session, Lock.PLAN, firm.id)
        round_ = pool.submit(cache_refresh.refresh, platform)
        until_waiting(platform)
        session.commit()
        round_.result(60)
    on_leave(firm.anna, "2023-09-04", "2023-09-08")
    assert list(leave_starts(firm)) == [2022]
    assert_kept_are_those_of_all_facts(firm)


READS: dict[str, Callable[[Firm, Session], object]] = {
    "a list": lambda firm, session: vacation.year_of(session, firm.id, [firm.anna.id], 2026, today_of(firm, session)),
    "her own account": lambda firm, session: own_account(firm, session, *month_of(EVENING.date())),
}


def read_in_one_transaction(firm: Firm, name: str) -> object:
    with firm.world.platform.database.read(SYSTEM) as session:
        return READS[name](firm, session)


@ON_POSTGRESQL
@pytest.mark.parametrize("name", READS)
def test_a_fact_that_comes_between_what_is_kept_and_the_days_is_in_both(
    firm: Firm, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A statement of PostgreSQL reads all rows that were committed before it began."""
    cache_refresh.refresh(firm.world.platform)
    initial = read_in_one_transaction(firm, name)
    read_starts, changed = carrying.starts_of, []

    def starts_then_a_fact(
        session: Session, company_id: str, user_ids: Collection[str], year: int
    ) -> dict[str, carrying.Start]:
        starts_read = read_starts(session, company_id, user_ids, year)
        if not changed:
            changed.append(starts_read)
            on_leave(firm.anna, "2023-09-04", "2023-09-08")
        return starts_read

    monkeypatch.setattr(carrying, "starts_of", starts_then_a_fact)
    read_again = read_in_one_transaction(firm, name)
    assert [sorted(moved) for moved in changed] == [[firm.anna.id]]
    assert read_again == read_in_one_transaction(firm, name) != initial


@ON_POSTGRESQL
def test_a_fact_that_comes_between_the_days_and_the_balance_is_in_both(
    firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_weekly(firm, 2400)
    cache_refresh.refresh(firm.world.platform)
    initial = read_in_one_transaction(firm, "her own account")
    read_balances, changed = balance_cache.of_people, []

    def a_fact_then_balances(
        session: Session, company_id: str, user_ids: Collection[str], first: date
    ) -> dict[str, Kept]:
        if not changed:
            on_leave(firm.anna, "2023-09-04", "2023-09-08")
        changed.append(read_balances(session, company_id, user_ids, first))
        return changed[-1]

    monkeypatch.setattr(balance_cache, "of_people", a_fact_then_balances)
    read_again = read_in_one_transaction(firm, "her own account")
    assert [sorted(moved) for moved in changed] == [[firm.anna.id]]
    assert read_again == read_in_one_transaction(firm, "her own account") != initial
