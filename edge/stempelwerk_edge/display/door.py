"""The guard in front of the touchscreen's server: only the clock's own page gets in.

The server listens on the loopback interface, which any page in any browser on the machine can reach too. The guard
recognises a foreign name that resolves to 127.0.0.1 by its Host, and a foreign page by its Origin. It authenticates no
person: anyone in front of the screen may touch it.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stempelwerk_edge.display.problems import problem
from stempelwerk_edge.errors import SettingsError

_OWN_NAMES = {"127.0.0.1", "localhost", "::1"}
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "media-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def own_address(host: str) -> str:
    """Returns the address to listen on for `[display] host`. Raises SettingsError for one whose page `Door` would
    refuse.
    """
    if host not in _OWN_NAMES:
        raise SettingsError(f"[display] host muss 127.0.0.1, ::1 oder localhost sein, nicht „{host}“.")
    return "127.0.0.1" if host == "localhost" else host


def host_is_own(host: str) -> bool:
    """Returns whether the Host header names this machine's loopback interface, at whatever port it is reached."""
    try:
        return urlsplit(f"//{host}").hostname in _OWN_NAMES and "@" not in host
    except ValueError:
        return False


class Door:
    """ASGI middleware: 421 for a foreign Host, 403 for a foreign page, the page's security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        app: ASGIApp = self._app
        if len(hosts) != 1 or not host_is_own(hosts[0]):
            app = problem(421, "foreign_host", "Diese Seite gehört zur Uhr und ist nur auf ihr selbst zu erreichen.")
        elif not _from_own_page(scope["method"], headers, hosts[0]):
            app = problem(403, "foreign_origin", "Eine fremde Seite darf die Uhr nicht bedienen.")
        await app(scope, receive, send_guarded)


def _from_own_page(method: str, headers: Headers, host: str) -> bool:
    # Browsers send Origin with every POST and with cross-origin reads, and Sec-Fetch-Site with everything.
    if any(origin != f"http://{host}" for origin in headers.getlist("origin")):
        return False
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return True
    # A link somewhere else may open the page in a window of its own; it cannot look into it.
    return method == "GET" and headers.get("sec-fetch-dest") == "document"
