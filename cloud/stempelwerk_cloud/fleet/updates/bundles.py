"""A bundle: the zip in which signed metadata and files come. Nothing of it is judged here but its size and names."""

import hashlib
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from stempelwerk_cloud.fleet.updates import problems

MOST_BYTES = 100 * 1024 * 1024
MOST_UNPACKED = 2 * MOST_BYTES
MOST_FILES = 2000
MOST_SIGNED = 512_000
"""Bytes of a signed file: as many as the reference client reads of a root."""
_SIGNED = re.compile(r"metadata/([1-9]\d{0,17})\.(root|targets|stable|beta)\.json", re.ASCII)
_FILE = re.compile(r"targets/(stable|beta)/[\w.+-]{1,200}", re.ASCII)
_CHUNK = 1 << 20
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Bundle:
    """`signed`: files of metadata, by role and the version in their names; `files`: the others, by SHA-256."""

    signed: dict[tuple[str, int], bytes]
    files: dict[str, Path]


def unpack(file: BinaryIO, folder: Path) -> Bundle:
    """Lays the files into an empty folder. 422 for what is no bundle, or a larger one than is taken."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _unpacked(archive, folder)
    except _DAMAGE:
        raise problems.no_bundle() from None


def _unpacked(archive: zipfile.ZipFile, folder: Path) -> Bundle:
    bundle, members = Bundle({}, {}), archive.infolist()
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_UNPACKED:
        raise problems.no_bundle()
    for number, member in enumerate(members):
        # The library takes an offset before the file's beginning, and then fails on it as a broken disk does.
        if member.header_offset < 0 or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise problems.no_bundle()
        if signed := _SIGNED.fullmatch(member.filename):
            if member.file_size > MOST_SIGNED:
                raise problems.no_bundle()
            bundle.signed[signed[2], int(signed[1])] = archive.read(member)
        elif _FILE.fullmatch(member.filename):
            digest, path = hashlib.sha256(), folder / str(number)
            with archive.open(member) as content, path.open("xb") as copy:
                while chunk := content.read(_CHUNK):
                    digest.update(chunk)
                    copy.write(chunk)
            bundle.files[digest.hexdigest()] = path
    return bundle
