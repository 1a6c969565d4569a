"""Packs files that are compressed already, such as PDFs, into a zip."""

import zipfile

from stempelwerk_cloud.kit.files.packing.frames import File
from stempelwerk_cloud.kit.files.packing.sink import Sink


class Writer:
    """Writes each file into the zip as it is."""

    FRAMES = File

    def __init__(self, file: Sink) -> None:
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)

    def take(self, frame: File) -> None:
        self._archive.writestr(frame.name, frame.content)

    def close(self) -> None:
        self._archive.close()
