"""The thread that keeps a reader going: opens it, polls it, reports taps, and opens it again after every failure.

It never gives up and never ends on its own. It does not know what a tap means, and it writes nothing.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from stempelwerk_edge.errors import ReaderAbsent, ReaderFault, TagUnreadable
from stempelwerk_edge.ports import ReaderState
from stempelwerk_edge.readers import Reader
from stempelwerk_edge.readers.held import HeldTags

log = logging.getLogger(__name__)

_T = TypeVar("_T")
_PAUSE_S = 0.05
_FIRST_BACK_OFF_S, _LONGEST_BACK_OFF_S = 0.5, 5.0
_CARD_BESIDE_PHONE_S = 1.5


class ReaderWatch:
    """Watches `reader` from `start` to `stop` in a thread of its own, which makes all three callbacks.

    `on_tag(tag)` once for each tap; `on_unreadable(reason)` once when something is held to the reader that is no tag
    (`random` for a phone); `on_state` when the reader's state changes, beginning with its first. A callback that raises
    is logged and does not stop the watch. `monotonic` gives seconds, `wait(event, s)` waits for the stop.
    """

    def __init__(
        self,
        reader: Reader,
        on_tag: Callable[[str], object],
        on_unreadable: Callable[[str], object],
        on_state: Callable[[ReaderState], object],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], object] = threading.Event.wait,
    ) -> None:
        self._reader = reader
        self._on_tag, self._on_unreadable, self._on_state = on_tag, on_unreadable, on_state
        self._monotonic, self._wait = monotonic, wait
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._state: ReaderState | None = None
        self._held = HeldTags()
        self._last_look: float | None = None
        self._last_tag = float("-inf")

    @property
    def state(self) -> ReaderState:
        """`ok`, `absent` (also before the first attempt) or `fault`."""
        return self._state or "absent"

    def start(self) -> None:
        """Begins in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends and waits for the end, which takes no longer than one look of the reader."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def run(self) -> None:
        """Runs the thread; returns after `stop`."""
        back_off = _FIRST_BACK_OFF_S
        while not self._stopping.is_set():
            try:
                self._reader.open()
                self._look()
                back_off = _FIRST_BACK_OFF_S
                self._watch()
            except ReaderFault as fault:
                self._enter("absent" if isinstance(fault, ReaderAbsent) else "fault", fault)
            except Exception:
                log.exception("reader: unexpected failure")
                self._enter("fault", None)
            finally:
                self._reader.close()
            self._wait(self._stopping, back_off)
            back_off = min(2 * back_off, _LONGEST_BACK_OFF_S)

    def _watch(self) -> None:
        while not self._stopping.is_set():
            self._wait(self._stopping, _PAUSE_S)
            self._look()

    def _look(self) -> None:
        unreadable = None
        try:
            tag = self._reader.poll()
        except TagUnreadable as error:
            tag, unreadable = None, getattr(error, "reason", str(error))
        now = self._monotonic()
        if self._state != "ok" and self._last_look is not None:
            self._held.looking_again(self._last_look, now)
        self._last_look = now
        self._enter("ok", None)
        if tag is not None:
            self._last_tag = now
            if self._held.record_look(tag, now):
                self._call(self._on_tag, tag)
        elif unreadable is None:
            self._held.record_look(None, now)
        elif self._held.record_look(f"unreadable:{unreadable}", now) and now - self._last_tag > _CARD_BESIDE_PHONE_S:
            # A phone whose case holds the card is read in turns with it; the card is the answer.
            self._call(self._on_unreadable, unreadable)

    def _enter(self, state: ReaderState, why: ReaderFault | None) -> None:
        if state == self._state:
            return
        if why is not None:
            log.warning("reader %s: %s", state, why)
        elif state == "ok":
            log.info("reader ok")
        self._state = state
        self._call(self._on_state, state)

    @staticmethod
    def _call(callback: Callable[[_T], object], value: _T) -> None:
        try:
            callback(value)
        except Exception:
            log.exception("reader: a callback failed")
