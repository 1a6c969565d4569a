"""The inspection for authorities, as a table and as papers: a child process formats and packs it."""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from stempelwerk_cloud.kit import csv_tables
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.tax_audit import inspection

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.office.people import worked
from cloud.tests.world import Firm

DAYS = [f"{year}-0{month}-0{day}" for year in (2024, 2025, 2026) for month in (3, 4) for day in (4, 5, 6)]
ONE_YEAR, THREE_YEARS = (date(2026, 1, 1), date(2026, 12, 31)), (date(2024, 3, 1), date(2026, 6, 30))


@pytest.fixture
def firm(firm: Firm) -> Firm:
    """People with times of three years, one with a name that a program would reckon with."""
    for person in (firm.anna, firm.ben, firm.world.user(firm.id, '=Änne;"1+1"')):
        for day in DAYS:
            worked(person, day, "08:00", "18:00")
    return firm


def path_of(firm: Firm, span: tuple[date, date], form: str) -> str:
    first, last = span
    return f"/api/companies/{firm.id}/inspection?from={first}&to={last}&format={form}"


@contextmanager
def hold_places(platform: Platform, *names: str) -> Iterator[None]:
    with ExitStack() as stack:
        for name in names:
            place = machine_semaphore.try_take(platform, [name])
            assert place is not None
            stack.enter_context(place)
        yield


def packers(owner: str, count: int) -> list[str]:
    return [f"packer inspection {owner} {number}" for number in range(count)]


@ON_SQLITE
@pytest.mark.parametrize("form", ["csv", "pdf"])
def test_what_is_in_the_way_of_an_inspection_is_named(
    firm: Firm, platform: Platform, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", 0)
    monkeypatch.setattr(inspection, "MOST_ROWS", 0)
    retry_hint = "Bitte gleich noch einmal versuchen."
    own_lock = f"own inspection {firm.boss.id}"
    for names, status, sentence in (
        ([own_lock], 429, f"{words.STILL_READ} {retry_hint}"),
        ([f"turn {firm.id}"], 429, f"Gerade wird die Monatsdatei deiner Firma erstellt. {retry_hint}"),
        (
            packers(f"company {firm.id}", places.PACKERS_OF_COMPANY),
            429,
            f"Gerade werden schon mehrere Nachweise der Arbeitszeiten deiner Firma erstellt. {retry_hint}",
        ),
        (packers("all", places.PACKERS_OF_ALL), 503, f"Gerade werden zu viele Dateien erstellt. {retry_hint}"),
    ):
        with hold_places(platform, *names):
            answer = firm.boss.get(path_of(firm, ONE_YEAR, form))
        assert (answer.status_code, answer.json()["message"]) == (status, sentence)
    assert firm.boss.get(path_of(firm, ONE_YEAR, form)).status_code == 200


@ON_BOTH
@pytest.mark.parametrize("span", [ONE_YEAR, THREE_YEARS], ids=["one year", "three years"])
def test_a_table_has_the_bytes_of_all_its_rows_at_once(firm: Firm, platform: Platform, span: tuple[date, date]) -> None:
    rows = [
        row
        for year in range(span[0].year, span[1].year + 1)
        for row in inspection.lines(platform, firm.id, date(year, 1, 1), date(year, 12, 31))
    ]
    content = firm.boss.get(path_of(firm, span, "csv")).content
    assert content == csv_tables.table(inspection.HEADS, rows)
    assert content.count(b"'=\xc3\x84nne") == len([day for day in DAYS if int(day[:4]) >= span[0].year])


@ON_SQLITE
def test_the_service_itself_neither_formats_nor_packs(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    table = firm.boss.get(path_of(firm, THREE_YEARS, "csv")).content
    monkeypatch.setattr(inspection, "MOST_ROWS", 0)
    with monkeypatch.context() as patch:
        patch.setattr(csv_tables, "lines", _fail)
        patch.setattr(zipfile, "ZipFile", _fail)
        assert firm.boss.get(path_of(firm, THREE_YEARS, "csv")).content == table
        papers = firm.boss.get(path_of(firm, THREE_YEARS, "pdf"))
    archive = zipfile.ZipFile(BytesIO(papers.content))
    assert archive.testzip() is None
    assert [name[:5] for name in archive.namelist()] == ["0001-", "0002-", "0003-"]
    assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_STORED}


def _fail(*_: Any) -> None:
    raise AssertionError("in the service")
