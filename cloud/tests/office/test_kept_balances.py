"""Stored balances of ended months equal those computed from the facts, in whatever order facts are written."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select, update
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.office.time_account import service
from stempelwerk_cloud.office.time_account.cache import cache_refresh
from stempelwerk_cloud.planning.facts.tables import BalanceCache, Booking, FreeDay

from cloud.tests.correcting import stamped
from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.office.people import away, booked, deciding, employ, emptied, on_leave, set_company, set_weekly, worked
from cloud.tests.stamping import EVENING, Site
from cloud.tests.waiting import until_waiting
from cloud.tests.world import Firm, Somebody

TODAY = EVENING.date()
DAYS = [date(2025, 12, 30), date(2026, 1, 2), date(2026, 9, 14), date(2026, 10, 30), date(2026, 11, 2)]
WRITTEN = (
    "corrections voids entries vacation_requests absences bookings free_days person_values company_settings"
    " kept_balances"
)


def kept_balances(firm: Firm, person: Somebody | None = None) -> dict[str, int | None]:
    """Returns the stored balances of a person's account (Anna's), by the first day of the month."""
    user_id = (person or firm.anna).id
    with firm.world.platform.database.read(SYSTEM) as session:
        query = select(BalanceCache.first, BalanceCache.minutes).where(BalanceCache.user_id == user_id)
        return {first.isoformat(): minutes for first, minutes in session.execute(query.order_by(BalanceCache.first))}


def accounts(firm: Firm) -> object:
    """Reads all balances as of now."""
    platform, people = firm.world.platform, [firm.anna.id, firm.ben.id]
    with platform.database.read(SYSTEM) as session:
        years = [
            service.of_months(session, firm.id, person, date(year, 1, 1), date(year, 12, 31), TODAY).months
            for person in people
            for year in (2025, 2026)
        ]
        now = service.of_months(session, firm.id, firm.anna.id, TODAY.replace(day=1), TODAY, TODAY).months
        return years, now, service.balances_to_date(session, firm.id, people, platform.clock.now().date())


def made_anew(firm: Firm) -> object:
    """Reads the same without stored balances; the stored ones are restored."""
    with deciding(firm.world) as work:
        rows = [dict(row) for row in work.session.execute(select(*BalanceCache.__table__.columns)).mappings()]
        work.session.execute(delete(BalanceCache))
    recomputed = accounts(firm)
    with deciding(firm.world) as work:
        if rows:
            work.session.execute(insert(BalanceCache), rows)
    return recomputed


def freed(firm: Firm, day: date) -> None:
    with deciding(firm.world) as work:
        work.session.merge(FreeDay(company_id=firm.id, date=day, name="Betriebsfeier", half=day.day == 2))


FACTS: dict[str, Callable[[Firm, date], object]] = {
    "a correction": lambda firm, day: worked(firm.anna, day.isoformat(), "16:00", "18:30"),
    "a booking": lambda firm, day: booked(firm.anna, day.isoformat(), 45),
    "leave": lambda firm, day: on_leave(firm.anna, day.isoformat(), day.isoformat(), start_half=day.day == 2),
    "an excused absence": lambda firm, day: away(firm.anna, day.isoformat()),
    "another target": lambda firm, day: set_weekly(firm, 1200 + day.day * 30, day),
    "other workdays": lambda firm, day: employ(firm.anna, day, workdays=[0, 1, 2]),
    "an entry": lambda firm, day: employ(firm.anna, entry_date=day.isoformat(), opening_balance_minutes=77),
    "an exit": lambda firm, day: employ(firm.anna, exit_date=day.isoformat()),
    "a begin": lambda firm, day: employ(firm.anna, account_from=day.isoformat()),
    "a free day": freed,
    "a Bundesland": lambda firm, day: set_company(firm, "holiday_region", '"DE-BY"', day),
}
AT_ALL_TIMES = ("an entry", "an exit", "a begin")
"""A fact about all days at once."""
STEPS = st.tuples(st.sampled_from([*FACTS, *["keep"] * 4]), st.sampled_from(DAYS))


@ON_BOTH
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=9, unique=True))
def test_what_is_kept_is_what_the_facts_make_in_whichever_order_they_come(
    site: Site, steps: list[tuple[str, date]]
) -> None:
    firm = site.firm
    emptied(firm, WRITTEN)
    set_weekly(firm, 2400)
    for name, day in steps:
        if name == "keep":
            cache_refresh.refresh(firm.world.platform)
            assert (TODAY.replace(day=1).isoformat()) in kept_balances(firm)
        else:
            FACTS[name](firm, day)
        assert accounts(firm) == made_anew(firm), (name, day)


@pytest.fixture
def firm(site: Site) -> Firm:
    """Anna's account has begun a year ago; what it carries is kept."""
    employ(site.firm.anna, entry_date="2025-11-01")
    set_weekly(site.firm, 2400)
    cache_refresh.refresh(site.world.platform)
    assert list(kept_balances(site.firm)) == ["2026-01-01", "2026-10-01", "2026-11-01"]
    return site.firm


@ON_SQLITE
@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_takes_along_what_is_kept_for_later_months_and_nothing_else(firm: Firm, fact: str) -> None:
    FACTS[fact](firm, date(2026, 11, 2))
    existing = ["2026-01-01", "2026-10-01", "2026-11-01"]
    assert list(kept_balances(firm)) == ([] if fact in AT_ALL_TIMES else existing)
    cache_refresh.refresh(firm.world.platform)
    FACTS[fact](firm, date(2026, 3, 9))
    assert list(kept_balances(firm)) == ([] if fact in AT_ALL_TIMES else existing[:1])


def test_stamps_that_come_late_take_along_what_is_kept_and_todays_do_not(firm: Firm, site: Site) -> None:
    stamped(site, "2026-11-20 07:00", "2026-11-20 12:00")
    site.clock.set(datetime(2026, 12, 1, 6, tzinfo=UTC))
    cache_refresh.refresh(firm.world.platform)
    initial = accounts(firm)
    stamped(site, "2026-12-01 06:30")
    assert list(kept_balances(firm)) == ["2026-01-01", "2026-10-01", "2026-11-01", "2026-12-01"]
    stamped(site, "2026-11-24 07:00", "2026-11-24 15:00")
    assert list(kept_balances(firm)) == ["2026-01-01", "2026-10-01", "2026-11-01"]
    assert accounts(firm) == made_anew(firm) != initial


@ON_SQLITE
def test_an_account_that_has_not_begun_begins_with_its_first_entry(site: Site) -> None:
    firm = site.firm
    set_weekly(firm, 2400)
    cache_refresh.refresh(firm.world.platform)
    assert kept_balances(firm) == {"2026-11-01": None}
    site.clock.set(datetime(2026, 12, 1, 6, tzinfo=UTC))
    worked(firm.anna, "2026-12-01", "06:00", "06:30")
    cache_refresh.refresh(firm.world.platform)
    assert kept_balances(firm) == {"2026-11-01": None, "2026-12-01": None}
    assert accounts(firm) == made_anew(firm)


@ON_SQLITE
@pytest.mark.parametrize("forgotten", [False, True])
def test_a_fact_that_moves_counts_for_where_it_was_and_where_it_comes_to(firm: Firm, forgotten: bool) -> None:
    """Also one whose row was not read again before it was changed: then it may have been anywhere."""

    def change(**values: object) -> None:
        with deciding(firm.world) as work:
            (booking,) = work.session.scalars(select(Booking))
            if forgotten:
                work.session.expire(booking)
            for name, value in values.items():
                setattr(booking, name, value)
        assert list(kept_balances(firm)) == ["2026-01-01", "2026-10-01"] or (forgotten and kept_balances(firm) == {})
        assert accounts(firm) == made_anew(firm)
        cache_refresh.refresh(firm.world.platform)

    booked(firm.anna, "2026-11-03", 1)
    change(date=date(2026, 10, 30))
    change(minutes=600)
    change(date=date(2026, 11, 4))


@ON_SQLITE
def test_nobody_changes_facts_past_their_objects(firm: Firm) -> None:
    with deciding(firm.world) as work, pytest.raises(RuntimeError, match="Booking"):
        work.session.execute(update(Booking).values(minutes=0))


@ON_POSTGRESQL
def test_what_is_being_kept_waits_for_facts_that_are_being_written(firm: Firm) -> None:
    platform = firm.world.platform
    booked(firm.anna, "2026-10-05", 1)
    with ThreadPoolExecutor(1) as pool, platform.database.write(SYSTEM) as session:
        locks.take(session, Lock.PLAN, firm.id)
        session.add(
            Booking(
                company_id=firm.id,
                id=platform.ids.new(),
                user_id=firm.anna.id,
                date=date(2026, 10, 6),
                minutes=600,
                reason="spät",
                made_at=platform.clock.now(),
            )
        )
        session.flush()
        round_ = pool.submit(cache_refresh.refresh, platform)
        until_waiting(platform)
        session.commit()
        round_.result(60)
    assert accounts(firm) == made_anew(firm)
    assert "2026-11-01" in kept_balances(firm)
