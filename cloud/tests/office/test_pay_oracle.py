"""A month of twelve employees is the same in every book as in an oracle that shares no code with the service."""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from openpyxl import load_workbook
from stempelwerk_cloud.planning.facts.tables import Absence as AbsenceRow

from cloud.tests.correcting import at, hang_since
from cloud.tests.databases import ON_POSTGRESQL, ON_SQLITE
from cloud.tests.device_client import iso
from cloud.tests.office.exporting import WAGES, difference, exports, file, findings, lock, mapped, read_lodas, table
from cloud.tests.office.pay_oracle import (
    BESIDE,
    KINDS,
    UNPAID_REASONS,
    DayOff,
    Employee,
    Reckoning,
    days_of,
    hundredths,
)
from cloud.tests.office.pay_staff import (
    ADDED,
    CANCELLED_LEAVE,
    CANCELLED_SCHOOL,
    COMPANY,
    FREE_DAYS,
    LATE_ILLNESS,
    LATE_SCHOOL,
    MONTHS,
    MOVED,
    RULES_FROM,
    STAMPED,
    changed,
    on,
    staff,
    work,
)
from cloud.tests.office.people import employ, on_leave, set_company, worked
from cloud.tests.room import given
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, Site
from cloud.tests.world import Firm, Somebody

KEYS = {
    **{"hours": "1", "publicHoliday": "F", "vacation": "U", "sick": "K", "unpaid": "UB"},
    **{"Berufsschule": "BS", "Elternzeit": "EZ"},
}
WAGE_TYPES = {
    **{"work": WAGES["hours"], "holiday": WAGES["publicHoliday"], "holiday125": WAGES["holiday"]},
    **{kind: WAGES[kind] for kind in ("vacation", "sick", "night", "night40", "sunday", "holiday150", "overtime")},
}
KEYS_OF_KINDS = {"work": KEYS["hours"], "holiday": KEYS["publicHoliday"], "vacation": "U", "sick": "K"}
MOST_OF_A_LINE = 2400
KINDS_OF_ROWS = {
    **{"Arbeit": "work", "Urlaub": "vacation", "Krankheit": "sick", "Feiertag": "holiday", "Abwesenheit": "absence"},
    **{"Nachtzuschlag": "night", "Nachtzuschlag (40 %)": "night40", "Sonntagszuschlag": "sunday"},
    **{"Feiertagszuschlag": "holiday125", "Feiertagszuschlag (150 %)": "holiday150", "Überstunden": "overtime"},
}
SENTENCE = {"comment": "So war es."}
Reckonings = Mapping[str, Reckoning]


class Office(NamedTuple):
    """A company whose employees are those of the oracle."""

    firm: Firm
    people: Mapping[str, Somebody]
    site: Site


def reckon(employees: Iterable[Employee]) -> Reckonings:
    return {employee.name: Reckoning(COMPANY, employee) for employee in employees}


@pytest.fixture
def office(site: Site) -> Office:
    firm = site.firm
    firm.boss = site.boss
    hang_since(site, "2026-09-01 00:00")
    set_company(firm, "hours_mode", '"perEmployee"')
    set_company(firm, "holiday_region", '"DE-TH"')
    set_company(firm, "rules_from", f'"{RULES_FROM}"')
    days = [
        {"date": on(day).isoformat(), "name": name, "half": free.halves == 1, "legal": free.is_legal}
        for day, (name, free) in FREE_DAYS.items()
    ]
    body = {"year": 2026, "days": days}
    assert firm.boss.put(f"/api/companies/{firm.id}/free-days", json=body).status_code == 200
    mapped(firm, absenceKeys=KEYS)
    people = {"anna": firm.anna, "ben": firm.ben}
    for employee in staff().values():
        if employee.name not in people:
            people[employee.name] = firm.world.user(firm.id, employee.name)
        enter(site, people[employee.name], employee)
    return Office(firm, people, site)


def enter(site: Site, person: Somebody, employee: Employee) -> None:
    employ(person, personnel_number=str(employee.number), weekly_target=employee.weekly)
    employ(person, workdays=list(employee.workdays))
    for name, day in (("entry_date", employee.entry), ("exit_date", employee.leaving)):
        if day is not None:
            employ(person, **{name: day.isoformat()})
    for first, pay_type in employee.pay_types:
        employ(person, first, pay_type=pay_type)
    taps = []
    for span in employee.work:
        if employee.name == STAMPED:
            instants = at(span.begin.isoformat()), at(span.end.isoformat())
            qualities = [{} if span.is_settled else {"quality": "none", "wall": iso(instant)} for instant in instants]
            taps += [
                site.device.tap(ANNA, instant, **quality) for instant, quality in zip(instants, qualities, strict=True)
            ]
        else:
            times = f"{span.begin:%H:%M}", f"{span.end:%H:%M}"
            worked(person, span.begin.date().isoformat(), *times, span.pause)
    if taps:
        site.device.deliver(*taps)
    for leave in employee.leave:
        halves = {"start_half": leave.is_short_first, "end_half": leave.is_short_last}
        on_leave(person, leave.first.isoformat(), leave.last.isoformat(), **halves)
    report_ids = {kind: site.world.platform.ids.new() for kind in ("sick", "special")}
    for day, absence in employee.absences.items():
        note = {"file_id": report_ids["sick"], "noted_at": site.clock.now()}
        details = note if absence.kind == "sick" and absence.has_note else {}
        if absence.kind == "special":
            details = {"reason": absence.reason, "credited": absence.is_credited}
        row = {"date": day, "kind": absence.kind, "status": "excused", "report_id": report_ids[absence.kind]}
        given(person, AbsenceRow, **row, **details)


# -- the books


def decimal(minutes: int) -> Decimal:
    return Decimal(hundredths(minutes)) / 100


def amount(cell: object) -> Decimal:
    return Decimal(str(cell).replace(",", "."))


def expected_table(reckonings: Reckonings, month: str) -> list[tuple[Any, ...]]:
    """Lines of a table: each entry, and the sum of each employee."""
    lines: list[tuple[Any, ...]] = []
    for name, reckoning in reckonings.items():
        if not reckoning.is_in(month):
            continue
        number, entries = str(reckoning.employee.number), reckoning.worked_in(month)
        source = "Stempel" if name == STAMPED else "Korrektur"
        for entry in entries:
            times = f"{entry.work.begin:%H:%M}", f"{entry.work.end:%H:%M}"
            figures = entry.pause, decimal(entry.raw), decimal(entry.net)
            lines.append((number, name, f"{entry.day:%d.%m.%Y}", *times, *figures, source))
        sums = [sum(getattr(entry, figure) for entry in entries) for figure in ("pause", "raw", "net")]
        lines.append((number, name, "Summe", "", "", sums[0], decimal(sums[1]), decimal(sums[2]), ""))
    return lines


def read_table(rows: Iterable[Iterable[Any]]) -> list[tuple[Any, ...]]:
    lines = []
    for row in rows:
        cells = [f"{cell:%d.%m.%Y}" if isinstance(cell, date) else "" if cell is None else cell for cell in row]
        lines.append((*map(str, cells[:5]), int(cells[5]), amount(cells[6]), amount(cells[7]), cells[8]))
    return lines


def expected_lodas(reckonings: Reckonings, month: str) -> dict[tuple[str, str], Decimal]:
    return {
        (str(reckoning.employee.number), WAGE_TYPES[kind]): decimal(sum(minutes.values()))
        for reckoning in reckonings.values()
        for kind, minutes in reckoning.paid_by_hour(month).items()
        if kind in WAGE_TYPES
    }


def read_bookings(content: bytes) -> dict[tuple[str, str], Decimal]:
    _, bookings = read_lodas(content)
    hours = {(booking["pnr"], booking["la_eigene"]): amount(booking["bs_wert_butab"]) for booking in bookings}
    assert len(hours) == len(bookings)
    return hours


class LugLine(NamedTuple):
    number: str
    day: int
    key: str
    wage_type: str


def expected_lug(reckonings: Reckonings, month: str) -> dict[LugLine, tuple[int, int]]:
    """Hundredths of an hour and halves of a day by line."""
    lines: dict[LugLine, tuple[int, int]] = {}
    for reckoning in (row for row in reckonings.values() if row.is_in(month)):
        number = str(reckoning.employee.number)
        keys = {(row.day, row.kind): key_of(row) for row in reckoning.days_off(month)}
        for kind, minutes in reckoning.paid_by_hour(month).items():
            for day, hours in day_hundredths(minutes, month, kind).items():
                key = "" if kind in BESIDE else keys.get((day, kind), KEYS_OF_KINDS.get(kind, ""))
                lines[LugLine(number, day.day, key, WAGE_TYPES.get(kind, ""))] = (hours, 0)
        for row in reckoning.days_off(month):
            is_hourly = reckoning.employee.is_hourly(row.day)
            key = key_of(row)
            if not key or (row.kind == "holiday" and not is_hourly):
                continue
            wage_type = WAGE_TYPES.get(row.kind, "") if is_hourly and row.minutes else ""
            line = LugLine(number, row.day.day, key, wage_type)
            lines[line] = (lines.get(line, (0, 0))[0], row.halves)
        for day in reckoning.idle_sick_days(month):
            lines.setdefault(LugLine(number, day.day, "K", ""), (0, 0))
    return lines


def key_of(row: DayOff) -> str:
    if row.kind != "absence":
        return KEYS_OF_KINDS[row.kind]
    return KEYS.get(row.reason, KEYS["unpaid"] if row.reason in UNPAID_REASONS else "")


def day_hundredths(minutes: Mapping[date, int], month: str, kind: str) -> dict[date, int]:
    """Hundredths by day, which sum up to those of the month. Overtime fills the last days."""
    if kind == "overtime":
        remaining, by_day = hundredths(sum(minutes.values())), {}
        for day in reversed(days_of(month)):
            by_day[day] = min(remaining, MOST_OF_A_LINE)
            remaining -= by_day[day]
        return {day: hours for day, hours in by_day.items() if hours}
    by_day, so_far = {}, 0
    for day, worked_minutes in minutes.items():
        by_day[day] = hundredths(so_far + worked_minutes) - hundredths(so_far)
        so_far += worked_minutes
    return by_day


def read_lug(content: bytes, month: str) -> dict[LugLine, tuple[int, int]]:
    head, *lines = [line.split(";") for line in content.decode("cp1252").removesuffix("\r\n").split("\r\n")]
    assert head == ["28547", "90909", f"{month[5:]}/{month[:4]}"]
    amounts = {}
    for number, day, key, wage_type, hours, days, *empty in lines:
        assert empty == ["", "", "", "", ""]
        assert key or (wage_type and hours)
        line = LugLine(number, int(day), key, wage_type)
        assert line not in amounts
        amounts[line] = (int(amount(hours or "0") * 100), int(amount(days or "0") * 2))
    return amounts


def check_files(office: Office, reckonings: Reckonings, month: str) -> None:
    """Compares each file of the month. Lines are counted, so that no empty file passes."""
    boss = office.firm.boss
    assert read_table(table(file(boss, "csv", month))[1:]) == expected_table(reckonings, month)
    sheet = load_workbook(BytesIO(file(boss, "xlsx", month)))[month]
    assert read_table(list(sheet.iter_rows(values_only=True))[1:]) == expected_table(reckonings, month)
    assert read_bookings(file(boss, "lodas", month)) == expected_lodas(reckonings, month)
    assert read_lug(file(boss, "lug", month), month) == expected_lug(reckonings, month)


def check_accounts(office: Office, reckonings: Reckonings, month: str) -> None:
    """Compares the account and the statement of each employee, day by day, and the list of accounts."""
    boss = office.firm.boss
    all_accounts = boss.get(f"/api/companies/{office.firm.id}/accounts?month={month}").json()
    rows = {row["username"]: row for row in all_accounts}
    for name, reckoning in reckonings.items():
        person, expected = office.people[name], reckoning.account(month)
        days = {
            day.isoformat(): (account_day.target, account_day.actual, dict(account_day.credits))
            for day, account_day in expected.items()
        }
        sums = Counter[str]()
        for account_day in expected.values():
            sums.update(account_day.credits)
        credited = {kind: minutes for kind, minutes in sums.items() if minutes}
        target, actual = (
            sum(getattr(account_day, figure) for account_day in expected.values()) for figure in ("target", "actual")
        )
        carried = sum(reckoning.balance(f"2026-{number:02}") for number in range(5, int(month[5:])))

        account = boss.get(f"/api/users/{person.id}/account?month={month}").json()
        assert {
            row["date"]: (row["targetMinutes"], row["actualMinutes"], credits_of(row)) for row in account["days"]
        } == days, name
        figures = [account[f"{figure}Minutes"] for figure in ("target", "actual", "balance", "carried")]
        assert figures == [target, actual, reckoning.balance(month), carried], name
        assert credits_of(account) == credited, name

        row = rows[name]
        figures = [row[f"{figure}Minutes"] for figure in ("target", "actual", "credit", "balance", "balanceToDate")]
        balance = reckoning.balance(month)
        assert figures == [target, actual, sum(credited.values()), balance, carried + balance], name

        answer = boss.get(f"/api/users/{person.id}/statement?month={month}&format=json")
        assert answer.status_code == 200, answer.text
        statement = answer.json()
        assert {day["date"]: (day["target"], day["actual"], credits_of(day)) for day in statement["days"]} == days, name
        entries = [
            tuple(entry[figure] for figure in ("date", "startLocal", "endLocal", "raw", "break", "net"))
            for entry in statement["entries"]
        ]
        assert entries == [
            (
                entry.day.isoformat(),
                f"{entry.work.begin:%H:%M}",
                f"{entry.work.end:%H:%M}",
                entry.raw,
                entry.pause,
                entry.net,
            )
            for entry in reckoning.worked_in(month)
        ], name


def credits_of(row: Mapping[str, Any]) -> dict[str, int]:
    return {credit["kind"]: credit["minutes"] for credit in row["credits"]}


def figures(reckonings: Reckonings, month: str) -> dict[tuple[str, str, str], int]:
    return {
        (name, day.isoformat(), kind): minutes
        for name, reckoning in reckonings.items()
        for (day, kind), minutes in reckoning.figures(month).items()
    }


# -- claims


def test_the_oracle_shares_no_code_with_the_service() -> None:
    for module in ("pay_oracle", "pay_staff"):
        tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text())
        imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        imported += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        assert "datetime" in imported
        modules = [name for name in imported if name.startswith(("stempelwerk", "cloud"))]
        assert set(modules) <= {"cloud.tests.office.pay_oracle"}


@pytest.mark.parametrize(
    ("span", "net"),
    [("14:10", 360), ("14:30", 360), ("17:01", 511), ("17:30", 540), ("17:40", 540), ("18:00", 555)],
)
def test_the_oracle_deducts_the_breaks_of_the_decisions(span: str, net: int) -> None:
    employee = Employee("anna", 1, work=work(f"09-01 08:00-{span}"))
    (entry,) = Reckoning(COMPANY, employee).entries
    assert entry.net == net


def test_the_staff_has_every_kind_of_pay_on_both_sides_of_the_rules() -> None:
    reckonings = reckon(staff().values())
    assert len(reckonings) == 12
    assert {kind for month in MONTHS for _, _, kind in figures(reckonings, month)} == set(KINDS)
    for month in MONTHS[1:]:
        assert {kind for _, _, kind in figures(reckonings, month)} == set(KINDS) - {"holiday150"}


@ON_SQLITE
def test_all_books_of_twelve_people_say_what_the_oracle_reckons(office: Office) -> None:
    reckonings = reckon(staff().values())
    sizes = []
    for month in MONTHS:
        check_findings(office, reckonings, month)
        check_accounts(office, reckonings, month)
        assert lock(office.firm.boss, month).status_code == 200
        check_files(office, reckonings, month)
        sizes.append(
            (
                len(expected_table(reckonings, month)),
                len(expected_lodas(reckonings, month)),
                len(expected_lug(reckonings, month)),
            )
        )
    assert sizes == [(7, 9, 14), (68, 37, 151), (62, 46, 170)]


def check_findings(office: Office, reckonings: Reckonings, month: str) -> None:
    names = {person.id: name for name, person in office.people.items()}
    codes = {(code, user_id and names[user_id], day) for code, user_id, day in findings(office.firm, "lodas", month)}
    expected: set[tuple[str, str | None, str | None]] = set()
    for name, reckoning in reckonings.items():
        for day in days_of(month):
            entries = [entry for entry in reckoning.worked_in(month) if entry.day == day]
            for unsettled in (entry.work for entry in entries if not entry.work.is_settled):
                expected.add(("uncertain_time", name, day.isoformat()))
                waiting = {unsettled.begin.date(), unsettled.end.date()} & {*days_of(month)}
                expected |= {("held_stamps", None, stamped.isoformat()) for stamped in waiting}
            net, absence = reckoning.net(day, is_paid=False), reckoning.employee.absences.get(day)
            leave, owed = reckoning.leave_halves(day), 2 - reckoning.free_halves(day)
            is_ill = absence is not None and absence.kind == "sick"
            if entries and (is_ill or (leave and (leave == owed or net > reckoning.target(day) / 2))):
                expected.add(("worked_on_leave", name, day.isoformat()))
        absences = [row for row in reckoning.days_off(month) if row.kind == "absence" and row.minutes]
        unnamed = [row.day for row in absences if reckoning.employee.is_hourly(row.day)]
        if unnamed:
            expected.add(("unmapped_absence", name, min(unnamed).isoformat()))
    assert codes == expected


@ON_POSTGRESQL
def test_corrections_after_the_lock_are_the_difference_that_the_oracle_reckons(
    office: Office, clock: SettableClock
) -> None:
    firm, boss = office.firm, office.firm.boss
    reckonings, corrected = reckon(staff().values()), reckon(changed().values())
    for month in MONTHS:
        assert lock(boss, month).status_code == 200
    contents = {(month, form): file(boss, form, month) for month in MONTHS for form in ("csv", "xlsx", "lodas", "lug")}
    bases = {row["month"]: row["id"] for row in exports(firm) if row["format"] == "lodas"}
    assert not any(row["changed"] for row in exports(firm))
    clock.set(clock.now() + timedelta(minutes=5))
    change(office)
    assert {key: file(boss, key[1], key[0]) for key in contents} == contents
    assert all(row["changed"] for row in exports(firm))

    kinds, count = set(), 0
    for month in MONTHS:
        old, new = figures(reckonings, month), figures(corrected, month)
        expected = {
            key: (old.get(key), new.get(key)) for key in old.keys() | new.keys() if old.get(key) != new.get(key)
        }
        kinds |= {kind for _, _, kind in expected}
        count += len(expected)
        answer = difference(firm, bases[month])
        assert answer.status_code == 200, answer.text
        rows = {(row["username"], row["date"], row["kind"]): (row["before"], row["after"]) for row in answer.json()}
        assert rows == expected
        assert len(rows) == len(answer.json())

        lines = table(difference(firm, bases[month], "csv").content)[1:]
        deltas = {
            (line[1], "-".join(reversed(line[2].split("."))), KINDS_OF_ROWS[line[3]]): tuple(line[4:7])
            for line in lines
        }
        assert deltas == {
            key: (text(minutes), text(later), text((later or 0) - (minutes or 0)))
            for key, (minutes, later) in expected.items()
        }
        assert difference(firm, bases[month]).json() == []
        check_accounts(office, corrected, month)
    assert kinds == set(KINDS)
    assert count == 41


def text(minutes: int | None) -> str:
    if minutes is None:
        return ""
    sign = "-" if minutes < 0 else ""
    return f"{sign}{decimal(abs(minutes)):.2f}".replace(".", ",")


def change(office: Office) -> None:
    """Makes all changes of `pay_staff.changed` by the calls of an administrator."""
    boss, people = office.firm.boss, office.people

    def post(path: str, body: Mapping[str, Any], status: int = 201) -> Any:
        answer = boss.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    for name, times_text in [*((name, new) for name, _, new in MOVED), *ADDED]:
        (span,) = work(times_text)
        times = {"newStart": f"{span.begin:%H:%M}", "newEnd": f"{span.end:%H:%M}"}
        post("/api/time-corrections", {"userId": people[name].id, "date": span.begin.date().isoformat()} | times)
    for entry in office.site.times(first="2026-09-01", last="2026-10-31"):
        if "uncertain_time" in entry["flags"]:
            path = f"/api/companies/{office.firm.id}/review/{entry['id']}/confirm"
            post(path, {"flags": ["uncertain_time"]}, 200)
    for name, first, last in LATE_ILLNESS:
        days = {"startDate": on(first).isoformat(), "endDate": on(last).isoformat()}
        rows = post("/api/absences", {"userId": people[name].id} | days)
        post(f"/api/absences/{rows[0]['id']}/excuse", {"wholeReport": True}, 200)
    for name, day in LATE_SCHOOL:
        days = {"startDate": on(day).isoformat(), "endDate": on(day).isoformat()}
        kind = {"kind": "special", "reason": "Berufsschule"}
        post("/api/absences", {"userId": people[name].id} | kind | days)
    absences = boss.get(f"/api/companies/{office.firm.id}/absences?status=all").json()
    for name, day in CANCELLED_SCHOOL:
        (row,) = (row for row in absences if row["username"] == name and row["date"] == on(day).isoformat())
        post(f"/api/absences/{row['id']}/cancel", SENTENCE, 200)
    requests = boss.get(f"/api/companies/{office.firm.id}/vacation-requests").json()
    for name, day in CANCELLED_LEAVE:
        (row,) = (row for row in requests if row["username"] == name and row["startDate"] == on(day).isoformat())
        post(f"/api/vacation-requests/{row['id']}/cancel", SENTENCE | {"passedDays": True}, 200)
