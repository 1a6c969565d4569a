"""Timesheets for signature: the pages of each person of a month, which are counted for each person."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from itertools import islice
from textwrap import shorten

from msgspec import Struct

from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.paper import PALE, Column, Paper, paginate
from stempelwerk_cloud.kit.subprocesses.orders import Tell
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.months import Month, OffKind, PersonMonth

_COLUMNS: Sequence[Column] = (
    ("Tag", 20, "LEFT"),
    ("Kommen", 16, "LEFT"),
    ("Gehen", 16, "LEFT"),
    ("Pause", 16, "RIGHT"),
    ("Anwesend", 20, "RIGHT"),
    ("Arbeitszeit", 22, "RIGHT"),
    ("Hinweise", 68, "LEFT"),
)
_TELL_EVERY = 10
_HIGHEST, _LOWEST = 5.0, 3.4
"""Millimetres of a row, so that one page holds two entries a day."""
_ON_SEVERAL_PAGES = 4.2
_MARGIN = 12.0
_SIZE = 7.8
_SLACK = 0.1
_MOST_HINTS = 600
"""Characters of a row's last cell, so that any row fits on a page with the signatures."""
_ABOVE, _SUM, _TO_SIGN, _SIGNATURE = 3.0, 5.0, 12.0, 5.0
"""Heights below the rows: the space, a line of the sums, the room for signatures, and their names."""


class Timesheets(Struct, frozen=True):
    """`numbers`: personnel numbers by person."""

    month: Month
    numbers: Mapping[str, str | None]
    draft: bool

    def drawn(self, tell: Tell) -> bytes:
        month = self.month
        told = "".join([month.company, *(word for person in month.people for word in _words_of(person))])
        made_at = datetime.combine(month.last, time(), UTC)
        title = f"Stundenzettel {german.month(month.first)}{f' – {words.DRAFT}' if self.draft else ''}"
        pages = _Pages(title, month.company, made_at, told)
        for count, person in enumerate(month.people, start=1):
            pages.draw_person(month, person, self.numbers.get(person.user_id))
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


class _Pages(Paper):
    def __init__(self, title: str, company: str, made_at: datetime, text: str) -> None:
        super().__init__(f"{title}, {company}", made_at, text)
        self.set_auto_page_break(auto=True, margin=_MARGIN)
        self._heading = title
        self._label = "Seite 1 von 1"

    def footer(self) -> None:
        self.set_y(5 - _MARGIN)
        self.foot(self._label)

    def draw_person(self, month: Month, person: PersonMonth, number: str | None) -> None:
        """Draws the pages of a person. The last page has rows above the signatures."""
        department, every, sums = told_of(month, person)
        rows = [(*cells, shorten(hints, _MOST_HINTS, placeholder=" …")) for *cells, hints in every]
        details = " · ".join(filter(None, [month.company, number and f"Personalnummer {number}", department]))
        self.add_page()
        self.set_text_style(_SIZE)
        lines = [round(self.dense_height(_COLUMNS, cells, 1)) for cells in rows]
        first, later = self._head_height(person.name, details), self._head_height(person.name)
        self.set_text_style(9)
        tail = _ABOVE + self.paragraph_height(sums, _SUM) + _TO_SIGN + _SIGNATURE
        room = self.page_break_trigger - self.t_margin - _SLACK
        height = min(_HIGHEST, (room - first - tail) / (sum(lines) + 1))
        if height < _LOWEST:
            height = _ON_SEVERAL_PAGES
        counts = paginate([count * height for count in lines], room - first - height, room - later - height, tail)
        left, day = iter(rows), ""
        for page, count in enumerate(counts, start=1):
            if page > 1:
                self.add_page()
            self._label = f"Seite {page} von {len(counts)}"  # after the page before has got its foot
            self._draw_head(person.name, details if page == 1 else None)
            self.dense_head(_COLUMNS, _SIZE, height)
            for index, (said_day, *cells) in enumerate(islice(left, count)):
                day = said_day or day
                self.dense_row(_COLUMNS, (day if index == 0 else said_day, *cells), height)
        self._draw_tail(sums)

    def _head_height(self, name: str, details: str | None = None) -> float:
        self.set_text_style(12, bold=True)
        height = 9 + self.paragraph_height(name, 6.5) + 2
        self.set_text_style(9)
        return height + (0 if details is None else self.paragraph_height(details, 5))

    def _draw_head(self, name: str, details: str | None) -> None:
        self.set_text_style(18, bold=True)
        self.line_of(self._heading, 9)
        self.set_text_style(12, bold=True)
        self.paragraph(name, 6.5)
        if details is not None:
            self.set_text_style(9, colour=PALE)
            self.paragraph(details, 5)
        self.ln(2)

    def _draw_tail(self, sums: str) -> None:
        self.ln(_ABOVE)
        self.set_text_style(9)
        self.paragraph(sums, _SUM)
        self.ln(_TO_SIGN)
        self.set_text_style(8, colour=PALE)
        for place in ("Datum, Unterschrift Mitarbeiter", "Datum, Unterschrift Arbeitgeber"):
            self.cell(80, _SIGNATURE, place, border="T")
            self.cell(18, _SIGNATURE, "")


def told_of(month: Month, person: PersonMonth) -> tuple[str | None, Sequence[Sequence[str]], str]:
    """What stands on a person's page besides their name: their department, their days, and the sums."""
    return person.terms[-1].department, list(_rows(month, person)), _sums(person)


def _rows(month: Month, person: PersonMonth) -> Iterator[Sequence[str]]:
    """Every day on which there is something."""
    for day in days(month.first, month.last):
        entries = [entry for entry in person.worked if entry.date == day]
        off = "; ".join(_off(one.kind, one.minutes, one.halves, one.reason) for one in person.off if one.date == day)
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
        minutes = sum(one.minutes for one in person.off if one.kind == kind)
        sums += [f"{name} {german.duration(minutes)}"] if minutes else []
    for supplement, name in words.SUPPLEMENTS.items():
        minutes = sum(one for _, of, one in person.supplements if of == supplement)
        sums += [f"{name} {german.duration(minutes)}"] if minutes else []
    return " · ".join(sums)
