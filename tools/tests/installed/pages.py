"""What the documents have an administrator type, as it stands there."""

import re

from tools.tests.installed.machine import ROOT

_BLOCK = re.compile(r"^```sh (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(page: str, what: str) -> list[str]:
    """The scripts of a page (`docs/…`) that are marked as `what`, in their order."""
    found = [script for label, script in _BLOCK.findall((ROOT / page).read_text("utf-8")) if label == what]
    assert found, f"{page} has no step marked {what}"
    return found
