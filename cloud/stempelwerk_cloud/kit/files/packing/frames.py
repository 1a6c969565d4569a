"""The protocol between the service and a packing process: frames of a length in four bytes, then the content.

A frame to the process is msgpack; an empty frame is the end. The process answers each frame with the file's new bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import IO, Any, Final

import msgspec

END: Final = b""
_LENGTH = 4
_DAY, _DECIMAL = 1, 2
_ROWS_AT_ONCE: Final = 2000
_EXTENDED: Final = {date, Decimal}


class Rows(msgspec.Struct, tag="rows"):
    """A frame with rows of a table."""

    rows: list[list[Any]]


class File(msgspec.Struct, tag="file"):
    """A frame with one file of an archive."""

    name: str
    content: bytes


def encoded(frame: msgspec.Struct) -> bytes:
    """Returns a frame's bytes."""
    return _ENCODER.encode(frame)


def of_rows(rows: Sequence[Sequence[Any]]) -> Iterator[bytes]:
    """Yields the frames of a table's rows."""
    for begin in range(0, len(rows), _ROWS_AT_ONCE):
        yield encoded(Rows([*map(plain, rows[begin : begin + _ROWS_AT_ONCE])]))


def decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Returns the decoder of a union of frames."""
    return msgspec.msgpack.Decoder(kind, ext_hook=_read_ext)


def plain(row: Iterable[Any]) -> list[Any]:
    """Returns a row as a frame contains it: days and decimals as msgpack extensions, which keep their types."""
    return [_extended(value) if type(value) in _EXTENDED else value for value in row]


def write(file: IO[bytes], content: bytes) -> None:
    file.write(len(content).to_bytes(_LENGTH))
    file.write(content)
    file.flush()


def read(file: IO[bytes]) -> bytes | None:
    """Returns the next content; None when the other side has gone."""
    head = file.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head)
    content = file.read(size)
    return content if len(content) == size else None


def _extended(value: date | Decimal) -> msgspec.msgpack.Ext:
    # Decimals that are equal may have other digits.
    return _day(value) if isinstance(value, date) else _decimal(str(value))


@lru_cache(maxsize=4000)
def _day(day: date) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(_DAY, day.isoformat().encode())


@lru_cache(maxsize=4000)
def _decimal(text: str) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(_DECIMAL, text.encode())


def _read_ext(code: int, content: memoryview) -> date | Decimal:
    return _read(code, content.tobytes())


@lru_cache(maxsize=10_000)
def _read(code: int, content: bytes) -> date | Decimal:
    text = content.decode()
    return date.fromisoformat(text) if code == _DAY else Decimal(text)


_ENCODER = msgspec.msgpack.Encoder()
