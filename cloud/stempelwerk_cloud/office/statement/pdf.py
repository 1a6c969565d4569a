"""A statement on paper: A4, made of the signed file alone, so that the same file always gives the same pages.

The fonts are those of the web app (Figtree), and parts of Noto Sans for the names of other scripts; what none has shows
as a question mark. The file that counts is the signed one: its digest stands on every page.
"""

import unicodedata
from collections.abc import Iterable, Sequence, Set
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace, TTFFont

from stempelwerk_cloud.domain.statement import Statement, digest_of, read
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.office.statement import words

_FONTS = Path(__file__).parent / "fonts"
_FAMILY = "figtree"
_OTHER_SCRIPTS = (
    "NotoSans",
    "NotoSansArabic",
    "NotoSansHebrew",
    "NotoSansGeorgian",
    "NotoSansArmenian",
    "NotoSansSymbols2",
    "NotoSansMath",
)
"""In the order in which they are asked for a letter."""
_INK, _PALE, _LINE, _HEAD = (28, 30, 34), (96, 100, 108), (208, 211, 216), (241, 242, 244)
_WIDTH = 178.0
"""Between the margins, in millimetres."""

Align = Literal["LEFT", "RIGHT"]
Column = tuple[str, float, Align]
"""Its head, its width in millimetres, and where its cells stand."""


def rendered(content: bytes) -> bytes:
    """The pages of a signed file."""
    return _Pages(read(content), digest_of(content), set(_composed(content.decode()))).whole()


@cache
def _letters(font: str) -> frozenset[str]:
    opened = FPDF()
    opened.add_font(font, "", _FONTS / f"{font}.ttf")
    (found,) = (one for one in opened.fonts.values() if isinstance(one, TTFFont))
    with found.ttfont:
        return frozenset(map(chr, found.cmap))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _runs_left(text: str) -> bool:
    """Whether letters run from right to left, and join as those of Arabic do."""
    return any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)


class _Pages(FPDF):
    def __init__(self, told: Statement, digest: str, wanted: Set[str]) -> None:
        """`wanted`: the letters that may occur; no font is loaded that has none of them."""
        super().__init__(format="A4")
        self._told = told
        self._digest = digest
        self._zone = ZoneInfo(told["zone"])
        self.set_margins(16, 16, 16)
        self.set_auto_page_break(auto=True, margin=24)
        self.add_font(_FAMILY, "", _FONTS / "Figtree-Regular.ttf")
        self.add_font(_FAMILY, "B", _FONTS / "Figtree-SemiBold.ttf")
        self._known = set(_letters("Figtree-Regular"))
        for font in _OTHER_SCRIPTS:
            if (wanted - self._known) & _letters(font):
                self.add_font(font, "", _FONTS / f"{font}.ttf")
                self._known |= _letters(font)
        self.set_fallback_fonts([font for font in self.fonts if not font.startswith(_FAMILY)], exact_match=False)
        self.set_creation_date(parse_instant(told["madeAt"]))
        self.set_producer("Stempelwerk")
        self.set_lang("de-DE")
        self.set_title(f"Zeitnachweis {words.month_name(told['month'])}, {told['person']['username']}")
        self.set_draw_color(*_LINE)

    def whole(self) -> bytes:
        self.add_page()
        self._head()
        self._sums()
        self._days()
        self._bookings()
        self._corrections()
        self._deletions()
        self._stamps()
        return bytes(self.output())

    def footer(self) -> None:
        told = self._told
        where = f"{told['installation']}/pruefen" if told["installation"] else "/pruefen"
        self.set_y(-20)
        self._font(7, colour=_PALE)
        self._line(f"SHA-256 der unterschriebenen Datei: {self._digest}", 3.6)
        self._line(f"Schlüssel {told['kid']} · prüfbar unter {where}", 3.6)
        self._line(f"Seite {self.page_no()} von {{nb}}", 3.6)

    def _head(self) -> None:
        told = self._told
        self._font(20, bold=True)
        self._line(f"Zeitnachweis {words.month_name(told['month'])}", 10)
        self._font(12, bold=True)
        self._paragraph(told["person"]["username"], 7)
        self._font(10)
        self._paragraph(told["company"]["name"], 6)
        self._font(8.5, colour=_PALE)
        previous = told["previous"]
        before = "keiner" if previous is None else f"{words.month_name(previous['month'])}, {previous['digest'][:16]}…"
        for line in (
            f"Ausgestellt am {words.written_moment(told['madeAt'], self._zone)} (Zeitzone {told['zone']}),"
            " unterschrieben vom Betreiber der Anlage.",
            "Maßgeblich ist die unterschriebene Datei, aus der diese Seiten gemacht sind."
            f" Vorheriger Nachweis: {before}.",
        ):
            self._paragraph(line, 4.6)

    def _sums(self) -> None:
        sums = self._told["sums"]
        lengths = [("Soll", sums["target"]), ("Arbeitszeit (ohne Pausen)", sums["actual"])]
        lengths += [(f"Gutschrift {words.CREDITS[one['kind']]}", one["minutes"]) for one in sums["credits"]]
        changes = [("Buchungen", sums["bookings"])] if self._told["bookings"] else []
        changes += [("Saldo des Monats", sums["balance"]), ("Übertrag aus den Vormonaten", sums["carried"])]
        changes += [("Saldo am Monatsende", sums["balance"] + sums["carried"])]
        self._table(
            "Summen",
            (("", 100, "LEFT"), ("Stunden", 78, "RIGHT")),
            [(name, german.duration(minutes)) for name, minutes in lengths]
            + [(name, german.difference(minutes)) for name, minutes in changes],
        )

    def _days(self) -> None:
        columns: Sequence[Column] = (
            ("Tag", 20, "LEFT"),
            ("Kommen", 15, "LEFT"),
            ("Gehen", 14, "LEFT"),
            ("Anwesend", 18, "RIGHT"),
            ("Abzug", 16, "RIGHT"),
            ("Arbeitszeit", 19, "RIGHT"),
            ("Soll", 16, "RIGHT"),
            ("Hinweise", 60, "LEFT"),
        )
        self._table("Tage", columns, (row for day in self._told["days"] for row in self._day(day)))

    def _day(self, day: dict[str, Any]) -> Iterable[Sequence[str]]:
        entries = [entry for entry in self._told["entries"] if entry["date"] == day["date"]]
        credits_ = [f"{words.CREDITS[one['kind']]} {german.duration(one['minutes'])}" for one in day["credits"]]
        target = german.duration(day["target"]) if day["target"] else ""
        if not entries and (credits_ or day["target"]):
            yield (words.day(day["date"]), "", "", "", "", "", target, "; ".join(credits_))
        for index, entry in enumerate(entries):
            told = [*(credits_ if index == 0 else ()), *filter(None, [words.hints(entry)])]
            yield (
                words.day(day["date"]) if index == 0 else "",
                entry["startLocal"] or "–",
                entry["endLocal"] or "–",
                *("–" if minutes is None else german.duration(minutes) for minutes in (entry["raw"], entry["break"])),
                "–" if entry["net"] is None else german.duration(entry["net"]),
                target if index == 0 else "",
                "; ".join(told),
            )

    def _bookings(self) -> None:
        self._table(
            "Buchungen",
            (("Tag", 24, "LEFT"), ("Stunden", 24, "RIGHT"), ("Grund", 130, "LEFT")),
            (
                (words.day(one["date"]), german.difference(one["minutes"]), one["reason"])
                for one in self._told["bookings"]
            ),
        )

    def _corrections(self) -> None:
        self._table(
            "Genehmigte Korrekturen",
            (
                ("Tag", 24, "LEFT"),
                ("Von", 42, "LEFT"),
                ("Bis", 42, "LEFT"),
                ("Pause", 18, "RIGHT"),
                ("Entschieden", 52, "LEFT"),
            ),
            (
                (
                    words.day(one["date"]),
                    words.moment(one["start"], self._zone),
                    words.moment(one["end"], self._zone),
                    "–" if one["breakMinutes"] is None else german.duration(one["breakMinutes"]),
                    words.moment(one["decidedAt"], self._zone),
                )
                for one in self._told["corrections"]
            ),
        )

    def _deletions(self) -> None:
        self._table(
            "Gelöschte Einträge",
            (("Von", 60, "LEFT"), ("Bis", 60, "LEFT"), ("Gelöscht", 58, "LEFT")),
            (
                tuple(words.moment(one[name], self._zone) for name in ("start", "end", "decidedAt"))
                for one in self._told["deletions"]
            ),
        )

    def _stamps(self) -> None:
        self._table(
            "Stempel",
            (("Zeitpunkt", 40, "LEFT"), ("Richtung", 28, "LEFT"), ("Uhr", 56, "LEFT"), ("Gezählt", 54, "LEFT")),
            (
                (
                    words.tap(one["at"], self._zone),
                    words.DIRECTIONS.get(one["direction"], one["direction"]),
                    one["clock"],
                    "ja" if one["counted"] else words.UNCOUNTED.get(one["reason"], "nein"),
                )
                for one in self._told["stamps"]
            ),
        )

    def _table(self, title: str, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """A table with its title; without rows that there are none."""
        told = [[self._shown(cell) for cell in cells] for cells in rows]
        if self.get_y() > self.eph - 20:
            self.add_page()
        self.ln(5)
        self._font(11, bold=True)
        self._line(title, 7)
        self._font(8.5)
        if not told:
            self._paragraph("Keine.", 4.6)
            return
        self.set_text_shaping(any(_runs_left(cell) for cells in told for cell in cells))
        with self.table(
            width=_WIDTH,
            col_widths=tuple(width for _, width, _ in columns),
            text_align=tuple(align for _, _, align in columns),
            line_height=4.6,
            padding=(0.5, 1),
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", fill_color=_HEAD),
            first_row_as_headings=any(head for head, _, _ in columns),
        ) as table:
            table.row([head for head, _, _ in columns])
            for cells in told:
                table.row(cells)
        self.set_text_shaping(False)

    def _line(self, text: str, height: float) -> None:
        self.cell(0, height, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _paragraph(self, text: str, height: float) -> None:
        shown = self._shown(text)
        self.set_text_shaping(_runs_left(shown))
        self.multi_cell(0, height, shown, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_text_shaping(False)

    def _shown(self, text: str) -> str:
        """The text as far as the fonts have its letters."""
        whole = " ".join(_composed(text).split())
        return "".join(letter if letter in self._known else "?" for letter in whole)

    def _font(self, size: float, *, bold: bool = False, colour: tuple[int, int, int] = _INK) -> None:
        self.set_font(_FAMILY, "B" if bold else "", size)
        self.set_text_color(*colour)
