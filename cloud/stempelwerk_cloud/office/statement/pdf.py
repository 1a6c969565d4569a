"""A statement on paper: made of the signed file alone, so that the same file always gives the same pages.

The file that counts is the signed one: its digest stands on every page.
"""

from msgspec import Struct

from stempelwerk_cloud.domain.statement import digest_of, read
from stempelwerk_cloud.kit.subprocesses.orders import Tell


class StatementPages(Struct, frozen=True):
    """The pages of a signed file."""

    content: str

    def drawn(self, _tell: Tell) -> bytes:
        return rendered(self.content.encode())


def rendered(content: bytes) -> bytes:
    """The pages of a signed file."""
    from stempelwerk_cloud.office.statement import pages  # noqa: PLC0415 -- for the child process

    return pages.Pages(read(content), digest_of(content), content.decode()).whole()
