"""Serves the built web app where no call of the API matches.

`/assets/*` never changes under its name and may be kept for ever; everything else is asked for again each time. A
missing asset is 404, never the page: an old page must not run HTML as a script. Any other path is the page.
"""

import gzip
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
_PAGES = frozenset({"", ".html"})
_SQUEEZABLE = ("text/", "application/javascript", "application/json", "application/manifest+json", "image/svg+xml")
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")


class WebApp:
    """An ASGI application over a folder; paths under /api are always 404 here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if scope["type"] != "http" or path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(405 if self._file(path) else 404)
        response = await run_in_threadpool(self._respond, Request(scope))
        await response(scope, receive, send)

    def _respond(self, request: Request) -> Response:
        path = request.url.path
        found = self._file(path)
        if found is None:
            if path.startswith("/assets/") or Path(path).suffix not in _PAGES:
                raise HTTPException(404)
            found = self._file("/index.html")
        if found is None:  # the web app is not built
            raise HTTPException(404)
        return _served(request, found, FOR_EVER if path.startswith("/assets/") else ASK_AGAIN)

    def _file(self, path: str) -> Path | None:
        """The file at this path, if it lies inside the folder."""
        try:
            candidate = (self._folder / path.lstrip("/")).resolve()
            return candidate if candidate.is_relative_to(self._folder) and candidate.is_file() else None
        except (OSError, ValueError):  # no name of a file: too long, or with a NUL in it
            return None


def _served(request: Request, path: Path, cache: str) -> Response:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    stat = path.stat()
    body, squeezed, tag = _contents(path, stat.st_mtime_ns, media_type)
    headers = {"Cache-Control": cache, "ETag": tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = squeezed
    response = Response(body, media_type=media_type, headers=headers)
    if request.method == "HEAD":
        response.body = b""
    return response


@lru_cache(maxsize=256)
def _contents(path: Path, _changed_ns: int, media_type: str) -> tuple[bytes, bytes | None, str]:
    body = path.read_bytes()
    squeezed = gzip.compress(body, 9, mtime=0) if media_type.startswith(_SQUEEZABLE) else None
    return body, squeezed, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
