"""Lays the touchscreen's page, as the web's build has left it, into the wheel: it belongs to a version."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Nothing is laid anywhere for who works on the source (an editable install), or where the page is not built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by the builder."""
        page = Path(self.root).parent / "web" / "dist" / "kiosk"
        if version == "standard" and page.is_dir():
            build_data["force_include"][str(page)] = "stempelwerk_edge/kiosk"
