"""Times as tables: rows for CSV, and XLSX (`workbook.py`). No program takes a cell of either for a formula."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from msgspec import Struct

from stempelwerk_cloud.domain.payroll import hundredths
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.csv_tables import Row
from stempelwerk_cloud.kit.subprocesses.orders import Tell
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.month.months import Month, PersonMonth, Worked

HEADS: Final = (
    "Personalnummer",
    "Name",
    "Datum",
    "Kommen",
    "Gehen",
    "Pause (Min)",
    "Anwesenheit (Std)",
    "Arbeitszeit (Std)",
    "Quelle",
    "Hinweise",
)


class Workbook(Struct, frozen=True):
    """A month as XLSX. `numbers`: personnel numbers by person."""

    month: Month
    numbers: Mapping[str, str | None]
    draft: bool

    def render_file(self, _tell: Tell) -> bytes:
        from stempelwerk_cloud.office.exports.files.workbook import as_xlsx  # noqa: PLC0415 -- for the child process

        title = f"{self.month.month}{' Entwurf' if self.draft else ''}"
        return as_xlsx(title, HEADS, rows(self.month, self.numbers, draft=self.draft))


def rows(month: Month, numbers: Mapping[str, str | None], *, draft: bool) -> Iterator[Row]:
    """Yields a line for each entry, and a sum line for each person; hours are decimals with two places."""
    for person in month.people:
        number = numbers.get(person.user_id)
        for entry in person.worked:
            yield (number, person.name, entry.date, *_entry(entry))
        yield (number, person.name, words.SUM, None, None, *_sums(person), None, words.DRAFT if draft else None)


def _entry(entry: Worked) -> Row:
    complete = entry.raw is not None
    return (
        None if entry.start is None else german.clock(entry.start),
        None if entry.end is None else german.clock(entry.end),
        entry.pause if complete else None,
        hours(entry.raw) if entry.raw is not None else None,
        hours(entry.net) if complete else None,
        words.SOURCES[entry.source],
        words.hints(entry),
    )


def _sums(person: PersonMonth) -> Row:
    complete = [entry for entry in person.worked if entry.raw is not None]
    return (
        sum(entry.pause or 0 for entry in complete),
        hours(sum(entry.raw or 0 for entry in complete)),
        hours(sum(entry.net for entry in complete)),
    )


@lru_cache(maxsize=2_000)
def hours(minutes: int) -> Decimal:
    """Returns hours with two places. Negative minutes are rounded like positive ones."""
    return Decimal(hundredths(abs(minutes)) * (1 if minutes >= 0 else -1)) / 100
