"""Open points and hints about a month before an export; only about people who are in it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import day_end, day_start
from stempelwerk_cloud.office.exports import schemas, words
from stempelwerk_cloud.office.exports.files import datev
from stempelwerk_cloud.office.exports.month.months import Month
from stempelwerk_cloud.people.directory.companies import settings_on, zone_of
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.timekeeping.corrections.queries import pending_between
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.times.held import waiting

TIMES: Final = ("missing_start", "missing_end", "uncertain_time", "pending_correction", "held_stamps")
"""Findings that block payroll files until the month is locked; the lock leaves such entries out."""
HINTS: Final = (
    "unmapped_holiday",
    "unmapped_absence",
    "worked_on_leave",
    "no_holiday_region",
    "sick_over_42_days",
)
"""Findings that never block: the file is correct without them, or the company pays by other means."""
_NUMBERS: Final = (1, 99_999)


class Finding(NamedTuple):
    code: str
    user_id: str | None
    date: date | None
    message: str


class Numbers(NamedTuple):
    """Personnel numbers and the mapping. They are not stored with a month, because they may be completed later."""

    of_people: Mapping[str, str | None]
    mapping: schemas.Mapping


def numbers_of(session: Session, company_id: str, month: Month, mapping: schemas.Mapping) -> Numbers:
    people = employment.people_of(session, company_id, [person.user_id for person in month.people])
    return Numbers({user_id: person.personnel_number for user_id, person in people.items()}, mapping)


def of_month(
    session: Session, company_id: str, month: Month, numbers: Numbers, program: datev.Program | None, now: datetime
) -> list[Finding]:
    """Returns the findings in the order of settling them: personnel numbers, times, missing wage types.

    `program`: the payroll program; None for a file that has neither numbers nor wage types.
    """
    return [
        *(_of_numbers(month, numbers) if program else ()),
        *_of_times(month),
        *_waiting(session, company_id, month, now),
        *(_of_names(month, numbers.mapping, program) if program else ()),
        *(
            _finding("worked_on_leave", person.user_id, day)
            for person in month.people
            for day in person.worked_on_leave
        ),
        *_of_holidays(session, company_id, month),
        *(
            _finding("sick_over_42_days", person.user_id, person.long_sick)
            for person in month.people
            if person.long_sick
        ),
    ]


def blocks(code: str, *, locked: bool) -> bool:
    """Whether the finding blocks payroll files until it is settled."""
    return code not in HINTS and not (locked and code in TIMES)


def _of_names(month: Month, mapping: schemas.Mapping, program: datev.Program) -> Iterator[Finding]:
    """Yields findings about hourly pay that has neither a wage type nor an absence key."""
    for kind in datev.unmapped(month, mapping, program):
        if kind in datev.MUST:
            yield Finding("unmapped", None, None, words.unmapped(kind))
        else:
            yield _finding("unmapped_holiday")
    for absence in datev.unnamed_absences(month, mapping, program):
        sentence = words.unmapped_absence(absence.reason, absence.days, program.remedy)
        yield Finding("unmapped_absence", absence.user_id, absence.date, sentence)


def _of_holidays(session: Session, company_id: str, month: Month) -> Iterator[Finding]:
    regions = (settings_on(session, company_id, day)[settings.HOLIDAY_REGION] for day in (month.first, month.last))
    if month.people and None in regions:
        yield _finding("no_holiday_region")


def _finding(code: str, user_id: str | None = None, day: date | None = None) -> Finding:
    return Finding(code, user_id, day, words.FINDINGS[code])


def _of_numbers(month: Month, numbers: Numbers) -> Iterator[Finding]:
    if numbers.mapping.adviser_number is None:
        yield _finding("no_adviser_number")
    if numbers.mapping.client_number is None:
        yield _finding("no_client_number")
    lowest, highest = _NUMBERS
    # Compared as numbers, because 0042 and 42 are the same at the tax adviser's.
    number_by_person = {user_id: int(number) for user_id, number in numbers.of_people.items() if number is not None}
    often = Counter(number_by_person.values())
    for person in month.people:
        number = number_by_person.get(person.user_id)
        if number is None:
            yield _finding("no_personnel_number", person.user_id)
        elif not lowest <= number <= highest:
            yield _finding("personnel_number_range", person.user_id)
        elif often[number] > 1:
            yield _finding("duplicate_personnel_number", person.user_id)


def _of_times(month: Month) -> Iterator[Finding]:
    for person in month.people:
        for entry in person.worked:
            for code in entry.open:
                yield _finding(code, person.user_id, entry.date)


def _waiting(session: Session, company_id: str, month: Month, now: datetime) -> Iterator[Finding]:
    for user_id, day in pending_between(session, company_id, month.first, month.last):
        yield _finding("pending_correction", user_id, day)
    zone = zone_of(session, company_id, now)
    first, end = day_start(month.first, zone), day_end(month.last, zone)
    for day in waiting.days_between(session, company_id, first, end, zone):
        yield _finding("held_stamps", None, day)
