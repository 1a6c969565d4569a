"""LEDs and a buzzer through files that the kernel offers: the LED class and the PWM class.

The clock's device tree names them (`gpio-leds`, a PWM channel that udev has exported); here are no pin numbers and no
library. It plays one signal at a time, a newer one cuts off the one before. Lights and tones that cannot be set are
logged once and left out: a broken LED never costs a tap.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from stempelwerk_edge.configuration import SignalSettings
from stempelwerk_edge.ports import Signal
from stempelwerk_edge.signals.patterns import PATTERNS, Step

log = logging.getLogger(__name__)

_SECOND_NS = 1_000_000_000


class SysfsSignals:
    """Plays the patterns on `green` and `red` (LED folders) and `buzzer` (a PWM channel's folder), in a thread."""

    def __init__(
        self,
        settings: SignalSettings,
        wait: Callable[[threading.Condition, float], object] = threading.Condition.wait,
    ) -> None:
        self._leds = {"green": settings.green, "red": settings.red}
        self._buzzer = settings.buzzer
        self._wait = wait
        self._wake = threading.Condition()
        self._next: Signal | None = None
        self._closed = False
        self._complained: set[Path] = set()
        self._thread = threading.Thread(target=self._run, name="signals", daemon=True)
        self._thread.start()

    def play(self, signal: Signal) -> None:
        """Starts the signal and returns at once."""
        with self._wake:
            self._next = signal
            self._wake.notify_all()

    def close(self) -> None:
        """Switches everything off and ends the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._thread.join()

    def _run(self) -> None:
        with self._wake:
            while not self._closed:
                signal, self._next = self._next, None
                if signal is None:
                    self._wake.wait()
                    continue
                for step in PATTERNS[signal]:
                    self._set(step)
                    self._wait(self._wake, step.seconds)
                    if self._closed or self._next is not None:
                        break
                self._set(Step(0.0))

    def _set(self, step: Step) -> None:
        for colour, folder in self._leds.items():
            if folder is not None:
                self._write(folder / "brightness", int(getattr(step, colour)))
        if self._buzzer is None:
            return
        self._write(self._buzzer / "enable", 0)
        if step.hertz:
            period = _SECOND_NS // step.hertz
            # The kernel refuses a period shorter than the duty cycle that is still set.
            self._write(self._buzzer / "duty_cycle", 0)
            self._write(self._buzzer / "period", period)
            self._write(self._buzzer / "duty_cycle", period // 2)
            self._write(self._buzzer / "enable", 1)

    def _write(self, file: Path, value: int) -> None:
        try:
            file.write_text(f"{value}\n", "ascii")
        except OSError as error:
            if file not in self._complained:
                self._complained.add(file)
                log.warning("signals: %s", error)
