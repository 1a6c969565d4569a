"""The administrators' waits: both workbooks hold the same, used memory is seen, no browser meets no goal."""

import io
import os
from collections.abc import Callable
from datetime import date

import openpyxl
import pytest
from stempelwerk_cloud.office.exports.month.months import Month
from stempelwerk_tools.bench import history
from stempelwerk_tools.bench.cpu import growth
from stempelwerk_tools.bench.measures import offices_pages, workbook
from stempelwerk_tools.bench.measures.office import ApiCall, expect
from stempelwerk_tools.bench.sides.load import Answer
from stempelwerk_tools.bench.sides.side import NotMeasured, Void


def _read(make: Callable[[Month], bytes]) -> list[tuple[object, ...]]:
    full_month = workbook.month()
    content = make(Month(full_month.month, full_month.company, full_month.people[:2]))
    return list(openpyxl.load_workbook(io.BytesIO(content)).worksheets[0].values)


def test_both_workbooks_have_the_same_entries_and_the_products_its_head_and_sums_besides() -> None:
    product_rows, bare = _read(workbook.product), _read(workbook.bare)
    assert len(bare) == 2 * workbook.ENTRIES
    assert [row[1] for row in product_rows[1:] if row[2] != "Summe"] == [row[1] for row in bare]
    assert len(product_rows) == len(bare) + 3


def test_a_process_peak_memory_is_seen_after_it_was_released() -> None:
    with growth(os.getpid()) as grown:
        assert grown() < 10
        memory = b"x" * 50_000_000
        del memory
        assert 40 < grown() < 60


def test_without_a_browser_no_goal_of_a_page_is_met_or_missed(mocker) -> None:
    mocker.patch.object(offices_pages, "browser_program", side_effect=NotMeasured("not built"))
    findings = offices_pages.measure(None, None, 1)
    assert len(findings) == 5
    assert {(finding.met, finding.reason) for finding in findings} == {(None, "not built")}


def test_a_refusal_voids_and_names_its_call() -> None:
    assert expect(Answer(204, b"", 0.1)).status == 204
    with pytest.raises(Void, match=r"\{\}/today: answered 403"):
        expect(Answer(403, b"no", 0.1), ApiCall("GET", "{}/today"))


def test_people_are_away_on_their_own_days_of_leave_and_illness() -> None:
    first, second = (history.days_off(number, date(2025, 1, 1), date(2025, 12, 31)) for number in (5, 1))
    assert date(2025, 2, 9) in first
    assert date(2025, 2, 9) not in second
    assert {date(2025, 2, 14), date(2025, 1, 16)} <= second
    assert {day.year for day in first} == {2025}
