"""Common parts of the tests of exports: a staff with a known May, and readers of the exported files."""

import csv
import re
from calendar import monthrange
from datetime import date
from decimal import Decimal
from io import StringIO
from typing import Any, NamedTuple

from httpx2 import Response
from stempelwerk_cloud.office.exports.month.months import Month, packed, state_of
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.correcting import hang_since
from cloud.tests.office.people import away, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.room import given
from cloud.tests.stamping import Site
from cloud.tests.world import Firm, Somebody

MAY, OCTOBER = "2026-05", "2026-10"
WAGES = {
    **{"hours": "101", "night": "201", "night40": "202", "sunday": "203", "holiday": "204", "holiday150": "205"},
    **{"vacation": "301", "sick": "302", "publicHoliday": "303", "overtime": "401"},
}
MAPPING: dict[str, Any] = {
    "adviserNumber": "28547",
    "clientNumber": "90909",
    "wageTypes": WAGES,
    "absenceKeys": {"vacation": "U", "sick": "K", "Berufsschule": "BS"},
    "costCentres": {"Werkstatt": "10", "Büro": "20"},
}


class Known(NamedTuple):
    """A person's May as it was reckoned by hand: hours by wage type and cost centre, and net minutes worked."""

    name: str
    number: str
    hours: dict[tuple[str, str], str]
    net: int


HOLIDAYS = ("303", "")
STAFF = (
    # 4 May, 8:00 to 16:30: half an hour of break. 1, 14 and 25 May are public holidays of 8 hours each.
    Known("Änne Öztürk", "26", {("101", "10"): "8,00", ("303", "10"): "24,00"}, 480),
    # 5 May, 22:00 to 6:00, the break at its end: 22 to 24 and 4 to 5:30 night, between them the dearer one.
    Known("nacht", "27", {("101", ""): "7,50", ("201", ""): "3,50", ("202", ""): "4,00", HOLIDAYS: "24,00"}, 450),
    # Sunday, 10 May, 10:00 to 14:00.
    Known("sonntag", "28", {("101", ""): "4,00", ("203", ""): "4,00", HOLIDAYS: "24,00"}, 240),
    # 1 May, 8:00 to 12:00: worked, and a holiday that pays what work leaves of it.
    Known("feiertag", "29", {("101", ""): "4,00", ("205", ""): "4,00", HOLIDAYS: "20,00"}, 240),
    # 6 May: a morning's work, and half a day of vacation.
    Known("halb", "30", {("101", ""): "4,00", ("301", ""): "4,00", HOLIDAYS: "24,00"}, 240),
    # 7 and 8 May.
    Known("krank", "31", {("302", ""): "16,00", HOLIDAYS: "24,00"}, 0),
    # 11 to 15 May, with a holiday on the 14th.
    Known("urlaub", "32", {("301", ""): "32,00", HOLIDAYS: "24,00"}, 0),
    # Paid by the month: 4 May worked, 5 May ill; the salary pays for all of it.
    Known("monatlich", "33", {}, 480),
    # Moves from the workshop into the office on 15 May; worked on 4 and 18 May; the third holiday belongs to the
    # office.
    Known(
        "wechsel",
        "34",
        {("101", "10"): "8,00", ("101", "20"): "8,00", ("303", "10"): "16,00", ("303", "20"): "8,00"},
        960,
    ),
    # Twice 20 minutes: 0,67 hours, and not twice 0,33.
    Known("minuten", "35", {("101", ""): "0,67", HOLIDAYS: "24,00"}, 40),
    # Since 29 May: 8 hours due, 8:00 to 18:00 less 45 minutes worked.
    Known("neu", "36", {("101", ""): "9,25", ("401", ""): "1,25"}, 555),
    # 12 May at school, which is paid by no wage type.
    Known("schule", "37", {HOLIDAYS: "24,00"}, 0),
)


def staffed(firm: Firm) -> dict[str, Somebody]:
    """Creates the staff above, with their May."""
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-NI"')
    people = {}
    for known in STAFF:
        people[known.name] = person = firm.world.user(firm.id, known.name)
        employ(
            person,
            entry_date="2026-05-29" if known.name == "neu" else "2026-01-01",
            personnel_number=f"00{known.number}",
        )
    employ(people["Änne Öztürk"], department="Werkstatt")
    worked(people["Änne Öztürk"], "2026-05-04", "08:00", "16:30")
    worked(people["nacht"], "2026-05-05", "22:00", "06:00")
    worked(people["sonntag"], "2026-05-10", "10:00", "14:00")
    worked(people["feiertag"], "2026-05-01", "08:00", "12:00")
    worked(people["halb"], "2026-05-06", "08:00", "12:00")
    on_leave(people["halb"], "2026-05-06", "2026-05-06", start_half=True)
    away(people["krank"], "2026-05-07", "2026-05-08")
    on_leave(people["urlaub"], "2026-05-11", "2026-05-15")
    employ(people["monatlich"], pay_type="monthly")
    worked(people["monatlich"], "2026-05-04", "08:00", "16:30")
    away(people["monatlich"], "2026-05-05")
    employ(people["wechsel"], department="Werkstatt")
    employ(people["wechsel"], date(2026, 5, 15), department="Büro")
    for day in ("2026-05-04", "2026-05-18"):
        worked(people["wechsel"], day, "08:00", "16:30")
    for day in ("2026-05-04", "2026-05-05"):
        worked(people["minuten"], day, "08:00", "08:20")
    worked(people["neu"], "2026-05-29", "08:00", "18:00")
    school = {"date": "2026-05-12", "kind": "special", "status": "excused", "reason": "Berufsschule"}
    given(people["schule"], Absence, report_id=firm.id, **school)
    return people


def export(person: Somebody, form: str, month: str = MAY) -> Response:
    return person.get(f"/api/companies/{person.company_id}/export?month={month}&format={form}")


def file(person: Somebody, form: str, month: str = MAY) -> bytes:
    answer = export(person, form, month)
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def mapped(firm: Firm, **changes: Any) -> None:
    """Changes the mapping of `MAPPING`: names that a part of `changes` leaves out stay."""
    path = f"/api/companies/{firm.id}/payroll-mapping"
    answer = firm.boss.put(path, json=MAPPING | changes)
    assert answer.status_code == 200, answer.text


def mapped_anew(firm: Firm, **changes: Any) -> None:
    """Changes the mapping of `MAPPING`: names that a part of `changes` leaves out are removed."""
    parts = {name: value for name, value in MAPPING.items() if isinstance(value, dict)}
    mapped(firm, **{name: dict.fromkeys(parts[name]) | part for name, part in changes.items()})


def prepared(firm: Firm) -> Firm:
    """A company with 40 hours a week, a complete mapping, and personnel numbers of Anna and Ben."""
    set_weekly(firm, 2400)
    mapped(firm)
    employ(firm.anna, personnel_number="26", entry_date="2025-01-01")
    employ(firm.ben, personnel_number="27", entry_date="2025-01-01")
    return firm


def hung_in_october(site: Site) -> Site:
    """The same company, with a clock on the wall since October; the administrator has a new session."""
    assert site.boss.id == site.firm.boss.id
    prepared(site.firm)
    hang_since(site, "2026-10-01 05:00")
    return site


def lock(person: Somebody, month: str = MAY) -> Response:
    return person.put(f"/api/companies/{person.company_id}/months/{month}/lock")


def exports(firm: Firm) -> list[dict[str, Any]]:
    body: list[dict[str, Any]] = firm.boss.get(f"/api/companies/{firm.id}/exports").json()
    return body


def difference(firm: Firm, export_id: str, form: str = "json") -> Response:
    return firm.boss.get(f"/api/companies/{firm.id}/exports/{export_id}/difference?format={form}")


def findings(firm: Firm, form: str = "lodas", month: str = MAY) -> list[tuple[str, str | None, str | None]]:
    """Returns code, person and day of each finding."""
    answer = firm.boss.get(f"/api/companies/{firm.id}/export-check?month={month}&format={form}")
    assert answer.status_code == 200, answer.text
    assert all(row["message"] for row in answer.json())
    return [(row["code"], row["userId"], row["date"]) for row in answer.json()]


def table(content_: bytes) -> list[list[str]]:
    """Returns the cells as German Excel reads a CSV."""
    return list(csv.reader(StringIO(content_.decode("utf-8-sig")), delimiter=";"))


def hours(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def read_lodas(file_: bytes) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Reads a LODAS file by its own description: its general fields, and its bookings by the names of the fields."""
    sections: dict[str, list[str]] = {}
    for line in _text_lines(file_):
        if line.startswith("["):
            sections[line[1:-1]] = under = []
        else:
            under.append(line)
    general = dict(line.split("=", 1) for line in sections["Allgemein"])
    described = {}
    for line in sections["Satzbeschreibung"]:
        number, table_, *fields = line.split(general["Feldtrennzeichen"])
        described[number] = table_, fields[:-1]
    bookings = []
    for line in sections["Bewegungsdaten"]:
        number, *values = line.split(general["Feldtrennzeichen"])
        names = [field.removesuffix("#bwd") for field in described[number][1]]
        assert len(values) == len(names) + 1
        bookings.append(dict(zip(names, values, strict=False)))
    return general, bookings


class LugLine(NamedTuple):
    """A line of Lohn und Gehalt; hours and days are None where the field is empty."""

    number: str
    day: int
    key: str
    wage_type: str
    hours: Decimal | None
    days: Decimal | None
    centre: str


class LugFile(NamedTuple):
    adviser: str
    client: str
    month: str
    lines: list[LugLine]


def read_lug(file_: bytes) -> LugFile:
    """Reads a file as Lohn und Gehalt does, and fails where the program would refuse it."""
    head, *tail = _text_lines(file_)
    read = LugFile(*head.split(";"), [_lug_line(line) for line in tail])
    assert re.fullmatch("[0-9]{4,7}", read.adviser)
    assert re.fullmatch("[0-9]{1,5}", read.client)
    assert int(read.adviser) > 0 < int(read.client)
    length = monthrange(int(read.month[3:]), int(read.month[:2]))[1]
    assert all(1 <= line.day <= length for line in read.lines)
    return read


def _lug_line(text: str) -> LugLine:
    number, day, key, wage_type, amount, days, value, factor, change, centre, unit = text.split(";")
    assert re.fullmatch("[1-9][0-9]{0,4}", number)
    assert re.fullmatch("[1-9][0-9]?", day)
    assert re.fullmatch("[0-9A-Za-zÄÖÜäöüß]{0,2}", key)
    assert re.fullmatch("[0-9]{0,4}", wage_type)
    assert set(wage_type) != {"0"}
    assert re.fullmatch("([0-9]+,[0-9]{2})?", amount)
    assert days in {"", "0,50", "1,00"}
    assert re.fullmatch("[0-9A-Za-zÄÖÜäöüß]{0,8}", centre)
    assert (value, factor, change, unit) == ("", "", "", "")
    assert key or wage_type
    assert amount or (key and not wage_type)
    assert not days or key
    assert not amount or 0 < hours(amount) <= 24
    values = (hours(text) if text else None for text in (amount, days))
    return LugLine(number, int(day), key, wage_type, *values, centre)


def _text_lines(file_: bytes) -> list[str]:
    text = file_.decode("cp1252")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    return text.split("\r\n")[:-1]


def an_export(boss: Somebody, month: str = "2026-10") -> str:
    """Stores an export of an empty month by a user of the company; returns its id."""
    stands = Month(month, "Firma", ())
    columns = {"told": packed(stands), "state": state_of(stands), "inputs": b"inputs"}
    file_columns = {"content": b"file", "digest": b"digest", **columns}
    return given(
        boss,
        Export,
        month=month,
        format="csv",
        progress="done",
        done=0,
        total=0,
        keep_until="2032-12-31",
        **file_columns,
    )
