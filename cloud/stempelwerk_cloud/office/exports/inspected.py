"""What authorities are given, on paper."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from stempelwerk_cloud.kit.paper import PALE, Column, Paper
from stempelwerk_cloud.kit.subprocesses.orders import Tell

_COLUMNS: Sequence[Column] = (
    ("Tag", 26, "LEFT"),
    ("Beginn", 18, "LEFT"),
    ("Ende", 18, "LEFT"),
    ("Pause", 18, "RIGHT"),
    ("Dauer", 20, "RIGHT"),
    ("Über 8 Std", 22, "RIGHT"),
    ("Nacht", 18, "RIGHT"),
    ("Hinweise", 38, "LEFT"),
)
Row = tuple[str, ...]
"""What stands in each column."""


class Inspection(Struct, frozen=True):
    """`people`: by name, their rows."""

    company: str
    period: str
    people: tuple[tuple[str, tuple[Row, ...]], ...]

    def drawn(self, tell: Tell) -> bytes:
        title = f"Arbeitszeiten {self.period}, {self.company}"
        pages = _Pages(title, None, "".join([self.company, *(name for name, _ in self.people)]))
        pages.add_page()
        pages.set_text_style(18, bold=True)
        pages.line_of("Arbeitszeiten", 9)
        pages.set_text_style(10)
        pages.paragraph(f"{self.company}, {self.period}", 6)
        pages.set_text_style(8.5, colour=PALE)
        pages.paragraph("Beginn, Ende und Dauer der täglichen Arbeitszeit (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG).", 4.6)
        for count, (name, rows) in enumerate(self.people, start=1):
            pages.grid(name, _COLUMNS, rows, dense=True)
            tell(count)
        return bytes(pages.output())


class _Pages(Paper):
    def footer(self) -> None:
        self.numbers(str(self.title))


class Inspections(Struct, frozen=True):
    """One paper each, for whoever would else begin a process for each of them."""

    each: tuple[Inspection, ...]

    def drawn(self, tell: Tell) -> bytes:
        """The papers, as `papers_of` reads them."""
        return msgspec.msgpack.encode([one.drawn(tell) for one in self.each])


_papers = msgspec.msgpack.Decoder(list[bytes])


def papers_of(drawn: bytes) -> list[bytes]:
    return _papers.decode(drawn)
