"""The machine's clocks: wall time and where it comes from, and the time since boot that never jumps.

Whether that time is right and can be trusted is decided in `trusted_time.py`.
"""

import ctypes
import errno
import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Protocol

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Quality(StrEnum):
    """Where the wall time comes from, best first."""

    NTP = "ntp"
    RTC = "rtc"
    MANUAL = "manual"
    NONE = "none"


class Clock(Protocol):
    """A machine's time. Thread-safe."""

    @property
    def boot_id(self) -> str:
        """The UUID of this start of the system."""

    def wall(self) -> datetime:
        """Returns the system's wall time, aware UTC, whole milliseconds."""

    def boottime_ms(self) -> int:
        """Returns milliseconds since this start of the system, sleep included; never jumps."""

    def quality(self) -> Quality:
        """Returns where the wall time comes from now."""


def milliseconds(instant: datetime) -> datetime:
    """Returns the instant cut to whole milliseconds, in UTC."""
    instant = instant.astimezone(UTC)
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def to_ms(instant: datetime) -> int:
    """Returns whole milliseconds since 1970 UTC."""
    return (instant - EPOCH) // timedelta(milliseconds=1)


def from_ms(number: int) -> datetime:
    """Returns the aware UTC instant of milliseconds since 1970."""
    return EPOCH + timedelta(milliseconds=number)


class _Timex(ctypes.Structure):
    """struct timex of adjtimex(2), long enough for every Linux."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


_STA_UNSYNC = 0x40
_TIME_ERROR = 5
EARLIEST_PLAUSIBLE = datetime(2026, 1, 1, tzinfo=UTC)


def _no_such_call(_: object) -> int:
    ctypes.set_errno(errno.ENOSYS)
    return -1


def _adjtimex() -> Callable[[object], int]:
    """Returns the C library's function adjtimex(2)."""
    try:
        return ctypes.CDLL(None, use_errno=True).adjtimex
    except (OSError, AttributeError):
        return _no_such_call


def _steered(adjtimex: Callable[[object], int]) -> bool:
    """Returns whether a time service steers the kernel's clock, by adjtimex(2) in reading mode.

    Raises OSError if a sandbox refuses that; then it is unknown.
    """
    timex = _Timex()
    state = adjtimex(ctypes.byref(timex))
    if state == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return state != _TIME_ERROR and not timex.status & _STA_UNSYNC


def _set_the_time(rtc: Path) -> bool:
    """Returns whether the system's time was set from this battery-backed clock at its start."""
    try:
        return (rtc / "hctosys").read_text("ascii").strip() == "1"
    except OSError:
        return False


class SystemClock:
    """The clock of the machine this runs on (Linux). A test brings its own `adjtimex`."""

    def __init__(
        self, rtc: Path = Path("/sys/class/rtc/rtc0"), adjtimex: Callable[[object], int] | None = None
    ) -> None:
        self._boot_id = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip().lower()
        self._has_rtc = _set_the_time(rtc)
        self._adjtimex = adjtimex or _adjtimex()

    @property
    def boot_id(self) -> str:
        """The kernel's name for this boot."""
        return self._boot_id

    def wall(self) -> datetime:
        """Returns the system's wall time."""
        return from_ms(time.time_ns() // 1_000_000)

    def boottime_ms(self) -> int:
        """Returns CLOCK_BOOTTIME in milliseconds."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000

    def quality(self) -> Quality:
        """Returns `ntp` if the kernel is steered, `rtc` if a battery-backed clock set a plausible time, else `NONE`."""
        with suppress(OSError):
            if _steered(self._adjtimex):
                return Quality.NTP
        if self._has_rtc and self.wall() >= EARLIEST_PLAUSIBLE:
            return Quality.RTC
        return Quality.NONE

    def untold(self) -> str | None:
        """Returns why it is unknown whether a time service steers the kernel's clock; None if it is known."""
        try:
            _steered(self._adjtimex)
        except OSError as fault:
            return fault.strerror
        return None


class SystemIds:
    """UUIDv7 from the clock's wall time and the system's random numbers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def new(self) -> str:
        """Returns a new UUIDv7 (RFC 9562)."""
        stamp = max(0, to_ms(self._clock.wall())) & 0xFFFFFFFFFFFF
        random_bits = int.from_bytes(os.urandom(10), "big")
        number = stamp << 80 | 7 << 76 | (random_bits >> 68 & 0xFFF) << 64 | 2 << 62 | random_bits & 0x3FFFFFFFFFFFFFFF
        text = f"{number:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def nonce(self) -> str:
        """Returns 128 random bits, base 16."""
        return os.urandom(16).hex()
