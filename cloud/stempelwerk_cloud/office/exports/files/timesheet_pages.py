"""The pages of timesheets for signature. Only child processes load this module."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from textwrap import shorten

from stempelwerk_cloud.kit.paper import PALE, Column, paginate
from stempelwerk_cloud.kit.paper.pages import Paper
from stempelwerk_cloud.office.exports.files.timesheets import SheetContent

_COLUMNS: Sequence[Column] = (
    ("Tag", 20, "LEFT"),
    ("Kommen", 16, "LEFT"),
    ("Gehen", 16, "LEFT"),
    ("Pause", 16, "RIGHT"),
    ("Anwesend", 20, "RIGHT"),
    ("Arbeitszeit", 22, "RIGHT"),
    ("Hinweise", 68, "LEFT"),
)
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


class TimesheetPages(Paper):
    def __init__(self, title: str, company: str, made_at: datetime, text: str) -> None:
        super().__init__(f"{title}, {company}", made_at, text)
        self.set_auto_page_break(auto=True, margin=_MARGIN)
        self._heading = title
        self._label = "Seite 1 von 1"

    def footer(self) -> None:
        self.set_y(5 - _MARGIN)
        self.foot(self._label)

    def draw_person(self, company: str, name: str, number: str | None, content: SheetContent) -> None:
        """Draws the pages of a person. The last page has rows above the signatures."""
        department, day_rows, sums = content
        rows = [(*cells, shorten(hints, _MOST_HINTS, placeholder=" …")) for *cells, hints in day_rows]
        details = " · ".join(filter(None, [company, number and f"Personalnummer {number}", department]))
        self.add_page()
        self.set_text_style(_SIZE)
        lines = [round(self.dense_height(_COLUMNS, cells, 1)) for cells in rows]
        first, later = self._head_height(name, details), self._head_height(name)
        self.set_text_style(9)
        tail = _ABOVE + self.paragraph_height(sums, _SUM) + _TO_SIGN + _SIGNATURE
        room = self.page_break_trigger - self.t_margin - _SLACK
        height = min(_HIGHEST, (room - first - tail) / (sum(lines) + 1))
        if height < _LOWEST:
            height = _ON_SEVERAL_PAGES
        counts = paginate([count * height for count in lines], room - first - height, room - later - height, tail)
        remaining_rows, day = iter(rows), ""
        for page, count in enumerate(counts, start=1):
            if page > 1:
                self.add_page()
            self._label = f"Seite {page} von {len(counts)}"  # after the page before has got its footer
            self._draw_head(name, details if page == 1 else None)
            self.dense_head(_COLUMNS, _SIZE, height)
            for index, (said_day, *cells) in enumerate(islice(remaining_rows, count)):
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
