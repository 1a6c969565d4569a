"""The service's clock in tests: it is fixed until a test moves it."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


class SettableClock:
    """Stands still until a test moves it."""

    def __init__(self, instant: datetime = START) -> None:
        self.instant = instant

    def now(self) -> datetime:
        return self.instant

    def set(self, instant: datetime) -> None:
        self.instant = instant

    def advance(self, **duration: float) -> None:
        """`advance(hours=2)`: the arguments of a timedelta."""
        self.instant += timedelta(**duration)
