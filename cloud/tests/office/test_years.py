"""Times of a year go when the years that the company keeps them have passed; nothing that rests on them changes."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text
from stempelwerk_cloud.domain.retention import retained_through
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.office.records import years
from stempelwerk_cloud.office.time_account import service
from stempelwerk_cloud.office.time_account.cache import cache_refresh
from stempelwerk_cloud.planning.facts.tables import Absence, BalanceCache, VacationRequest
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.ledger.tables import Resolution, Stamp, TimeEntry, VoidRow
from stempelwerk_cloud.timekeeping.tx import MEMORY

from cloud.tests.correcting import at, stamped
from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.office.people import away, booked, deciding, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.room import given as there_is
from cloud.tests.room import logged
from cloud.tests.stamping import ANNA, BEN, NOBODY, Site, enrolled
from cloud.tests.world import Firm, Somebody

NEW_YEAR = datetime(2027, 1, 1, 6, tzinfo=UTC)
"""Times of 2024 are kept until the day before."""
TABLES = (
    "corrections voids entries vacation_requests absences bookings free_days person_values company_settings"
    " kept_balances purged_times"
)


def _figures(firm: Firm, today: date, *, first_year: int = 2025) -> Any:
    """Reads all of Anna's accounts and vacation in the years whose times are kept."""
    with firm.world.platform.database.read(SYSTEM) as session:
        accounts = [
            service.of_months(session, firm.id, firm.anna.id, date(year, 1, 1), date(year, 12, 31), today)
            for year in range(first_year, today.year + 1)
        ]
        to_date = service.balances_to_date(session, firm.id, [firm.anna.id], today)
        vacation_rows = vacation.year_of(session, firm.id, [firm.anna.id], today.year, today)
        return [(year_accounts.months, year_accounts.vacation) for year_accounts in accounts], to_date, vacation_rows


def _dates(firm: Firm) -> list[date]:
    with firm.world.platform.database.read(SYSTEM) as session:
        return sorted(session.scalars(select(TimeEntry.date).where(TimeEntry.company_id == firm.id)))


@pytest.fixture
def firm(site: Site) -> Firm:
    """Anna has worked since March 2024."""
    firm = site.firm
    firm.boss, firm.anna = site.somebody(firm.boss), site.somebody(firm.anna)
    set_weekly(firm, 2400)
    for day in ("2024-03-04", "2024-12-30", "2025-01-02", "2026-05-05"):
        worked(firm.anna, day, "08:00", "17:00")
    return firm


def _log_in_at(site: Site, person: Somebody, instant: datetime) -> None:
    site.clock.set(instant)
    site.somebody(person)


def test_nothing_goes_before_its_day_and_all_that_is_over_goes_on_it(firm: Firm, site: Site) -> None:
    assert retained_through([date(2024, 3, 4)], 2) == date(2026, 12, 31)
    site.clock.set(datetime(2026, 12, 31, 22, 59, tzinfo=UTC))
    years.go_round(site.world.platform)
    assert len(_dates(firm)) == 4
    site.clock.set(datetime(2026, 12, 31, 23, 1, tzinfo=UTC))
    years.go_round(site.world.platform)
    assert _dates(firm) == [date(2025, 1, 2), date(2026, 5, 5)]
    assert logged(firm.world, firm.id, "records.purged") == ["records.purged"]
    years.go_round(site.world.platform)
    assert logged(firm.world, firm.id, "records.purged") == ["records.purged"]


@ON_SQLITE
def test_a_company_may_keep_them_longer(firm: Firm, site: Site) -> None:
    set_company(firm, "times_years", "4")
    site.clock.set(NEW_YEAR)
    years.go_round(site.world.platform)
    assert len(_dates(firm)) == 4


FACTS = {
    "work": lambda firm, day: worked(firm.anna, day.isoformat(), "07:00", "16:30"),
    "a booking": lambda firm, day: booked(firm.anna, day.isoformat(), 45),
    "leave": lambda firm, day: on_leave(firm.anna, day.isoformat(), day.isoformat()),
    "an absence": lambda firm, day: away(firm.anna, day.isoformat()),
    "another target": lambda firm, day: set_weekly(firm, 1200 + day.day * 30, day),
    "a Bundesland": lambda firm, day: set_company(firm, "holiday_region", '"DE-BY"', day),
}
DAYS = [date(2024, 3, 5), date(2024, 12, 31), date(2025, 1, 1), date(2025, 7, 1), date(2026, 10, 6)]
STEPS = st.lists(st.tuples(st.sampled_from([*FACTS]), st.sampled_from(DAYS)), min_size=1, max_size=6, unique=True)


@ON_SQLITE
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, entry=st.sampled_from([None, "2024-02-01", "2019-01-01"]), keeps=st.booleans())
def test_later_accounts_and_vacation_stay_what_they_were(
    site: Site, steps: list[tuple[str, date]], entry: str | None, keeps: bool
) -> None:
    firm, today = site.firm, NEW_YEAR.date()
    site.clock.set(NEW_YEAR)
    with deciding(firm.world) as work:
        for table in TABLES.split():
            work.session.execute(text(f"DELETE FROM {table}"))
        work.session.execute(text("UPDATE person_numbers SET first_day = NULL"))
        work.session.execute(text("UPDATE derivation_revisions SET revision = revision + 1"))
    MEMORY.pop(firm.world.platform)
    set_weekly(firm, 2400)
    worked(firm.anna, "2024-03-04", "08:00", "17:00")
    if entry is not None:
        employ(firm.anna, entry_date=entry, opening_balance_minutes=77)
    for name, day in steps:
        FACTS[name](firm, day)
    if keeps:
        cache_refresh.refresh(firm.world.platform)
    initial = _figures(firm, today)
    years.go_round(firm.world.platform)
    assert all(day >= date(2024, 12, 31) for day in _dates(firm))  # which may hang together with the first of January
    assert _figures(firm, today) == initial
    cache_refresh.refresh(firm.world.platform)
    assert _figures(firm, today) == initial
    worked(firm.anna, "2026-11-03", "08:00", "18:00")
    # rows that are not final are deleted by the write, and stored again from the rest
    with deciding(firm.world) as work:
        balance_rows = work.session.scalars(
            select(BalanceCache.first).where(BalanceCache.user_id == firm.anna.id, BalanceCache.is_final)
        )
        assert list(balance_rows) == [date(2025, 1, 1)]


def test_what_is_said_afterwards_of_days_that_have_gone_changes_no_balance(firm: Firm, site: Site) -> None:
    _log_in_at(site, firm.boss, NEW_YEAR)
    years.go_round(site.world.platform)
    initial = _figures(firm, NEW_YEAR.date())
    set_weekly(firm, 600, date(2024, 6, 1))
    set_weekly(firm, 2400, date(2025, 1, 1))
    booked(firm.anna, "2024-07-01", 600)
    assert _figures(firm, NEW_YEAR.date()) == initial
    (month,) = [
        month
        for month in firm.boss.get(f"/api/users/{firm.anna.id}/account?year=2024").json()["months"]
        if month["month"] == "2024-03"
    ]
    assert (month["targetMinutes"], month["actualMinutes"], month["balanceMinutes"]) == (0, 0, 0)


LAST_GONE, FIRST_KEPT = "2024-12-31", "2025-01-01"
GONE = "Zeiten vor dem 1. Januar 2025 sind nach Ablauf ihrer Frist gelöscht. Hier lässt sich nichts mehr ändern."


def _calls(firm: Firm, day: str) -> dict[str, tuple[Somebody, str, str, dict[str, Any]]]:
    """Decisions about a day: caller, method, path and body."""
    boss, anna, vacation_requests = firm.boss, firm.anna, "/api/vacation-requests"
    leave = {"kind": "vacation", "startDate": day, "endDate": day}
    correction = {"date": day, "newStart": "08:00", "newEnd": "12:00"}
    closure = {"startDate": day, "endDate": day, "name": "Brückentag"}
    theirs = {"userId": anna.id}
    pending = there_is(anna, VacationRequest, kind="vacation", status="pending", start_date=day, end_date=day)
    approved_request = there_is(anna, VacationRequest, kind="vacation", status="approved", start_date=day, end_date=day)
    missing, ill = (
        there_is(person, Absence, date=day, kind=kind, status=status, report_id=firm.world.platform.ids.new())
        for person, kind, status in ((anna, "missing", "open"), (firm.ben, "sick", "excused"))
    )
    moved = {"startDate": "2026-10-05", "endDate": "2026-10-05", "comment": "Verschoben"}
    comment = {"comment": "War ein Irrtum"}
    return {
        "a request for a correction": (anna, "POST", "/api/time-corrections", correction),
        "a correction": (boss, "POST", "/api/time-corrections", correction | theirs),
        "a request for leave": (anna, "POST", vacation_requests, leave),
        "leave": (boss, "POST", vacation_requests, leave | theirs | {"overAllowance": True}),
        "leave's preview": (
            anna,
            "GET",
            f"{vacation_requests}/preview?kind=vacation&startDate={day}&endDate={day}",
            {},
        ),
        "leave's approval": (boss, "POST", f"{vacation_requests}/{pending}/approve", {"overAllowance": True}),
        "leave moved away": (boss, "PUT", f"{vacation_requests}/{approved_request}", moved | {"overAllowance": True}),
        "leave cancelled": (
            boss,
            "POST",
            f"{vacation_requests}/{approved_request}/cancel",
            comment | {"passedDays": True},
        ),
        "company holidays": (boss, "POST", f"/api/companies/{firm.id}/closures", closure),
        "a day excused": (boss, "POST", f"/api/absences/{missing}/excuse", {}),
        "a day cancelled": (boss, "POST", f"/api/absences/{ill}/cancel", comment),
        "a day opened again": (boss, "POST", f"/api/absences/{ill}/reopen", comment),
        "a booking": (
            boss,
            "POST",
            f"/api/users/{anna.id}/bookings",
            {"date": day, "minutes": 30, "reason": "Ausgleich"},
        ),
    }


def test_nothing_is_decided_any_more_about_days_whose_times_have_gone(firm: Firm, site: Site) -> None:
    _log_in_at(site, firm.boss, NEW_YEAR)
    _log_in_at(site, firm.anna, NEW_YEAR)
    years.go_round(site.world.platform)
    calls, initial = _calls(firm, LAST_GONE), _figures(firm, NEW_YEAR.date())
    for name, (person, method, path, body) in calls.items():
        answer = person.request(method, path, json=body)
        assert (answer.status_code, answer.json().get("code"), answer.json().get("message")) == (
            409,
            "times_gone",
            GONE,
        ), name
    assert _figures(firm, NEW_YEAR.date()) == initial
    # A report of illness for a day this long ago is rejected in any case.
    ill = {"startDate": LAST_GONE, "endDate": LAST_GONE}
    assert firm.anna.post("/api/absences", json=ill).status_code == 422
    for name, (person, method, path, body) in _calls(firm, FIRST_KEPT).items():
        assert person.request(method, path, json=body).json().get("code") != "times_gone", name


def test_what_stands_of_days_that_have_gone_is_neither_deleted_nor_corrected(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    night, *_ = stamped(site, "2024-12-31 22:00", "2025-01-01 06:00")  # goes a year later, but is in what was carried
    _log_in_at(site, firm.boss, NEW_YEAR)
    _log_in_at(site, firm.anna, NEW_YEAR)
    years.go_round(site.world.platform)
    correction = {"date": FIRST_KEPT, "newStart": "00:00", "newEnd": "08:00", "entryId": night}
    initial, dates_before = _figures(firm, NEW_YEAR.date()), _dates(firm)
    for answer in (
        firm.anna.delete(f"/api/work-times/{night}"),
        firm.boss.delete(f"/api/work-times/{night}"),
        firm.anna.post("/api/time-corrections", json=correction),
        firm.boss.post("/api/time-corrections", json=correction | {"userId": firm.anna.id}),
    ):
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (409, "times_gone", GONE)
    assert (_figures(firm, NEW_YEAR.date()), _dates(firm)) == (initial, dates_before)


def test_a_held_stamp_is_never_booked_on_days_that_have_gone_but_discarded(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    _log_in_at(site, firm.boss, NEW_YEAR)
    years.go_round(site.world.platform)
    twice = [site.device.tap(ANNA, at(time)) for time in ("2024-12-31 23:59", "2025-01-01 00:00")]
    site.device.deliver(*twice)  # long after
    site.device.deliver(*(tap | {"direction": "in"} for tap in twice))
    unknown, _ = stamped(site, "2024-12-31 12:00", "2025-01-01 12:00", tag=NOBODY)
    path, initial = f"/api/companies/{firm.id}/held-stamps", _figures(firm, NEW_YEAR.date())
    old, young = (tap["id"] for tap in twice)
    book = {"action": "book"}
    for answer in (
        firm.boss.post(f"{path}/{old}/resolve", json=book),
        firm.boss.post(f"{path}/{young}/resolve", json=book | {"takenAt": "2024-12-31T22:59:59.000Z"}),
        firm.boss.post(
            f"{path}/assign", json={"tag": NOBODY, "userId": firm.ben.id, "from": "2024-12-31T10:00:00.000Z"}
        ),
        firm.boss.put(
            f"/api/users/{firm.ben.id}",
            json={
                "username": firm.ben.username,
                "tagId": NOBODY,
                "role": "user",
                "tagFrom": "2024-12-31T10:00:00.000Z",
            },
        ),
    ):
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (409, "times_gone", GONE)
    assert len(site.held()) == 4
    assert _figures(firm, NEW_YEAR.date()) == initial
    assert firm.boss.post(f"{path}/{old}/resolve", json={"action": "discard"}).is_success
    assert firm.boss.post(f"{path}/{young}/resolve", json=book).is_success
    later = {"tag": NOBODY, "userId": firm.ben.id, "from": "2024-12-31T23:00:00.000Z"}
    assert firm.boss.post(f"{path}/assign", json=later).json() == {"booked": 1}
    assert [row["id"] for row in site.held()] == [unknown]


def test_free_days_of_years_that_have_gone_stay_as_they_are(firm: Firm, site: Site) -> None:
    _log_in_at(site, firm.boss, NEW_YEAR)
    years.go_round(site.world.platform)
    path = f"/api/companies/{firm.id}/free-days"
    for query in ("", "?dryRun=true"):
        answer = firm.boss.put(path + query, json={"year": 2024, "days": [{"date": "2024-05-10", "name": "Brücke"}]})
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (409, "times_gone", GONE)
    assert firm.boss.get(f"{path}?year=2024").json() == []
    young = {"year": 2025, "days": [{"date": "2025-05-02", "name": "Brücke"}]}
    assert firm.boss.put(path, json=young).status_code == 200


def test_what_was_deleted_long_ago_goes_with_its_year_though_no_entry_is_left(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    come, go = stamped(site, "2024-06-03 08:00", "2024-06-03 12:00", tag=BEN)
    assert site.boss.delete(f"/api/work-times/{come}").status_code == 204
    site.clock.set(NEW_YEAR)
    years.go_round(site.world.platform)
    with site.world.platform.database.read(SYSTEM) as tx:
        assert not {come, go} & set(tx.scalars(select(Stamp.id)))
        assert list(tx.scalars(select(VoidRow.id))) == []


@pytest.mark.parametrize("what", ["a correction", "leave cancelled", "a booking"])
def test_what_is_decided_while_times_go_counts_or_is_refused(firm: Firm, site: Site, what: str) -> None:
    _log_in_at(site, firm.boss, NEW_YEAR)
    person, method, path, body = _calls(firm, "2024-11-05")[what]
    platform, initial = site.world.platform, _figures(firm, NEW_YEAR.date())

    def decide() -> int:
        return person.request(method, path, json=body).status_code

    def purge() -> int:
        with deciding(firm.world) as work:
            years.remove(work, firm.id, firm.anna.id, date(2025, 1, 1))
        return 0

    status, _ = all_at_once(platform, decide, purge)
    final = _figures(firm, NEW_YEAR.date())
    assert status in {200, 201, 409}
    assert status != 409 or final == initial
    assert min(_dates(firm)) == date(2025, 1, 2)
    assert decide() == 409
    years.go_round(platform)
    assert _figures(firm, NEW_YEAR.date()) == final


def test_an_entry_deleted_while_times_go_is_carried_without_it_or_kept_out_of_reach(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    come, _ = stamped(site, "2024-11-05 08:00", "2024-11-05 12:00")
    _log_in_at(site, firm.boss, NEW_YEAR)
    platform, initial = site.world.platform, _figures(firm, NEW_YEAR.date())

    def delete() -> int:
        return firm.boss.delete(f"/api/work-times/{come}").status_code

    def purge() -> int:
        with deciding(firm.world) as work:
            years.remove(work, firm.id, firm.anna.id, date(2025, 1, 1))
        return 0

    status, _ = all_at_once(platform, delete, purge)
    final = _figures(firm, NEW_YEAR.date())
    assert status in {204, 404, 409}
    assert (final == initial) == (status != 204)
    assert delete() == 404
    assert _figures(firm, NEW_YEAR.date()) == final


def test_a_begin_that_is_said_later_still_holds(firm: Firm, site: Site) -> None:
    _log_in_at(site, firm.boss, NEW_YEAR)
    years.go_round(site.world.platform)
    employ(firm.anna, account_from="2026-01-01", opening_balance_minutes=0)
    months, *_ = _figures(firm, NEW_YEAR.date(), first_year=2026)
    assert months[0][0][0].carried == 0


@ON_BOTH
def test_a_night_over_the_turn_of_the_year_goes_whole_and_a_year_later(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    stamped(site, "2024-12-31 22:00", "2025-01-01 06:00")
    site.clock.set(NEW_YEAR)
    years.go_round(site.world.platform)
    assert date(2024, 12, 31) in _dates(firm)
    site.clock.set(NEW_YEAR + timedelta(days=365))
    years.go_round(site.world.platform)
    assert _dates(firm) == [date(2026, 5, 5)]
    with site.world.platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(Stamp).where(Stamp.at < NEW_YEAR - timedelta(days=366))) == 0


def test_stamps_of_a_tag_that_nobody_held_go_with_their_year(firm: Firm, site: Site) -> None:
    site.device = enrolled(site.world, site.clock, "SW-T-3", 3)
    site.assign(site.device, firm.id, "2024-01-01T00:00:00Z")
    old, refused = stamped(site, "2024-06-03 08:00", "2024-12-31 23:59", tag=NOBODY)
    young = stamped(site, "2025-01-01 00:01", tag=NOBODY)
    hers = stamped(site, "2024-12-31 12:00")  # whose shift may reach into what is kept
    path = f"/api/companies/{firm.id}/held-stamps"
    assert site.boss.post(f"{path}/{refused}/resolve", json={"action": "discard"}).is_success
    site.clock.set(NEW_YEAR)
    years.go_round(site.world.platform)
    with site.world.platform.database.read(SYSTEM) as tx:
        stamp_ids = set(tx.scalars(select(Stamp.id)))
        assert stamp_ids & {old, refused, *young, *hers} == {*young, *hers}
        assert list(tx.scalars(select(Resolution.id))) == []
    assert [row["id"] for row in site.held()] == young
    assert logged(firm.world, firm.id, "records.purged") == ["records.purged"] * 2
    years.go_round(site.world.platform)
    assert logged(firm.world, firm.id, "records.purged") == ["records.purged"] * 2


def test_exports_of_these_months_say_so_and_know_no_difference(firm: Firm, site: Site) -> None:
    path = f"/api/companies/{firm.id}"
    for month in ("2024-03", "2026-05"):
        assert firm.boss.get(f"{path}/export?month={month}&format=csv").status_code == 200
    _log_in_at(site, firm.boss, NEW_YEAR)
    years.go_round(site.world.platform)
    worked(firm.anna, "2026-05-06", "08:00", "12:00")
    rows = {export["month"]: export for export in firm.boss.get(f"{path}/exports").json()}
    assert [(rows[month]["changed"], rows[month]["timesGone"]) for month in ("2024-03", "2026-05")] == [
        (False, True),
        (True, False),
    ]
    for query in ("", "?format=csv"):
        answer = firm.boss.get(f"{path}/exports/{rows['2024-03']['id']}/difference{query}")
        assert (answer.status_code, answer.json()["message"]) == (409, "Zeiten nach Frist gelöscht.")
    assert firm.boss.get(f"{path}/exports/{rows['2024-03']['id']}/file").status_code == 200
    assert firm.boss.get(f"{path}/export?month=2024-03&format=xlsx").status_code == 409
    assert firm.boss.put(f"{path}/months/2024-03/lock").status_code == 409
