"""The job of the process that packs: takes frames of a `Writer` from stdin, and writes the file to stdout."""

from importlib import import_module
from typing import IO, Any, Protocol

from stempelwerk_cloud.kit.files.packing import frames
from stempelwerk_cloud.kit.files.packing.sink import Sink


class Writer(Protocol):
    """The part of the program that knows the file's format. `FRAMES` is the union of its frames."""

    FRAMES: Any

    def __init__(self, file: Sink) -> None: ...

    def take(self, frame: Any) -> None:
        """Writes the frame into the file."""

    def close(self) -> None:
        """Writes the rest at the end."""


def pack(frames_in: IO[bytes], file_out: IO[bytes], module: str) -> None:
    """Answers each frame with the file's new bytes. Returns after the last one, or when the parent has gone."""
    sink = Sink()
    writer: Writer = import_module(module).Writer(sink)
    decoder = frames.decoder(writer.FRAMES)
    while (frame := frames.read(frames_in)) is not None:
        if frame == frames.END:
            writer.close()
        else:
            writer.take(decoder.decode(frame))
        frames.write(file_out, sink.drain())
        if frame == frames.END:
            return
