"""A company's month for payroll: the content of its files, and the open points that block them."""

import shutil
import subprocess
import zipfile
from collections import defaultdict
from contextlib import nullcontext
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.files.packing import frames
from stempelwerk_cloud.kit.german import alphabetical
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.office.exports.tax_audit import inspection

from cloud.tests.correcting import hang_since, stamped
from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.office.exporting import (
    MAY,
    STAFF,
    WAGES,
    export,
    file,
    findings,
    hours,
    lock,
    mapped,
    read_lodas,
    read_lug,
    staffed,
    table,
)
from cloud.tests.office.people import away, employ, set_company, set_weekly, worked
from cloud.tests.planning.rosters import add_duty as planned
from cloud.tests.room import logged
from cloud.tests.stamping import Site
from cloud.tests.world import Firm, Somebody

HEADS = [
    *("Personalnummer", "Name", "Datum", "Kommen", "Gehen", "Pause (Min)", "Anwesenheit (Std)", "Arbeitszeit (Std)"),
    *("Quelle", "Hinweise"),
]


@pytest.fixture
def staff(firm: Firm) -> dict[str, Somebody]:
    people = staffed(firm)
    mapped(firm)
    return people


def test_payroll_files_are_refused_until_everything_is_settled(firm: Firm) -> None:
    worked(firm.anna, "2026-05-04", "08:00", "16:30")
    worked(firm.ben, "2026-05-04", "08:00", "16:30")
    missing = [("no_adviser_number", None, None), ("no_client_number", None, None)]
    people = [("no_personnel_number", person.id, None) for person in (firm.anna, firm.ben)]
    blocking = [*missing, *people, ("unmapped", None, None)]
    assert findings(firm) == [*blocking, ("no_holiday_region", None, None)]
    refused = export(firm.boss, "lodas")
    assert (refused.status_code, refused.json()["code"]) == (409, "export_blocked")
    assert [finding["code"] for finding in refused.json()["findings"]] == [code for code, _, _ in blocking]
    assert export(firm.boss, "lug").status_code == 409
    for form in ("csv", "xlsx", "pdf"):
        assert export(firm.boss, form).status_code == 200
    set_company(firm, "holiday_region", '"DE-NI"')
    mapped(firm)
    employ(firm.anna, personnel_number="0042")
    employ(firm.ben, personnel_number="42")
    twice = [("duplicate_personnel_number", person.id, None) for person in (firm.anna, firm.ben)]
    assert findings(firm) == twice
    employ(firm.ben, personnel_number="100000")
    assert findings(firm) == [("personnel_number_range", firm.ben.id, None)]
    employ(firm.ben, personnel_number="43")
    assert findings(firm) == []
    assert export(firm.boss, "lodas").status_code == 200


@ON_SQLITE
def test_only_kinds_that_occur_need_a_name_and_an_absence_key_is_one_for_lug(firm: Firm, staff: dict[str, Any]) -> None:
    mapped(firm, wageTypes=dict.fromkeys(WAGES) | {"hours": "101", "publicHoliday": "303"})
    blocking = ["unmapped", "unmapped"]
    assert [code for code, _, _ in findings(firm)] == [*blocking, "unmapped_absence"]
    assert findings(firm, "lug") == []
    mapped(firm, absenceKeys=None)
    assert [code for code, _, _ in findings(firm, "lug")] == ["unmapped_absence"]
    mapped(firm, wageTypes=dict.fromkeys(WAGES) | {"hours": "101", "publicHoliday": "303"}, absenceKeys=None)
    assert [code for code, _, _ in findings(firm, "lug")] == [*blocking, "unmapped_absence"]


def test_entries_that_are_not_settled_are_named_and_never_exported_silently(site: Site) -> None:
    firm = site.firm
    assert site.boss.id == firm.boss.id  # whose session has not expired by that
    hang_since(site, "2026-10-01 05:00")
    employ(firm.anna, personnel_number="26")
    set_company(firm, "holiday_region", '"DE-NI"')
    mapped(firm)
    stamped(site, "2026-10-05 08:00", direction="in")
    stamped(site, "2026-10-07 16:00", direction="out")
    stamped(site, "2026-10-08 08:00", "2026-10-08 12:00")
    stamped(site, "2026-10-09 08:00", tag="04FFFFFF")
    site.somebody(firm.anna).post(
        "/api/time-corrections", json={"date": "2026-10-08", "newStart": "07:00", "newEnd": "12:00"}
    )
    anna = firm.anna.id
    assert findings(firm, month="2026-10") == [
        ("missing_end", anna, "2026-10-05"),
        ("missing_start", anna, "2026-10-07"),
        ("pending_correction", anna, "2026-10-08"),
        ("held_stamps", None, "2026-10-09"),
    ]
    assert export(firm.boss, "lodas", "2026-10").status_code == 409
    rows = table(file(firm.boss, "csv", "2026-10"))
    assert [(row[2], row[3], row[4], row[7], row[9]) for row in rows[1:4]] == [
        ("05.10.2026", "08:00", "", "", "Gehen fehlt"),
        ("07.10.2026", "", "16:00", "", "Kommen fehlt"),
        ("08.10.2026", "08:00", "12:00", "4,00", ""),
    ]
    assert lock(firm.boss, "2026-10").status_code == 200
    # Open points of the locked month are left out and block no more.
    _, bookings = read_lodas(file(firm.boss, "lodas", "2026-10"))
    assert [(booking["la_eigene"], booking["bs_wert_butab"]) for booking in bookings] == [("101", "4,00")]


def test_more_than_six_weeks_of_illness_warn_and_block_nothing(firm: Firm) -> None:
    mapped(firm)
    set_company(firm, "holiday_region", '"DE-NI"')
    employ(firm.anna, personnel_number="26", entry_date="2026-01-01")
    away(firm.anna, *(f"2026-04-{day:02d}" for day in range(1, 31)), *(f"2026-05-{day:02d}" for day in range(1, 14)))
    assert findings(firm) == [("sick_over_42_days", firm.anna.id, "2026-05-13")]
    assert export(firm.boss, "lodas").status_code == 200


@ON_SQLITE
def test_lodas_says_of_everybody_what_was_reckoned_by_hand(firm: Firm, staff: dict[str, Any]) -> None:
    assert findings(firm) == [("unmapped_absence", staff["schule"].id, "2026-05-12")]
    general, bookings = read_lodas(file(firm.boss, "lodas"))
    assert general == {
        **{"Ziel": "LODAS", "Version_SST": "1.0", "BeraterNr": "28547", "MandantenNr": "90909"},
        **{"Datumsformat": "TT.MM.JJJJ", "Feldtrennzeichen": ";", "Zahlenkomma": ","},
    }
    hours_by_number: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for booking in bookings:
        assert (booking["abrechnung_zeitraum"], booking["bs_nr"]) == ("01.05.2026", "1")
        hours_by_number[booking["pnr"]][booking["la_eigene"], booking["kostenstelle"]] = booking["bs_wert_butab"]
    assert hours_by_number == {person.number: person.hours for person in STAFF if person.hours}


@ON_SQLITE
def test_lug_says_the_same_day_by_day(firm: Firm, staff: dict[str, Any]) -> None:
    amounts_by_number: dict[str, dict[tuple[str, str], Any]] = defaultdict(lambda: defaultdict(lambda: hours("0")))
    read = read_lug(file(firm.boss, "lug"))
    assert (read.adviser, read.client, read.month) == ("28547", "90909", "05/2026")
    for line in read.lines:
        if line.wage_type:
            amounts_by_number[line.number][line.wage_type, line.centre] += line.hours or 0
    assert amounts_by_number == {
        person.number: {key: hours(value) for key, value in person.hours.items()} for person in STAFF if person.hours
    }
    of = {
        number: [
            (line.day, line.key, line.wage_type, line.hours, line.days)
            for line in read.lines
            if line.number == number and line.wage_type != "303"
        ]
        for number in ("30", "31", "33", "37")
    }
    assert of["31"] == [(7, "K", "302", 8, 1), (8, "K", "302", 8, 1)]
    assert of["30"] == [(6, "", "101", 4, None), (6, "U", "301", 4, hours("0,5"))]
    assert of["33"] == [(5, "K", "", None, 1)]
    assert of["37"] == [(12, "BS", "", 8, 1)]


@ON_SQLITE
def test_tables_have_a_line_an_entry_and_a_sum_a_person_and_no_formula(firm: Firm, staff: dict[str, Any]) -> None:
    formula = firm.world.user(firm.id, "=1+2")
    worked(formula, "2026-05-04", "08:00", "16:30")
    content = file(firm.boss, "csv")
    rows = table(content)
    assert content.startswith(b"\xef\xbb\xbf")
    assert rows[0] == HEADS
    assert ["0026", "Änne Öztürk", "04.05.2026", "08:00", "16:30", "30", "8,50", "8,00", "Korrektur", ""] in rows
    assert ["0027", "nacht", "05.05.2026", "22:00", "06:00", "30", "8,00", "7,50", "Korrektur", ""] in rows
    assert [row[1] for row in rows if "1+2" in row[1]] == ["'=1+2", "'=1+2"]
    sums = {row[0]: hours(row[7]) for row in rows if row[2] == "Summe"}
    assert sums == {f"00{person.number}": hours(f"{person.net / 60:.2f}") for person in STAFF} | {"": hours("8,00")}
    book = load_workbook(BytesIO(file(firm.boss, "xlsx")))
    cells = [list(row) for row in book["2026-05"]]
    assert [cell.value for cell in cells[0]] == HEADS
    assert "f" not in {cell.data_type for row in cells for cell in row}
    assert [cell.value for cell in cells[1]][:2] == [None, "=1+2"]
    table_cells = [[("" if cell.value is None else cell.value) for cell in row] for row in cells]
    (night,) = (row for row in table_cells if row[1] == "nacht" and row[2] != "Summe")
    assert (night[0], f"{night[2]:%d.%m.%Y}", *night[3:8]) == ("0027", "05.05.2026", "22:00", "06:00", 30, 8, 7.5)


@ON_SQLITE
def test_sums_are_those_of_the_accounts(firm: Firm, staff: dict[str, Somebody]) -> None:
    for person in STAFF:
        body = firm.boss.get(f"/api/users/{staff[person.name].id}/account?month={MAY}").json()
        assert sum(day["actualMinutes"] for day in body["days"]) == person.net
        credited = {"holiday": ["303"], "vacation": ["301"], "absence": ["302"]}
        for credit in body["credits"]:
            if person.hours and (person.name, credit["kind"]) != ("schule", "absence"):
                of_kind = [
                    hours(text) for (type_, _), text in person.hours.items() if type_ in credited[credit["kind"]]
                ]
                assert sum(of_kind) * 60 == credit["minutes"], (person.name, credit)


@ON_SQLITE
def test_timesheets_have_a_page_for_each_person(firm: Firm, staff: dict[str, Any]) -> None:
    pages = PdfReader(BytesIO(file(firm.boss, "pdf"))).pages
    assert len(pages) == len(STAFF)
    texts = {name: next(page for page in texts_of(pages) if name in page) for name in ("Änne Öztürk", "halb", "schule")}
    assert "Personalnummer 0026" in texts["Änne Öztürk"]
    assert "Unterschrift" in texts["Änne Öztürk"]
    assert "halber Tag Urlaub 4h 00m" in texts["halb"]
    assert "Berufsschule 8h 00m" in texts["schule"]


def texts_of(pages: Any) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in pages]


def test_what_was_not_worked_and_not_taken_off_is_no_line(firm: Firm) -> None:
    set_weekly(firm, 2400)
    planned(firm.anna, "2026-05-04")
    mapped(firm)
    assert table(file(firm.boss, "csv")) == [HEADS]
    assert read_lodas(file(firm.boss, "lodas"))[1] == []


@ON_BOTH
def test_a_month_that_has_not_ended_is_a_draft_and_one_to_come_is_refused(firm: Firm) -> None:
    worked(firm.anna, "2026-11-04", "08:00", "16:30")
    assert table(file(firm.boss, "csv", "2026-11"))[-1][-1] == "Entwurf"
    assert firm.boss.get(f"/api/companies/{firm.id}/exports").json()[0]["draft"] is True
    assert load_workbook(BytesIO(file(firm.boss, "xlsx", "2026-11"))).sheetnames == ["2026-11 Entwurf"]
    assert export(firm.boss, "csv", "2026-12").status_code == 422
    assert export(firm.boss, "csv", "Mai").status_code == 422


@ON_SQLITE
def test_each_file_is_kept_once_and_logged(firm: Firm, staff: dict[str, Any]) -> None:
    answers = [export(firm.boss, form) for form in ("csv", "xlsx", "pdf", "lodas", "lug")]
    names = [answer.headers["Content-Disposition"].split('"')[1] for answer in answers]
    assert names == [f"times_{MAY}{ending}" for ending in (".csv", ".xlsx", ".pdf", "_lodas.txt", "_lug.txt")]
    first = [answer.content for answer in answers]
    assert [file(firm.boss, form) for form in ("csv", "xlsx", "pdf", "lodas", "lug")] == first
    body = firm.boss.get(f"/api/companies/{firm.id}/exports").json()
    assert [(row["format"], row["draft"], row["changed"]) for row in body] == [
        (form, False, False) for form in ("lug", "lodas", "pdf", "xlsx", "csv")
    ]
    assert len(logged(firm.world, firm.id, "export")) == 5
    assert firm.boss.get(f"/api/companies/{firm.id}/exports/{body[0]['id']}/file").content == first[-1]


def test_pay_by_the_month_holds_from_the_beginning_and_then_from_a_day(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/employment"
    assert firm.boss.get(path).json()["payType"] == "hourly"
    firm.boss.put(path, json={"payType": "monthly"})
    assert firm.boss.get(f"{path}?on=2026-01-01").json()["payType"] == "monthly"
    firm.boss.put(path, json={"payType": "hourly", "validFrom": "2026-11-01"})
    assert firm.boss.get(f"{path}?on=2026-10-31").json()["payType"] == "monthly"
    assert firm.boss.get(path).json()["payType"] == "hourly"
    assert firm.boss.put(path, json={"payType": "weekly"}).status_code == 422


@ON_SQLITE
def test_authorities_get_begin_end_and_duration_of_everybody(firm: Firm, staff: dict[str, Any]) -> None:
    path = f"/api/companies/{firm.id}/inspection"
    assert firm.boss.get(f"{path}?from=2026-05-02&to=2026-05-01").status_code == 422
    rows = table(firm.boss.get(f"{path}?from=2026-05-01&to=2026-05-31&format=csv").content)
    assert ["nacht", "05.05.2026", "22:00", "06:00", "30", "7,50", "", "6,50", ""] in rows
    assert ["neu", "29.05.2026", "08:00", "18:00", "45", "9,25", "1,25", "", ""] in rows
    text = " ".join(texts_of(PdfReader(BytesIO(firm.boss.get(f"{path}?from=2026-05-01&to=2026-05-31").content)).pages))
    assert "1. bis 31. Mai 2026" in text
    assert "Di 05.05.2026 22:00 06:00 0h 30m 7h 30m" in text


def test_authorities_get_any_span_in_one_file(
    firm: Firm, staff: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(staff["neu"], "2023-12-31", "08:00", "12:00")
    worked(staff["neu"], "2024-01-01", "08:00", "12:00")
    path = f"/api/companies/{firm.id}/inspection"
    span, year = f"{path}?from=0001-01-01&to=9999-12-31", f"{path}?from=2026-01-01&to=2026-12-31"
    lines_of_span, last = (table(firm.boss.get(f"{url}&format=csv").content) for url in (span, year))
    assert [row[:4] for row in lines_of_span[1:3]] == [
        ["neu", "31.12.2023", "08:00", "12:00"],
        ["neu", "01.01.2024", "08:00", "12:00"],
    ]
    assert [lines_of_span[0], *lines_of_span[3:]] == last
    text = " ".join(texts_of(PdfReader(BytesIO(firm.boss.get(span).content)).pages))
    assert all(day in text for day in ("So 31.12.2023", "Mo 01.01.2024", "Di 05.05.2026"))


def test_what_takes_long_on_paper_comes_person_by_person_while_it_is_drawn(
    firm: Firm, staff: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(staff["neu"], "2024-01-01", "08:00", "12:00")
    path = f"/api/companies/{firm.id}/inspection?from=0001-01-01&to=9999-12-31"
    rows = table(firm.boss.get(f"{path}&format=csv").content)[1:]
    monkeypatch.setattr(inspection, "MOST_ROWS", 3)
    answer = firm.boss.get(path)
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="inspection_0001-01-01_9999-12-31.zip"'
    papers = zipfile.ZipFile(BytesIO(answer.content))
    texts_by_name = {
        name[5:-4]: " ".join(texts_of(PdfReader(BytesIO(papers.read(name))).pages)) for name in papers.namelist()
    }
    assert list(texts_by_name) == sorted({row[0].replace(" ", "-") for row in rows}, key=alphabetical)
    for name, day, start, end, *_ in rows:
        assert f"{day} {start or '–'} {end or '–'}" in texts_by_name[name.replace(" ", "-")]


@ON_SQLITE
def test_a_piece_that_finds_others_drawing_is_empty_and_comes_later(
    firm: Firm, staff: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = firm.world.platform
    monkeypatch.setattr(places, "PATIENCE_S", 0)
    monkeypatch.setattr(inspection, "MOST_ROWS", 0)
    begun = inspection.begin(platform, firm.id, date(2026, 5, 1), date(2026, 5, 31), "pdf")
    assert isinstance(begun, inspection.Packed)
    with machine_semaphore.try_take(platform, [f"paper {firm.id}"]) or nullcontext() as place:
        assert place is not None
        assert next(begun.steps) == []
    decode = frames.decoder(frames.File).decode
    assert "0002-feiertag.pdf" in [decode(frame).name for step in begun.steps for frame in step]


@ON_SQLITE
@pytest.mark.prove
@pytest.mark.skipif(shutil.which("soffice") is None, reason="no LibreOffice here")
def test_another_program_reads_the_workbook_as_the_csv_says(firm: Firm, staff: dict[str, Any], tmp_path: Path) -> None:
    book = tmp_path / "month.xlsx"
    book.write_bytes(file(firm.boss, "xlsx"))
    # UTF-8 with semicolons, and cells as they are shown.
    form = "csv:Text - txt - csv (StarCalc):59,34,76,1,,1031,false,true"
    home = f"-env:UserInstallation=file://{tmp_path}/office"
    run = ["soffice", home, "--headless", "--convert-to", form, "--outdir", str(tmp_path), str(book)]
    subprocess.run(run, check=True, capture_output=True, timeout=300)
    read = [line.split(";") for line in (tmp_path / "month.csv").read_text(encoding="utf-8").splitlines()]
    csv_rows = table(file(firm.boss, "csv"))
    assert read[0] == csv_rows[0]
    assert [row[1] for row in read] == [row[1] for row in csv_rows]
    assert [hours(row[7] or "0") for row in read[1:]] == [hours(row[7] or "0") for row in csv_rows[1:]]
