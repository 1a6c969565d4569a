"""Writes a table as CSV. Its first row has the names of the columns."""

from stempelwerk_cloud.kit import csv_tables
from stempelwerk_cloud.kit.files.packing.frames import Rows
from stempelwerk_cloud.kit.files.packing.sink import Sink


class Writer:
    """Writes rows as lines."""

    FRAMES = Rows

    def __init__(self, file: Sink) -> None:
        self._file = file
        self._file.write(csv_tables.BEGIN)

    def take(self, frame: Rows) -> None:
        self._file.write(csv_tables.lines(frame.rows))

    def close(self) -> None: ...
