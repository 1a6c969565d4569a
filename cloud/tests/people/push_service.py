"""A push service for tests: it speaks TLS on a local address, records requests, and answers as configured."""

import ssl
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import trustme
from stempelwerk_cloud.kit.deadline import Address
from stempelwerk_cloud.kit.outward import Outward

HOST = "push.example.org"


class PushService:
    """Call `start` and `stop`. `status`, `headers` and `body` are its answer."""

    def __init__(self, authority: trustme.CA, host: str = HOST) -> None:
        self.requests: list[tuple[str, Mapping[str, str]]] = []
        self.asked: list[str] = []
        self.answer()
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(host).configure_cert(tls)
        self._trusting = ssl.create_default_context()
        authority.configure_trust(self._trusting)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign] -- who hangs up does so on purpose
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def answer(self, status: int = 201, headers: Mapping[str, str] | None = None, *, endless: str = "") -> None:
        """Sets the answer from now on. `endless`: its "head" or its "body" never ends."""
        self.status, self.headers, self.endless = status, dict(headers or {}), endless

    def outward(self, **options: Any) -> Outward:
        """Returns an outward client that always connects here, for any host, without checking the address."""
        return Outward(**{"find": self.find, "allowed": lambda _: True, "tls": self._trusting} | options)

    def find(self, host: str, _port: int) -> list[Address]:
        self.asked.append(host)
        return [("127.0.0.1", self.port)]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def empty(self) -> None:
        self.requests.clear()
        self.asked.clear()
        self.answer()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_POST(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                headers["body"] = self.rfile.read(int(headers.get("content-length", "0"))).decode()
                service.requests.append((self.path, headers))
                if service.endless == "head":
                    self._go_on(b"HTTP/1.1 201 Created\r\nX: ")
                self.send_response(service.status)
                for name, value in service.headers.items():
                    self.send_header(name, value)
                if not service.endless:
                    self.send_header("Content-Length", "0")
                self.end_headers()
                if service.endless == "body":
                    self._go_on(b"")

            def _go_on(self, first: bytes) -> None:
                self.wfile.write(first)
                pause = threading.Event()
                while True:
                    self.wfile.write(b"x" * (1024 if service.endless == "body" else 1))
                    pause.wait(0.001)

            def log_message(self, *_: Any) -> None:
                """Suppresses the log."""

        return Handler
