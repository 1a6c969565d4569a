"""A paper of numbered sections and tables."""

from datetime import datetime

from msgspec import Struct

from stempelwerk_cloud.kit.paper import PALE, Column, Paper
from stempelwerk_cloud.kit.subprocesses.orders import Tell


class Table(Struct, frozen=True):
    """A table; `height` of a line in millimetres."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    height: float


class WrittenPaper(Struct, frozen=True):
    """The order of a paper. `text` is a filled-in file of `texts/`, with the names of its `tables` after an `@`.

    `letters` holds all letters that need a font.
    """

    title: str
    company: str
    day: str
    version: str
    made_at: datetime
    text: str
    letters: str
    tables: dict[str, Table]

    def drawn(self, _tell: Tell) -> bytes:
        paper = _Pages(f"{self.title}, {self.company}", self.made_at, self.letters)
        paper.write_down(self)
        return bytes(paper.output())


class _Pages(Paper):
    """A paper of numbered sections."""

    def write_down(self, order: WrittenPaper) -> None:
        self.add_page()
        self.set_text_style(20, bold=True)
        self.line_of(order.title, 10)
        self.set_text_style(12, bold=True)
        self.paragraph(order.company, 7)
        self.set_text_style(8.5, colour=PALE)
        self.paragraph(
            f"Stand: {order.day}, Stempelwerk {order.version}. Erzeugt aus dem, was an diesem Tag eingestellt"
            " war. Angaben in eckigen Klammern hat der Betreiber noch nicht gemacht. Dies ist keine Rechtsberatung.",
            4.6,
        )
        number = 0
        for part in order.text.strip().split("\n\n"):
            if part.startswith("@"):
                table = order.tables[part.removeprefix("@")]
                self.grid(table.title, table.columns, table.rows, height=table.height)
            elif part.startswith("# "):
                number += 1
                if self.get_y() > self.eph - 20:
                    self.add_page()
                self.ln(4)
                self.set_text_style(11, bold=True)
                self.paragraph(f"{number}. {part.removeprefix('# ')}", 7)
            else:
                self.set_text_style(9.5)
                self.paragraph(part, 5)
                self.ln(1.5)

    def footer(self) -> None:
        self.numbers(str(self.title))
