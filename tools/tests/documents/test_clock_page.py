"""The instructions of the page about setting up a clock work literally."""

import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/clock.md").read_text("utf-8")

# Prints the body that curl would send: the last argument, or with "@-" the standard input.
_CURL = 'curl() { if [ "${@: -1}" = @- ]; then cat; else printf %s "${@: -1}"; fi; }'


@pytest.mark.parametrize("password", ["plain words", 'qu"ote', "back\\slash\\", " edges ", "$HOME `id` 'ä'", '","x":"'])
def test_the_sample_logs_in_with_any_password(password: str) -> None:
    (sample,) = re.findall(r"^CLOUD=.*?^LOGIN=[^\n]*\n", PAGE, re.MULTILINE | re.DOTALL)
    script = f'{_CURL}\n{sample}printf %s "$LOGIN"'
    done = subprocess.run(["bash", "-c", script], input=f"{password}\n", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"company": "Plattform", "username": "gerda", "password": password}


@pytest.mark.parametrize("program", ["cloud", "edge"])
def test_units_name_a_page_that_their_package_puts_there(program: str) -> None:
    package, deploy = f"stempelwerk-{program}", ROOT / program / "deploy"
    assert f"docs usr/share/doc/{package}" in (deploy / f"debian/{package}.install").read_text("utf-8").splitlines()
    units = [path.read_text("utf-8") for path in sorted(deploy.rglob("*.service"))]
    urls = [url for unit in units for url in re.findall(r"^Documentation=(\S+)$", unit, re.MULTILINE)]
    assert len(urls) == len(units)
    for url in urls:
        page = Path(urlsplit(url).path)
        assert (ROOT / page.relative_to(f"/usr/share/doc/{package}")).exists()
