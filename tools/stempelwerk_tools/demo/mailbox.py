"""The mailbox page: every caught mail in the browser, newest first, so that login codes can be read and copied.

It listens on this machine only and refuses callers that use another host name (a page elsewhere could otherwise read
the codes by DNS rebinding). It sends nothing, marks nothing as read, and deletes nothing.
"""

import email.policy
import json
import threading
from email import message_from_bytes
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
PORT = 8025
SHOWN = 100
_PAGE = Path(__file__).with_name("mailbox.html")
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_NAMES = frozenset({"127.0.0.1", "localhost"})


def mails_in(folder: Path) -> list[dict[str, Any]]:
    """Returns the newest mails of the folder: number, arrival (milliseconds since 1970), from, to, subject, text."""
    files = sorted((file for file in folder.glob("*.eml") if file.stem.isdigit()), key=lambda file: int(file.stem))
    return [_mail_as_json(file) for file in reversed(files[-SHOWN:])]


def _mail_as_json(file: Path) -> dict[str, Any]:
    mail: EmailMessage = message_from_bytes(file.read_bytes(), policy=email.policy.default)
    body = mail.get_body(("plain", "html"))
    return {
        "number": int(file.stem),
        "at": int(file.stat().st_mtime * 1000),
        "from": str(mail["from"] or ""),
        "to": str(mail["to"] or ""),
        "subject": str(mail["subject"] or ""),
        "text": str(body.get_content()).strip() if body is not None else "",
    }


class MailboxPage:
    """The page over a folder of mails, at `PORT` if that is free and else at any port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """The page's address, once it is started."""
        assert self._server is not None
        return f"http://{HOST}:{self._server.server_address[1]}/"

    @property
    def elsewhere(self) -> bool:
        """Whether the page uses another port because `PORT` was taken."""
        return f":{PORT}/" not in self.url

    def start(self) -> None:
        """Serves the page in a thread of its own."""
        handler = type("Handler", (_Handler,), {"folder": self._folder})
        try:
            self._server = ThreadingHTTPServer((HOST, PORT), handler)
        except OSError:  # another demo, or another program, has the port
            self._server = ThreadingHTTPServer((HOST, 0), handler)
        threading.Thread(target=self._server.serve_forever, name="mailbox", daemon=True).start()

    def stop(self) -> None:
        """Stops answering."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    folder: Path

    def do_GET(self) -> None:
        if self.headers.get("host", "").rsplit(":", 1)[0] not in _NAMES:
            self.send_error(421)
        elif self.path == "/":
            self._send("text/html; charset=utf-8", _PAGE.read_bytes())
        elif self.path == "/mails":
            mails_json = json.dumps(mails_in(self.folder), ensure_ascii=False)
            self._send("application/json; charset=utf-8", mails_json.encode())
        else:
            self.send_error(404)

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", _POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
        """Logs nothing."""
