"""How much JavaScript the built pages make a browser load first, compressed as a server would send it.

It follows what the page's HTML names and what those files import statically; what is loaded later is not counted.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

_LEVEL = 6  # what servers use when nobody says otherwise
_TAG = re.compile(r"<(?:script|link)\b[^>]*>")
_REFERENCE = re.compile(r"""(?:src|href)=["']([^"']+\.m?js)["']""")
_STATIC_IMPORT = re.compile(r"""(?:^|[;}\s])(?:import|export)\b[^'"()]*?["'](\.{1,2}/[^"']+\.m?js)["']""")


def first_load(folder: Path, page: str = "index.html") -> int | None:
    """Compressed bytes of JavaScript of a built page; None if it is not built."""
    html = folder / page
    if not html.is_file():
        return None
    waiting = [
        _resolve(folder, html, match)
        for tag in _TAG.findall(html.read_text())
        if tag.startswith("<script") or "modulepreload" in tag
        for match in _REFERENCE.findall(tag)
    ]
    loaded: dict[Path, int] = {}
    while waiting:
        path = waiting.pop()
        if path in loaded or not path.is_file():
            continue
        content = path.read_bytes()
        loaded[path] = len(gzip.compress(content, _LEVEL))
        waiting += [_resolve(folder, path, found) for found in _STATIC_IMPORT.findall(content.decode())]
    return sum(loaded.values())


def _resolve(folder: Path, referrer: Path, reference: str) -> Path:
    if reference.startswith("/"):
        return (folder / reference.lstrip("/")).resolve()
    return (referrer.parent / reference).resolve()
