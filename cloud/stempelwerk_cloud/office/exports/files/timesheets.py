"""Timesheets for signature: the pages of each person of a month, numbered separately for each person."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time

from msgspec import Struct

from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.subprocesses.orders import Tell
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.month.months import Month, OffKind, PersonMonth

_TELL_EVERY = 10
SheetContent = tuple[str | None, Sequence[Sequence[str]], str]
"""A person's sheet: the department, the rows of the days, and the text of the sums."""


class Timesheets(Struct, frozen=True):
    """The order for a month's timesheets. `numbers`: personnel numbers by user id."""

    month: Month
    numbers: Mapping[str, str | None]
    draft: bool

    def render_file(self, tell: Tell) -> bytes:
        from stempelwerk_cloud.office.exports.files.timesheet_pages import TimesheetPages  # noqa: PLC0415 -- for the child process

        month = self.month
        all_text = "".join([month.company, *(word for person in month.people for word in _words_of(person))])
        made_at = datetime.combine(month.last, time(), UTC)
        title = f"Stundenzettel {german.month(month.first)}{f' – {words.DRAFT}' if self.draft else ''}"
        pages = TimesheetPages(title, month.company, made_at, all_text)
        for count, person in enumerate(month.people, start=1):
            pages.draw_person(
                month.company, person.name, self.numbers.get(person.user_id), sheet_content(month, person)
            )
            if count % _TELL_EVERY == 0:
                tell(count)
        if not month.people:
            pages.add_page()
            pages.set_text_style(10)
            pages.paragraph(f"{german.month(month.first)}: niemand hat Zeiten.", 6)
        return bytes(pages.output())


def _words_of(person: PersonMonth) -> Iterator[str]:
    yield person.name
    yield from (term.department or "" for term in person.terms)
    yield from (off.reason or "" for off in person.off)


def sheet_content(month: Month, person: PersonMonth) -> SheetContent:
    """Returns the content of a person's page after the name: department, days and sums."""
    return person.terms[-1].department, list(_rows(month, person)), _sums(person)


def _rows(month: Month, person: PersonMonth) -> Iterator[Sequence[str]]:
    """Yields the rows of every day with an entry or time off."""
    for day in days(month.first, month.last):
        entries = [entry for entry in person.worked if entry.date == day]
        off = "; ".join(
            _off(day_off.kind, day_off.minutes, day_off.halves, day_off.reason)
            for day_off in person.off
            if day_off.date == day
        )
        if not entries and off:
            yield (words.day(day), "", "", "", "", "", off)
        for index, entry in enumerate(entries):
            complete = entry.raw is not None
            yield (
                words.day(day) if index == 0 else "",
                "–" if entry.start is None else german.clock(entry.start),
                "–" if entry.end is None else german.clock(entry.end),
                german.duration(entry.pause or 0) if complete else "–",
                german.duration(entry.raw or 0) if complete else "–",
                german.duration(entry.net) if complete else "–",
                "; ".join(filter(None, [off if index == 0 else "", words.hints(entry)])),
            )


def _off(kind: OffKind, minutes: int, halves: int, reason: str | None) -> str:
    half = "halber Tag " if halves == 1 else ""
    return f"{half}{reason or words.OFF[kind]} {german.duration(minutes)}"


def _sums(person: PersonMonth) -> str:
    worked = sum(entry.net for entry in person.worked if entry.raw is not None)
    sums = [f"Arbeitszeit {german.duration(worked)}", f"Soll {german.duration(person.target)}"]
    for kind, name in words.OFF.items():
        minutes = sum(day_off.minutes for day_off in person.off if day_off.kind == kind)
        sums += [f"{name} {german.duration(minutes)}"] if minutes else []
    for supplement, name in words.SUPPLEMENTS.items():
        minutes = sum(minutes for _, of, minutes in person.supplements if of == supplement)
        sums += [f"{name} {german.duration(minutes)}"] if minutes else []
    return " · ".join(sums)
