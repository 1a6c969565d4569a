"""The check before an export: what blocks which file, and which hints it gives."""

from datetime import date
from typing import Any

import pytest
from stempelwerk_cloud.planning.facts.tables import Absence, FreeDay

from cloud.tests.databases import ON_SQLITE
from cloud.tests.office.exporting import MAY, WAGES, export, file, findings, lock, mapped, read_lodas, read_lug
from cloud.tests.office.people import away, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody

OTHERS = ("csv", "xlsx", "pdf")
NO_WAGES = dict.fromkeys(WAGES)


@pytest.fixture
def firm(firm: Firm) -> Firm:
    """Anna's numbers are settled, and the company is in Lower Saxony."""
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-NI"')
    mapped(firm)
    employ(firm.anna, personnel_number="26", entry_date="2025-01-01")
    return firm


def rows(firm: Firm, form: str) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] = firm.boss.get(
        f"/api/companies/{firm.id}/export-check?month={MAY}&format={form}"
    ).json()
    return findings


def special(person: Somebody, day: str, reason: str | None, *, credited: bool = True) -> None:
    row = {"kind": "special", "status": "excused", "reason": reason, "credited": credited}
    given(person, Absence, date=day, report_id=person.company_id, **row)


def test_nothing_blocks_a_table_or_a_paper_and_times_are_hints_there(firm: Firm) -> None:
    employ(firm.anna, personnel_number=None)
    mapped(firm, wageTypes=NO_WAGES, adviserNumber=None)
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    away(firm.anna, "2026-05-04")
    assert {row["blocks"] for row in rows(firm, "lodas")} == {True, False}
    for form in OTHERS:
        findings_ = rows(firm, form)
        assert {row["code"] for row in findings_} == {"worked_on_leave"}
        assert not [row for row in findings_ if row["blocks"]]
        assert export(firm.boss, form).status_code == 200


def test_a_company_of_salaries_needs_no_wage_types_and_pays_nothing_twice(firm: Firm) -> None:
    employ(firm.anna, pay_type="monthly")
    mapped(firm, wageTypes=NO_WAGES, absenceKeys={"publicHoliday": "F", "hours": "1"})
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    on_leave(firm.anna, "2026-05-05", "2026-05-06")
    away(firm.anna, "2026-05-07")
    special(firm.anna, "2026-05-08", "Berufsschule")
    for form in ("lodas", "lug"):
        assert findings(firm, form) == []
    assert read_lodas(file(firm.boss, "lodas"))[1] == []
    lines = [
        (line.day, line.key, line.wage_type, line.hours, line.days) for line in read_lug(file(firm.boss, "lug")).lines
    ]
    assert lines == [(5, "U", "", None, 1), (6, "U", "", None, 1), (7, "K", "", None, 1), (8, "BS", "", None, 1)]


def test_the_pay_type_of_the_day_decides(firm: Firm) -> None:
    employ(firm.anna, pay_type="monthly")
    employ(firm.anna, valid_from=date(2026, 5, 18), pay_type="hourly")
    on_leave(firm.anna, "2026-05-15", "2026-05-18")
    lines = read_lug(file(firm.boss, "lug")).lines
    assert [(line.day, line.wage_type, line.hours) for line in lines if line.key == "U"] == [
        (15, "", None),
        (18, "301", 8),
    ]
    assert [line.day for line in lines if line.wage_type == "303"] == [25]


def test_illness_is_a_line_for_each_calendar_day(firm: Firm) -> None:
    # Wednesday to Monday: Ascension Day, a Friday, a weekend.
    away(firm.anna, *(f"2026-05-{day}" for day in range(13, 19)))
    assert [
        (line.day, line.wage_type, line.hours, line.days)
        for line in read_lug(file(firm.boss, "lug")).lines
        if line.key == "K"
    ] == [
        (13, "302", 8, 1),
        (14, "", None, None),
        (15, "302", 8, 1),
        (16, "", None, None),
        (17, "", None, None),
        (18, "302", 8, 1),
    ]
    assert [
        (booking["la_eigene"], booking["bs_wert_butab"]) for booking in read_lodas(file(firm.boss, "lodas"))[1]
    ] == [
        ("302", "24,00"),
        ("303", "24,00"),
    ]


def test_illness_on_a_weekend_alone_is_in_the_file(firm: Firm) -> None:
    away(firm.anna, "2026-05-16", "2026-05-17")
    lines = read_lug(file(firm.boss, "lug")).lines
    assert [(line.day, line.hours, line.days) for line in lines if line.key == "K"] == [
        (16, None, None),
        (17, None, None),
    ]


@ON_SQLITE
def test_an_unpaid_day_has_the_key_of_its_reason_or_that_of_unpaid_days(firm: Firm) -> None:
    special(firm.anna, "2026-05-05", "unbezahlt", credited=False)
    special(firm.anna, "2026-05-06", "Elternzeit", credited=False)
    special(firm.anna, "2026-05-07", "elternzeit", credited=False)
    special(firm.anna, "2026-05-08", "Umzug", credited=False)
    mapped(firm, absenceKeys={"unpaid": "UU", "Elternzeit": "EZ"})
    assert findings(firm, "lug") == []
    lines = [line for line in read_lug(file(firm.boss, "lug")).lines if line.key]
    assert [(line.day, line.key, line.hours, line.days) for line in lines] == [(5, "UU", None, 1), (6, "EZ", None, 1)]


def test_paid_hours_without_a_name_are_told_and_block_nothing(firm: Firm) -> None:
    mapped(firm, wageTypes={"publicHoliday": None})
    special(firm.anna, "2026-05-12", "Berufsschule")
    special(firm.anna, "2026-05-05", "Umzug")
    special(firm.anna, "2026-05-06", "Umzug")
    special(firm.anna, "2026-05-07", "Ehrenamt", credited=False)
    holiday = ("unmapped_holiday", None, None)
    school, move = (("unmapped_absence", firm.anna.id, day) for day in ("2026-05-12", "2026-05-05"))
    assert findings(firm) == [holiday, move, school]
    assert findings(firm, "lug") == [holiday, move]
    assert [row["message"] for row in rows(firm, "lug")][1] == (
        "„Umzug“ (2 Tage) wird bezahlt und steht nicht in der Datei. Trag dafür einen Ausfallschlüssel ein."
    )
    assert not [row for row in rows(firm, "lodas") if row["blocks"]]
    for form in ("lodas", "lug"):
        assert export(firm.boss, form).status_code == 200
    mapped(firm, wageTypes={"publicHoliday": None}, absenceKeys={"publicHoliday": "F", "Umzug": "UM"})
    assert findings(firm, "lug") == []
    assert [line.hours for line in read_lug(file(firm.boss, "lug")).lines if line.key == "F"] == [8, 8, 8]


def test_a_month_without_a_land_is_told(firm: Firm) -> None:
    set_company(firm, "holiday_region", "null")
    assert findings(firm) == []
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    for form in ("lodas", "lug", *OTHERS):
        assert findings(firm, form) == [("no_holiday_region", None, None)]
        assert export(firm.boss, form).status_code == 200


@pytest.mark.parametrize("away_by", ["leave", "illness", "half a day of leave"])
def test_work_on_a_day_of_leave_or_illness_is_told_also_of_a_locked_month(firm: Firm, away_by: str) -> None:
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    worked(firm.anna, "2026-05-05", "08:00", "16:30")
    if away_by == "illness":
        away(firm.anna, "2026-05-04", status="open")
    else:
        on_leave(firm.anna, "2026-05-04", "2026-05-04", start_half=away_by != "leave")
    expected = [("worked_on_leave", firm.anna.id, "2026-05-04")]
    assert findings(firm) == expected
    assert export(firm.boss, "lodas").status_code == 200
    assert lock(firm.boss).status_code == 200
    assert findings(firm) == expected


def test_a_morning_of_work_beside_half_a_day_of_leave_is_not_told(firm: Firm) -> None:
    worked(firm.anna, "2026-05-04", "08:00", "12:00")
    on_leave(firm.anna, "2026-05-04", "2026-05-04", start_half=True)
    assert findings(firm) == []


def test_reports_on_both_sides_of_a_free_day_and_a_weekend_are_one_illness(firm: Firm) -> None:
    given(firm.boss, FreeDay, id=firm.id, date="2026-04-17", name="Brücke", half=False)
    away(firm.anna, *(f"2026-04-{day:02d}" for day in range(6, 17)))
    away(firm.anna, *(f"2026-04-{day:02d}" for day in range(20, 31)), *(f"2026-05-{day:02d}" for day in range(1, 30)))
    assert findings(firm) == [("sick_over_42_days", firm.anna.id, "2026-05-18")]


def test_a_file_for_lohn_und_gehalt_names_adviser_client_and_month_first(firm: Firm) -> None:
    assert file(firm.boss, "lug") == b"28547;90909;05/2026\r\n"


def test_overtime_above_a_day_is_on_the_last_days_of_the_month(firm: Firm) -> None:
    employ(firm.anna, entry_date="2026-05-29")
    for day in (29, 30, 31):
        worked(firm.anna, f"2026-05-{day}", "00:00", "23:00", breaks=0)
    lines = read_lug(file(firm.boss, "lug")).lines
    assert [(line.day, line.hours) for line in lines if line.wage_type == "401"] == [(29, 13), (30, 24), (31, 24)]
