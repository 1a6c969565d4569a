"""The end of a file that is given out while it is written."""

import io
from typing import Any


class Sink(io.RawIOBase):
    """A file that only grows."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._written.append(bytes(content))
        return len(content)

    def drain(self) -> bytes:
        """Returns what was written since the last time."""
        content = b"".join(self._written)
        self._written.clear()
        return content
