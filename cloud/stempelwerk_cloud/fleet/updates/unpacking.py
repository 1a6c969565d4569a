"""The job of the process that unpacks a bundle. It checks names and sizes, not the contents."""

import errno
import hashlib
import os
import re
import zipfile
import zlib
from pathlib import Path

import msgspec
from msgspec import Struct

from stempelwerk_cloud.kit.subprocesses.job import Refused

_SIGNED = re.compile(r"metadata/([1-9]\d{0,17})\.(root|targets|stable|beta)\.json", re.ASCII)
_FILE = re.compile(r"targets/(stable|beta)/[\w.+-]{1,200}", re.ASCII)
_CHUNK = 1 << 20
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class Unpacking(Struct, frozen=True):
    """A bundle by its descriptor, the empty folder for its files, and the limits in numbers and bytes.

    `most_signed` limits a single file of metadata.
    """

    bundle: int
    folder: str
    most_files: int
    most_unpacked: int
    most_signed: int


class Unpacked(Struct, frozen=True):
    """Names in the folder: metadata by role and version, other files by SHA-256."""

    signed: list[tuple[str, int, str]]
    files: list[tuple[str, str]]


_ORDERS = msgspec.json.Decoder(Unpacking)


def unpack(payload: bytes, _argument: str) -> bytes:
    """Returns an `Unpacked` for an `Unpacking`. Raises Refused for what is no bundle, or a larger one than allowed."""
    order = _ORDERS.decode(payload)
    with os.fdopen(order.bundle, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return msgspec.json.encode(_unpacked(archive, order))
        except _DAMAGE:
            raise Refused("no bundle") from None
        except OSError as error:
            if error.errno == errno.EINVAL:  # an offset before the file's beginning
                raise Refused("no bundle") from None
            raise


def _unpacked(archive: zipfile.ZipFile, order: Unpacking) -> Unpacked:
    result, members = Unpacked([], []), archive.infolist()
    names = {member.filename for member in members}
    is_too_large = len(members) > order.most_files or sum(each.file_size for each in members) > order.most_unpacked
    if is_too_large or len(names) < len(members):
        raise Refused("too large, or a name occurs twice")
    for number, member in enumerate(members):
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise Refused("an unsupported compression")
        path = Path(order.folder) / str(number)
        if signed := _SIGNED.fullmatch(member.filename):
            if member.file_size > order.most_signed:
                raise Refused("too much metadata")
            _copy(archive, member, path)
            result.signed.append((signed[2], int(signed[1]), path.name))
        elif _FILE.fullmatch(member.filename):
            result.files.append((_copy(archive, member, path), path.name))
    return result


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> str:
    """Copies the member and returns its SHA-256."""
    digest = hashlib.sha256()
    with archive.open(member) as content, path.open("xb") as copy:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()
