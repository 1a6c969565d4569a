"""Readers, and the watch that keeps one of them going: the layer between a tag and the agent.

A reader only reports which tag lies on it now. The watch makes one tap of a tag that stays there, and handles a reader
that fails. The core decides what a tap means.
"""

from typing import Protocol

from stempelwerk_edge.configuration import ReaderSettings


class Reader(Protocol):
    """One reader. Used by one thread at a time; after a ReaderFault it must be opened again."""

    def open(self) -> None:
        """Makes the reader ready. Raises ReaderAbsent if there is nothing at its address, ReaderFault if it does not
        answer.
        """

    def poll(self) -> str | None:
        """Looks once, for at most half a second (nfcpy's `udp`: two): returns the tag that lies there, normalised, or
        None.

        Raises ReaderFault if the reader failed; TagUnreadable if something lies there that cannot be a person's tag.
        """

    def close(self) -> None:
        """Closes the reader; never raises, does nothing when it is not open."""


def reader_for(settings: ReaderSettings) -> Reader | None:
    """Returns the reader of the configuration, not yet opened; None for a clock without one."""
    if settings.kind == "none" or settings.path is None:
        return None
    # A clock without a reader does not load the driver's 10 MB.
    from stempelwerk_edge.readers.nfc import NfcReader  # noqa: PLC0415

    return NfcReader(settings.path)
