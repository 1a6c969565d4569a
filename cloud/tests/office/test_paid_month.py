"""A month pays what counts: what work leaves of a day off, and nothing for an entry that is left out."""

from datetime import date

import pytest
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.exports.month import content

from cloud.tests.correcting import at
from cloud.tests.databases import ON_SQLITE
from cloud.tests.device_client import iso
from cloud.tests.office.exporting import MAY, OCTOBER, file, hung_in_october, lock, prepared, read_lodas
from cloud.tests.office.people import employ, on_leave, set_company, worked
from cloud.tests.stamping import ANNA, Site
from cloud.tests.world import Firm


@pytest.fixture
def october(site: Site) -> Site:
    """A clock has been on the wall since October."""
    return hung_in_october(site)


def of_lodas(firm: Firm, month: str = MAY) -> dict[str, str]:
    """Returns Anna's hours by wage type."""
    _, bookings = read_lodas(file(firm.boss, "lodas", month))
    return {row["la_eigene"]: row["bs_wert_butab"] for row in bookings if row["pnr"] == "26"}


@pytest.mark.parametrize(
    ("start", "end", "pay"), [("08:00", "11:00", "21,00"), ("08:00", "16:30", "16,00"), ("07:00", "17:45", "16,00")]
)
def test_a_holiday_pays_what_work_leaves_of_it(firm: Firm, start: str, end: str, pay: str) -> None:
    set_company(prepared(firm), "holiday_region", '"DE-NI"')
    worked(firm.anna, "2026-05-14", start, end)
    assert of_lodas(firm)["303"] == pay


def test_work_that_is_left_out_reduces_no_holiday_pay(october: Site) -> None:
    firm, device = october.firm, october.device
    set_company(firm, "holiday_region", '"DE-BB"')
    employ(firm.anna, workdays=[0, 1, 2, 3, 5])
    times = [at("2026-10-31 08:00"), at("2026-10-31 12:00")]
    device.deliver(*(device.tap(ANNA, time, quality="none", wall=iso(time)) for time in times))
    assert lock(firm.boss, OCTOBER).status_code == 200
    assert of_lodas(firm, OCTOBER) == {"303": "16,00"}


def test_a_night_stays_the_deep_one_though_its_middle_is_left_out(october: Site) -> None:
    firm, device = october.firm, october.device
    certain = [device.tap(ANNA, at(f"2026-10-{time}")) for time in ("05 17:00", "05 20:30", "06 02:00", "06 04:00")]
    times = [at("2026-10-05 21:30"), at("2026-10-06 01:00")]
    uncertain = [device.tap(ANNA, time, quality="none", wall=iso(time)) for time in times]
    device.deliver(*certain[:2], *uncertain, *certain[2:])
    assert lock(firm.boss, OCTOBER).status_code == 200
    assert of_lodas(firm, OCTOBER) == {"101": "5,50", "201": "0,50", "202": "2,00"}


def paid_month(firm: Firm) -> dict[str, list[int]]:
    """Returns the minutes of Anna's days off in May by kind."""
    platform = firm.world.platform
    with making.reading(platform, firm.id) as session:
        month = content.of_month(session, firm.id, date(2026, 5, 1), platform.clock.now())
    (anna,) = (person for person in month.people if person.user_id == firm.anna.id)
    return {kind: [off.minutes for off in anna.off if off.kind == kind] for kind in ("holiday", "vacation")}


@ON_SQLITE
def test_a_monthly_person_keeps_the_whole_holiday(firm: Firm) -> None:
    set_company(prepared(firm), "holiday_region", '"DE-NI"')
    worked(firm.anna, "2026-05-14", "08:00", "12:00")
    assert paid_month(firm) == {"holiday": [480, 240, 480], "vacation": []}
    employ(firm.anna, pay_type="monthly")
    assert paid_month(firm) == {"holiday": [480, 480, 480], "vacation": []}


@ON_SQLITE
def test_a_free_day_of_the_company_pays_in_full_whatever_was_worked(firm: Firm) -> None:
    prepared(firm)
    days = [{"date": "2026-05-15", "name": "Brücke"}, {"date": "2026-05-18", "name": "Schützenfest", "half": True}]
    body = {"year": 2026, "days": days}
    assert firm.boss.put(f"/api/companies/{firm.id}/free-days", json=body).status_code == 200
    for day in ("2026-05-15", "2026-05-18"):
        worked(firm.anna, day, "08:00", "16:30")
    assert paid_month(firm)["holiday"] == [480, 240]


@ON_SQLITE
@pytest.mark.parametrize(("end", "half", "pay"), [("11:00", False, 300), ("12:00", True, 240), ("14:00", True, 120)])
def test_a_day_of_vacation_pays_what_work_leaves(firm: Firm, end: str, half: bool, pay: int) -> None:
    on_leave(prepared(firm).anna, "2026-05-05", "2026-05-05", start_half=half)
    worked(firm.anna, "2026-05-05", "08:00", end)
    assert paid_month(firm)["vacation"] == [pay]


@ON_SQLITE
def test_a_day_of_vacation_that_was_worked_whole_pays_nothing(firm: Firm) -> None:
    on_leave(prepared(firm).anna, "2026-05-05", "2026-05-05")
    worked(firm.anna, "2026-05-05", "07:00", "18:00")
    assert paid_month(firm)["vacation"] == [0]


@ON_SQLITE
def test_pay_of_days_off_is_rounded_once_a_month_as_in_the_account(firm: Firm) -> None:
    """Each of three holidays is worth 373 1/3 minutes, with 180 minutes of work on it, and each day of vacation is
    worth the same.
    """
    set_company(prepared(firm), "hours_uniform_minutes", "1120")
    set_company(firm, "holiday_region", '"DE-NI"')
    employ(firm.anna, workdays=[0, 3, 4])
    on_leave(firm.anna, "2026-05-18", "2026-05-22")
    for day in ("2026-05-01", "2026-05-14", "2026-05-25", "2026-05-18", "2026-05-21", "2026-05-22"):
        worked(firm.anna, day, "08:00", "11:00")
    assert {kind: sum(minutes) for kind, minutes in paid_month(firm).items()} == {"holiday": 580, "vacation": 580}
    credited = firm.anna.get(f"/api/users/{firm.anna.id}/account?month={MAY}").json()["credits"]
    assert {"kind": "holiday", "minutes": 580} in credited
