"""What the page about setting up a clock has one do and type works as it stands there."""

import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/clock.md").read_text("utf-8")

# What curl would send as the body: the last argument, or with "@-" what comes in.
_CURL = 'curl() { if [ "${@: -1}" = @- ]; then cat; else printf %s "${@: -1}"; fi; }'


@pytest.mark.parametrize("password", ["plain words", 'qu"ote', "back\\slash\\", " edges ", "$HOME `id` 'ä'", '","x":"'])
def test_the_sample_logs_in_with_any_password(password: str) -> None:
    (sample,) = re.findall(r"^CLOUD=.*?^LOGIN=[^\n]*\n", PAGE, re.MULTILINE | re.DOTALL)
    script = f'{_CURL}\n{sample}printf %s "$LOGIN"'
    done = subprocess.run(["bash", "-c", script], input=f"{password}\n", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"company": "Plattform", "username": "gerda", "password": password}


def test_the_unit_names_a_page_that_the_installation_puts_there() -> None:
    unit = (ROOT / "edge/deploy/stempelwerk-edge.service").read_text("utf-8")
    (home,) = re.findall(r"^sudo git clone REPOSITORY (\S+)$", PAGE, re.MULTILINE)
    named = re.findall(r"^Documentation=(\S+)$", unit, re.MULTILINE)
    assert named
    for url in named:
        page = Path(urlsplit(url).path)
        assert page.is_relative_to(home), url
        assert (ROOT / page.relative_to(home)).is_file(), url
