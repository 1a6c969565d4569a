"""The job of the child process that unpacks an uploaded bundle. It checks names and sizes of the files, not their
contents.
"""

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
    """The order to unpack a bundle. `bundle`: an open file descriptor of the zip file. `folder`: an empty folder for
    its files.

    Limits: `most_files` is their number, `most_unpacked` their total size in bytes, and `most_signed` the size in bytes
    of a single metadata file.
    """

    bundle: int
    folder: str
    most_files: int
    most_unpacked: int
    most_signed: int


class Unpacked(Struct, frozen=True):
    """The files in the folder after unpacking: metadata as (role, version, file name), others as (SHA-256, file
    name).
    """

    signed: list[tuple[str, int, str]]
    files: list[tuple[str, str]]


_ORDERS = msgspec.json.Decoder(Unpacking)


def unpack(payload: bytes, _argument: str) -> bytes:
    """Unpacks the bundle of an encoded `Unpacking` and returns an encoded `Unpacked`. Raises Refused if the file is no
    bundle, or exceeds a limit.
    """
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
    """Copies a member of the archive to the path and returns its SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    with archive.open(member) as content, path.open("xb") as copy:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()
