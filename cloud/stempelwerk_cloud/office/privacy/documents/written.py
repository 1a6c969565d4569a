"""A paper of numbered sections and tables."""

from datetime import datetime

from msgspec import Struct

from stempelwerk_cloud.kit.paper import Column
from stempelwerk_cloud.kit.subprocesses.orders import Tell


class Table(Struct, frozen=True):
    """A table; `height` of a line in millimetres."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    height: float


class WrittenPaper(Struct, frozen=True):
    """The order of a paper. `text` is a filled-in file of `texts/`, with the names of its `tables` after an `@`.

    `letters` contains all characters that need a font.
    """

    title: str
    company: str
    day: str
    version: str
    made_at: datetime
    text: str
    letters: str
    tables: dict[str, Table]

    def render_file(self, _tell: Tell) -> bytes:
        from stempelwerk_cloud.office.privacy.documents.written_pages import WrittenPages  # noqa: PLC0415 -- for the child process

        paper = WrittenPages(f"{self.title}, {self.company}", self.made_at, self.letters)
        paper.write_down(self)
        return bytes(paper.output())
