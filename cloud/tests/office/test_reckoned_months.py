"""Thirty-nine months of people in payroll's file, each reckoned by hand from the law's own words.

Weeks of 40 hours in Lower Saxony. Hours by wage type: 101 worked, 201 night, 202 deep night, 203 Sunday, 204 holiday,
205 the dearest holidays, 301 vacation, 302 illness, 303 public holiday, 401 overtime. A holiday that was worked pays
what work leaves of its eight hours.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from cloud.tests.databases import ON_SQLITE
from cloud.tests.office.exporting import export, mapped, read_lodas
from cloud.tests.office.people import away, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.world import Firm


class Month(NamedTuple):
    """A person's work (day, from, to), and the figures that payroll must get."""

    hours: dict[str, str]
    worked: Sequence[tuple[str, str, str]] = ()
    leave: tuple[str, str, dict[str, Any]] | None = None
    ill: Sequence[str] = ()
    employment: Mapping[str, Any] = MappingProxyType({})
    breaks: int | None = None


MONTHS = {
    # Christmas lies on Thursday and Friday: sixteen hours of public holidays.
    "2025-12": (
        # Before 14 h Christmas Eve is a day like others.
        Month({"101": "1,00", "303": "16,00"}, [("24", "13:00", "14:00")]),
        Month({"101": "6,00", "205": "4,00", "303": "16,00"}, [("24", "12:00", "18:00")]),
        Month({"101": "6,00", "201": "2,00", "202": "4,00", "205": "6,00", "303": "10,00"}, [("25", "22:00", "04:00")]),
        # Work that begins on a holiday counts as holiday work until four in the morning.
        Month({"101": "6,00", "201": "2,00", "202": "4,00", "205": "6,00", "303": "10,00"}, [("26", "22:00", "04:00")]),
        Month({"101": "6,00", "204": "2,00", "303": "16,00"}, [("31", "10:00", "16:00")]),
        # New Year's Eve and New Year.
        Month({"101": "6,00", "201": "2,00", "202": "4,00", "204": "6,00", "303": "16,00"}, [("31", "22:00", "04:00")]),
    ),
    # New Year is a Thursday.
    "2026-01": (
        Month({"101": "6,00", "204": "6,00", "303": "2,00"}, [("01", "10:00", "16:00")]),
        # Eight hours less half an hour.
        Month({"101": "7,50", "303": "8,00"}, [("05", "06:00", "14:00")]),
        # Night that was not begun before midnight is never the deep one.
        Month({"101": "6,00", "201": "6,00", "303": "8,00"}, [("05", "00:00", "06:00")]),
        Month({"101": "7,50", "201": "3,50", "202": "4,00", "303": "8,00"}, [("05", "22:00", "06:00")]),
    ),
    # Clocks go forward on Sunday the 29th: from 22 h to 6 h there are seven hours.
    "2026-03": (
        Month({"101": "6,50", "201": "3,50", "202": "3,00", "203": "4,50"}, [("28", "22:00", "06:00")]),
        Month({"101": "1,00", "201": "1,00", "203": "1,00"}, [("29", "01:30", "03:30")]),
        Month({"101": "4,00", "201": "4,00"}, [("30", "00:00", "04:00")]),
        Month({"101": "6,00", "201": "4,00", "202": "2,00", "203": "6,00"}, [("29", "20:00", "02:00")]),
        # Of nine and a half hours of presence, nine are work, and half an hour of break is enough; of ten, three
        # quarters of an hour are deducted.
        Month({"101": "9,00"}, [("02", "08:00", "17:30")]),
        Month({"101": "9,25"}, [("02", "08:00", "18:00")]),
        Month({"101": "6,00"}, [("02", "08:00", "14:00")]),
        Month({"101": "1,00"}, [(day, "08:00", "08:20") for day in ("02", "03", "04")]),
        Month({"101": "0,83"}, [(day, "08:00", "08:25") for day in ("02", "03")]),
    ),
    # Good Friday is the 3rd, Easter Monday the 6th.
    "2026-04": (
        Month({"101": "4,00", "204": "4,00", "303": "12,00"}, [("03", "10:00", "14:00")]),
        Month({"101": "6,00", "201": "2,00", "202": "4,00", "204": "6,00", "303": "10,00"}, [("06", "22:00", "04:00")]),
        Month({"301": "48,00", "303": "16,00"}, leave=("2026-04-01", "2026-04-10", {})),
        Month({"301": "12,00", "303": "16,00"}, leave=("2026-04-13", "2026-04-14", {"end_half": True})),
        # A holiday is a holiday also for who is ill.
        Month({"302": "16,00", "303": "16,00"}, ill=["02", "03", "07"]),
        # A person who went home ill after four hours is paid a whole day, and not more.
        Month({"101": "4,00", "302": "4,00", "303": "16,00"}, [("08", "08:00", "12:00")], ill=["08"]),
    ),
    "2026-09": (
        # An hour between two entries is break enough.
        Month({"101": "8,50"}, [("07", "08:00", "12:00"), ("07", "13:00", "17:30")]),
        Month({"101": "7,50"}, [("07", "08:00", "16:30")], breaks=60),
        # Under eighteen: half an hour over four and a half, an hour over six.
        Month({"101": "4,50"}, [("07", "08:00", "13:00")], employment={"limits": "youth"}),
        Month({"101": "7,00"}, [("07", "08:00", "16:00")], employment={"limits": "youth"}),
        Month({"101": "6,00", "201": "2,00", "202": "4,00", "203": "5,00"}, [("06", "23:00", "05:00")]),
        Month({"101": "6,00", "201": "4,00", "202": "2,00", "203": "2,00"}, [("05", "20:00", "02:00")]),
        # A salary pays hours, leave and illness. Surcharges, such as for Sunday work, come on top.
        Month({}, [("07", "08:00", "16:30")], ("2026-09-08", "2026-09-08", {}), ["09"], {"pay_type": "monthly"}),
        Month({"203": "4,00"}, [("06", "10:00", "14:00")], employment={"pay_type": "monthly"}),
        Month({"101": "0,35"}, [(day, "08:00", "08:07") for day in ("07", "08", "09")]),
    ),
    # Both holidays are Saturdays. Clocks go back on Sunday the 25th: from 22 h to 6 h there are nine hours.
    "2026-10": (
        Month({"101": "4,00", "204": "4,00"}, [("03", "10:00", "14:00")]),
        Month({"101": "8,50", "201": "3,50", "202": "5,00", "203": "6,50"}, [("24", "22:00", "06:00")]),
        # Reformation Day reaches into a Sunday, and is the dearer one until four.
        Month({"101": "6,00", "201": "4,00", "202": "2,00", "204": "6,00"}, [("31", "20:00", "02:00")]),
        # Since Thursday the 29th: sixteen hours due, ten and eight worked.
        Month(
            {"101": "18,00", "401": "2,00"},
            [("29", "08:00", "18:45"), ("30", "08:00", "16:30")],
            employment={"entry_date": "2026-10-29"},
        ),
        Month({"101": "4,00"}, [("05", "08:00", "12:00")]),
    ),
}


@ON_SQLITE
@pytest.mark.parametrize("month", MONTHS)
def test_payroll_is_told_what_was_reckoned_by_hand(firm: Firm, month: str) -> None:
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-NI"')
    mapped(firm)
    for number, case in enumerate(MONTHS[month], 1):
        person = firm.world.user(firm.id, f"person {number}")
        employ(person, **({"entry_date": "2025-01-01", "personnel_number": str(number)} | case.employment))
        for day, start, end in case.worked:
            worked(person, f"{month}-{day}", start, end, case.breaks)
        if case.leave is not None:
            first, last, halves = case.leave
            on_leave(person, first, last, **halves)
        away(person, *(f"{month}-{day}" for day in case.ill))
    answer = export(firm.boss, "lodas", month)
    assert answer.status_code == 200, answer.text
    hours_by_number: dict[int, dict[str, str]] = defaultdict(dict)
    for booking in read_lodas(answer.content)[1]:
        hours_by_number[int(booking["pnr"])][booking["la_eigene"]] = booking["bs_wert_butab"]
    assert hours_by_number == {number: case.hours for number, case in enumerate(MONTHS[month], 1) if case.hours}
