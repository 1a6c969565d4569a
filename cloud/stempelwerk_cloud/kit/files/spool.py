"""The buffer between the maker and the reader of a download: a ring buffer of limited size in an unlinked, encrypted
file.

The maker waits while the ring is full. The key is in memory, so the disk shows nothing of the content.
"""

import asyncio
import os
import tempfile
import threading
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CTR

from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead

MOST: Final = 64 * 1024 * 1024
"""The size of the ring in bytes: almost any file of one person fits in."""
_CHUNK: Final = 256 * 1024


class Spool:
    """A stream of bytes from one task to another on the same event loop."""

    def __init__(self, folder: Path, disk: Bulkhead, capacity: int | None = None) -> None:
        self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 -- `close`
        self._disk = disk
        self._most = capacity or MOST
        cipher = Cipher(AES256(os.urandom(32)), CTR(bytes(16)))
        self._seal, self._unseal = cipher.encryptor().update, cipher.decryptor().update
        self._written = self._read = 0
        self._ended = False
        self._moved = asyncio.Event()
        self._at_work = threading.Lock()

    async def put(self, piece: bytes) -> None:
        """Adds the bytes; waits while the ring is full."""
        remaining = memoryview(piece)
        while remaining:
            part = remaining[: self._within(self._written, self._most - (self._written - self._read))]
            if part:
                await self._disk.run(self._write, part)
                self._written += len(part)
                remaining = remaining[len(part) :]
                self._moved.set()
            else:
                await self._wait()

    def end(self) -> None:
        """Marks the end of the stream: `get` then returns an empty piece after the last byte."""
        self._ended = True
        self._moved.set()

    async def get(self) -> bytes:
        """Waits for the next bytes and returns them; returns an empty piece at the end."""
        while not (size := self._within(self._read, self._written - self._read)):
            if self._ended:
                return b""
            await self._wait()
        content = await self._disk.run(self._read_back, size)
        self._read += size
        self._moved.set()
        return content

    def close(self) -> None:
        with self._at_work:  # a thread may still use the descriptor, whose number another file may get soon
            self._file.close()

    async def _wait(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    def _within(self, position: int, size: int) -> int:
        """Returns how many of `size` bytes from `position` on are contiguous in the ring, at most a chunk."""
        return min(size, _CHUNK, self._most - position % self._most)

    def _write(self, part: memoryview) -> None:
        sealed, position = self._seal(part), self._written % self._most
        with self._at_work:
            while sealed:
                count = os.pwrite(self._file.fileno(), sealed, position)
                sealed, position = sealed[count:], position + count

    def _read_back(self, size: int) -> bytes:
        with self._at_work:
            return self._unseal(os.pread(self._file.fileno(), size, self._read % self._most))
