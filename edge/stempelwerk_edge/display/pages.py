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
"""The folder of the page in the program's wheel; so an update replaces the page together with the program."""


def page_folder(configured: Path | None) -> Path | None:
    """Returns the folder of the page that comes with the program; in a clone without one, the configured folder."""
    return OWN if (OWN / "index.html").is_file() else configured


class Pages:
    """Serves the page's files in `folder`. Without a folder or a page in it, the answer is a sentence in their
    place.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder.resolve() if folder else None

    async def serve(self, request: Request) -> Response:
        """Returns the file at the request's path. The browser may cache files under /assets/ for ever and must
        revalidate others.
        """
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
