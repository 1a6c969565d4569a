"""Uploaded bundles: zip files with signed metadata and release files. A child process unpacks them
(`unpacking.py`).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec
import structlog

from stempelwerk_cloud.fleet.updates import words
from stempelwerk_cloud.fleet.updates.intake import unpacking
from stempelwerk_cloud.fleet.updates.intake.unpacking import Unpacked, Unpacking
from stempelwerk_cloud.kit.http.problems import unavailable
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses.job import FAILED, REFUSED, Job
from stempelwerk_cloud.kit.subprocesses.pool import ServiceEnds, SubprocessPool

MOST_BYTES = 100 * 1024 * 1024
MOST_UNPACKED = 2 * MOST_BYTES
MOST_FILES = 2000
MOST_SIGNED = 512_000
"""Maximum size in bytes of a signed metadata file, equal to the reference client's limit for a root."""
JOB = Job(
    function=f"{unpacking.__name__}:{unpacking.unpack.__name__}",
    argument="",
    memory_bytes=128 * 1024 * 1024,
    cpu_seconds=60,
    seconds=120,
    result_bytes=1024 * 1024,
    nice=5,
    opens_files=True,
    file_bytes=MOST_UNPACKED,
)
"""The job of the child process. Its time limit suits slow machines; unpacking 200 MB usually takes two seconds."""
_PATIENCE_S = 60.0
_DECODER = msgspec.json.Decoder(Unpacked)
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bundle:
    """An unpacked bundle. `signed`: contents of the metadata files, by (role, version in the name). `files`: paths of
    all others, by SHA-256.
    """

    signed: dict[tuple[str, int], bytes]
    files: dict[str, Path]


async def take_slot(platform: Platform) -> BinaryIO:
    """Takes the lock that allows only one bundle in the whole installation to be unpacked, and returns its file.

    The lock is released when the file is closed here and in the child process. Raises 429 if it is taken.
    """
    return await machine_semaphore.take_each(platform, [(["bundle"], words.unpacking)], _PATIENCE_S)


def unpack(pool: SubprocessPool, file: BinaryIO, folder: Path, slot: BinaryIO) -> Bundle:
    """Unpacks the file into an empty folder in a child process, and blocks the calling thread meanwhile.

    Raises 422 if the file is no bundle or too large; 503 if the disk is full, or while the service shuts down.
    """
    bundle = file.fileno()
    file.flush()
    order = Unpacking(bundle, str(folder), MOST_FILES, MOST_UNPACKED, MOST_SIGNED)
    try:
        status, output = pool.run(JOB, msgspec.json.encode(order), bundle, slot.fileno())
    except ServiceEnds:
        raise unavailable() from None
    if status == 0:
        unpacked = _DECODER.decode(output)
        return Bundle(
            {(role, version): (folder / name).read_bytes() for role, version, name in unpacked.signed},
            {digest: folder / name for digest, name in unpacked.files},
        )
    if status != REFUSED:
        log.error("bundle_not_unpacked", status=status, error=output.decode(errors="replace"))
    raise unavailable() if status == FAILED else words.no_bundle()
