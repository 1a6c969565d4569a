"""A reader for contactless tags by way of nfcpy: a PN532 on a serial line, or what nfcpy opens by a name of its own.

It only ever senses. Activating a tag would cost a dozen commands, confuse MIFARE Classic with another family, and
learn nothing that a stamp needs: the identity is in the first answer.
"""

import contextlib
import logging
import termios
import time
from pathlib import Path
from typing import Any

import nfc
import nfc.clf.pn532
import nfc.clf.transport
import serial

from stempelwerk_edge.errors import ReaderAbsent, ReaderFault
from stempelwerk_edge.tap.tags import TagRefused, from_reader

log = logging.getLogger(__name__)
# The driver logs every attempt at a dead reader as an error, every few seconds for days; the watch logs it once.
logging.getLogger("nfc").setLevel(logging.CRITICAL)

_INITIAL_BAUD = 115200
# A chip answers within milliseconds. nfcpy waits 100 ms, which a small computer now and then spends on its SD card, and
# takes the silence for a fault. A longer wait only delays the report of a chip that is gone.
_PATIENCE_MS = 500
_FAST_BAUDS = (921600, 460800, 230400)
_ACK = bytes.fromhex("0000FF00FF00")
_SLOW_DOWN = bytes(10) + bytes.fromhex("0000FF03FDD410041800")  # SetSerialBaudrate(115200)
_SLOWED_DOWN = bytes.fromhex("D5111A")
_NO_AUTOMATIC_RATS = 0
_ISO_DEP = 0x20
_IDENTIFIER_BYTES = (4, 7, 10)  # by the two size bits of SENS_RES


class _PatientLine(nfc.clf.transport.TTY):  # type: ignore[misc]  # nfcpy has no types
    def read(self, timeout: int) -> Any:
        return super().read(max(timeout, _PATIENCE_MS))


class NfcReader:
    """A reader at `path`: the device file of a PN532's serial line, or a name of nfcpy's such as `udp:host:port`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._frontend: Any = None
        self._line: Any = None
        self._targets = [nfc.clf.RemoteTarget(technology) for technology in ("106A", "212F")]

    def open(self) -> None:
        """Makes the reader ready. Raises ReaderAbsent or ReaderFault."""
        self.close()
        frontend = nfc.ContactlessFrontend()
        try:
            if self._path.startswith("/"):
                frontend.device = self._pn532()
            elif not frontend.open(self._path):  # nfcpy returns False and nothing else for a path that it cannot use
                raise ReaderAbsent(f"nfcpy finds no reader at {self._path!r}")
        except ReaderFault:
            raise
        except Exception as error:  # the driver lets through whatever goes wrong below it, not only OSError
            self.close()
            raise ReaderFault(f"{self._path}: {error!r}") from error
        self._frontend = frontend

    def poll(self) -> str | None:
        """Returns the tag in the field, or None. Raises ReaderFault; TagUnreadable for a phone or a number that is not
        a tag's.
        """
        if self._frontend is None:
            raise ReaderFault("the reader is not open")
        try:
            target = self._sense()
        except Exception as error:  # a cut frame is an IndexError in nfcpy, a vanished line a termios.error
            self.close()
            raise ReaderFault(f"{self._path}: {error!r}") from error
        if target is None:
            return None
        if target.sdd_res:
            return from_reader(bytes(target.sdd_res))
        if target.sensf_res:
            return from_reader(bytes(target.sensf_res[1:9]))
        raise TagRefused("length")  # Type 1 tags have no identifier that is unique

    def close(self) -> None:
        """Closes the reader: first by way of nfcpy, then its line if nfcpy has failed. Never raises."""
        frontend, line = self._frontend, self._line
        self._frontend = self._line = None
        # nfcpy's own way out stops at the first thing that fails and leaves the line open.
        if frontend is not None:
            with contextlib.suppress(Exception):
                frontend.close()
        if line is not None and line.tty is not None:
            with contextlib.suppress(OSError, termios.error):
                line.tty.close()

    def _sense(self) -> Any:
        target = self._frontend.sense(*self._targets)
        if target is not None and target.sdd_res and target.sel_res[0] & _ISO_DEP:
            expected = dict(enumerate(_IDENTIFIER_BYTES)).get(target.sens_res[0] >> 6)
            if len(target.sdd_res) != expected:
                # A chip that lost power meanwhile is back in its defaults and fetches the tag's ATS, which nfcpy
                # takes for the end of the identifier. Both may be 10 bytes together, a wrong tag that looks right.
                log.warning("reader back in its defaults: configured again")
                self._frontend.device.chipset.set_parameters(_NO_AUTOMATIC_RATS)
                target = self._frontend.sense(*self._targets)
        return target

    def _pn532(self) -> Any:
        # The real path: nfcpy hands it to a shell, and knows a Raspberry Pi's ports by their names.
        path = str(Path(self._path).resolve())
        try:
            with serial.Serial(path, _INITIAL_BAUD, exclusive=True):
                pass
        except FileNotFoundError as error:
            raise ReaderAbsent(f"{self._path} is missing") from error
        except serial.SerialException as error:
            kind = ReaderFault if Path(path).exists() else ReaderAbsent
            raise kind(f"{self._path}: {error}") from error
        try:
            device = self._initialise(path)
        except OSError:
            if not self._slow_down(path):
                raise
            device = self._initialise(path)
        # a second program, such as `check`, gets an error instead of talking in between
        self._line.tty.exclusive = True
        return device

    def _initialise(self, path: str) -> Any:
        self._line = _PatientLine(path)
        try:
            return nfc.clf.pn532.init(self._line)
        except Exception:
            self.close()
            raise

    @staticmethod
    def _slow_down(path: str) -> bool:
        """Sets a chip back to its default speed if a former agent, killed and not stopped, left it at a high one;
        returns whether one was found.
        """
        # A Raspberry Pi with a USB adapter may hold the first bytes back for a second after opening.
        patience_s = 1.5 if path.startswith("/dev/ttyUSB") else _PATIENCE_MS / 1000
        for baud in _FAST_BAUDS:
            with contextlib.suppress(OSError, termios.error), serial.Serial(path, baud, timeout=patience_s) as line:
                line.write(_SLOW_DOWN)
                if _SLOWED_DOWN in line.read(len(_ACK) + 9):
                    line.write(_ACK)
                    line.flush()
                    time.sleep(0.002)
                    log.warning("reader found at %d baud and set back", baud)
                    return True
        return False
