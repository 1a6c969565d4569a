"""The touchscreen page's files, as the web's build left them in a folder, with the headers a page should have.

It serves files and nothing else: no listing, no fallback to the index for a missing asset.
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from stempelwerk_edge.display.problems import problem

CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".txt": "text/plain; charset=utf-8",
}
_FOR_EVER = "public, max-age=31536000, immutable"
_NOT_BUILT = """<!doctype html><html lang="de"><meta charset="utf-8"><title>Stempelwerk</title>
<p>Die Seite des Displays ist auf dieser Uhr nicht vorhanden. Gestempelt wird trotzdem.</p></html>"""


OWN = Path(__file__).parents[1] / "kiosk"
"""The page of this version, which its wheel brings: so it comes and goes with an update."""


def page_folder(configured: Path | None) -> Path | None:
    """Returns the version's own page; in a clone, which lacks one, the page of the settings."""
    return OWN if (OWN / "index.html").is_file() else configured


class Pages:
    """The files of `folder`; None or a folder without a page gives a sentence instead of one."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder.resolve() if folder else None

    async def serve(self, request: Request) -> Response:
        """Returns the file at the request's path: what is under /assets/ for ever, the rest to be asked for again."""
        name = request.path_params.get("path", "") or "index.html"
        file = self._file(name)
        if file is None:
            if name == "index.html":
                return HTMLResponse(_NOT_BUILT, headers={"cache-control": "no-cache"})
            return problem(404, "not_found", "Diese Datei gibt es nicht.")
        caching = _FOR_EVER if name.startswith("assets/") else "no-cache"
        return FileResponse(file, media_type=CONTENT_TYPES[file.suffix], headers={"cache-control": caching})

    def _file(self, name: str) -> Path | None:
        if self._folder is None or "\x00" in name:
            return None
        file = (self._folder / name).resolve()
        if not file.is_relative_to(self._folder) or file.suffix not in CONTENT_TYPES or not file.is_file():
            return None
        return file
