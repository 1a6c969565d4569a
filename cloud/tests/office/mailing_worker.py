"""A process that runs the monthly mail, for `test_monthly_mail_processes.py`.

Its arguments are a function that waits for the other processes, the database, the data folder, the mail server, the
current instant, and a step of `sending`. At the end of that step it kills itself, before its caller continues ("":
never).
"""

import os
import signal
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.monthly_mail.mails import sending

STEPS: dict[str, tuple[Any, str]] = {
    "committed": (sending, "come_to"),
    "made": (making, "make"),
    "sent": (Mailer, "send"),
    "noted": (sending, "_note"),
}


class At:
    """A clock that always shows this instant."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        return self._instant


def dies_after(step: str) -> None:
    owner, name = STEPS[step]
    real = getattr(owner, name)

    def last(*args: Any, **extra: Any) -> None:
        real(*args, **extra)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, last)


def main(ready: Callable[[], object], url: str, folder: str, smtp: str, instant: str, step: str) -> None:
    if step:
        dies_after(step)
    settings = Settings(
        database_url=url,
        data_dir=Path(folder),
        smtp_url=smtp,
        mail_from="Stempelwerk <stempelwerk@example.org>",
        public_url="https://zeit.example.de",
    )
    platform = build_platform(settings, clock=At(datetime.fromisoformat(instant)))
    ready()
    sending.come_round(platform)
    outbox.once(platform)
    platform.database.dispose()
