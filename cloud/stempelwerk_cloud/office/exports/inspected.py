"""What authorities are given, on paper."""

import msgspec
from msgspec import Struct

from stempelwerk_cloud.kit.subprocesses.orders import Tell

Row = tuple[str, ...]
"""What stands in each column."""


class Inspection(Struct, frozen=True):
    """`people`: by name, their rows."""

    company: str
    period: str
    people: tuple[tuple[str, tuple[Row, ...]], ...]

    def drawn(self, tell: Tell) -> bytes:
        from stempelwerk_cloud.office.exports import inspection_pages  # noqa: PLC0415 -- for the child process

        return inspection_pages.draw(self.company, self.period, self.people, tell)


class Inspections(Struct, frozen=True):
    """One paper each, for whoever would else begin a process for each of them."""

    each: tuple[Inspection, ...]

    def drawn(self, tell: Tell) -> bytes:
        """The papers, as `papers_of` reads them."""
        return msgspec.msgpack.encode([one.drawn(tell) for one in self.each])


_papers = msgspec.msgpack.Decoder(list[bytes])


def papers_of(drawn: bytes) -> list[bytes]:
    return _papers.decode(drawn)
