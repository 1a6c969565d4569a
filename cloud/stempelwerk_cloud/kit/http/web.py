"""The server of the built web app, for all paths that no API call matches.

A file in `/assets/` never changes under its name, so browsers may cache it for ever; everything else is revalidated at
each request. A missing asset is 404, never the page: an old page must not run HTML as a script. A path with a page of
its own, built to be read without the app (such as `/produkte`), is that page; any other path is the app. The
installation's data is filled into pages, site map and robots.txt, but not into the app.

A token `⟦operator.street.text⟧` of a page stands for a leaf of a JSON value by its dotted path, as text that is safe in
HTML and XML, in quotes too; `⟦site⟧` for a whole document, as JSON that is safe inside of a `<script>`. Unknown tokens
are left as they are. Inserted values are not scanned again, so that no user's words become a token.
"""

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from stempelwerk_cloud.kit.http.requests import content_security_policy

_TOKEN = re.compile(r"⟦([A-Za-z0-9.]+)⟧")
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class Filling(NamedTuple):
    """The replacement of each token. Equal fillings give equal documents."""

    words: tuple[tuple[str, str], ...]


def make_filling(leaves: Mapping[str, Any], **documents: Any) -> Filling:
    """Builds a filling of leaves by their dotted paths, and of whole documents by their names."""
    document_words = [(name, _json(document)) for name, document in documents.items()]
    return Filling((*_flat("", leaves), *document_words))


def filled(text: str, filling: Filling) -> str:
    words = dict(filling.words)
    return _TOKEN.sub(lambda token: words.get(token[1], token[0]), text)


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _flat(f"{path}.{name}" if path else name, member)
    else:
        yield path, escape(value if isinstance(value, str) else json.dumps(value), quote=True)


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)


FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
_PAGES = frozenset({"", ".html"})
_SQUEEZABLE = (
    *("text/", "application/javascript", "application/json", "application/manifest+json", "application/xml"),
    "image/svg+xml",
)
_NAME = re.compile(r"/([a-z0-9]+(?:-[a-z0-9]+)*)?/?", re.ASCII)
_START = "index"
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
for _type, _ending in {
    "application/manifest+json": ".webmanifest",
    "text/javascript": ".js",
    "text/plain": ".txt",
    "application/xml": ".xml",
    "image/webp": ".webp",
    "image/avif": ".avif",
}.items():
    mimetypes.add_type(_type, _ending)

Contents = tuple[bytes, bytes | None, str]
"""A body, its gzip-compressed form (None if its type is not compressible), and its ETag."""
Fill = Callable[[Request], Filling]
"""(request) -> the installation's own data, to be filled into the pages for this request."""


class WebApp:
    """An ASGI application that serves the files of a folder. Paths under /api are always 404 here."""

    def __init__(self, folder: Path, fill: Fill) -> None:
        self._folder = folder.resolve()
        self._pages = self._folder / "pages"
        self._filled = {self._folder / "sitemap.xml", self._folder / "robots.txt"}
        self._fill = fill

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if scope["type"] != "http" or path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in {"GET", "HEAD"}:
            if self._page(path) or self._file(path):
                raise HTTPException(405, headers={"Allow": "GET, HEAD"})
            raise HTTPException(404)
        response = await run_in_threadpool(self._respond, Request(scope))
        await response(scope, receive, send)

    def _respond(self, request: Request) -> Response:
        path: str = request.scope["path"]
        page = self._page(path)
        file = page or self._file(path)
        if file is None:
            if path.startswith("/assets/") or Path(path).suffix not in _PAGES:
                raise HTTPException(404)
            file = self._file("/index.html")
        if file is None:  # the web app is not built
            raise HTTPException(404)
        page_filling = self._fill(request) if page is not None or file in self._filled else None
        return _served(request, file, FOR_EVER if path.startswith("/assets/") else ASK_AGAIN, page_filling)

    def _page(self, path: str) -> Path | None:
        """Returns the file of the page that was built for this path; None without one. The page at `/` has no other
        path.
        """
        name = _NAME.fullmatch(path)
        if name is None or name[1] == _START or path == "//":
            return None
        return _inside(self._pages, f"{name[1] or _START}.html")

    def _file(self, path: str) -> Path | None:
        """Returns the file at this path; pages are not found by their file names."""
        file = _inside(self._folder, path.lstrip("/"))
        return None if file is None or file.is_relative_to(self._pages) else file


def _inside(folder: Path, name: str) -> Path | None:
    """Returns the file of this name, if it is inside the folder."""
    try:
        candidate = (folder / name).resolve()
        return candidate if candidate.is_relative_to(folder) and candidate.is_file() else None
    except (OSError, ValueError):  # no name of a file: too long, or with a NUL in it
        return None


def _served(request: Request, path: Path, cache: str, page_filling: Filling | None) -> Response:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    stat = path.stat()
    contents = _contents if page_filling is None else partial(_filled, page_filling=page_filling)
    body, squeezed, tag = contents(path, stat.st_mtime_ns, media_type)
    headers = {"Cache-Control": cache, "ETag": tag, "Vary": "Accept-Encoding"}
    if media_type == "text/html":
        headers["Content-Security-Policy"] = _policy(path, stat.st_mtime_ns)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = squeezed
    response = Response(body, media_type=media_type, headers=headers)
    if request.method == "HEAD":
        response.body = b""
    return response


@lru_cache(maxsize=64)
def _policy(path: Path, _changed_ns: int) -> str:
    """Returns the Content-Security-Policy that allows the inline scripts of the page as built, but no script that was
    filled in.
    """
    return content_security_policy(*_SCRIPT.findall(path.read_bytes().decode("utf-8", "surrogateescape")))


@lru_cache(maxsize=256)
def _contents(path: Path, _changed_ns: int, media_type: str) -> Contents:
    return _wrapped(path.read_bytes(), media_type)


# A separate cache: where the request names the installation, strangers decide how many of these there are.
@lru_cache(maxsize=64)
def _filled(path: Path, _changed_ns: int, media_type: str, page_filling: Filling) -> Contents:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return _wrapped(filled(text, page_filling).encode("utf-8", "surrogateescape"), media_type)


def _wrapped(body: bytes, media_type: str) -> Contents:
    squeezed = gzip.compress(body, 9, mtime=0) if media_type.startswith(_SQUEEZABLE) else None
    return body, squeezed, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
