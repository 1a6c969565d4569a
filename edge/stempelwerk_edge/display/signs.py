"""Signs of life of the pages that show the touchscreen, each under the name that its kiosk gave it.

Pure: seconds of a clock that never jumps come in from outside.
"""

from collections.abc import Callable

_MOST_PAGES = 16


class SignsOfLife:
    """The last sign of life of each page; only the newest pages are kept."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._began = monotonic()
        self._last: dict[str, float] = {}

    def note(self, page: str) -> None:
        """Notes a sign of this page."""
        self._last.pop(page, None)
        self._last[page] = self._monotonic()
        if len(self._last) > _MOST_PAGES:
            del self._last[next(iter(self._last))]

    def report(self, page: str) -> dict[str, float | None]:
        """Returns the seconds since the page's last sign (`heardS`, None without one) and since the start (`upS`)."""
        now, last = self._monotonic(), self._last.get(page)
        return {"heardS": None if last is None else now - last, "upS": now - self._began}
