"""The programs of the benchmark that stand in a real browser: scripts of the web, run by the project's Node.js."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from stempelwerk_tools.bench.installation import WEB
from stempelwerk_tools.bench.sides.side import NotMeasured

FOLDER = WEB.parent


def browser_program(script: str) -> list[str | Path]:
    """What runs a script of `web/e2e`, to be started in `FOLDER`. Raises NotMeasured."""
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if node is None or not (FOLDER / "node_modules" / "@playwright").exists():
        raise NotMeasured("no Node.js with the pages' packages (make setup)")
    if not all((WEB / page).exists() for page in ("app", "kiosk")):
        raise NotMeasured("not built (make build)")
    return [node, FOLDER / "e2e" / script]
