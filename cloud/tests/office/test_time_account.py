"""Reading time accounts: access, months and facts; and the balances of many people at once."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.database.statements import Asked, Sql
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports.month import content
from stempelwerk_cloud.people.directory.companies import today_of

from cloud.tests.databases import ON_SQLITE
from cloud.tests.office.people import away, booked, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.planning.leaving import falls_ill
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.world import Firm, Somebody, World

NOVEMBER = "2026-11"


def account(person: Somebody, query: str = f"month={NOVEMBER}", of: Somebody | None = None) -> dict[str, Any]:
    answer = person.get(f"/api/users/{(of or person).id}/account?{query}")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def refused(person: Somebody, query: str, of: Somebody | None = None) -> tuple[int, str, str]:
    answer = person.get(f"/api/users/{(of or person).id}/account?{query}")
    return answer.status_code, answer.json()["code"], answer.json()["message"]


# -- refusals


@ON_SQLITE
@pytest.mark.parametrize(
    "query",
    [
        "month=2026-13",
        "month=2026-1",
        "month=",
        "month=0000-01",
        "year=26",
        "year=0000",
        "year=",
        "year=2026-01",
        "month=2026-11&year=2026",
        "month=2037-01",
        "year=2037",
        "month=9999-12",
    ],
)
def test_what_is_no_month_and_no_year_is_refused_and_so_are_both(firm: Firm, query: str) -> None:
    status, code, message = refused(firm.anna, query)
    assert (status, code) == (422, "invalid")
    assert message.endswith((".", ")."))


# -- a month


def test_nothing_known_is_an_account_of_nothing(firm: Firm) -> None:
    empty_account = account(firm.anna, "")
    assert empty_account["month"] == NOVEMBER
    assert len(empty_account["days"]) == 30
    figures = {name: value for name, value in empty_account.items() if name.endswith("Minutes")}
    assert set(figures.values()) == {0}
    assert (empty_account["credits"], empty_account["bookings"], empty_account["holidays"]) == ([], [], [])
    assert set(empty_account["vacation"]) == {
        "allowance",
        "carried",
        "booked",
        "used",
        "reserved",
        "remaining",
        "lapsed",
    }


def test_the_first_and_the_last_months_that_can_be_asked_for_are_answered(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-11-01")
    assert account(firm.anna, "month=0001-01")["days"][0]["date"] == "0001-01-01"
    assert len(account(firm.anna, "year=0001")["months"]) == 12
    assert account(firm.anna, "month=2036-12")["carriedMinutes"] < 0
    assert firm.anna.get(f"/api/users/{firm.anna.id}/statement?month=0001-01").status_code == 200


def test_a_month_with_everything(firm: Firm, clock: SettableClock) -> None:
    anna = firm.anna
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-BY"')
    employ(anna, entry_date="2026-12-07", opening_balance_minutes=60)
    first = worked(anna, "2026-12-07", "08:00", "17:00", 30)
    worked(anna, "2026-12-08", "08:00", "14:30")
    away(anna, "2026-12-09", "2026-12-12")
    away(anna, "2026-12-10", status="open")
    away(anna, "2026-12-11", status="declined")
    on_leave(anna, "2026-12-17", "2026-12-28", start_half=True)
    on_leave(anna, "2026-12-29", "2026-12-29", status="pending")
    on_leave(anna, "2026-12-30", "2026-12-30", kind="wish")
    id_ = booked(anna, "2026-12-15", 30, "Überstunden")
    booked(anna, "2026-12-16", None, "Sonderurlaub", halves=2)
    booked(firm.ben, "2026-12-15", 999)
    worked(firm.ben, "2026-12-07", "08:00", "12:00")
    clock.set(datetime(2026, 12, 8, 23, 0, tzinfo=UTC))  # it is the 9th in Berlin

    month = account(firm.world.again(anna), "")
    assert month["month"] == "2026-12"
    # 19 days from the 7th on; 25 December is a Friday
    assert month["targetMinutes"] == 19 * 480
    assert month["actualMinutes"] == 510 + 360
    # the 17th half, the 18th, and the week of the 21st but for the 25th, and the 28th
    assert month["credits"] == [
        {"kind": "holiday", "minutes": 480},
        {"kind": "vacation", "minutes": 240 + 6 * 480},
        {"kind": "absence", "minutes": 480},
    ]
    assert month["bookingMinutes"] == 30
    assert month["bookings"] == [{"id": id_, "date": "2026-12-15", "minutes": 30, "reason": "Überstunden"}]
    assert month["balanceMinutes"] == 870 + 480 + 3120 + 480 + 30 - 19 * 480
    assert month["carriedMinutes"] == 60
    assert month["targetToDateMinutes"] == 3 * 480
    assert month["balanceToDateMinutes"] == 60 + 870 + 480 - 3 * 480
    assert month["holidays"] == [
        {"date": "2026-12-25", "name": "Erster Weihnachtstag"},
        {"date": "2026-12-26", "name": "Zweiter Weihnachtstag"},
    ]
    days = {day["date"]: day for day in month["days"]}
    assert days["2026-12-04"]["targetMinutes"] == 0
    assert days["2026-12-07"] == {
        "date": "2026-12-07",
        "targetMinutes": 480,
        "actualMinutes": 510,
        "credits": [],
        "entryIds": [first],
    }
    assert days["2026-12-17"]["credits"] == [{"kind": "vacation", "minutes": 240}]


def test_a_running_entry_counts_nothing_until_it_ends(site: Site) -> None:
    device, morning = site.device, MORNING
    device.deliver(device.tap(ANNA, morning), anchors=[device.anchor(morning)])
    anna = site.somebody(site.firm.anna)
    (day,) = [day for day in account(anna)["days"] if day["entryIds"]]
    assert (day["date"], day["actualMinutes"], account(anna)["actualMinutes"]) == ("2026-11-20", 0, 0)
    device.deliver(device.tap(ANNA, morning + hours(4)))
    assert account(anna)["actualMinutes"] == 240
    device.deliver(device.tap(ANNA, morning + hours(5)), device.tap(ANNA, morning + hours(6)))
    (day,) = [day for day in account(anna)["days"] if day["entryIds"]]
    assert (day["actualMinutes"], day["entryIds"]) == (300, [entry["id"] for entry in site.times()])


def test_the_month_is_the_company_s_own(firm: Firm, clock: SettableClock) -> None:
    clock.set(datetime(2026, 11, 30, 22, 59, tzinfo=UTC))
    assert account(firm.world.again(firm.anna), "")["month"] == "2026-11"
    clock.advance(minutes=1)
    assert account(firm.world.again(firm.anna), "")["month"] == "2026-12"


def test_what_is_carried_comes_from_all_months_since_the_entry(firm: Firm) -> None:
    anna = firm.anna
    set_weekly(firm, 2400)
    set_weekly(firm, 1200, date(2026, 10, 1))
    employ(anna, entry_date="2026-09-01", opening_balance_minutes=-15)
    worked(anna, "2026-08-31", "08:00", "12:00")  # before the entry: no account
    worked(anna, "2026-09-01", "08:00", "12:00")
    on_leave(anna, "2026-09-30", "2026-10-01")
    booked(anna, "2026-10-01", 5)
    booked(anna, "2026-10-31", 2)
    september, october = account(anna, "month=2026-09"), account(anna, "month=2026-10")
    assert (september["carriedMinutes"], september["balanceMinutes"]) == (-15, 240 + 480 - 22 * 480)
    assert october["carriedMinutes"] == -15 + september["balanceMinutes"]
    assert october["balanceMinutes"] == 240 + 7 - 22 * 240
    assert [booking["date"] for booking in october["bookings"]] == ["2026-10-01", "2026-10-31"]
    november = account(anna)
    assert november["carriedMinutes"] == october["carriedMinutes"] + october["balanceMinutes"]
    assert november["balanceToDateMinutes"] == november["carriedMinutes"] - 15 * 240


def test_without_an_entry_date_the_first_entry_begins_it(firm: Firm) -> None:
    set_weekly(firm, 2400)
    assert account(firm.anna)["carriedMinutes"] == 0
    worked(firm.anna, "2026-10-30", "08:00", "12:00")
    assert account(firm.anna)["carriedMinutes"] == 240 - 22 * 480
    assert account(firm.anna, "month=2026-10")["carriedMinutes"] == 0
    assert account(firm.anna, "month=2026-09")["carriedMinutes"] == 0


def test_an_excused_absence_before_the_first_entry_of_its_month_is_credited_everywhere(firm: Firm) -> None:
    set_weekly(firm, 2400)
    away(firm.anna, "2026-10-01", "2026-10-02")
    worked(firm.anna, "2026-10-30", "08:00", "12:00")
    october = account(firm.anna, "month=2026-10")
    assert october["credits"] == [{"kind": "absence", "minutes": 960}]
    assert account(firm.anna)["carriedMinutes"] == october["balanceMinutes"] == 960 + 240 - 22 * 480
    for month, balance in (
        ("2026-10", october["balanceMinutes"]),
        (NOVEMBER, account(firm.anna)["balanceToDateMinutes"]),
    ):
        everybody = firm.boss.get(f"/api/companies/{firm.id}/accounts?month={month}").json()
        (row,) = (row for row in everybody if row["userId"] == firm.anna.id)
        assert row["balanceToDateMinutes"] == balance


# -- a year


def test_an_excused_absence_credits_what_work_and_vacation_leave_in_whichever_month(
    firm: Firm, standing: Callable[..., Any]
) -> None:
    anna = firm.anna
    set_weekly(firm, 2400)
    employ(anna, entry_date="2026-10-01")
    worked(anna, "2026-10-05", "08:00", "12:00")
    worked(anna, "2026-10-06", "07:00", "15:30", 30)
    away(anna, "2026-10-05", "2026-10-06")
    on_leave(anna, "2026-10-07", "2026-10-08")
    away(anna, "2026-10-07")
    falls_ill(anna, date(2026, 10, 8), date(2026, 10, 8), status="excused")
    october = account(anna, "month=2026-10")
    # The 5th has half a day. The vacation of the 8th is given back because of its note; the 7th has no note and is
    # vacation.
    assert october["credits"] == [{"kind": "vacation", "minutes": 480}, {"kind": "absence", "minutes": 240 + 480}]
    assert october["actualMinutes"] == 240 + 480
    assert october["balanceMinutes"] == 4 * 480 - 22 * 480
    november = account(anna, "month=2026-11")
    assert november["carriedMinutes"] == october["balanceMinutes"]
    assert standing(firm, anna)[anna.id][1] == november["balanceToDateMinutes"]


def test_a_year_is_its_months_without_their_days(firm: Firm) -> None:
    anna = firm.anna
    set_weekly(firm, 2401)
    set_company(firm, "holiday_region", '"DE-SN"')
    employ(anna, entry_date="2025-07-01", opening_balance_minutes=33)
    worked(anna, "2025-12-30", "08:00", "12:00")
    worked(anna, "2026-01-02", "08:00", "12:00")
    worked(anna, "2026-11-19", "08:00", "12:00")
    away(anna, "2026-02-03")
    on_leave(anna, "2026-03-31", "2026-04-02", end_half=True)
    booked(anna, "2026-05-05", 5)
    year = account(anna, "year=2026")
    assert [month["month"] for month in year["months"]] == [f"2026-{number:02d}" for number in range(1, 13)]
    for month in year["months"]:
        alone = account(anna, f"month={month['month']}")
        days = alone.pop("days")
        assert alone == month
        assert sum(day["targetMinutes"] for day in days) == month["targetMinutes"]
    assert (year["year"], year["carriedMinutes"]) == (2026, year["months"][0]["carriedMinutes"])
    assert year["carriedMinutes"] == account(anna, "year=2025")["months"][-1]["balanceToDateMinutes"]


def test_years_of_history_and_a_whole_year_take_no_more_statements(firm: Firm, asked: list[str]) -> None:
    def statements(query: str) -> int:
        asked.clear()
        account(firm.anna, query)
        return len(asked)

    set_weekly(firm, 2400)
    worked(firm.anna, "2025-11-03", "08:00", "12:00")
    on_leave(firm.anna, "2025-05-01", "2025-05-09")
    initial = statements(f"month={NOVEMBER}")
    for year in range(2015, 2025):
        worked(firm.anna, f"{year}-03-01", "08:00", "12:00")
        on_leave(firm.anna, f"{year}-05-01", f"{year}-05-09")
    assert statements(f"month={NOVEMBER}") == statements("year=2026") == initial


def test_an_account_reads_no_entry_and_no_fact_of_a_day_twice(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads entries of the days of the month, and those before it; also if a person came on a day of an absence.

    Stored rows: the begin of leave, and the carried balance of the account.
    """
    statements: list[str] = []
    ask = Sql.several

    def several(sql: Sql, asked: Sequence[Asked], *, commit: bool = False) -> list[list[tuple[Any, ...]]]:
        statements.extend(statement.postgresql for statement, _ in asked)
        return ask(sql, asked, commit=commit)

    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    away(firm.anna, "2026-03-05", "2026-11-05")
    worked(firm.anna, "2026-03-05", "08:00", "10:00")
    worked(firm.anna, "2026-11-05", "08:00", "11:00")
    monkeypatch.setattr(Sql, "several", several)
    month = account(firm.anna, "month=2026-11")
    assert month["actualMinutes"] == 180
    assert month["credits"] == [{"kind": "absence", "minutes": 300}]
    assert sum(" entries e " in statement for statement in statements) == 2
    assert sum(" FROM kept_balances " in statement for statement in statements) == 2
    for table in ("absences", "bookings", "vacation_requests", "person_values", "free_days"):
        assert sum(f" FROM {table} " in statement for statement in statements) == 1, table


# -- the balances of many people


@pytest.fixture
def standing(platform: Platform, clock: SettableClock) -> Callable[..., Any]:
    """Asks like a clock's call, whose scope also includes rows of other companies."""

    def read(firm: Firm, *people: Somebody) -> Any:
        with platform.database.read(DEVICES) as session:
            return ports.BALANCES.of(platform)(
                session, firm.id, [person.id for person in people], today_of(session, firm.id, clock.now())
            )

    return read


def test_people_stand_as_their_accounts_say(firm: Firm, world: World, standing: Callable[..., Any]) -> None:
    other_firm = world.firm("Bäckerei Krume")
    set_weekly(other_firm, 600)
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-BY"')
    employ(firm.anna, entry_date="2026-06-15", opening_balance_minutes=12, workdays=[0, 1, 2, 3])
    for day in ("2026-06-15", "2026-10-01", "2026-11-20"):
        worked(firm.anna, day, "08:00", "15:00")
    worked(firm.ben, "2026-11-05", "08:00", "15:00")
    on_leave(firm.anna, "2026-07-01", "2026-07-10", end_half=True)
    away(firm.ben, "2026-11-06", "2026-11-30")
    booked(firm.ben, "2026-11-07", 25)
    booked(firm.ben, "2026-11-21", 1000)
    standings = standing(firm, firm.anna, firm.ben, firm.boss)
    assert set(standings) == {firm.anna.id, firm.ben.id, firm.boss.id}
    for person in (firm.anna, firm.ben, firm.boss):
        shown_account = account(person)
        (today,) = [day for day in shown_account["days"] if day["date"] == "2026-11-20"]
        assert standings[person.id] == (today["targetMinutes"], shown_account["balanceToDateMinutes"])
    assert standings[firm.anna.id][0] == 0
    assert standing(other_firm, other_firm.anna)[other_firm.anna.id] == (
        0,
        0,
    )  # without an entry there is no account yet
    worked(other_firm.anna, "2026-11-19", "08:00", "10:00")
    assert standing(other_firm, other_firm.anna)[other_firm.anna.id][0] == 120
    assert standing(firm) == {}


def test_who_never_had_a_target_has_no_balance(firm: Firm, standing: Callable[..., Any]) -> None:
    worked(firm.anna, "2026-11-05", "08:00", "15:00")
    assert standing(firm, firm.anna) == {}


def test_a_crowd_takes_as_many_statements_as_one(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    set_weekly(firm, 2400)
    crowd = [firm.world.user(firm.id, f"person {number}") for number in range(12)]
    for number, person in enumerate(crowd):
        worked(person, (date(2026, 11, 2) + timedelta(days=number)).isoformat(), "08:00", "12:00")
        employ(person, entry_date=f"20{14 + number}-01-01")
    counts: list[int] = []
    for people in (crowd[:1], crowd):
        with platform.database.read(DEVICES) as session:
            sent: list[str] = []
            connection = session.connection()
            event.listen(connection, "before_cursor_execute", lambda *called, sent=sent: sent.append(called[2]))
            assert len(
                ports.BALANCES.of(platform)(
                    session, firm.id, [person.id for person in people], today_of(session, firm.id, clock.now())
                )
            ) == len(people)
            counts.append(len(sent))
    assert counts[0] == counts[1]


@ON_SQLITE
def test_a_day_of_vacation_with_a_note_is_credited_before_and_after_it_is_decided(firm: Firm) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    on_leave(firm.anna, "2026-11-02", "2026-11-04")
    falls_ill(firm.anna, date(2026, 11, 3), date(2026, 11, 3))

    def credits_() -> dict[str, int]:
        month = firm.boss.get(f"/api/users/{firm.anna.id}/account?month=2026-11").json()
        return {row["kind"]: row["minutes"] for row in month["credits"]}

    def off() -> list[str]:
        with firm.world.platform.database.read(SYSTEM) as session:
            month = content.of_month(session, firm.id, date(2026, 11, 1), firm.world.platform.clock.now())
        return [credit.kind for person in month.people for credit in person.off]

    assert (credits_(), off()) == ({"vacation": 1440}, ["vacation"] * 3)
    (report,) = firm.boss.get(f"/api/companies/{firm.id}/absences?status=open").json()
    assert firm.boss.post(f"/api/absences/{report['id']}/excuse", json={}).is_success
    assert (credits_(), off()) == ({"vacation": 960, "absence": 480}, ["vacation", "sick", "vacation"])
