"""Papers for authorities."""

import msgspec
from msgspec import Struct

from stempelwerk_cloud.kit.subprocesses.orders import Tell

Row = tuple[str, ...]
"""The text of each column."""


class Inspection(Struct, frozen=True):
    """An inspection of all people in it. `people`: names with their rows, sorted."""

    company: str
    period: str
    people: tuple[tuple[str, tuple[Row, ...]], ...]

    def render_file(self, tell: Tell) -> bytes:
        from stempelwerk_cloud.office.exports.tax_audit import inspection_pages  # noqa: PLC0415 -- for the child process

        return inspection_pages.draw(self.company, self.period, self.people, tell)


class Inspections(Struct, frozen=True):
    """Several papers in one order, which saves a process for each of them."""

    each: tuple[Inspection, ...]

    def render_file(self, tell: Tell) -> bytes:
        """Returns the papers in the encoding of `papers_of`."""
        return msgspec.msgpack.encode([inspection.render_file(tell) for inspection in self.each])


_papers = msgspec.msgpack.Decoder(list[bytes])


def papers_of(encoded: bytes) -> list[bytes]:
    return _papers.decode(encoded)
