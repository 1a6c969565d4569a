"""The layout of PDF documents: A4 pages with headings, paragraphs and tables. Only child processes load this module.

The fonts are those of the web app (Figtree), and parts of Noto for names in other scripts. A character without a glyph
becomes a question mark, and each page explains it. Equal content with an equal date gives equal bytes.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos
from fpdf.fonts import FontFace, TTFFont

from stempelwerk_cloud.kit.paper import INK, PALE, WIDTH, Column

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
    "NotoSansDevanagari",
    "NotoSansBengali",
    "NotoSansTamil",
    "NotoSansTelugu",
    "NotoSansThai",
    "NotoSansSC",
    "NotoSansKR",
    "NotoEmoji",
)
"""Fallback fonts in order of priority."""
_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Invisible modifiers of neighbouring characters, such as skin tones. Pages omit them."""
_LACKS = "? steht für ein Zeichen, das dieses Papier nicht zeigen kann."
_LINE, _HEAD = (208, 211, 216), (241, 242, 244)


def composed(text: str) -> str:
    """Returns the text on one line, in Unicode form NFC."""
    return " ".join(unicodedata.normalize("NFC", text).split())


@cache
def _letters(font: str) -> frozenset[str]:
    opened = FPDF()
    opened.add_font(font, "", _FONTS / f"{font}.ttf")
    (ttf_font,) = (loaded for loaded in opened.fonts.values() if isinstance(loaded, TTFFont))
    with ttf_font.ttfont:
        return frozenset(map(chr, ttf_font.cmap))


def _is_shaped(text: str) -> bool:
    """Returns whether the text needs text shaping: its letters run from right to left (Arabic, Hebrew) or bear
    combining signs (Hindi).
    """
    return any(
        unicodedata.bidirectional(letter) in {"R", "AL"} or unicodedata.category(letter) in {"Mn", "Mc"}
        for letter in text
    )


class Paper(FPDF):
    """A PDF document that is written from top to bottom."""

    def __init__(self, title: str, made_at: datetime | None, text: str) -> None:
        """Loads the fallback fonts that `text` needs; it must contain all characters of the pages. `made_at` becomes
        the creation date.
        """
        super().__init__(format="A4")
        self.set_margins(16, 16, 16)
        self.set_auto_page_break(auto=True, margin=24)
        self.add_font(_FAMILY, "", _FONTS / "Figtree-Regular.ttf")
        self.add_font(_FAMILY, "B", _FONTS / "Figtree-SemiBold.ttf")
        self._known = set(_letters("Figtree-Regular"))
        needed_letters = set(_UNSEEN.sub("", composed(text)))
        for font in _OTHER_SCRIPTS:
            if needed_letters <= self._known:
                break
            if (needed_letters - self._known) & _letters(font):
                self.add_font(font, "", _FONTS / f"{font}.ttf")
                self._known |= _letters(font)
        self._line_counts: dict[tuple[str, float, float, str], int] = {}
        self._lacks = not needed_letters <= self._known
        self.set_fallback_fonts([font for font in self.fonts if not font.startswith(_FAMILY)], exact_match=False)
        if made_at is not None:
            self.set_creation_date(made_at)
        self.set_producer("Stempelwerk")
        self.set_lang("de-DE")
        self.set_title(title)
        self.set_draw_color(*_LINE)

    def footer(self) -> None:
        """Explains the question mark at the end of each page, if characters may lack a glyph. FPDF calls it."""
        if self._lacks:
            self.set_y(-8)
            self.set_text_style(7, colour=PALE)
            self.line_of(_LACKS, 3.6)

    def numbers(self, *lines: str) -> None:
        """Writes a footer of these lines in small print, and "Seite x von y"."""
        self.set_y(-20)
        self.foot(*lines, f"Seite {self.page_no()} von {{nb}}")

    def foot(self, *lines: str) -> None:
        """Writes these lines in small print. The last one also explains the question mark, if characters may lack a
        glyph.
        """
        self.set_text_style(7, colour=PALE)
        for line in lines[:-1]:
            self.line_of(line, 3.6)
        self.line_of(f"{lines[-1]}{f' · {_LACKS}' if self._lacks else ''}", 3.6)

    def grid(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[Sequence[str]],
        *,
        dense: bool = False,
        height: float = 4.6,
    ) -> None:
        """Draws a table with its title, or "Keine." without rows. `height` of a line in millimetres."""
        row_list = list(rows)
        self.set_text_style(11, bold=True)
        needed = 5 + self.paragraph_height(title, 7) + 2 * height
        self.set_text_style(8.5)
        needed += self.dense_height(columns, row_list[0], height) if dense and row_list else 0
        if self.get_y() > self.eph - 20 or self.will_page_break(needed):
            self.add_page()
        self.ln(5)
        self.set_text_style(11, bold=True)
        self.paragraph(title, 7)
        if dense:
            self.dense(columns, row_list, 8.5, height, title)
        else:
            self.rows(columns, row_list, height=height)

    def rows(
        self, columns: Sequence[Column], rows: Iterable[Sequence[str]], size: float = 8.5, height: float = 4.6
    ) -> None:
        """Draws a table without a title; `size` in points, `height` of a line in millimetres."""
        cell_rows = [[self._printable(cell) for cell in cells] for cells in rows]
        self.set_text_style(size)
        if not cell_rows:
            self.paragraph("Keine.", height)
            return
        self.set_text_shaping(any(_is_shaped(cell) for cells in cell_rows for cell in cells))
        with self.table(
            width=WIDTH,
            col_widths=tuple(width for _, width, _ in columns),
            text_align=tuple(align for _, _, align in columns),
            line_height=height,
            padding=(0.5, 1),
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", fill_color=_HEAD),
            first_row_as_headings=any(head for head, _, _ in columns),
        ) as table:
            table.row([head for head, _, _ in columns])
            for cells in cell_rows:
                table.row(cells)
        self.set_text_shaping(False)

    def dense(
        self, columns: Sequence[Column], rows: Iterable[Sequence[str]], size: float, height: float, title: str = ""
    ) -> None:
        """Draws a table of many rows much faster than `rows`: each row has one line, and only its last column may take
        more.

        Title and head are repeated on each page. No row is split between pages. `size` in points, `height` of a line in
        millimetres.
        """
        self.dense_head(columns, size, height)
        for cells in rows:
            if self.will_page_break(self.dense_height(columns, cells, height)):
                self.add_page()
                if title:
                    self.set_text_style(11, bold=True)
                    self.paragraph(f"{title} (Fortsetzung)", 7)
                self.dense_head(columns, size, height)
            self.dense_row(columns, cells, height)

    def dense_head(self, columns: Sequence[Column], size: float, height: float) -> None:
        """Draws the head of a table of `dense`, and sets the text style of its rows."""
        self.set_text_style(size, bold=True)
        self.dense_row(columns, [head for head, _, _ in columns], height)
        self.set_text_style(size)

    def dense_height(self, columns: Sequence[Column], cells: Sequence[str], height: float) -> float:
        """Returns the height in millimetres of a row of a table of `dense`, in the current text style. A page must be
        open.
        """
        text, width = self._printable(cells[-1]), columns[-1][1]
        self.set_text_shaping(_is_shaped(text))
        fits = self.get_string_width(text) < width - 2
        count = 1 if fits else self._line_count(width, text)
        self.set_text_shaping(False)
        return height * count

    def dense_row(self, columns: Sequence[Column], cells: Sequence[str], height: float) -> None:
        """Draws a row of a table of `dense`, with a line below it."""
        *earlier_cells, (text, (_, width, _)) = zip(map(self._printable, cells), columns, strict=True)
        self.set_text_shaping(any(map(_is_shaped, [text, *(cell for cell, _ in earlier_cells)])))
        for cell, (_, wide, align) in earlier_cells:
            self.cell(wide, height, cell, align=align[0])
        if self.get_string_width(text) < width - 2:
            self.cell(width, height, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        else:
            self.multi_cell(width, height, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_text_shaping(False)
        self.line(self.l_margin, self.get_y(), self.l_margin + WIDTH, self.get_y())

    def line_of(self, text: str, height: float) -> None:
        """Draws the text on one line; a text that is too long is cut and ends in "…". `height` in millimetres."""
        printable = self._printable(text)
        self.set_text_shaping(_is_shaped(printable))
        if self.get_string_width(printable) > self.epw:
            while self.get_string_width(f"{printable}…") > self.epw:
                printable = printable[:-1]
            printable += "…"
        self.cell(0, height, printable, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_text_shaping(False)

    def paragraph_height(self, text: str, height: float) -> float:
        """Returns the height in millimetres of a paragraph in the current text style. A page must be open. `height`: of
        a line.
        """
        printable = self._printable(text)
        self.set_text_shaping(_is_shaped(printable))
        count = self._line_count(0, printable)
        self.set_text_shaping(False)
        return height * count

    def _line_count(self, width: float, text: str) -> int:
        key = (self.font_style, self.font_size_pt, width, text)
        if key not in self._line_counts:
            y = self.get_y()
            self.set_y(self.t_margin)  # far from a page break, which a dry run would make, too
            lines = self.multi_cell(width, 1, text, align="L", dry_run=True, output=MethodReturnValue.LINES)
            self._line_counts[key] = len(cast("list[str]", lines))
            self.set_y(y)
        return self._line_counts[key]

    def paragraph(self, text: str, height: float) -> None:
        printable = self._printable(text)
        self.set_text_shaping(_is_shaped(printable))
        self.multi_cell(0, height, printable, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_text_shaping(False)

    def set_text_style(self, size: float, *, bold: bool = False, colour: tuple[int, int, int] = INK) -> None:
        """Sets the style of the text that follows; `size` in points."""
        self.set_font(_FAMILY, "B" if bold else "", size)
        self.set_text_color(*colour)

    def _printable(self, text: str) -> str:
        """Returns the text with a question mark for each character without a glyph."""
        normalized = composed(text)
        if not self._known.issuperset(normalized):
            normalized = "".join(letter for letter in normalized if letter in self._known or not _UNSEEN.match(letter))
            self._lacks |= not self._known.issuperset(normalized)
        return "".join(letter if letter in self._known else "?" for letter in normalized)
