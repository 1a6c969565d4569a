"""Makes a month of 12,000 entries as a workbook, in a process of its own: started by `offices_files`.

`python -m stempelwerk_tools.bench.measures.workbook product` or `bare`, where its library writes as many rows of the
same values. Prints the processor's seconds, how many MiB more the process held at most, and the rows written.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import zipfile
from collections.abc import Callable
from datetime import date, timedelta

from openpyxl import Workbook
from stempelwerk_cloud.office.exports.files import sheets, workbook
from stempelwerk_cloud.office.exports.month.months import Month, PersonMonth, Worked

from stempelwerk_tools.bench.cpu import growth

PEOPLE, ENTRIES = 200, 60


def month() -> Month:
    """Returns two entries a day of each person, one in ten with a hint."""
    first = date(2026, 9, 1)
    people = []
    for number in range(PEOPLE):
        worked = tuple(_worked(number, first + timedelta(days=turn // 2), turn % 2 * 300) for turn in range(ENTRIES))
        name = f"Person {number:03}"
        people.append(PersonMonth(f"u-{number}", name, (), worked, (), (), 10_560, 0, None))
    return Month("2026-09", "Messwerk", tuple(people))


def _worked(person: int, day: date, later: int) -> Worked:
    start = 420 + later + person % 7
    flags = () if (person + day.day) % 10 else ("over_10h",)
    return Worked(f"{person} {day} {later}", day, start, start + 240, 240, 15, "clock", flags, False, ())


def product(of: Month) -> bytes:
    """Returns the workbook as the product's export makes it."""
    numbers = {person.user_id: f"{number}" for number, person in enumerate(of.people)}
    return workbook.as_xlsx(of.month, sheets.HEADS, sheets.rows(of, numbers, draft=False))


def bare(of: Month) -> bytes:
    """Returns a workbook by the least work that openpyxl can do: its own loop over finished values."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(of.month)
    for person in of.people:
        for entry in person.worked:
            hours = (entry.raw or 0) / 60
            sheet.append(["7", person.name, entry.date, "07:00", "11:00", entry.pause, hours, hours, "Uhr", ""])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def rows_of(content: bytes) -> int:
    """Counts the rows of a workbook's first sheet."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return parts.read("xl/worksheets/sheet1.xml").count(b"<row ")


SIDES: dict[str, Callable[[Month], bytes]] = {"product": product, "bare": bare}


def main(name: str) -> None:
    """Makes a workbook of one person to warm up, then measures the whole one and prints the figures as JSON."""
    of, make = month(), SIDES[name]
    make(Month(of.month, of.company, of.people[:1]))
    with growth(os.getpid()) as grown:
        began = time.process_time()
        content = make(of)
        spent = time.process_time() - began
        print(json.dumps({"seconds": spent, "grown": grown(), "rows": rows_of(content)}))


if __name__ == "__main__":
    main(sys.argv[1])
