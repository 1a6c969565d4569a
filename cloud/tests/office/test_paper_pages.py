"""Each page of a timesheet or an inspection paper names its person, and signatures share a page with rows."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from io import BytesIO
from itertools import accumulate, chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from stempelwerk_cloud.kit.paper import paginate
from stempelwerk_cloud.kit.subprocesses.orders import Order
from stempelwerk_cloud.office.exports.files.timesheets import Timesheets
from stempelwerk_cloud.office.exports.month.months import Month, Off, PersonMonth, Term, Worked
from stempelwerk_cloud.office.exports.tax_audit.inspected import Inspection

FIRST = date(2026, 5, 1)
LONG_NAME = "Maximiliane-Theodora von Hohenlohe-Schillingsfürst zu Waldenburg und Langenburg, Außenstelle"
FLAGS = ("missing_in", "long_entry", "uncertain_time", "over_10_h", "short_rest", "missing_break", "overlap", "late")
SIGNATURES = "Datum, Unterschrift Mitarbeiter"
ROW = re.compile(r"\d\d:\d\d \d\d:\d\d")
HEAD = "Tag Kommen Gehen"
HEIGHTS = st.lists(st.floats(1, 40), max_size=120)


def texts(order: Order) -> list[str]:
    """Returns the text of each page."""
    reader = PdfReader(BytesIO(order.render_file(lambda _: None)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def person(
    name: str, rows: int, *, flags: Sequence[str] = (), a_day: int = 1, reason: str | None = None
) -> PersonMonth:
    worked = tuple(
        Worked(f"{row}", FIRST + timedelta(row // a_day), 480, 570, 90, 0, "clock", tuple(flags), False, ())
        for row in range(rows)
    )
    off = () if reason is None else (Off(date(2026, 5, 31), "special", 480, 2, reason),)
    return PersonMonth(name, name, (Term(FIRST, "Werkstatt", "hourly"),), worked, off, (), 9600, 0, None)


def timesheets(*people: PersonMonth, draft: bool = False) -> list[str]:
    return texts(Timesheets(Month("2026-05", "Firma Öz", people), {}, draft))


@pytest.mark.parametrize("rows", [1, 2, 29, 31, 35, 40, 58, 60, 62, 64, 65, 66, 67, 68, 69, 70, 71, 93, 124])
@pytest.mark.parametrize("flags", [(), FLAGS[:3], FLAGS], ids=["no flags", "some flags", "many flags"])
def test_no_page_of_a_timesheet_has_signatures_without_a_row_above_them(rows: int, flags: Sequence[str]) -> None:
    pages = timesheets(person(LONG_NAME, rows, flags=flags, a_day=4))
    for number, text in enumerate(pages, start=1):
        assert LONG_NAME in text
        assert "Stundenzettel Mai 2026" in text
        assert f"Seite {number} von {len(pages)}" in text
        assert HEAD in text
        assert ROW.search(text)
    assert [SIGNATURES in text for text in pages] == [False] * (len(pages) - 1) + [True]
    assert sum(len(ROW.findall(text)) for text in pages) == rows


def test_a_page_that_begins_within_a_day_names_the_day_again() -> None:
    first, second, *_ = timesheets(person("Anna", 124, a_day=4))
    last_day = re.findall(r"\w\w \d\d\.\d\d\.", first)[-1]
    row = second[second.index("Hinweise") + len("Hinweise") :].strip()
    assert re.match(r"\w\w \d\d\.\d\d\. 08:00", row)
    assert row.startswith(last_day) or first.count("08:00") % 4 == 0


def test_pages_are_counted_for_each_person_and_a_draft_says_so_on_all() -> None:
    pages = timesheets(person("Anna", 124, a_day=4), person("Ben", 31), person("Chef", 0), draft=True)
    footers = [re.search(r"(Anna|Ben|Chef).*Seite (\d) von (\d)", text) for text in pages]
    assert [match and match.groups() for match in footers] == [
        ("Anna", "1", "3"),
        ("Anna", "2", "3"),
        ("Anna", "3", "3"),
        ("Ben", "1", "1"),
        ("Chef", "1", "1"),
    ]
    assert all("Mai 2026 – Entwurf" in text for text in pages)
    assert SIGNATURES in pages[-1]


def test_two_entries_a_day_and_a_long_reason_stay_on_one_page() -> None:
    assert len(timesheets(person("Anna", 62, a_day=2))) == 1
    assert len(timesheets(person("Ben", 30, reason="Berufsschule " * 15))) == 1


@pytest.mark.parametrize("reason", ["Sonderurlaub " * 150, "W" * 2000, "W " * 1000])
def test_a_reason_as_long_as_any_leaves_room_for_the_signatures(reason: str) -> None:
    pages = timesheets(person("Ben", 30, reason=reason))
    assert [f"Seite {number} von {len(pages)}" in text for number, text in enumerate(pages, start=1)] == [True] * len(
        pages
    )
    assert SIGNATURES in pages[-1]
    assert "So 31.05." in pages[-1]


@pytest.mark.parametrize("name", ["Anna", LONG_NAME])
@pytest.mark.parametrize("rows", [0, 44, 45, 46, 47, 90, 130])
def test_each_page_of_an_inspection_paper_names_person_period_and_number(name: str, rows: int) -> None:
    short = ("Mo 04.05.2026", "08:00", "16:30", "0h 30m", "8h 00m", "", "", "")
    long = (*short[:-1], "ungewöhnlich lang; über 10 Stunden; kurze Ruhezeit; Pause fehlt; nachträglich eingegangen")
    lines = tuple(long if row % 3 == 0 else short for row in range(rows))
    pages = texts(Inspection("Firma Öz", "01.05.2026 bis 31.07.2026", (("Chef", (short,) * rows), (name, lines))))
    for number, text in enumerate(pages, start=1):
        assert "Chef" in text or name in text
        assert "Arbeitszeiten 01.05.2026 bis 31.07.2026, Firma Öz" in text
        assert f"Seite {number} von {len(pages)}" in text
        assert not rows or ROW.search(text)
    assert sum(len(ROW.findall(text)) for text in pages) == 2 * rows
    continued = [f"{name} (Fortsetzung)" in text for text in pages]
    assert continued.count(True) == sum(name in text for text in pages) - 1


@given(HEIGHTS, st.floats(91, 240), st.floats(91, 240), st.floats(10, 50))
def test_rows_and_tail_fit_on_their_pages_and_each_page_has_a_row(
    heights: list[float], first: float, later: float, tail: float
) -> None:
    counts = paginate(heights, first, later, tail)
    assert sum(counts) == len(heights)
    assert all(counts) or not heights
    ends_at = list(accumulate(counts))
    needed = [sum(heights[end - count : end]) for end, count in zip(ends_at, counts, strict=True)]
    needed[-1] += tail
    assert all(height <= room + 1e-6 for height, room in zip(needed, chain([first], repeat(later)), strict=False))


def test_the_last_rows_move_with_what_no_longer_fits_below_them() -> None:
    assert paginate([10] * 10, 100, 100, 20) == [7, 3]
    assert paginate([10] * 8, 100, 100, 20) == [8]
    assert paginate([10] * 11, 100, 100, 20) == [10, 1]
    assert paginate([], 100, 100, 20) == [0]
    assert paginate([50, 50], 100, 100, 20) == [1, 1]
    assert paginate([20, 40, 40], 100, 100, 50) == [2, 1]
