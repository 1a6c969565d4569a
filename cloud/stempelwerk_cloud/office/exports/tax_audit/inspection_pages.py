"""The pages of an inspection's times. Only child processes load this module."""

from collections.abc import Iterable, Sequence

from stempelwerk_cloud.kit.paper import PALE, Column
from stempelwerk_cloud.kit.paper.pages import Paper
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


def draw(company: str, period: str, people: Sequence[tuple[str, Iterable[Sequence[str]]]], tell: Tell) -> bytes:
    """Returns the PDF. `people` are names with their rows."""
    title = f"Arbeitszeiten {period}, {company}"
    pages = _Pages(title, None, "".join([company, *(name for name, _ in people)]))
    pages.add_page()
    pages.set_text_style(18, bold=True)
    pages.line_of("Arbeitszeiten", 9)
    pages.set_text_style(10)
    pages.paragraph(f"{company}, {period}", 6)
    pages.set_text_style(8.5, colour=PALE)
    pages.paragraph("Beginn, Ende und Dauer der täglichen Arbeitszeit (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG).", 4.6)
    for count, (name, rows) in enumerate(people, start=1):
        pages.grid(name, _COLUMNS, rows, dense=True)
        tell(count)
    return bytes(pages.output())


class _Pages(Paper):
    def footer(self) -> None:
        self.numbers(str(self.title))
