"""When a new scanner may become this clock's: for five minutes after somebody who is allowed to has said so.

`stempelwerk-edge adopt` says so on the clock's own machine, by a file in the clock's private folder; nobody else can
write there.
"""

import os
import time
from pathlib import Path

FILE_NAME = "adopting"
LASTS_S = 300


class Adoption:
    """Whether scanners are adopted now, by this clock's folder."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / FILE_NAME

    def allow(self) -> None:
        """Adopt what is plugged in within five minutes. OSError."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file.touch(0o600)
        os.utime(self._file)  # also where there was one

    def is_allowed(self) -> bool:
        """Whether it was allowed less than five minutes ago."""
        try:
            at = self._file.stat().st_mtime
        except OSError:
            return False
        return 0 <= time.time() - at < LASTS_S
