"""The commands that the documents have an administrator type, literally."""

import re

from tools.tests.installed.machine import ROOT

_BLOCK = re.compile(r"^```sh (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(page: str, marker: str) -> list[str]:
    """Returns the scripts of a page (`docs/…`) that are marked as `marker`, in their order."""
    scripts = [script for label, script in _BLOCK.findall((ROOT / page).read_text("utf-8")) if label == marker]
    assert scripts, f"{page} has no step marked {marker}"
    return scripts
