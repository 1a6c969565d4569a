"""The mail catcher: takes every mail of the service and stores it as a file. Nothing ever leaves the machine."""

import email.policy
import itertools
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from stempelwerk_tools.ports import reserved_port


class _MailStore:
    def __init__(self, folder: Path, caught: Callable[[str], object]) -> None:
        self._folder, self._caught = folder, caught
        folder.mkdir(parents=True, exist_ok=True)
        used_numbers = (int(file.stem) for file in folder.glob("*.eml") if file.stem.isdigit())
        self._numbers = itertools.count(max(used_numbers, default=0) + 1)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        content = bytes(envelope.content)
        file = self._folder / f"{next(self._numbers):04}.eml"
        file.write_bytes(content)
        subject = message_from_bytes(content, policy=email.policy.default)["subject"]
        self._caught(f"Mail an {', '.join(envelope.rcpt_tos)}: {subject or '(ohne Betreff)'} → {file}")
        return "250 kept"


class MailCatcher:
    """An SMTP server on this machine, at a free port. `caught` receives one German line for each mail."""

    def __init__(self, folder: Path, caught: Callable[[str], object]) -> None:
        self.port = reserved_port()  # aiosmtpd cannot be given port 0
        self._controller = Controller(_MailStore(folder, caught), hostname="127.0.0.1", port=self.port)

    @property
    def url(self) -> str:
        """The value for `STEMPELWERK_SMTP_URL`."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts listening."""
        self._controller.start()

    def stop(self) -> None:
        """Stops listening."""
        self._controller.stop()
