"""A statement on paper: made only from the signed file, so that the same file always gives the same pages.

The signed file is authoritative: its digest is on every page.
"""

from msgspec import Struct

from stempelwerk_cloud.domain.statement import digest_of, read
from stempelwerk_cloud.kit.subprocesses.orders import Tell


class StatementPages(Struct, frozen=True):
    """The order of a signed file's pages."""

    content: str

    def render_file(self, _tell: Tell) -> bytes:
        return rendered(self.content.encode())


def rendered(content: bytes) -> bytes:
    """Returns the pages of a signed file."""
    from stempelwerk_cloud.office.statement.paper import pages  # noqa: PLC0415 -- for the child process

    return pages.Pages(read(content), digest_of(content), content.decode()).draw_all()
