"""Names of people, departments and reasons may contain anything: no file breaks on it, and no cell computes it."""

import re
import zipfile
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from stempelwerk_cloud.kit.invisible import normalize_key
from stempelwerk_cloud.office.exports.tax_audit import inspection
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.databases import ON_SQLITE
from cloud.tests.office.exporting import MAPPING, MAY, file, mapped, read_lodas, read_lug, table
from cloud.tests.office.people import employ, set_weekly, worked
from cloud.tests.room import given
from cloud.tests.world import Firm

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
WORDS = (
    *('=HYPERLINK("http://x";"y")', "+1", "-2+3", "@SUM(A1)", "＝2+1", "＠MAX(A1)"),
    *("Müller,=1+1", 'Müller;"@SUM(A1)"'),
    *('"quote";semi', "O'Neil, Ann", "#N/A", "Summe", "1E5", "{company}", "%s%n", "../../etc/passwd", "CON", "a:b*c?"),
    *("👨\u200d👩\u200d👧 Familie", "محمد علي", "א\u202eבג", "王小明", "Łukasz Çelik", "x" * 60),
)


@pytest.fixture
def firm(firm: Firm) -> Firm:
    """Each word is a person's name, their department, and why they were away."""
    set_weekly(firm, 2400)
    centres = {word: str(number) for number, word in enumerate(WORDS, start=1)}
    mapped(firm, costCentres=centres, absenceKeys=MAPPING["absenceKeys"] | dict.fromkeys(WORDS, "XX"))
    for number, word in enumerate(WORDS, start=1):
        person = firm.world.user(firm.id, word)
        employ(person, entry_date="2026-01-01", personnel_number=f"{number}", department=normalize_key(word))
        worked(person, "2026-05-04", "08:00", "16:30")
        away: dict[str, Any] = {"kind": "special", "status": "excused", "reason": word, "report_id": firm.id}
        given(person, Absence, date="2026-05-05", **away)
    return firm


@ON_SQLITE
def test_tables_hold_every_name_in_one_cell_that_is_no_formula(firm: Firm) -> None:
    rows = table(file(firm.boss, "csv"))
    assert {len(row) for row in rows} == {10}
    names = {row[1] for row in rows[1:]}
    assert len(names) == len(WORDS)
    assert not [name for name in names if name.startswith(FORMULAS)]
    inspected = firm.boss.get(f"/api/companies/{firm.id}/inspection?from={MAY}-01&to={MAY}-31&format=csv")
    assert {row[0] for row in table(inspected.content)[1:]} == names
    cells = [list(row) for row in load_workbook(BytesIO(file(firm.boss, "xlsx"))).active]
    assert {cell.data_type for row in cells for cell in row} <= {"s", "inlineStr", "n", "d"}
    assert {row[1].value for row in cells[1:]} == {re.sub("(^|[,;])'", r"\1", name) for name in names}


@ON_SQLITE
def test_payroll_files_hold_none_of_it_and_every_cost_centre(firm: Firm) -> None:
    _, bookings = read_lodas(file(firm.boss, "lodas"))
    cost_centres = {(booking["pnr"], booking["kostenstelle"]) for booking in bookings if booking["la_eigene"] == "101"}
    assert cost_centres == {(f"{number}", f"{number}") for number in range(1, len(WORDS) + 1)}
    assert len([line for line in read_lug(file(firm.boss, "lug")).lines if line.key == "XX"]) == len(WORDS)


@ON_SQLITE
def test_papers_have_a_page_for_each_and_a_zip_a_plain_name(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = PdfReader(BytesIO(file(firm.boss, "pdf"))).pages
    assert len(pages) == len(WORDS)
    assert sum("王小明" in page.extract_text() for page in pages) == 1
    monkeypatch.setattr(inspection, "MOST_ROWS", 0)
    packed = firm.boss.get(f"/api/companies/{firm.id}/inspection?from={MAY}-01&to={MAY}-31").content
    names = zipfile.ZipFile(BytesIO(packed)).namelist()
    assert len({name.casefold() for name in names}) == len(WORDS)
    assert not [name for name in names if set(name) & set('/\\:*?"<>|\u202e')]
