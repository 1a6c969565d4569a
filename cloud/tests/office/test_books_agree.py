"""A month with every rule in it: all reports and files of the office contain the same minutes, which were computed by
hand here.

Each report has a reader of its own, which does not depend on its writer.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from cloud.tests.office.exporting import (
    MAY,
    difference,
    exports,
    file,
    findings,
    hours,
    lock,
    mapped,
    read_lodas,
    read_lug,
    table,
)
from cloud.tests.office.people import away, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.world import Firm

DAYS = {
    # 8:00 to 12:00 on the 1st of May.
    1: 240,
    # 8:00 to 12:00 and 12:30 to 17:00: the break was taken, nothing is deducted.
    4: 510,
    # 22:00 to 6:00, half an hour of break at its end.
    5: 450,
    # Sunday, 10:00 to 14:00.
    10: 240,
    # 8:00 to 17:00 with an hour of break, as requested.
    11: 480,
    # Ascension Day, 20:00 to 23:30.
    14: 210,
    # 8:00 to 12:07, and half a day of vacation.
    20: 247,
    # Sunday, 22:00 to 6:00 in June: whole in May. The night before the 1st of May is April's.
    31: 450,
}
"""Net minutes. The 21st is vacation, the 8th illness; the 1st, 14th and 25th are public holidays, and work on two of
them leaves a part to be credited.
"""
PAUSES = {5: 30, 11: 60, 31: 30}
NET, PAUSE = 2827, 120
CREDITS = {"holiday": 3 * 480 - 240 - 210, "vacation": 240 + 480, "absence": 480}
TARGET = 21 * 480
WAGES = {
    "101": NET,
    "201": 3 * 210,  # 22 to 24 h and 4 to 5:30 h, twice; 20 to 23:30 h
    "202": 2 * 240,  # 0 to 4 h
    "203": 240 + 360,  # the 10th; the 31st until 4 h
    "204": 210,  # the 14th
    "205": 240,  # the 1st
    "301": CREDITS["vacation"] - 7,  # the 20th: what 247 minutes of work leave
    "302": CREDITS["absence"],
    "303": CREDITS["holiday"],
}
ACT_NIGHTS = {5: 390, 14: 30, 31: 390}
"""Work after 23:00."""
LASTS = re.compile(r"(\d+)h (\d\d)m")
ROW = re.compile(r"(?:\w\w (\d\d)\.05\.(?:2026)? )?\d\d:\d\d \d\d:\d\d (\d+h \d\dm) (\d+h \d\dm)(?: (\d+h \d\dm))?")


@pytest.fixture
def firm(firm: Firm) -> Firm:
    """Anna's May is the one above; Ben is paid by the month, and has worked on one day of it."""
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-NI"')
    employ(firm.anna, entry_date="2026-01-01", personnel_number="0026", department="Werkstatt")
    employ(firm.ben, entry_date="2026-01-01", personnel_number="27", pay_type="monthly")
    worked(firm.ben, "2026-05-04", "08:00", "16:30")
    worked(firm.anna, "2026-04-30", "22:00", "06:00")
    worked(firm.anna, "2026-05-01", "08:00", "12:00")
    worked(firm.anna, "2026-05-04", "08:00", "12:00")
    worked(firm.anna, "2026-05-04", "12:30", "17:00")
    worked(firm.anna, "2026-05-05", "22:00", "06:00")
    worked(firm.anna, "2026-05-20", "08:00", "12:07")
    worked(firm.anna, "2026-05-10", "10:00", "14:00")
    worked(firm.anna, "2026-05-11", "08:00", "17:00", breaks=60)
    worked(firm.anna, "2026-05-14", "20:00", "23:30")
    worked(firm.anna, "2026-05-31", "22:00", "06:00")
    on_leave(firm.anna, "2026-05-20", "2026-05-21", start_half=True)
    away(firm.anna, "2026-05-08")
    mapped(firm)
    path = f"/api/companies/{firm.id}/compensation-config"
    assert firm.boss.put(path, json={"mode": "uniform", "defaultHourlyCents": 1500}).status_code == 200
    return firm


def minutes(text: Any) -> int:
    """Converts hours with two places, which distinguish every minute."""
    rounded: int = round(hours(str(text)) * 60)
    return rounded


def lasting(text: str) -> int:
    """Parses "7h 30m"."""
    (parts,) = LASTS.findall(text)
    return int(parts[0]) * 60 + int(parts[1])


def account(firm: Firm) -> Mapping[str, Any]:
    body: Mapping[str, Any] = firm.boss.get(f"/api/users/{firm.anna.id}/account?month={MAY}").json()
    return body


def costs(firm: Firm) -> Mapping[str, Any]:
    body = firm.boss.get(f"/api/companies/{firm.id}/compensation-costs?month={MAY}").json()
    person_costs: Mapping[str, Any] = next(row for row in body["items"] if row["userId"] == firm.anna.id)
    return person_costs


def of_account(firm: Firm) -> dict[int, int]:
    days = account(firm)["days"]
    return {date.fromisoformat(row["date"]).day: row["actualMinutes"] for row in days if row["actualMinutes"]}


def by_day(rows: list[tuple[int, int]]) -> dict[int, int]:
    totals: Counter[int] = Counter()
    for day, amount in rows:
        totals[day] += amount
    return dict(totals)


def of_rows(rows: list[list[Any]], name: str, column: int) -> dict[int, int]:
    """Returns minutes by day of a table's rows, in which a day is a date or text; zeros are left out."""
    of_days = [row for row in rows if name in row[:2] and "Summe" not in row]
    cells = [(next(cell for cell in row[1:3] if cell != name), row[column]) for row in of_days]
    numbered = [(day.day if isinstance(day, date) else int(day[:2]), text) for day, text in cells]
    return by_day([(day, minutes(text)) for day, text in numbered if text not in {"", None}])


def of_page(text: str, column: int) -> dict[int, int]:
    """Returns minutes by day of a page's rows. The index selects breaks, presence or work."""
    amounts, day = [], 0
    for day_text, *lasts in ROW.findall(text):
        day = int(day_text or day)
        amounts.append((day, lasting(lasts[column])))
    return by_day([(day, amount) for day, amount in amounts if amount])


def pages_of(content: bytes) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(content)).pages]


def inspected(firm: Firm, form: str) -> bytes:
    answer = firm.boss.get(f"/api/companies/{firm.id}/inspection?from=2026-05-01&to=2026-05-31&format={form}")
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def test_all_books_of_a_month_say_what_was_reckoned_by_hand(firm: Firm) -> None:
    # Seven minutes more than the half day of leave leaves to be worked.
    assert findings(firm) == [("worked_on_leave", firm.anna.id, "2026-05-20")]
    assert (sum(DAYS.values()), sum(PAUSES.values())) == (NET, PAUSE)
    month_account = account(firm)
    assert of_account(firm) == DAYS
    assert {row["kind"]: row["minutes"] for row in month_account["credits"]} == CREDITS
    balance = NET + sum(CREDITS.values()) - TARGET
    assert (month_account["actualMinutes"], month_account["targetMinutes"], month_account["balanceMinutes"]) == (
        NET,
        TARGET,
        balance,
    )
    all_rows = firm.boss.get(f"/api/companies/{firm.id}/accounts?month={MAY}").json()
    (of_anna,) = [row for row in all_rows if row["userId"] == firm.anna.id]
    assert (of_anna["actualMinutes"], of_anna["creditMinutes"], of_anna["balanceMinutes"]) == (
        NET,
        sum(CREDITS.values()),
        balance,
    )

    cost = costs(firm)
    assert (cost["minutes"], cost["rawMinutes"], cost["breakMinutes"]) == (NET, NET + PAUSE, PAUSE)
    assert cost["costCents"] == NET * 25
    assert [minutes(cost[kind]) for kind in ("nightHours", "sundayHours", "holidayHours")] == [
        WAGES["201"] + WAGES["202"],
        WAGES["203"],
        WAGES["204"] + WAGES["205"],
    ]

    rows: list[list[Any]] = table(file(firm.boss, "csv"))
    cells = [list(row) for row in load_workbook(BytesIO(file(firm.boss, "xlsx")))[MAY].iter_rows(values_only=True)]
    for book in (rows, cells):
        assert of_rows(book, "anna", 7) == DAYS
        pauses = [(row[2].day if isinstance(row[2], date) else int(row[2][:2]), row[5]) for row in book[1:] if row[3]]
        of_ben = {4: 30}
        assert by_day([(day, int(text)) for day, text in pauses if int(text)]) == PAUSES | of_ben
        (total,) = (row for row in book if row[1:3] == ["anna", "Summe"])
        assert (int(total[5]), minutes(total[6]), minutes(total[7])) == (PAUSE, NET + PAUSE, NET)

    (page,) = (text for text in pages_of(file(firm.boss, "pdf")) if "Personalnummer 0026" in text)
    assert (of_page(page, 2), of_page(page, 0)) == (DAYS, PAUSES)
    sums = {
        name.strip(" ·"): lasting(text)
        for name, text in re.findall(r"([^·]+?) (\d+h \d\dm)", page[page.rindex("Arbeitszeit ") :])
    }
    assert sums == {
        "Arbeitszeit": NET,
        "Soll": TARGET,
        "Urlaub": WAGES["301"],
        "Krankheit": CREDITS["absence"],
        "Feiertag": WAGES["303"],
        "Nacht (§ 3b EStG, 25 %)": WAGES["201"],
        "Nacht (§ 3b EStG, 40 %)": WAGES["202"],
        "Sonntag": WAGES["203"],
        "Feiertag (125 %)": WAGES["204"],
        "Feiertag (150 %)": WAGES["205"],
        "Nacht (ArbZG)": sum(ACT_NIGHTS.values()),
    }

    _, bookings = read_lodas(file(firm.boss, "lodas"))
    told_of = {number: [booking for booking in bookings if booking["pnr"] == number] for number in ("26", "27")}
    assert {row["la_eigene"]: minutes(row["bs_wert_butab"]) for row in told_of["26"]} == WAGES
    assert {row["kostenstelle"] for row in told_of["26"]} == {"10"}
    assert told_of["27"] == []

    lines = [line for line in read_lug(file(firm.boss, "lug")).lines if line.number == "26"]
    wages: defaultdict[str, Any] = defaultdict(lambda: hours("0"))
    for line in lines:
        wages[line.wage_type] += line.hours or 0
    assert {type_: minutes(amount) for type_, amount in wages.items()} == WAGES
    assert by_day([(line.day, minutes(line.hours)) for line in lines if line.wage_type == "101"]) == DAYS
    off = {(line.day, line.key, line.days) for line in lines if line.key}
    assert off == {(20, "U", hours("0,5")), (21, "U", 1), (8, "K", 1)}

    rows = table(inspected(firm, "csv"))
    assert of_rows(rows, "anna", 5) == DAYS
    assert of_rows(rows, "anna", 6) == {4: 30}
    assert of_rows(rows, "anna", 7) == ACT_NIGHTS
    told_pages = " ".join(pages_of(inspected(firm, "pdf")))
    of_anna_alone = told_pages[told_pages.index("anna") : told_pages.index("ben")]
    assert (of_page(of_anna_alone, 1), of_page(of_anna_alone, 0)) == (DAYS, PAUSES)


def test_after_the_lock_the_files_and_their_difference_come_to_what_the_account_says(firm: Firm) -> None:
    assert lock(firm.boss).status_code == 200
    initial = {form: file(firm.boss, form) for form in ("csv", "lodas")}
    wishes = [("2026-05-20", "08:00", "12:37"), ("2026-05-12", "08:00", "12:00")]
    for day, start, end in wishes:
        correction = {"userId": firm.anna.id, "date": day, "newStart": start, "newEnd": end}
        assert firm.boss.post("/api/time-corrections", json=correction).status_code == 201
    assert {form: file(firm.boss, form) for form in initial} == initial
    (csv_export,) = [export for export in exports(firm) if export["format"] == "csv"]
    changes = [row for row in difference(firm, csv_export["id"]).json() if row["kind"] == "work"]
    assert [(row["date"], row["before"], row["after"]) for row in changes] == [
        ("2026-05-12", None, 240),
        ("2026-05-20", 247, 277),
    ]
    today = of_rows(table(initial["csv"]), "anna", 7) | {int(row["date"][8:]): row["after"] for row in changes}
    assert today == DAYS | {12: 240, 20: 277} == of_account(firm)
    assert of_rows(table(inspected(firm, "csv")), "anna", 5) == today
    assert costs(firm)["minutes"] == account(firm)["actualMinutes"] == NET + 270
